#include "platform/topology/torus.hpp"

#include <algorithm>

#include "platform/topology/shape.hpp"

namespace heddle::platform {

Torus::Torus(const std::vector<std::int64_t>& dims, std::int64_t nodes_per_switch, Edges edges)
    : edges_(edges) {
  check_list("dims", dims, 1);
  check_list("nodes_per_switch", {nodes_per_switch}, 1);
  std::vector<std::uint64_t> cables_in_line;
  for (const std::int64_t size : dims) {
    const bool ring = edges == Edges::wrapped && size > 2;
    cables_in_line.push_back(static_cast<std::uint64_t>(ring ? size : size - 1));
  }
  set_grid(dims, cables_in_line, nodes_per_switch);
}

std::string Torus::describe() const {
  if (edges_ == Edges::wrapped) return dims_text() + " torus, " + nodes_each();
  if (dimensions().size() > 1) return dims_text() + " mesh, " + nodes_each();
  return "chain of " + counted(switches_, "switch", "switches") + ", " + nodes_each();
}

bool Torus::can_wait_in_circles(RouteChoice choice) const {
  const auto& all = dimensions();
  // Around a ring of three nobody goes further than one link.
  const bool rings = std::any_of(all.begin(), all.end(),
                                 [&](const Dimension& d) { return is_ring(d) && d.size > 3; });
  return rings || turns_freely(choice);
}

Direct::Pair Torus::joined_by(std::uint32_t cable) const {
  const Place at = place(cable);
  const Dimension& d = dimensions()[at.dimension];
  return {at.origin + at.number * d.stride, at.origin + (at.number + 1) % d.size * d.stride};
}

Ringed::Step Torus::ring_step(LinkId link) const {
  const auto cable = static_cast<std::uint32_t>(index(link) / 2);
  if (cable < nodes_) return {};
  const Place at = place(cable - nodes_);
  const Dimension& d = dimensions()[at.dimension];
  return {true, at.dimension, is_ring(d) && at.number + 1 == d.size};
}

bool Torus::will_wrap(LinkId link, VertexId to) const {
  const Place at = place(static_cast<std::uint32_t>(index(link) / 2) - nodes_);
  const Dimension& d = dimensions()[at.dimension];
  if (!is_ring(d)) return false;
  const std::uint32_t end = coordinate(switch_of(to), d);
  const bool upwards = index(link) % 2 == 0;
  return upwards ? end < at.number : end > (at.number + 1) % d.size;
}

LinkId Torus::step_up(std::uint32_t at, const Dimension& d) const {
  return link(line_base(at, d) + coordinate(at, d), false);
}

LinkId Torus::step_down(std::uint32_t at, const Dimension& d) const {
  return link(line_base(at, d) + (coordinate(at, d) + d.size - 1) % d.size, true);
}

std::int64_t Torus::steps_up(std::uint32_t at, std::uint32_t to, const Dimension& d) const {
  const std::int64_t steps = std::int64_t{coordinate(to, d)} - coordinate(at, d);
  return steps < 0 && is_ring(d) ? steps + d.size : steps;
}

LinkId Torus::towards(std::uint32_t at, std::uint32_t to, const Hop& hop) const {
  for (const Dimension& d : dimensions()) {
    const std::int64_t up = steps_up(at, to, d);
    if (up == 0) continue;
    bool upwards = up > 0;
    if (is_ring(d)) upwards = 2 * up == d.size ? ties_go_up(at, d, hop) : 2 * up < d.size;
    return upwards ? step_up(at, d) : step_down(at, d);
  }
  return kNoLink;
}

/// The first dimension in which there is something to go decides, as for output().
LinkId Torus::tied_output(const Hop& hop) const {
  if (!is_switch(hop.at)) return kNoLink;
  const std::uint32_t at = switch_of(hop.at);
  for (const Dimension& d : dimensions()) {
    const std::int64_t up = steps_up(at, switch_of(hop.to), d);
    if (up == 0) continue;
    if (!is_ring(d) || 2 * up != d.size) return kNoLink;
    return ties_go_up(at, d, hop) ? step_down(at, d) : step_up(at, d);
  }
  return kNoLink;
}

/// Half of the routes that begin half a ring apart at one switch go each way, if their ends differ
/// in anything else; if in nothing, every other switch sends upwards.
bool Torus::ties_go_up(std::uint32_t at, const Dimension& d, const Hop& hop) const {
  return (coordinate(at, d) + coordinate_sum(hop.from) + coordinate_sum(hop.to)) % 2 == 0;
}

std::uint32_t Torus::coordinate_sum(VertexId v) const {
  std::uint32_t sum = is_switch(v) ? 0 : static_cast<std::uint32_t>(v) % nodes_per_switch();
  for (const Dimension& d : dimensions()) sum += coordinate(switch_of(v), d);
  return sum;
}

void Torus::all_towards(std::uint32_t at, std::uint32_t to, LinkSet& out) const {
  for (const Dimension& d : dimensions()) {
    const std::int64_t up = steps_up(at, to, d);
    if (up == 0) continue;
    if (up > 0 && (!is_ring(d) || 2 * up <= d.size)) out.add(step_up(at, d));
    if (up < 0 || (is_ring(d) && 2 * up >= d.size)) out.add(step_down(at, d));
  }
}

/// Around a ring of k the distances from one switch add up to floor(k^2 / 4); all those along a
/// line to k (k^2 - 1) / 3.
Grid::LineDistances Torus::line_distances(std::size_t dimension) const {
  const Dimension& d = dimensions()[dimension];
  const unsigned __int128 k = d.size;
  const std::uint32_t neighbours = std::min(d.size - 1, 2U);
  if (is_ring(d)) return {k * (k * k / 4), d.size / 2, neighbours};
  return {k * (k * k - 1) / 3, d.size - 1, neighbours};
}

/// A cut goes through a ring twice.
std::uint64_t Torus::plane_cables(std::size_t dimension) const {
  const Dimension& d = dimensions()[dimension];
  return std::uint64_t{switches_ / d.size} * (is_ring(d) ? 2 : 1);
}

}  // namespace heddle::platform
