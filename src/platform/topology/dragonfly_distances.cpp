#include "platform/topology/dragonfly_distances.hpp"

#include <algorithm>
#include <utility>

namespace heddle::platform {
namespace {

/// How many different ones there are.
template <class T>
std::uint32_t different(std::vector<T>& all) {
  std::sort(all.begin(), all.end());
  return static_cast<std::uint32_t>(std::unique(all.begin(), all.end()) - all.begin());
}

}  // namespace

DragonflyDistances::Landing DragonflyDistances::landing(std::uint32_t from,
                                                        std::uint32_t to) const {
  const std::uint32_t cables = global_.joining(from, to);
  if (cables == 1) return {1, 1, 1};
  std::vector<std::uint32_t> near;
  std::vector<std::uint32_t> far;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t round = 0; round < cables; ++round) {
    const GroupCables::Seen cable = global_.between(from, to, round);
    near.push_back(cable.near);
    far.push_back(cable.far);
    pairs.emplace_back(cable.near, cable.far);
  }
  return {different(near), different(far), different(pairs)};
}

/// From all switches of a group to those of another.
void DragonflyDistances::add(std::uint32_t from, std::uint32_t to, SwitchDistances& sum) const {
  const std::uint64_t a = in_group_;
  const Landing ends = landing(from, to);
  const std::uint64_t three = (a - ends.near) * (a - ends.far);
  const std::uint64_t two = a * a - three - ends.pairs;
  sum.sum += ends.pairs + 2 * two + 3 * three;
  sum.most = std::max(sum.most, three > 0 ? 3U : two > 0 ? 2U : 1U);
}

/// Between two switches of a group there is one link. To a switch of another group there is one if
/// a cable joins the two, two if a cable begins at the one or ends at the other, else three.
SwitchDistances DragonflyDistances::all() const {
  const std::uint64_t a = in_group_;
  SwitchDistances all;
  all.most = a > 1 ? 1 : 0;
  for (std::uint32_t from = 0; from < looked_at_; ++from) {
    all.sum += a * (a - 1);
    for (std::uint32_t to = 0; to < global_.groups(); ++to) {
      if (to != from) add(from, to, all);
    }
  }
  all.sum *= global_.groups() / looked_at_;
  all.diameter = all.most == 3 && !some_are_three_apart() ? 2 : all.most;
  all.ports = in_group_ - 1 + global_.most_at_switch();
  return all;
}

DragonflyDistances::Neighbours DragonflyDistances::global_neighbours() const {
  Neighbours neighbours(std::size_t{looked_at_} * in_group_);
  for (std::uint32_t from = 0; from < looked_at_; ++from) {
    for (std::uint32_t to = 0; to < global_.groups(); ++to) {
      for (std::uint32_t round = 0; to != from && round < global_.joining(from, to); ++round) {
        const GroupCables::Seen cable = global_.between(from, to, round);
        auto& list = neighbours[std::size_t{from} * in_group_ + cable.near];
        const Place far{to, cable.far};
        if (std::find(list.begin(), list.end(), far) == list.end()) list.push_back(far);
      }
    }
  }
  return neighbours;
}

template <class Use>
void DragonflyDistances::for_neighbours(const Place& of, const Neighbours& neighbours,
                                        Use use) const {
  const std::uint32_t known = looked_at_ == 1 ? 0 : of.group;
  const std::uint32_t turned = of.group - known;
  for (const Place& far : neighbours[std::size_t{known} * in_group_ + of.number]) {
    use(Place{(far.group + turned) % global_.groups(), far.number});
  }
}

bool DragonflyDistances::some_are_three_apart() const {
  const Neighbours neighbours = global_neighbours();
  std::vector<bool> reached(std::size_t{global_.groups()} * in_group_);
  for (std::uint32_t group = 0; group < looked_at_; ++group) {
    for (std::uint32_t number = 0; number < in_group_; ++number) {
      if (has_three_apart({group, number}, neighbours, reached)) return true;
    }
  }
  return false;
}

/// Paths of two links lead by a local and a global cable, in either order, or by two global ones.
bool DragonflyDistances::has_three_apart(const Place& first, const Neighbours& neighbours,
                                         std::vector<bool>& reached) const {
  std::fill(reached.begin(), reached.end(), false);
  const auto reach = [&](const Place& place) {
    reached[std::size_t{place.group} * in_group_ + place.number] = true;
  };
  for (std::uint32_t at = 0; at < in_group_; ++at) {
    const Place beside{first.group, at};
    reach(beside);
    for_neighbours(beside, neighbours, reach);
  }
  for_neighbours(first, neighbours, [&](const Place& far) {
    for (std::uint32_t at = 0; at < in_group_; ++at) reach({far.group, at});
    for_neighbours(far, neighbours, reach);
  });
  return std::find(reached.begin(), reached.end(), false) != reached.end();
}

}  // namespace heddle::platform
