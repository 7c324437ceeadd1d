#include "platform/failures/changing_routes.hpp"

#include <algorithm>

#include "platform/topology/fat_tree.hpp"

namespace heddle::platform {

namespace {

/// Those of more sets of cables are not kept: each can be as large as the distances it knows.
constexpr std::size_t kMostTables = 32;

}  // namespace

/// What all switches go by while certain cables are down.
struct ChangingRoutes::Tables {
  std::size_t number = 0;                        ///< In the order in which they were made.
  std::unique_ptr<const DegradedFabric> fabric;  ///< Null: the base.
  std::unique_ptr<const Routing> routing;        ///< Null: the usual one.
  std::vector<std::uint32_t> cable_of;           ///< In the base, by cable of the fabric.

  LinkId in_base(LinkId link) const {
    if (fabric == nullptr) return link;
    const auto number_here = static_cast<std::uint32_t>(link);
    return LinkId{2 * cable_of[number_here / 2] + number_here % 2};
  }
};

/// What the routing of some tables remembers, for each that has been used.
class ChangingRoutes::Notes final : public RouteNotes {
 public:
  RouteNotes* of(const Tables& tables, const Routing& routing) {
    const auto [found, is_new] = notes_.try_emplace(tables.number);
    if (is_new) found->second = routing.new_notes();
    return found->second.get();
  }

 private:
  std::map<std::size_t, std::unique_ptr<RouteNotes>> notes_;
};

/// Loads by the links of a fabric that is left.
class ChangingRoutes::Loads final : public LoadView {
 public:
  Loads(const LoadView& loads, const Tables& tables, RouteNotes* notes)
      : loads_(loads), tables_(tables), notes_(notes) {}
  std::int64_t load(LinkId link) const override { return loads_.load(tables_.in_base(link)); }
  std::int64_t backlog(LinkId link) const override { return loads_.backlog(tables_.in_base(link)); }
  std::int64_t worth(Time work) const override { return loads_.worth(work); }
  Time now() const override { return loads_.now(); }
  RouteNotes* notes() const override { return notes_; }

 private:
  const LoadView& loads_;
  const Tables& tables_;
  RouteNotes* notes_;
};

ChangingRoutes::ChangingRoutes(const Topology& base, const Outages& outages,
                               const FailuresConfig& rules, Maker make)
    : base_(base), outages_(outages), rules_(rules), make_(std::move(make)), usual_(make_(base)) {
  if (rules_.has_tables()) tables_without(outages_.cables());  // Whether such can be had at all.
}

ChangingRoutes::~ChangingRoutes() = default;

const ChangingRoutes::Tables& ChangingRoutes::tables_without(
    const std::vector<std::uint32_t>& down) const {
  if (const auto known = tables_.find(down); known != tables_.end()) return *known->second;
  if (tables_.size() == kMostTables) {
    tables_.clear();
    current_ = nullptr;
  }
  auto tables = std::make_unique<Tables>();
  tables->number = made_++;
  if (!down.empty()) {
    const auto* const degraded = dynamic_cast<const DegradedFabric*>(&base_);
    const Topology& whole = degraded == nullptr ? base_ : degraded->whole();
    std::vector<std::uint32_t> base_of(whole.cables());  // By cable of the whole, if it is there.
    std::vector<bool> gone(whole.cables(), true);
    for (std::uint32_t cable = 0; cable < base_.cables(); ++cable) {
      const std::uint32_t number = degraded == nullptr ? cable : degraded->whole_cable(cable);
      base_of[number] = cable;
      gone[number] = std::ranges::binary_search(down, cable);
    }
    tables->fabric = std::make_unique<DegradedFabric>(whole, gone);
    for (std::uint32_t cable = 0; cable < tables->fabric->cables(); ++cable) {
      tables->cable_of.push_back(base_of[tables->fabric->whole_cable(cable)]);
    }
    tables->routing = make_(*tables->fabric);
  }
  return *tables_.emplace(down, std::move(tables)).first->second;
}

const Topology& ChangingRoutes::fabric_without(const std::vector<std::uint32_t>& down) const {
  const Tables& tables = tables_without(down);
  return tables.fabric == nullptr ? base_ : *tables.fabric;
}

const ChangingRoutes::Tables& ChangingRoutes::tables_at(Time now) const {
  if (current_ != nullptr && from_ <= now && now < until_) return *current_;
  from_ = now;
  until_ = Time::never();
  std::vector<std::uint32_t> down;
  if (rules_.has_tables()) {
    const Time seen = now - (rules_.detection + rules_.sweep);
    down = outages_.down_at(seen);
    const Time change = outages_.next_change(seen);
    if (change != Time::never()) until_ = now + (change - seen);
  }
  current_ = &tables_without(down);
  return *current_;
}

bool ChangingRoutes::is_known_down(LinkId link, Time now) const {
  const CableHistory* const history = outages_.of(static_cast<std::uint32_t>(link) / 2);
  return history != nullptr && history->is_down(now - rules_.detection);
}

/// Another link of the tables that leads as near and is not known to be down; if there is none, the
/// same.
LinkId ChangingRoutes::other_than(LinkId down, const Tables& tables, const Hop& hop,
                                  Time now) const {
  const Topology& fabric = tables.fabric == nullptr ? base_ : *tables.fabric;
  Hop leg = hop;
  if (hop.via != kNoVertex && hop.via != hop.at) leg.to = hop.via;
  candidates_.clear();
  fabric.minimal_outputs(leg, candidates_);
  std::vector<LinkId> up;
  for (const LinkId link : candidates_) {
    const LinkId in_base = tables.in_base(link);
    if (in_base != down && !is_known_down(in_base, now)) up.push_back(in_base);
  }
  return up.empty() ? down : up[index(hop.to) % up.size()];
}

/// The choice of a routing where there is a way; a way-point that is cut off is passed over.
LinkId ChangingRoutes::chosen(const Routing& routing, const Topology& fabric, Hop& hop,
                              const LoadView& loads) {
  try {
    return routing.next(hop, loads);
  } catch (const InputError&) {
    hop.via = kNoVertex;
    return fabric.output(hop);
  }
}

LinkId ChangingRoutes::next(Hop& hop, const LoadView& loads) const {
  const Time now = loads.now();
  const Tables& tables = tables_at(now);
  const Topology& fabric = tables.fabric == nullptr ? base_ : *tables.fabric;
  if (hop.via != kNoVertex && hop.via != hop.at && !fabric.has_route(hop.at, hop.via)) {
    hop.via = kNoVertex;
  }
  if (!fabric.has_route(hop.at, hop.to)) return base_.output(hop);
  const Routing& routing = tables.routing == nullptr ? *usual_ : *tables.routing;
  auto* const notes = static_cast<Notes*>(loads.notes());
  const Loads here(loads, tables, notes == nullptr ? nullptr : notes->of(tables, routing));
  const LinkId link = tables.in_base(chosen(routing, fabric, hop, here));
  if (!rules_.has_local() || !is_known_down(link, now)) return link;
  return other_than(link, tables, hop, now);
}

/// Routes are never fixed: what is worked out now need not be so when a message comes there.
RouteChoice ChangingRoutes::choice() const {
  const RouteChoice usual = usual_->choice();
  const bool was_fixed = usual == RouteChoice::fixed || usual == RouteChoice::drawn;
  return was_fixed ? RouteChoice::adaptive : usual;
}

void ChangingRoutes::ways(const Hop& hop, std::vector<Way>& out) const {
  usual_->ways(hop, out);
}

/// In a tree every message goes up and then down, whatever has failed.
bool ChangingRoutes::can_wait_in_circles() const {
  const auto* const degraded = dynamic_cast<const DegradedFabric*>(&base_);
  const Topology& whole = degraded == nullptr ? base_ : degraded->whole();
  const bool tree = dynamic_cast<const FatTree*>(&whole) != nullptr;
  return !tree || usual_->can_wait_in_circles();
}

std::unique_ptr<RouteNotes> ChangingRoutes::new_notes() const {
  return std::make_unique<Notes>();
}

}  // namespace heddle::platform
