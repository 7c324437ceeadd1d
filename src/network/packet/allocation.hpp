// Allocation of a switch's crossbar: which inputs may send to which outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/time.hpp"

namespace heddle::network {

/// An input has a packet that could pass to an output. Inputs and outputs of a switch are numbered
/// from 0, in the order of their links.
struct CrossbarRequest {
  std::uint32_t input;
  std::uint32_t output;
  Time since;  ///< That packet is at the arbiter.
};

/// A switch as its allocator sees it.
struct CrossbarShape {
  std::uint32_t inputs;
  std::uint32_t outputs;
  std::uint64_t seed;  ///< Of random choices: the switch's own.
};

/// The state of one switch's allocation.
class Allocator {
 public:
  virtual ~Allocator() = default;
  /// Chooses among `requests`, no two of which have the same input and output; all of their inputs
  /// and outputs are free. Appends the places of the chosen ones to `matched`: no two of them share
  /// an input or an output.
  virtual void match(std::span<const CrossbarRequest> requests,
                     std::vector<std::size_t>& matched) = 0;
};

/// What the allocators of all switches have in common; outlives them.
class Allocation {
 public:
  virtual ~Allocation() = default;
  virtual std::unique_ptr<Allocator> new_allocator(const CrossbarShape& shape) const = 0;
};

}  // namespace heddle::network
