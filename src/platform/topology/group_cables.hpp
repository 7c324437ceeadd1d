// Global cables between groups of switches, circulant or by a map of one's own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/topology/circulant_cables.hpp"

namespace heddle::platform {

/// A global cable, its even link leading from group `a` to group `b`.
struct GroupCable {
  std::uint32_t a;
  std::uint32_t switch_a;  ///< Within its group.
  std::uint32_t b;
  std::uint32_t switch_b;
  auto operator<=>(const GroupCable&) const = default;
};

/// Which cables join which groups, and at which of their switches. A map of one's own is kept in
/// tables, and so are circulant cables of few groups, where looking up is faster than arithmetic.
class GroupCables {
 public:
  /// A cable as one of its two groups sees it.
  struct Seen {
    std::uint32_t cable;
    bool back;           ///< The way there is the cable's odd link.
    std::uint32_t near;  ///< The switches at its ends, each within its group.
    std::uint32_t far;
  };

  /// Circulant ones, where every switch has so many of the ports of its group.
  GroupCables(const CirculantCables& cables, std::uint32_t per_switch);
  /// Those of the list, numbered as there, which join any two groups.
  GroupCables(std::uint32_t groups, std::vector<GroupCable> cables);

  std::uint32_t groups() const { return groups_; }
  std::uint32_t cables() const { return cables_; }
  /// Whether every group looks the same from inside: turning the ring of groups by one leaves all
  /// as it is.
  bool alike() const { return circulant_.has_value(); }
  GroupCable cable(std::uint32_t number) const;
  /// How many cables of lower number join the same two switches.
  std::uint32_t twins(std::uint32_t cable) const;
  /// Of those of any switch.
  std::uint32_t most_at_switch() const;
  /// Cables between two different groups, numbered as rounds in the order of their numbers,
  std::uint32_t joining(std::uint32_t from, std::uint32_t to) const {
    if (first_.empty()) return circulant_->joining(from, to);
    const std::size_t pair = std::size_t{from} * groups_ + to;
    return first_[pair + 1] - first_[pair];
  }
  /// and one of them.
  Seen between(std::uint32_t from, std::uint32_t to, std::uint32_t round) const {
    if (first_.empty()) return seen(circulant_->between(from, to, round));
    return seen_[first_[std::size_t{from} * groups_ + to] + round];
  }

 private:
  Seen seen(const CirculantCables::Seen& cable) const {
    return {cable.cable, cable.back, cable.near_port / per_switch_, cable.far_port / per_switch_};
  }
  void tabulate();

  std::uint32_t groups_;
  std::uint32_t cables_;
  std::uint32_t per_switch_ = 1;  ///< Of circulant cables: ports of a switch.
  std::optional<CirculantCables> circulant_;
  // Tables, or empty.
  std::vector<GroupCable> list_;
  std::vector<std::uint32_t> first_;  ///< By pair of groups: its first in `seen_`.
  std::vector<Seen> seen_;
};

}  // namespace heddle::platform
