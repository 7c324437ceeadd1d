#include "platform/topology/dragonfly_distances.hpp"

#include <algorithm>

namespace heddle::platform {

/// The ports of the cables to one group grow from round to round, so equal ends follow each other.
DragonflyDistances::Landing DragonflyDistances::landing(std::uint32_t group) const {
  struct Ends {
    std::uint32_t near;
    std::uint32_t far;
  };
  Landing landing;
  Ends last{};
  for (std::uint32_t round = 0; round < global_.joining(0, group); ++round) {
    const GroupCables::Seen seen = global_.between(0, group, round);
    const Ends cable{seen.near_port / per_switch_, seen.far_port / per_switch_};
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
SwitchDistances DragonflyDistances::all() const {
  const std::uint64_t a = in_group_;
  SwitchDistances from_first;
  from_first.sum = a * (a - 1);
  from_first.most = a > 1 ? 1 : 0;
  for (std::uint32_t group = 1; group < global_.groups(); ++group) {
    const Landing ends = landing(group);
    const std::uint64_t three = (a - ends.near) * (a - ends.far);
    const std::uint64_t two = a * a - three - ends.pairs;
    from_first.sum += ends.pairs + 2 * two + 3 * three;
    from_first.most = std::max(from_first.most, three > 0 ? 3U : two > 0 ? 2U : 1U);
  }
  SwitchDistances all = from_first;
  all.sum *= global_.groups();
  all.diameter = all.most == 3 && !some_are_three_apart() ? 2 : all.most;
  all.ports = in_group_ - 1 + std::min(per_switch_, global_.used_ports());
  return all;
}

DragonflyDistances::Neighbours DragonflyDistances::global_neighbours() const {
  Neighbours neighbours(in_group_);
  for (std::uint32_t group = 1; group < global_.groups(); ++group) {
    for (std::uint32_t round = 0; round < global_.joining(0, group); ++round) {
      const GroupCables::Seen seen = global_.between(0, group, round);
      const FarSwitch far{group, seen.far_port / per_switch_};
      auto& list = neighbours[seen.near_port / per_switch_];
      if (list.empty() || list.back() != far) list.push_back(far);
    }
  }
  return neighbours;
}

bool DragonflyDistances::some_are_three_apart() const {
  const Neighbours neighbours = global_neighbours();
  std::vector<bool> reached(std::size_t{global_.groups()} * in_group_);
  for (std::uint32_t number = 0; number < in_group_; ++number) {
    if (has_three_apart(number, neighbours, reached)) return true;
  }
  return false;
}

/// Paths of two links lead by a local and a global cable, in either order, or by two global ones.
bool DragonflyDistances::has_three_apart(std::uint32_t number, const Neighbours& neighbours,
                                         std::vector<bool>& reached) const {
  std::fill(reached.begin(), reached.end(), false);
  const auto reach = [&](std::uint32_t group, std::uint32_t at) {
    reached[group % global_.groups() * in_group_ + at] = true;
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
