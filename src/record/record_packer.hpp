// Packs records into a few bytes each, one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/record.hpp"

namespace heddle::record {

/// A detail of a record: the number of a thread follows.
inline constexpr unsigned kOtherThread = 16;
/// Of a call: the number of a group follows.
inline constexpr unsigned kTogether = 1;

/// Has room for one chunk, of which RecordReader reads the records again.
class RecordPacker {
 public:
  RecordPacker()
      : chunk_(kChunk + kLongest), at_(chunk_.data()), limit_(chunk_.data() + kChunk - kLongest) {}
  RecordPacker(const RecordPacker&) = delete;
  RecordPacker& operator=(const RecordPacker&) = delete;

  /// The head of every record. Ends are close to those before; the rest is short.
  void head(Kind kind, unsigned detail, std::uint32_t rank, Time begin, Time end) {
    *at_++ = static_cast<std::byte>(static_cast<unsigned>(kind) | detail << 3);
    number(rank);
    signed_number(end.ps() - last_);
    number(static_cast<std::uint64_t>((end - begin).ps()));
    last_ = end.ps();
  }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *at_++ = static_cast<std::byte>(value | 0x80);
    *at_++ = static_cast<std::byte>(value);
  }
  void signed_number(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }

  /// Whether the chunk is to be taken before another record begins.
  bool is_full() const { return at_ > limit_; }
  bool is_empty() const { return at_ == chunk_.data(); }
  /// The records so far, until the next one begins in their place.
  std::span<const std::byte> take() {
    const std::span<const std::byte> records(chunk_.data(),
                                             static_cast<std::size_t>(at_ - chunk_.data()));
    at_ = chunk_.data();
    last_ = 0;
    return records;
  }

 private:
  /// Its records fit a cache, packed and unpacked.
  static constexpr std::size_t kChunk = std::size_t{64} << 10;
  static constexpr std::size_t kLongest = 96;  ///< Of one packed record.

  std::vector<std::byte> chunk_;
  std::byte* at_;
  std::byte* limit_;
  std::int64_t last_ = 0;  ///< The end of the record before, of this chunk.
};

}  // namespace heddle::record
