// Memory that a collective needs for a while.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "coll/datatype/datatype.hpp"

namespace heddle::coll {

/// Memory that is given out piece by piece and taken back all at once.
class Scratch {
 public:
  /// For `count` elements of a type. Its contents are undefined.
  Buffer get(std::int64_t count, const Datatype& type);
  /// Takes everything back; keeps a little for the next time.
  void clear();
  /// Whether an address is in what has been given out.
  bool owns(const void* address) const;

 private:
  std::byte* bytes(std::size_t size);

  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
  };
  std::vector<Chunk> chunks_;
  std::size_t used_ = 0;  ///< Of the last chunk.
};

}  // namespace heddle::coll
