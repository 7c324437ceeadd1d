// Arbitration between the virtual lanes of an output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace heddle::network {

/// The state of one output's arbitration between lanes.
class LaneArbiter {
 public:
  virtual ~LaneArbiter() = default;
  /// The lane to serve among those whose bit in `ready` is set, lane 0 being the lowest; -1 if the
  /// rule serves none of them.
  virtual int choose(std::uint64_t ready) const = 0;
  /// A packet of `flits` flits of `lane` has been let through.
  virtual void served(int lane, std::uint32_t flits) = 0;
};

/// What the arbiters of all outputs have in common; outlives them.
class LaneArbitration {
 public:
  virtual ~LaneArbitration() = default;
  /// Whether packets of this lane would ever be let through.
  virtual bool serves(std::size_t lane) const = 0;
  virtual std::unique_ptr<LaneArbiter> new_arbiter() const = 0;
};

}  // namespace heddle::network
