// The wiring of a topology that knows only routes.
//
// Every cable has two sides. What comes before a cable on a route lies on one side of it, what
// comes after on the other; two neighbours on a route meet at the sides they turn to each other,
// and all that meets at one place is one vertex. A cable for which that cannot be (a backbone that
// leads from everywhere to everywhere) is a vertex itself.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "report/wiring.hpp"

namespace heddle::report {
namespace {

using platform::Hop;
using platform::Topology;

/// Following routes ends behind so many, or so many links of them: a few seconds.
constexpr std::size_t kMostRoutes = 500'000;
constexpr std::size_t kMostPassages = 4'000'000;
constexpr std::uint32_t kNone = UINT32_MAX;

/// Something on a route: vertices by their numbers, then cables.
using Stop = std::uint32_t;

/// A cable and the stops before and after it on some route, the smaller one first.
struct Passage {
  Stop cable;
  Stop one;
  Stop other;
  auto operator<=>(const Passage&) const = default;
};

/// The stops of the route between two vertices, both included; nothing if there is no route.
std::vector<Stop> stops_of_route(const Topology& topology, VertexId from, VertexId to) {
  if (!topology.has_route(from, to)) return {};
  std::vector<Stop> stops = {static_cast<Stop>(from)};
  for (Hop hop{from, from, to}; hop.at != to; ++hop.step) {
    const LinkId link = topology.output(hop);
    if (link == kNoLink) return {};
    stops.push_back(topology.vertices() + static_cast<Stop>(index(link) / 2));
    hop.at = topology.after(hop, link);
  }
  stops.push_back(static_cast<Stop>(to));
  return stops;
}

/// Sorted and each once.
template <class T>
void make_set(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// What routes tell: all passages through cables.
class Survey {
 public:
  explicit Survey(const Topology& topology) : topology_(topology) {
    const std::uint32_t n = topology.vertices();
    std::size_t routes = 0;
    std::size_t different = 0;
    // Near ones first, then ever farther ones, so that few routes see many links.
    for (const std::uint32_t distance : distances(n)) {
      for (std::uint32_t v = 0; v < n; ++v) follow(VertexId{v}, VertexId{(v + distance) % n});
      // The same ones come again and again.
      if (passages.size() > 2 * different + 100'000) different = made_set();
      routes += n;
      if (routes > kMostRoutes || followed_ > kMostPassages) break;
    }
    made_set();
  }

  std::vector<Passage> passages;

 private:
  /// 1 .. n-1 with the powers of two and their opposites first.
  static std::vector<std::uint32_t> distances(std::uint32_t n) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t d = 1; d < n; d *= 2) {
      result.push_back(d);
      if (n - d != d) result.push_back(n - d);
    }
    for (std::uint32_t d = 1; d < n; ++d) result.push_back(d);
    std::vector<bool> seen(n);
    std::erase_if(result, [&](std::uint32_t d) {
      const bool again = seen[d];
      seen[d] = true;
      return again;
    });
    return result;
  }

  /// Drops repetitions; gives how many passages are left.
  std::size_t made_set() {
    make_set(passages);
    return passages.size();
  }

  void follow(VertexId from, VertexId to) {
    const auto stops = stops_of_route(topology_, from, to);
    for (std::size_t i = 1; i + 1 < stops.size(); ++i) {
      const auto [one, other] = std::minmax(stops[i - 1], stops[i + 1]);
      const Passage passage{stops[i], one, other};
      ++followed_;
      Passage& same = met_[place_of(passage)];
      if (same == passage) continue;
      same = passage;
      passages.push_back(passage);
    }
  }

  static std::size_t place_of(const Passage& p) {
    return (p.cable * 73U + p.one * 4099U + p.other * 262'147U) % kPlaces;
  }

  static constexpr std::size_t kPlaces = 1 << 16;

  const Topology& topology_;
  std::size_t followed_ = 0;
  /// The last passage of each place, so that few repetitions have to be sorted out. No cable has
  /// the number that all have at first, which is a vertex's.
  std::vector<Passage> met_ = std::vector<Passage>(kPlaces);
};

/// On which side of one cable its neighbours lie.
class Sides {
 public:
  explicit Sides(std::span<const Passage> passages) {
    for (const Passage& p : passages) {
      opposite_[p.one].push_back(p.other);
      opposite_[p.other].push_back(p.one);
    }
    for (const auto& [stop, others] : opposite_) {
      if (!side_.contains(stop)) spread(stop);
    }
  }

  /// Whether some stop would have to lie on both sides.
  bool contradictory() const { return contradictory_; }
  /// By stop: 0 or 1.
  const std::map<Stop, std::uint32_t>& of_stop() const { return side_; }

 private:
  void spread(Stop first) {
    std::vector<Stop> queue = {first};
    side_[first] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::uint32_t far = 1 - side_[queue[head]];
      for (const Stop next : opposite_[queue[head]]) {
        const auto [it, is_new] = side_.try_emplace(next, far);
        if (is_new) queue.push_back(next);
        contradictory_ = contradictory_ || it->second != far;
      }
    }
  }

  std::map<Stop, std::vector<Stop>> opposite_;
  std::map<Stop, std::uint32_t> side_;
  bool contradictory_ = false;
};

/// Joins the sides of cables to vertices. A corner is a vertex or one side of a cable.
class Joiner {
 public:
  Joiner(const Topology& topology, std::span<const Passage> passages)
      : topology_(topology), first_cable_(topology.vertices()) {
    is_shared_.resize(topology.cables());
    seen_.resize(topology.cables());
    note_sides(passages);
  }

  Wiring join() {
    // Every round finds more shared links, or is the last.
    while (!try_to_join()) {
    }
    return collect();
  }

 private:
  using Corner = std::uint32_t;

  bool is_cable(Stop stop) const { return stop >= first_cable_; }
  std::uint32_t cable(Stop stop) const { return stop - first_cable_; }

  void note_sides(std::span<const Passage> passages) {
    for (std::size_t begin = 0, end = 0; begin < passages.size(); begin = end) {
      const Stop stop = passages[begin].cable;
      while (end < passages.size() && passages[end].cable == stop) ++end;
      const Sides sides(passages.subspan(begin, end - begin));
      is_shared_[cable(stop)] = sides.contradictory() || sides.of_stop().contains(stop);
      seen_[cable(stop)] = true;
      for (const auto& [other, side] : sides.of_stop()) {
        side_[{stop, other}] = side;
        if (other != stop) meetings_.push_back(std::minmax(stop, other));
      }
    }
    // Vertices come first, so that every cable is fastened to one where it can be.
    make_set(meetings_);
  }

  /// The corner that `stop` turns to `other`.
  Corner corner(Stop stop, Stop other) const {
    if (!is_cable(stop)) return stop;
    if (is_shared_[cable(stop)]) return first_corner(cable(stop));
    return first_corner(cable(stop)) + side_.at({stop, other});
  }
  Corner first_corner(std::uint32_t cable) const { return first_cable_ + 2 * cable; }

  /// Whether all that the corner's place can stand for is this.
  bool is_anchor(Corner corner) const {
    return corner < first_cable_ || is_shared_[(corner - first_cable_) / 2];
  }

  Corner place(Corner corner) {
    while (place_[corner] != corner) corner = place_[corner] = place_[place_[corner]];
    return corner;
  }

  /// False if a cable turned out to be shared, which changes what was joined before.
  bool try_to_join() {
    place_.resize(first_corner(topology_.cables()));
    std::iota(place_.begin(), place_.end(), 0);
    touching_.clear();
    const auto shared_before = std::count(is_shared_.begin(), is_shared_.end(), true);
    for (const auto& [one, other] : meetings_) meet(one, other);
    for (std::uint32_t c = 0; c < topology_.cables(); ++c) {
      if (place(first_corner(c)) == place(first_corner(c) + 1)) is_shared_[c] = true;
    }
    return shared_before == std::count(is_shared_.begin(), is_shared_.end(), true);
  }

  void meet(Stop one, Stop other) {
    const Corner a = place(corner(one, other));
    const Corner b = place(corner(other, one));
    if (a == b) return;
    if (!is_anchor(a) || !is_anchor(b)) {
      // The place is called after its anchor.
      if (is_anchor(a)) {
        place_[b] = a;
      } else {
        place_[a] = b;
      }
    } else if (!is_cable(one) && !is_shared_[cable(other)]) {
      is_shared_[cable(other)] = true;  // It would join two vertices on one side.
    } else {
      touching_.insert(std::minmax(a, b));
    }
  }

  Wiring collect() {
    Wiring result;
    number_.assign(place_.size(), kNone);
    for (std::uint32_t v = 0; v < first_cable_; ++v) number_of(v, result);
    for (std::uint32_t c = 0; c < topology_.cables(); ++c) {
      if (!seen_[c]) {
        ++result.left_out;
      } else if (is_shared_[c]) {
        number_of(first_corner(c), result);
      } else {
        result.wires.push_back({number_of(place(first_corner(c)), result),
                                number_of(place(first_corner(c) + 1), result),
                                {c}});
      }
    }
    for (const auto& [a, b] : touching_) {
      result.wires.push_back({number_of(a, result), number_of(b, result), {}});
    }
    return result;
  }

  std::uint32_t number_of(Corner place, Wiring& wiring) {
    if (number_[place] != kNone) return number_[place];
    wiring.vertices.push_back(vertex(place));
    return number_[place] = static_cast<std::uint32_t>(wiring.vertices.size() - 1);
  }

  WiredVertex vertex(Corner place) const {
    const VertexId v{place};
    if (place < first_cable_) {
      return {topology_.is_switch(v) ? VertexKind::fabric_switch : VertexKind::node, v};
    }
    const std::uint32_t cable = (place - first_cable_) / 2;
    if (is_shared_[cable]) return {VertexKind::shared_link, kNoVertex, cable};
    return {VertexKind::junction};
  }

  const Topology& topology_;
  std::uint32_t first_cable_;
  std::vector<bool> is_shared_;  ///< By cable.
  std::vector<bool> seen_;       ///< By cable.
  std::map<std::pair<Stop, Stop>, std::uint32_t> side_;
  std::vector<std::pair<Stop, Stop>> meetings_;
  std::vector<Corner> place_;  ///< By corner: one of the corners at the same place.
  std::set<std::pair<Corner, Corner>> touching_;
  std::vector<std::uint32_t> number_;  ///< By place, of the wired vertex.
};

/// Makes two wires that meet at a junction where nothing else is into one.
class Splicer {
 public:
  explicit Splicer(Wiring wiring) : wiring_(std::move(wiring)), at_(wiring_.vertices.size()) {
    for (std::uint32_t w = 0; w < wiring_.wires.size(); ++w) {
      at_[wiring_.wires[w].a].push_back(w);
      at_[wiring_.wires[w].b].push_back(w);
    }
  }

  Wiring splice() {
    for (std::uint32_t v = 0; v < at_.size(); ++v) {
      if (is_needless(v)) remove(v);
    }
    return compacted();
  }

 private:
  bool is_needless(std::uint32_t v) const {
    if (wiring_.vertices[v].kind != VertexKind::junction || at_[v].size() != 2) return false;
    const VertexKind one = wiring_.vertices[far_end(at_[v][0], v)].kind;
    const VertexKind other = wiring_.vertices[far_end(at_[v][1], v)].kind;
    // Between two nodes, or two junctions, it is a switch that happens to have two links.
    return one != other || (one != VertexKind::node && one != VertexKind::junction);
  }

  std::uint32_t far_end(std::uint32_t wire, std::uint32_t v) const {
    return wiring_.wires[wire].a == v ? wiring_.wires[wire].b : wiring_.wires[wire].a;
  }

  void remove(std::uint32_t v) {
    const std::uint32_t kept = at_[v][0];
    const std::uint32_t gone = at_[v][1];
    const std::uint32_t end = far_end(gone, v);
    Wire& wire = wiring_.wires[kept];
    (wire.a == v ? wire.a : wire.b) = end;
    auto& cables = wiring_.wires[gone].cables;
    wire.cables.insert(wire.cables.end(), cables.begin(), cables.end());
    wiring_.wires[gone] = {kNone, kNone, {}};
    std::replace(at_[end].begin(), at_[end].end(), gone, kept);
    at_[v].clear();
    removed_.insert(v);
  }

  Wiring compacted() {
    Wiring result;
    result.left_out = wiring_.left_out;
    std::vector<std::uint32_t> number(at_.size());
    for (std::uint32_t v = 0; v < at_.size(); ++v) {
      number[v] = static_cast<std::uint32_t>(result.vertices.size());
      if (!removed_.contains(v)) result.vertices.push_back(wiring_.vertices[v]);
    }
    for (Wire& wire : wiring_.wires) {
      if (wire.a == kNone) continue;
      result.wires.push_back({number[wire.a], number[wire.b], std::move(wire.cables)});
    }
    return result;
  }

  Wiring wiring_;
  std::vector<std::vector<std::uint32_t>> at_;  ///< By vertex: its wires.
  std::set<std::uint32_t> removed_;
};

}  // namespace

Wiring wiring_by_routes(const Topology& topology) {
  const Survey survey(topology);
  return Splicer(Joiner(topology, survey.passages).join()).splice();
}

}  // namespace heddle::report
