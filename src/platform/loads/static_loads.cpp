#include "platform/loads/static_loads.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "platform/source_dependent.hpp"

namespace heddle::platform {
namespace {

double bits_of(Bandwidth bandwidth) {
  return bandwidth.is_unlimited() ? 1e30 : static_cast<double>(bandwidth.bits_per_second());
}

/// The routes to one destination after the other. Where they are the same from where they meet,
/// they are asked for once: what failures leave of a fabric takes its time to answer.
class RoutesTo {
 public:
  explicit RoutesTo(const Topology& topology) : topology_(topology), ends_(topology.links()) {
    for (std::uint32_t l = 0; l < topology.links(); ++l) {
      ends_[l] = topology.ends(LinkId{l}).to;
      fixed_ends_ = fixed_ends_ && ends_[l] != kNoVertex;
    }
    find_classes();
  }

  void aim(VertexId to) { to_ = to; }
  /// Calls `use` with each link of the route from there, and counts them.
  template <class Use>
  std::uint32_t follow(VertexId from, Use use) {
    Known* const row = known_.empty() ? nullptr : known_[class_of_[index(from)]].data();
    Hop hop{from, from, to_};
    for (; hop.at != to_; ++hop.step) {
      const LinkId link = row == nullptr ? topology_.output(hop) : known(row, hop);
      use(link);
      hop.at = fixed_ends_ ? ends_[index(link)] : topology_.after(hop, link);
    }
    return hop.step;
  }

 private:
  /// The way on to a destination, if it is that of now.
  struct Known {
    VertexId to = kNoVertex;
    LinkId link = kNoLink;
  };

  /// Several, if there are few; else routes are asked for one by one.
  void find_classes() {
    constexpr std::size_t kMostClasses = 16;
    std::vector<std::uint32_t> classes;
    class_of_.reserve(topology_.nodes());
    for (std::uint32_t n = 0; n < topology_.nodes(); ++n) {
      const auto own = route_class(topology_, VertexId{n});
      if (!own) return;
      const auto at = std::find(classes.begin(), classes.end(), *own);
      class_of_.push_back(static_cast<std::uint32_t>(at - classes.begin()));
      if (at == classes.end()) classes.push_back(*own);
      if (classes.size() > kMostClasses) return;
    }
    known_.resize(classes.size(), std::vector<Known>(topology_.vertices()));
  }
  LinkId known(Known* row, const Hop& hop) const {
    Known& here = row[index(hop.at)];
    if (here.to != to_) here = {to_, topology_.output(hop)};
    return here.link;
  }

  const Topology& topology_;
  VertexId to_ = kNoVertex;
  std::vector<VertexId> ends_;             ///< By link: where it leads,
  bool fixed_ends_ = true;                 ///< if that does not depend on the message.
  std::vector<std::uint32_t> class_of_;    ///< By source.
  std::vector<std::vector<Known>> known_;  ///< By class, then vertex; empty: routes are not kept.
};

/// Counts flows link by link.
class FlowCounter {
 public:
  explicit FlowCounter(const Platform& platform)
      : platform_(platform),
        topology_(platform.topology()),
        routes_(topology_),
        flows_(topology_.links()) {}

  /// All flows to one destination together: the routes there are known then.
  void aim(std::uint32_t to) {
    to_ = VertexId{to};
    routes_.aim(to_);
  }
  void add(std::uint32_t from) {
    if (!topology_.has_route(VertexId{from}, to_)) {
      ++cut_off_;
      return;
    }
    const auto links = routes_.follow(VertexId{from}, [this](LinkId link) { count(link); });
    longest_ = std::max(longest_, links);
  }

  /// If each flow has 1/`share` of what a node can inject. Starts again.
  StaticLoad take(double share) {
    StaticLoad load;
    load.cut_off = std::exchange(cut_off_, 0);
    load.longest = std::exchange(longest_, 0);
    double least = 1;
    for (const LinkId link : used_) {
      std::uint64_t& flows = flows_[index(link)];
      load.flows = std::max(load.flows, flows);
      const double part = bits_of(platform_.links()[link].bandwidth) / injection() * share /
                          static_cast<double>(flows);
      least = std::min(least, part);
      const LinkEnds ends = topology_.ends(link);
      const bool inner = topology_.is_switch(ends.from) && topology_.is_switch(ends.to);
      if (inner) load.inner = std::min(load.inner, part);
      flows = 0;
    }
    load.saturation = least;
    used_.clear();
    return load;
  }

 private:
  void count(LinkId link) {
    // Of a half-duplex cable both directions share what there is.
    const LinkId whole = platform_.links().capacity(link);
    if (flows_[index(whole)]++ == 0) used_.push_back(whole);
  }
  /// What the first node that has a cable can inject: all nodes are taken to be alike.
  double injection() {
    for (std::uint32_t n = 0; n < topology_.nodes() && injection_ == 0; ++n) {
      const VertexId other{n == 0 ? 1U : 0U};
      if (!topology_.has_route(VertexId{n}, other)) continue;
      injection_ =
          bits_of(platform_.links()[topology_.output({VertexId{n}, VertexId{n}, other})].bandwidth);
    }
    return injection_;
  }

  const Platform& platform_;
  const Topology& topology_;
  RoutesTo routes_;
  VertexId to_ = kNoVertex;
  std::vector<std::uint64_t> flows_;  ///< By link.
  std::vector<LinkId> used_;          ///< Those with flows.
  std::uint64_t cut_off_ = 0;
  std::uint32_t longest_ = 0;
  double injection_ = 0;
};

/// The most flows on a link, shift by shift: of many shifts at a time, destination by destination,
/// so that what is known of the routes to one is at hand when it is used.
class ShiftCounter {
 public:
  explicit ShiftCounter(const Platform& platform)
      : topology_(platform.topology()), routes_(topology_) {
    for (std::uint32_t l = 0; l < topology_.links(); ++l) {
      counted_as_.push_back(static_cast<std::uint32_t>(platform.links().capacity(LinkId{l})));
    }
  }
  /// How many are counted at a time.
  std::size_t together() const {
    constexpr std::size_t kMostCounts = 16'000'000;  // 64 MB.
    return std::max<std::size_t>(1, kMostCounts / std::max<std::size_t>(1, counted_as_.size()));
  }
  std::vector<std::uint32_t> most_flows(std::span<const std::uint32_t> shifts) {
    const std::uint32_t nodes = topology_.nodes();
    flows_.assign(counted_as_.size() * shifts.size(), 0);
    for (std::uint32_t to = 0; to < nodes; ++to) {
      routes_.aim(VertexId{to});
      for (std::size_t i = 0; i < shifts.size(); ++i) {
        const VertexId from{to < shifts[i] ? to + nodes - shifts[i] : to - shifts[i]};
        if (!topology_.has_route(from, VertexId{to})) continue;
        routes_.follow(
            from, [&](LinkId link) { ++flows_[counted_as_[index(link)] * shifts.size() + i]; });
      }
    }
    std::vector<std::uint32_t> most(shifts.size());
    for (std::size_t at = 0; at < flows_.size(); at += shifts.size()) {
      for (std::size_t i = 0; i < shifts.size(); ++i) most[i] = std::max(most[i], flows_[at + i]);
    }
    return most;
  }

 private:
  const Topology& topology_;
  RoutesTo routes_;
  std::vector<std::uint32_t> counted_as_;  ///< By link: the one whose capacity it uses.
  std::vector<std::uint32_t> flows_;       ///< By link, then shift.
};

/// All shifts, or powers of two and others at equal distances.
std::vector<std::uint32_t> some_shifts(std::uint32_t nodes, std::uint32_t most) {
  std::set<std::uint32_t> shifts;
  if (nodes > most + 1) {
    for (std::uint64_t power = 1; power < nodes; power *= 2) {
      shifts.insert(static_cast<std::uint32_t>(power));
    }
  }
  const std::uint64_t count = std::min(most, nodes - 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    shifts.insert(static_cast<std::uint32_t>(1 + i * (nodes - 1) / count));
  }
  return {shifts.begin(), shifts.end()};
}

/// All shifts, or so many drawn at random: at equal distances they would meet the numbers by which
/// fabrics are built.
std::vector<std::uint32_t> drawn_shifts(std::uint32_t nodes, std::uint32_t most) {
  if (nodes - 1 <= most) return some_shifts(nodes, most);
  std::set<std::uint32_t> shifts;
  RandomStream random(0);
  while (shifts.size() < most) {
    shifts.insert(1 + static_cast<std::uint32_t>(random.below(nodes - 1)));
  }
  return {shifts.begin(), shifts.end()};
}

}  // namespace

StaticLoad shift_load(const Platform& platform, std::uint32_t shift) {
  const std::uint32_t nodes = platform.nodes();
  FlowCounter counter(platform);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    counter.aim(static_cast<std::uint32_t>((std::uint64_t{n} + shift) % nodes));
    counter.add(n);
  }
  return counter.take(1);
}

WorstShift worst_shift(const Platform& platform, std::uint32_t most) {
  WorstShift worst;
  if (platform.nodes() < 2) return worst;
  worst.all = platform.nodes() - 1 <= most;
  const std::vector<std::uint32_t> shifts = some_shifts(platform.nodes(), most);
  ShiftCounter counter(platform);
  std::uint32_t flows = 0;
  for (std::size_t first = 0; first < shifts.size(); first += counter.together()) {
    const auto some =
        std::span(shifts).subspan(first, std::min(counter.together(), shifts.size() - first));
    const std::vector<std::uint32_t> found = counter.most_flows(some);
    const auto highest = std::max_element(found.begin(), found.end());
    if (worst.shift != 0 && *highest <= flows) continue;
    flows = *highest;
    worst.shift = some[static_cast<std::size_t>(highest - found.begin())];
  }
  worst.load = shift_load(platform, worst.shift);
  return worst;
}

UniformLoad uniform_load(const Platform& platform, std::uint32_t most) {
  UniformLoad uniform;
  const std::uint32_t nodes = platform.nodes();
  if (nodes < 2) return uniform;
  FlowCounter counter(platform);
  // Shifts by all numbers are all pairs; some of them load every node's cables alike.
  const std::vector<std::uint32_t> shifts = drawn_shifts(nodes, most);
  uniform.all = shifts.size() == nodes - 1;
  for (std::uint32_t to = 0; to < nodes; ++to) {
    counter.aim(to);
    for (const std::uint32_t shift : shifts) counter.add((to + nodes - shift) % nodes);
  }
  uniform.load = counter.take(static_cast<double>(shifts.size()));
  return uniform;
}

}  // namespace heddle::platform
