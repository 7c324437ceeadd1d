// Whose data are in chunks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::traces {

/// Data of one GPU: a chunk of its input, and how often it is in a sum.
struct ChunkPart {
  std::uint32_t gpu = 0;
  std::uint32_t chunk = 0;
  std::uint32_t times = 1;
  auto operator<=>(const ChunkPart&) const = default;
};

/// "chunk 0 of GPU 1 + 2 x chunk 3 of GPU 2"; "nothing".
std::string text_of(std::span<const ChunkPart> parts);

/// Sums of chunks. Each is kept once, however many chunks it is in, and known by a number: equal
/// ones by the same.
class ChunkContents {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNothing = 0;

  ChunkContents();
  /// Parts in their order, none of them twice.
  Id of(std::span<const ChunkPart> parts);
  Id sum(Id a, Id b);
  std::span<const ChunkPart> parts(Id id) const {
    return std::span(parts_).subspan(begins_[id], begins_[id + 1] - begins_[id]);
  }

 private:
  std::size_t size() const { return begins_.size() - 1; }
  std::size_t place_of(std::span<const ChunkPart> parts) const;
  void grow();

  std::vector<ChunkPart> parts_;       ///< Of one after another.
  std::vector<std::uint64_t> begins_;  ///< By number, and the end.
  std::vector<Id> places_;        ///< Numbers by what they stand for, at most half of it taken.
  std::vector<ChunkPart> added_;  ///< Room for a sum.
};

}  // namespace heddle::traces
