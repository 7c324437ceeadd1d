// What fingerprints of networks are sums of.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "core/time.hpp"

namespace heddle::network {

/// Stands for something that kept a link until `time`. A sum of these does not depend on the order
/// in which different links are served.
inline std::uint64_t crossing_hash(Time time, LinkId link) {
  std::uint64_t hash = static_cast<std::uint64_t>(time.ps()) * 0x9e3779b97f4a7c15ULL;
  hash = (hash ^ (hash >> 29) ^ index(link)) * 0xd6e8feb86659fd93ULL;
  return hash ^ (hash >> 32);
}

}  // namespace heddle::network
