#include "portals/data_mover.hpp"

#include <algorithm>

#include "portals/process.hpp"

namespace heddle::portals {

bool DataMover::move(const Place& place, Command& command, ptl_size_t size) {
  if (size == 0) return true;
  switch (command.header.kind) {
    case nic::Operation::put:
      return !copy_payload_ || put(place, command, size);
    case nic::Operation::get:
      return !copy_payload_ || get(place, command, size);
    case nic::Operation::atomic:
    case nic::Operation::fetch_atomic:
      return combine(place, command, size);
  }
  return false;
}

bool DataMover::put(const Place& to, Command& command, ptl_size_t size) {
  if (command.staged) return write(to, command.payload.data(), size);
  return command.origin && copy(to, place_of(*command.origin, command.out), size);
}

/// A process that has ended meanwhile no longer cares.
bool DataMover::get(const Place& from, Command& command, ptl_size_t size) {
  return !command.origin || copy(place_of(*command.origin, command.in), from, size);
}

bool DataMover::combine(const Place& at, Command& command, ptl_size_t size) {
  source_.resize(size);
  target_.resize(size);
  if (command.staged) {
    std::copy_n(command.payload.begin(), size, source_.begin());
  } else if (!command.origin ||
             !read(place_of(*command.origin, command.out), source_.data(), size)) {
    return false;
  }
  if (!read(at, target_.data(), size)) return false;
  if (fetches(command.header) && command.origin &&
      !write(place_of(*command.origin, command.in), target_.data(), size)) {
    return false;
  }
  apply(command.header.operation, command.header.datatype, target_.data(), source_.data(),
        command.operand.data(), size);
  return write(at, target_.data(), size);
}

}  // namespace heddle::portals
