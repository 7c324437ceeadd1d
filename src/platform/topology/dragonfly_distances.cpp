// How far apart the switches of a dragonfly are.
//
// Turning the ring of groups by one leaves the fabric as it is, so what holds for the switches of
// group 0 holds for all.
#include <algorithm>

#include "platform/topology/dragonfly.hpp"

namespace heddle::platform {

/// The ports of the cables to one group grow from round to round, so equal ends follow each other.
Dragonfly::Landing Dragonfly::landing(std::uint32_t group) const {
  const std::uint32_t chord = std::min(group, groups_ - group);
  Landing landing;
  Global last{};
  for (std::uint32_t round = 0; round < rounds_joining(chord); ++round) {
    const Global cable = global(0, group, round);
    const bool new_near = round == 0 || cable.near != last.near;
    const bool new_far = round == 0 || cable.far != last.far;
    landing.near += new_near ? 1 : 0;
    landing.far += new_far ? 1 : 0;
    landing.pairs += new_near || new_far ? 1 : 0;
    last = cable;
  }
  return landing;
}

/// Between two switches of a group there is one link. To a switch of another group there is one if
/// a cable joins the two, two if a cable begins at the one or ends at the other, else three.
Direct::SwitchDistances Dragonfly::switch_distances() const {
  const std::uint64_t a = in_group_;
  SwitchDistances from_first;
  from_first.sum = a * (a - 1);
  from_first.most = a > 1 ? 1 : 0;
  for (std::uint32_t group = 1; group < groups_; ++group) {
    const Landing ends = landing(group);
    const std::uint64_t three = (a - ends.near) * (a - ends.far);
    const std::uint64_t two = a * a - three - ends.pairs;
    from_first.sum += ends.pairs + 2 * two + 3 * three;
    from_first.most = std::max(from_first.most, three > 0 ? 3U : two > 0 ? 2U : 1U);
  }
  SwitchDistances all = from_first;
  all.sum *= groups_;
  all.diameter = all.most == 3 && !some_are_three_apart() ? 2 : all.most;
  const std::uint32_t used =
      whole_rounds_ * (groups_ - 1) + 2 * left_chords_ + (left_facing_ ? 1 : 0);
  all.ports = in_group_ - 1 + std::min(per_switch_, used);
  return all;
}

Dragonfly::Neighbours Dragonfly::global_neighbours() const {
  Neighbours neighbours(in_group_);
  for (std::uint32_t group = 1; group < groups_; ++group) {
    const std::uint32_t chord = std::min(group, groups_ - group);
    for (std::uint32_t round = 0; round < rounds_joining(chord); ++round) {
      const Global cable = global(0, group, round);
      const FarSwitch far{group, cable.far % in_group_};
      auto& list = neighbours[cable.near];
      if (list.empty() || list.back() != far) list.push_back(far);
    }
  }
  return neighbours;
}

bool Dragonfly::some_are_three_apart() const {
  const Neighbours neighbours = global_neighbours();
  std::vector<bool> reached(switches_);
  for (std::uint32_t number = 0; number < in_group_; ++number) {
    if (has_three_apart(number, neighbours, reached)) return true;
  }
  return false;
}

/// Paths of two links lead by a local and a global cable, in either order, or by two global ones.
bool Dragonfly::has_three_apart(std::uint32_t number, const Neighbours& neighbours,
                                std::vector<bool>& reached) const {
  std::fill(reached.begin(), reached.end(), false);
  const auto reach = [&](std::uint32_t group, std::uint32_t at) {
    reached[group % groups_ * in_group_ + at] = true;
  };
  for (std::uint32_t at = 0; at < in_group_; ++at) {
    reach(0, at);
    for (const FarSwitch& far : neighbours[at]) reach(far.group, far.number);
  }
  for (const FarSwitch& far : neighbours[number]) {
    for (std::uint32_t at = 0; at < in_group_; ++at) reach(far.group, at);
    for (const FarSwitch& next : neighbours[far.number]) reach(far.group + next.group, next.number);
  }
  return std::find(reached.begin(), reached.end(), false) != reached.end();
}

}  // namespace heddle::platform
