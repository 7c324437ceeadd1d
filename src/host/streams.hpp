// The standard streams of hosted programs: shared in reality, each rank's own as far as it can
// tell.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace heddle::host {

enum class Stream : std::uint8_t { out, err };

/// What a rank has written and not ended with a new line, by stream.
using PartialLines = std::array<std::string, 2>;

/// As long as it lives, what code running in ranks writes to the C and C++ standard streams comes
/// out as whole lines, on the streams it found; what is written outside of ranks comes out as it
/// is. There is at most one.
class RankStreams {
 public:
  /// With `prefix` each line begins with its rank: "[3] ".
  explicit RankStreams(bool prefix);
  ~RankStreams();
  RankStreams(const RankStreams&) = delete;
  RankStreams& operator=(const RankStreams&) = delete;

  /// The one there is, or null.
  static RankStreams* instance();

  /// Takes what the running rank wrote to a stream.
  void write(Stream stream, std::string_view text);
  /// Moves what the running rank left in the buffers of the C library to its own.
  void drain();
  /// Ends lines that have no end; for a rank that has ended.
  void finish(std::uint32_t rank, PartialLines& lines);
  /// The C stream that programs see.
  std::FILE* file(Stream stream) const;

 private:
  struct State;
  void put_line(Stream stream, std::uint32_t rank, std::string_view line);
  std::unique_ptr<State> state_;
};

}  // namespace heddle::host
