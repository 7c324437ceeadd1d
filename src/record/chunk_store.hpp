// A long text of bytes in chunks, compressed, kept in memory while it is short and in a file after.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle::record {

/// Chunks can be appended, and read in any order.
class ChunkStore {
 public:
  /// Beyond `in_memory` compressed bytes chunks go to a nameless file in the folder for such.
  explicit ChunkStore(std::size_t in_memory = std::size_t{64} << 20) : in_memory_(in_memory) {}

  /// Throws RunError if there is no room left.
  void append(std::span<const std::byte> chunk);
  std::size_t chunks() const { return places_.size(); }
  /// The bytes of a chunk, into `chunk`. Throws RunError if they cannot be read.
  void read(std::size_t number, std::vector<std::byte>& chunk) const;
  /// What all chunks take.
  std::uint64_t compressed_bytes() const { return compressed_; }

 private:
  struct Place {
    bool in_file;
    std::uint64_t offset;
    std::uint32_t size;      ///< Compressed.
    std::uint32_t original;  ///< Not.
  };
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void keep(std::span<const std::byte> compressed, std::size_t original);
  void write(std::span<const std::byte> compressed);

  std::size_t in_memory_;
  std::vector<std::byte> memory_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::uint64_t file_size_ = 0;
  std::uint64_t compressed_ = 0;
  std::vector<Place> places_;
  std::vector<std::byte> buffer_;
};

}  // namespace heddle::record
