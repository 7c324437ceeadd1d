// Ways one after another, round after round.
#pragma once

#include <cstdint>

#include "core/random.hpp"

namespace heddle::network {

/// All of so many ways, a power of two, in an order that is another one in each round.
class PathWalk {
 public:
  PathWalk(std::uint32_t paths, std::uint64_t seed) : random_(seed), last_(paths - 1) {
    mask_ = static_cast<std::uint32_t>(random_.below(paths));
  }
  std::uint32_t next() {
    const std::uint32_t path = at_ ^ mask_;
    if (at_++ == last_) {
      at_ = 0;
      mask_ = static_cast<std::uint32_t>(random_.below(std::uint64_t{last_} + 1));
    }
    return path;
  }
  std::uint32_t any() {
    return static_cast<std::uint32_t>(random_.below(std::uint64_t{last_} + 1));
  }
  std::uint32_t paths() const { return last_ + 1; }

 private:
  RandomStream random_;
  std::uint32_t last_;
  std::uint32_t at_ = 0;
  std::uint32_t mask_ = 0;
};

}  // namespace heddle::network
