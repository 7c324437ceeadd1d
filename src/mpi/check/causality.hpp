// What each rank can know of what others did: vector clocks, for checks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::mpi {

/// Ranks number their events; whatever one tells another carries what it knows. Two events neither
/// of whose ranks could know of the other may happen in either order.
class Causality {
 public:
  using Knowledge = std::vector<std::uint32_t>;  ///< By rank, the last event that is known.
  using Stamp = std::shared_ptr<const Knowledge>;

  /// Beyond so many ranks knowledge would take too much memory: all is taken to be known.
  static constexpr std::uint32_t kMostRanks = 4096;

  /// The rank does something worth knowing; answers its number, from 1 on.
  std::uint32_t happens(std::uint32_t rank);
  /// All that the rank knows now.
  Stamp stamp(std::uint32_t rank);
  /// The rank is told by somebody who knew that.
  void learns(std::uint32_t rank, const Stamp& stamp);
  bool knows(std::uint32_t rank, std::uint32_t whose, std::uint32_t event) const;
  static bool knows(const Stamp& stamp, std::uint32_t whose, std::uint32_t event);
  /// What is known if both are.
  static Stamp both(const Stamp& one, const Stamp& other);

 private:
  struct OfRank {
    Knowledge now;
    Stamp last;  ///< Null if it knows more since.
  };
  OfRank& of(std::uint32_t rank);
  std::vector<OfRank> ranks_;
};

}  // namespace heddle::mpi
