// How many processors and adapters the ranks of a replay have, and which are used together.
#pragma once

#include <cstdint>
#include <vector>

#include "goal/op.hpp"
#include "replay/engine/parts.hpp"

namespace heddle::replay {

/// One processor and one adapter, as most have: all of it is known when the program is compiled.
class OneUnitEach {
 public:
  constexpr OneUnitEach() = default;
  explicit OneUnitEach(const UnitPairs& /*units*/) {}
  static constexpr unsigned cpus() { return 1; }
  static constexpr unsigned nics() { return 1; }
  static constexpr std::uint32_t pairs() { return 1; }
  static constexpr unsigned cpu_of(const goal::PackedOp& /*op*/) { return 0; }
  static constexpr unsigned nic_of(const goal::PackedOp& /*op*/) { return 0; }
  static constexpr std::uint32_t pair_of(const goal::PackedOp& /*op*/) { return 0; }
  static constexpr Units units_of(std::uint32_t /*pair*/) { return {0, 0}; }
};

/// As many as a schedule uses.
class AnyUnits {
 public:
  explicit AnyUnits(const UnitPairs& units)
      : cpus_(units.cpus),
        nics_(units.nics),
        units_(units.list()),
        pair_of_(std::size_t{cpus_} * nics_, 0) {
    for (std::uint32_t pair = 0; pair < units_.size(); ++pair) {
      pair_of_[std::size_t{units_[pair].cpu} * nics_ + units_[pair].nic] = pair;
    }
  }
  unsigned cpus() const { return cpus_; }
  unsigned nics() const { return nics_; }
  std::uint32_t pairs() const { return static_cast<std::uint32_t>(units_.size()); }
  static unsigned cpu_of(const goal::PackedOp& op) { return op.cpu; }
  static unsigned nic_of(const goal::PackedOp& op) { return op.nic; }
  std::uint32_t pair_of(const goal::PackedOp& op) const {
    return pair_of_[std::size_t{op.cpu} * nics_ + op.nic];
  }
  Units units_of(std::uint32_t pair) const { return units_[pair]; }

 private:
  unsigned cpus_;
  unsigned nics_;
  std::vector<Units> units_;
  std::vector<std::uint32_t> pair_of_;  ///< By cpu x nics + nic.
};

}  // namespace heddle::replay
