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
  static constexpr CpuId cpu_of(const goal::PackedOp& /*op*/) { return CpuId{0}; }
  static constexpr NicId nic_of(const goal::PackedOp& /*op*/) { return NicId{0}; }
  static constexpr PairId pair_of(const goal::PackedOp& /*op*/) { return PairId{0}; }
  static constexpr Units units_of(PairId /*pair*/) { return {CpuId{0}, NicId{0}}; }
};

/// As many as a schedule uses.
class AnyUnits {
 public:
  explicit AnyUnits(const UnitPairs& units)
      : cpus_(units.cpus),
        nics_(units.nics),
        units_(units.list()),
        pair_of_(std::size_t{cpus_} * nics_, PairId{0}) {
    for (std::uint32_t pair = 0; pair < units_.size(); ++pair) {
      pair_of_[place(units_[pair])] = PairId{pair};
    }
  }
  unsigned cpus() const { return cpus_; }
  unsigned nics() const { return nics_; }
  std::uint32_t pairs() const { return static_cast<std::uint32_t>(units_.size()); }
  static CpuId cpu_of(const goal::PackedOp& op) { return CpuId{op.cpu}; }
  static NicId nic_of(const goal::PackedOp& op) { return NicId{op.nic}; }
  PairId pair_of(const goal::PackedOp& op) const {
    return pair_of_[place({cpu_of(op), nic_of(op)})];
  }
  Units units_of(PairId pair) const { return units_[index(pair)]; }

 private:
  std::size_t place(Units units) const { return index(units.cpu) * nics_ + index(units.nic); }

  unsigned cpus_;
  unsigned nics_;
  std::vector<Units> units_;
  std::vector<PairId> pair_of_;  ///< By cpu x nics + nic.
};

}  // namespace heddle::replay
