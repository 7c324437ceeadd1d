// A long text of bytes in chunks: kept in memory while it is short, the first of it as it is and
// the rest compressed, and in a file after.
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
  /// How many bytes are kept in memory.
  struct Room {
    std::size_t plain = std::size_t{32}
                        << 20;  ///< As they are: compressing costs more than memory.
    std::size_t compressed = std::size_t{64} << 20;
  };
  /// Beyond its room chunks go to a nameless file in the folder for such.
  explicit ChunkStore(Room room);
  ChunkStore() : ChunkStore(Room{}) {}
  ~ChunkStore();

  /// Throws RunError if there is no room left.
  void append(std::span<const std::byte> chunk);
  std::size_t chunks() const { return places_.size(); }
  /// The bytes of a chunk, which `buffer` may be used for. Throws RunError if they cannot be read.
  std::span<const std::byte> read(std::size_t number, std::vector<std::byte>& buffer) const;
  /// What all chunks take.
  std::uint64_t kept_bytes() const { return plain_ + compressed_; }

 private:
  struct Place {
    std::vector<std::byte> bytes;  ///< Empty: in the file.
    std::uint64_t offset = 0;      ///< There.
    std::size_t size = 0;          ///< As it is kept.
    std::size_t original = 0;
    bool plain = false;
  };
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Context;
  std::span<const std::byte> compress(std::span<const std::byte> chunk);
  void write(std::span<const std::byte> compressed);

  Room room_;
  std::unique_ptr<Context> context_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::uint64_t file_size_ = 0;
  std::uint64_t plain_ = 0;
  std::uint64_t compressed_ = 0;
  std::vector<Place> places_;
  std::vector<std::byte> buffer_;
};

}  // namespace heddle::record
