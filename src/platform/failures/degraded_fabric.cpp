#include "platform/failures/degraded_fabric.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/random.hpp"
#include "platform/topology/fat_tree.hpp"
#include "platform/topology/graph.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {
namespace {

constexpr std::uint32_t kGone = UINT32_MAX;

/// Cables of a tree are numbered level by level from the nodes up, and their even links lead up. A
/// switch may have others without nodes below it, beside those that tell how high it is.
std::vector<std::uint32_t> levels_of(const Topology& tree) {
  std::vector<std::uint32_t> levels(tree.vertices());
  for (std::uint32_t link = 0; link < tree.links(); link += 2) {
    const LinkEnds ends = tree.ends(LinkId{link});
    std::uint32_t& level = levels[index(ends.to)];
    level = std::max(level, levels[index(ends.from)] + 1);
  }
  return levels;
}

/// By vertex: its connected piece, a number that all of that have.
std::vector<std::uint32_t> pieces_of(const Topology& fabric, const LiveDistances& distances) {
  std::vector<std::uint32_t> pieces(fabric.vertices(), kGone);
  for (std::uint32_t first = 0; first < fabric.vertices(); ++first) {
    if (pieces[first] != kGone) continue;
    std::vector<VertexId> order = {VertexId{first}};
    pieces[first] = first;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const LinkId link : distances.leaving(order[i])) {
        std::uint32_t& piece = pieces[index(fabric.ends(link).to)];
        if (piece != kGone) continue;
        piece = first;
        order.push_back(fabric.ends(link).to);
      }
    }
  }
  return pieces;
}

/// The one that most vertices have; of several, the least.
std::uint32_t most_common(const std::vector<std::uint32_t>& pieces) {
  std::map<std::uint32_t, std::uint32_t> sizes;
  for (const std::uint32_t piece : pieces) ++sizes[piece];
  return std::ranges::max_element(sizes, {}, [](const auto& entry) { return entry.second; })->first;
}

[[noreturn]] void fail_cut_off(const Topology& fabric, const Hop& hop) {
  throw InputError({}, "failures leave no way from " + fabric.name(hop.from) + " to " +
                           fabric.name(hop.to) +
                           ": accepted are messages between nodes that still reach each other, or "
                           "fewer failures");
}

}  // namespace

DegradedFabric::DegradedFabric(std::unique_ptr<const Topology> whole, const std::vector<bool>& down)
    : DegradedFabric(*whole, down) {
  owned_ = std::move(whole);
}

DegradedFabric::DegradedFabric(const Topology& whole, const std::vector<bool>& down)
    : Topology(whole.nodes(), whole.switches(), 0),
      whole_(&whole),
      lists_routes_(platform::lists_routes(whole)),
      tree_(dynamic_cast<const FatTree*>(&whole)),
      numbers_(whole_->cables(), kGone) {
  for (std::uint32_t cable = 0; cable < whole_->cables(); ++cable) {
    if (down[cable]) continue;
    numbers_[cable] = cables_++;
    cables_of_.push_back(cable);
  }
  if (tree_ != nullptr) levels_ = levels_of(whole);
  distances_ = std::make_unique<LiveDistances>(*this, levels_);
  pieces_ = pieces_of(*this, *distances_);
  largest_piece_ = most_common(pieces_);
}

DegradedFabric::~DegradedFabric() = default;

/// Nodes at the same place, in a tree their leaf and otherwise their piece, reach the same others.
DegradedFabric::CutOff DegradedFabric::cut_off() const {
  struct Place {
    VertexId node;  ///< One of them.
    std::uint64_t nodes = 0;
  };
  std::map<std::uint64_t, Place> places;
  for (std::uint32_t n = 0; n < nodes_; ++n) {
    const VertexId node{n};
    Place& place = places[tree_ != nullptr ? index(distances_->home(node)) : pieces_[n]];
    if (place.nodes++ == 0) place.node = node;
  }
  CutOff result;
  for (const auto& [a, from] : places) {
    for (const auto& [b, to] : places) {
      if (a == b || has_route(from.node, to.node)) continue;
      if (result.pairs == 0) result = {0, from.node, to.node};
      result.pairs += from.nodes * to.nodes;
    }
  }
  return result;
}

std::string DegradedFabric::describe() const {
  return whole_->describe() + ", " + counted(whole_->cables() - cables_, "cable", "cables") +
         " down";
}

LinkId DegradedFabric::link_of(LinkId whole) const {
  const std::uint32_t number = numbers_[index(whole) / 2];
  return number == kGone ? kNoLink
                         : LinkId{2 * number + static_cast<std::uint32_t>(index(whole) % 2)};
}

bool DegradedFabric::has_route(VertexId from, VertexId to) const {
  return pieces_[index(from)] == pieces_[index(to)] &&
         (tree_ == nullptr || distances_->links(from, to) != kOutOfReach);
}

std::optional<std::uint32_t> DegradedFabric::route_class(VertexId from) const {
  return platform::route_class(*whole_, from);
}

bool DegradedFabric::keeps_given(const Hop& hop) const {
  LinkSet links;
  whole_->find_route(hop.from, hop.to, links);
  return std::ranges::all_of(links, [this](LinkId link) { return link_of(link) != kNoLink; });
}

LinkId DegradedFabric::output(const Hop& hop) const {
  if (tree_ != nullptr) return tree_output(hop);
  if (!lists_routes_ || keeps_given(hop)) {
    const LinkId usual = link_of(whole_->output(hop));
    if (lists_routes_) return usual;
    if (usual != kNoLink && distances_->leads(hop.at, usual, hop.to)) return usual;
  }
  candidates_.clear();
  minimal_outputs(hop, candidates_);
  if (candidates_.size() == 0) fail_cut_off(*this, hop);
  return candidates_[index(hop.to) % candidates_.size()];
}

void DegradedFabric::minimal_outputs(const Hop& hop, LinkSet& out) const {
  for (const LinkId link : distances_->leaving(hop.at)) {
    if (distances_->leads(hop.at, link, hop.to)) out.add(link);
  }
}

/// Links upwards are ordered by cable, then parent; parents of one vertex by number.
LinkId DegradedFabric::tree_output(const Hop& hop) const {
  candidates_.clear();
  minimal_outputs(hop, candidates_);
  if (candidates_.size() == 0) fail_cut_off(*this, hop);
  const auto node = static_cast<std::uint32_t>(hop.to);
  const std::uint32_t level = levels_[index(hop.at)];
  if (index(candidates_[0]) % 2 == 1) {
    const std::uint32_t turn = node / tree_->divider(level) / tree_->parents(level);
    return candidates_[turn % candidates_.size()];
  }
  std::vector<VertexId> parents;
  for (const LinkId link : candidates_) parents.push_back(ends(link).to);
  std::ranges::sort(parents);
  parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
  const auto count = static_cast<std::uint32_t>(parents.size());
  const std::uint32_t turn = node / tree_->divider(level + 1);
  const VertexId parent = parents[turn % count];
  std::uint32_t cables = 0;
  for (const LinkId link : candidates_) cables += ends(link).to == parent ? 1 : 0;
  std::uint32_t wanted = turn / count % cables;
  for (const LinkId link : candidates_) {
    if (ends(link).to == parent && wanted-- == 0) return link;
  }
  fail_cut_off(*this, hop);
}

/// What climbs and then descends waits for nobody who waits for it.
bool DegradedFabric::can_wait_in_circles(RouteChoice choice) const {
  return tree_ == nullptr && Topology::can_wait_in_circles(choice);
}

VertexId DegradedFabric::detour(std::uint64_t draw) const {
  constexpr int kTries = 1000;  // Where hardly a switch is left, whatever is drawn does.
  VertexId via = whole_->detour(draw);
  RandomStream random(draw);
  for (int i = 0; i < kTries && pieces_[index(via)] != largest_piece_; ++i) {
    via = whole_->detour(random.next());
  }
  return via;
}

}  // namespace heddle::platform
