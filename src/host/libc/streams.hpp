// The standard streams of hosted programs: shared in reality, each rank's own as far as it can
// tell.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "host/libc/stream_formats.hpp"

namespace heddle::host {

class Rank;
class SharedRun;

enum class Stream : std::uint8_t { out, err };

/// What a rank has written and not ended with a new line, by stream.
using PartialLines = std::array<std::string, 2>;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
/// Where a rank's streams go instead, if it has redirected them.
using Redirections = std::array<std::unique_ptr<std::FILE, CloseFile>, 2>;

/// What one rank has of its own of the standard streams; parts are made when they are first used.
class OwnStreams {
 public:
  /// Null: it has begun none.
  PartialLines* begun_lines() { return lines_.get(); }
  PartialLines& lines() {
    if (lines_ == nullptr) lines_ = std::make_unique<PartialLines>();
    return *lines_;
  }
  void redirect(Stream stream, std::FILE* file) {
    if (files_ == nullptr) files_ = std::make_unique<Redirections>();
    (*files_)[static_cast<std::size_t>(stream)].reset(file);
  }
  /// The file that a stream goes to instead, or null.
  std::FILE* redirected(Stream stream) const {
    return files_ ? (*files_)[static_cast<std::size_t>(stream)].get() : nullptr;
  }
  /// Whether it has closed one of the three standard descriptors, for itself.
  bool& closed(int descriptor) { return closed_[static_cast<std::size_t>(descriptor)]; }

 private:
  std::unique_ptr<PartialLines> lines_;
  std::unique_ptr<Redirections> files_;
  std::array<bool, 3> closed_{};
};

/// The standard streams of a run. As long as it lives, what code running in the run's ranks writes
/// to the C and C++ standard streams comes out as whole lines, on the streams it found; what others
/// write comes out as it is. The process has one set of these streams: those of the run that began
/// last stand in for them, in front of those of runs that have not ended. They end in the opposite
/// order.
class RankStreams {
 public:
  enum class Lines : std::uint8_t {
    plain,
    prefixed,  ///< Each begins with its rank, "[3] ", where there are several jobs "[2:3] ".
    dropped,   ///< Nobody wants to read them.
  };
  RankStreams(SharedRun& run, Lines lines);
  ~RankStreams();
  RankStreams(const RankStreams&) = delete;
  RankStreams& operator=(const RankStreams&) = delete;

  /// Which one a C stream is that programs see, whatever the run.
  static std::optional<Stream> stream_of(std::FILE* file);
  /// What the C++ streams are like where a rank has not changed them; null: no run is on.
  static const StreamFormats::Normal* normal();

  /// Lets the running rank's stream go to a file from here on, as freopen(3): false, and errno, if
  /// that cannot be opened.
  bool redirect(Stream stream, const char* path, const char* mode);
  /// Takes what the running rank wrote to a stream.
  void write(Stream stream, std::string_view text);
  /// The same for a rank whose code runs elsewhere; `lines` keeps what is not a whole line yet.
  void write(Stream stream, const Rank& rank, PartialLines& lines, std::string_view text);
  /// Whether that is going on.
  bool writing() const { return writing_; }
  /// Moves what the running rank left in the buffers of the C library to its own.
  void drain();
  /// Ends lines that have no end; for a rank that has ended.
  void finish(const Rank& rank, PartialLines& lines);
  /// Throws RunError if something that ranks wrote could not be written, as on a full disk.
  void check() const;
  /// The C stream that programs see.
  std::FILE* file(Stream stream) const;

 private:
  struct State;
  void flush() const;
  void take(Stream stream, std::string_view text);
  void put_line(Stream stream, const Rank& rank, std::string_view line);
  std::unique_ptr<State> state_;
  volatile bool writing_ = false;  ///< Signal handlers look at it.
};

}  // namespace heddle::host
