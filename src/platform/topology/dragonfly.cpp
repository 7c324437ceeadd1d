#include "platform/topology/dragonfly.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/error.hpp"

namespace heddle::platform {
namespace {

void check_shape(const DragonflyShape& shape) {
  check_list("groups", {shape.groups}, 1);
  check_list("switches_per_group", {shape.switches_per_group}, 1);
  check_list("nodes_per_switch", {shape.nodes_per_switch}, 1);
  check_list("global_per_switch", {shape.global_per_switch}, 0);
  const std::uint64_t ports = capped_product({shape.switches_per_group, shape.global_per_switch});
  check_size(1, 1, capped_product(ports, static_cast<std::uint64_t>(shape.groups)));
  if (shape.groups <= static_cast<std::int64_t>(ports) + 1) return;
  throw ParamError({"groups"}, std::to_string(shape.groups) +
                                   " groups cannot all be joined by the " + std::to_string(ports) +
                                   " global cables of a group; accepted are at most " +
                                   std::to_string(ports + 1) +
                                   " groups (switches_per_group * global_per_switch + 1)");
}

Point on_circle(Point centre, double radius, double turn) {
  const double angle = 2 * std::numbers::pi * turn;
  return {centre.x + radius * std::sin(angle), centre.y - radius * std::cos(angle)};
}

}  // namespace

Dragonfly::Dragonfly(const DragonflyShape& shape) {
  check_shape(shape);
  groups_ = static_cast<std::uint32_t>(shape.groups);
  in_group_ = static_cast<std::uint32_t>(shape.switches_per_group);
  per_switch_ = static_cast<std::uint32_t>(shape.global_per_switch);
  local_ = RingPairs(in_group_);
  global_ = RingPairs(groups_);
  const std::uint32_t ports = in_group_ * per_switch_;
  const std::uint32_t others = std::max(groups_ - 1, 1U);
  whole_rounds_ = groups_ > 1 ? ports / others : 0;
  left_chords_ = groups_ > 1 ? ports % others / 2 : 0;
  left_facing_ = groups_ % 2 == 0 && ports % others % 2 != 0;
  const std::uint64_t locals = capped_product(groups_, local_.count());
  const std::uint64_t globals = whole_rounds_ * global_.count() + left_cables();
  set_size(capped_product(groups_, in_group_), static_cast<std::uint64_t>(shape.nodes_per_switch),
           locals + globals);
}

std::string Dragonfly::describe() const {
  return "dragonfly, " + counted(groups_, "group", "groups") + " of " +
         counted(in_group_, "switch", "switches") + ", " + nodes_each() + ", " +
         counted(per_switch_, "global cable", "global cables") + " per switch";
}

std::string Dragonfly::name(VertexId v) const {
  if (!is_switch(v)) return Direct::name(v);
  const std::uint32_t s = static_cast<std::uint32_t>(v) - nodes_;
  return "g" + std::to_string(group_of(s)) + ".s" + std::to_string(s % in_group_);
}

std::uint32_t Dragonfly::rounds_joining(std::uint32_t chord) const {
  const bool left = chord <= left_chords_ || (left_facing_ && is_facing(chord));
  return whole_rounds_ + (left ? 1 : 0);
}

std::uint32_t Dragonfly::port_switch(std::uint32_t round, std::uint32_t chord, bool back) const {
  const std::uint32_t first = round * (groups_ - 1);
  if (is_facing(chord)) {
    const std::uint32_t chords = round < whole_rounds_ ? chord - 1 : left_chords_;
    return (first + 2 * chords) / per_switch_;
  }
  return (first + 2 * (chord - 1) + (back ? 1 : 0)) / per_switch_;
}

Direct::Pair Dragonfly::global_ends(std::uint32_t round, const RingPairs::Pair& pair) const {
  return {pair.a * in_group_ + port_switch(round, pair.chord, false),
          pair.b * in_group_ + port_switch(round, pair.chord, true)};
}

std::pair<std::uint32_t, RingPairs::Pair> Dragonfly::global_place(std::uint32_t cable) const {
  const std::uint32_t round = std::min(cable / round_cables(), whole_rounds_);
  const std::uint32_t number = cable - round * round_cables();
  const std::uint32_t facing = left_chords_ * groups_;
  if (round < whole_rounds_ || number < facing) return {round, global_.pair(number)};
  const std::uint32_t half = groups_ / 2;
  return {round, {number - facing, number - facing + half, half}};
}

Direct::Pair Dragonfly::joined_by(std::uint32_t cable) const {
  if (cable >= local_cables()) {
    const auto [round, pair] = global_place(cable - local_cables());
    return global_ends(round, pair);
  }
  const auto in_one = static_cast<std::uint32_t>(local_.count());
  const RingPairs::Pair pair = local_.pair(cable % in_one);
  const std::uint32_t first = cable / in_one * in_group_;
  return {first + pair.a, first + pair.b};
}

std::string Dragonfly::switch_cable_group(std::uint32_t cable) const {
  return cable < local_cables() ? "local" : "global";
}

std::vector<CableRun> Dragonfly::switch_cable_runs() const {
  std::vector<CableRun> runs;
  if (local_cables() > 0) runs.push_back({"local", 0, local_cables()});
  const std::uint32_t globals = cables_ - nodes_ - local_cables();
  if (globals > 0) runs.push_back({"global", local_cables(), globals});
  return runs;
}

std::uint32_t Dragonfly::switch_cable_twin(std::uint32_t cable) const {
  if (cable < local_cables()) return 0;
  const auto [last, pair] = global_place(cable - local_cables());
  const Pair ends = global_ends(last, pair);
  std::uint32_t twins = 0;
  for (std::uint32_t round = 0; round < last; ++round) {
    const Pair other = global_ends(round, pair);
    if (other.a == ends.a && other.b == ends.b) ++twins;
  }
  return twins;
}

/// By switch of group 0 and group: global cables between them.
std::vector<std::vector<std::uint32_t>> Dragonfly::cables_of_first_group() const {
  std::vector<std::vector<std::uint32_t>> cables(in_group_, std::vector<std::uint32_t>(groups_));
  for (std::uint32_t cable = local_cables(); cable < cables_ - nodes_; ++cable) {
    const Pair ends = joined_by(cable);
    if (ends.a < in_group_) ++cables[ends.a][group_of(ends.b)];
    if (ends.b < in_group_) ++cables[ends.b][group_of(ends.a)];
  }
  return cables;
}

/// Whole groups on each side; of an odd number one is divided. One half of it are the switches that
/// lead to the same groups as its first; the groups that this half leads to stand with it.
std::vector<std::uint32_t> Dragonfly::cut_order() const {
  const auto cables = cables_of_first_group();
  const auto common = [&](std::uint32_t s) {
    std::uint32_t sum = 0;
    for (std::uint32_t g = 0; g < groups_; ++g) sum += std::min(cables[0][g], cables[s][g]);
    return sum;
  };
  std::vector<std::uint32_t> switches(in_group_);
  std::iota(switches.begin(), switches.end(), 0U);
  std::stable_sort(switches.begin(), switches.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return common(a) > common(b); });
  const std::size_t half = groups_ % 2 == 0 ? in_group_ : in_group_ / 2;
  std::vector<std::uint32_t> to_half(groups_);
  for (std::size_t i = 0; i < half; ++i) {
    for (std::uint32_t g = 0; g < groups_; ++g) to_half[g] += cables[switches[i]][g];
  }
  std::vector<std::uint32_t> others(groups_ - 1);
  std::iota(others.begin(), others.end(), 1U);
  std::stable_sort(others.begin(), others.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return to_half[a] > to_half[b]; });
  std::vector<std::uint32_t> order(switches.begin(), switches.begin() + std::ptrdiff_t(half));
  for (const std::uint32_t group : others) {
    for (std::uint32_t s = 0; s < in_group_; ++s) order.push_back(group * in_group_ + s);
  }
  order.insert(order.end(), switches.begin() + std::ptrdiff_t(half), switches.end());
  return nodes_of(order);
}

std::vector<std::uint32_t> Dragonfly::nodes_of(const std::vector<std::uint32_t>& switches) const {
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t s : switches) {
    for (std::uint32_t port = 0; port < nodes_per_switch(); ++port) {
      nodes.push_back(s * nodes_per_switch() + port);
    }
  }
  return nodes;
}

LinkId Dragonfly::local(std::uint32_t from, std::uint32_t to) const {
  const auto [number, back] = local_.number(from % in_group_, to % in_group_);
  return link(group_of(from) * static_cast<std::uint32_t>(local_.count()) + number, back);
}

Dragonfly::Global Dragonfly::global(std::uint32_t from_group, std::uint32_t to_group,
                                    std::uint32_t round) const {
  auto [number, back] = global_.number(from_group, to_group);
  const RingPairs::Pair pair = global_.pair(number);
  const Pair ends = global_ends(round, pair);
  if (round == whole_rounds_ && is_facing(pair.chord)) number = left_chords_ * groups_ + pair.a;
  const LinkId over = link(local_cables() + round * round_cables() + number, back);
  return back ? Global{over, ends.b, ends.a} : Global{over, ends.a, ends.b};
}

template <class Use>
void Dragonfly::for_shortest(std::uint32_t at, std::uint32_t to, Use use) const {
  const std::uint32_t here = group_of(at);
  const std::uint32_t there = group_of(to);
  const std::uint32_t chord = global_.pair(global_.number(here, there).number).chord;
  const auto detours = [&](const Global& g) { return (g.near != at) + (g.far != to); };
  const std::uint32_t cables = rounds_joining(chord);
  int fewest = 2;
  for (std::uint32_t r = 0; r < cables; ++r) {
    fewest = std::min(fewest, detours(global(here, there, r)));
  }
  for (std::uint32_t r = 0; r < cables; ++r) {
    const Global g = global(here, there, r);
    if (detours(g) == fewest) use(g.near == at ? g.link : local(at, g.near));
  }
}

LinkId Dragonfly::towards(std::uint32_t at, std::uint32_t to, const Hop& hop) const {
  if (group_of(at) == group_of(to)) return local(at, to);
  std::uint32_t routes = 0;
  for_shortest(at, to, [&routes](LinkId) { ++routes; });
  std::uint32_t wanted = static_cast<std::uint32_t>(hop.to) % routes;
  LinkId chosen = kNoLink;
  for_shortest(at, to, [&](LinkId first) {
    if (wanted-- == 0) chosen = first;
  });
  return chosen;
}

void Dragonfly::all_towards(std::uint32_t at, std::uint32_t to, LinkSet& out) const {
  if (group_of(at) == group_of(to)) {
    out.add(local(at, to));
    return;
  }
  for_shortest(at, to, [&out](LinkId first) {
    if (std::find(out.begin(), out.end(), first) == out.end()) out.add(first);
  });
}

/// Groups stand on a circle, the switches of a group on a smaller one, their nodes outside that.
Point Dragonfly::switch_place(std::uint32_t s) const {
  const double inner = std::max(1.5, in_group_ * (nodes_per_switch() + 1.0) / 6);
  const double outer = groups_ == 1 ? 0 : groups_ * (2 * inner + 5) / 6;
  const Point centre = on_circle({}, outer, static_cast<double>(group_of(s)) / groups_);
  return on_circle(centre, inner, static_cast<double>(s % in_group_) / in_group_);
}

Point Dragonfly::node_place(std::uint32_t s, std::uint32_t port) const {
  const Point at = switch_place(s);
  const double turn = static_cast<double>(s % in_group_) / in_group_;
  const Point outwards = on_circle({}, 1.5, turn);
  const Point aside = on_circle({}, port - (nodes_per_switch() - 1) / 2.0, turn + 0.25);
  return {at.x + outwards.x + aside.x, at.y + outwards.y + aside.y};
}

// How far apart its switches are. Turning the ring of groups by one leaves the fabric as it is, so
// what holds for the switches of group 0 holds for all.

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
