// Moves the data of requests between the memories of two processes.
#pragma once

#include <portals4.h>

#include <cstddef>
#include <vector>

#include "portals/command.hpp"
#include "portals/region.hpp"

namespace heddle::portals {

class DataMover {
 public:
  /// Without `copy_payload`, puts and gets move nothing and succeed.
  explicit DataMover(bool copy_payload) : copy_payload_(copy_payload) {}

  /// Carries out the operation on `size` bytes at the target's place; false if a memory is not
  /// there.
  bool move(const Place& place, Command& command, ptl_size_t size);

 private:
  bool put(const Place& to, Command& command, ptl_size_t size);
  bool get(const Place& from, Command& command, ptl_size_t size);
  bool combine(const Place& at, Command& command, ptl_size_t size);

  const bool copy_payload_;
  std::vector<std::byte> source_;  ///< For atomics.
  std::vector<std::byte> target_;
};

}  // namespace heddle::portals
