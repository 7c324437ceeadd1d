#include "platform/simgrid/topology.hpp"

#include <algorithm>
#include <utility>

#include "platform/simgrid/zone.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform::simgrid {
namespace {

constexpr std::uint64_t kNoPair = UINT64_MAX;
constexpr std::size_t kFirstSlots = 1U << 10;
constexpr std::size_t kMostSlots = 1U << 21;
constexpr std::size_t kMostLinks = 1U << 24;

std::uint64_t pair_of(const Hop& hop) {
  return static_cast<std::uint64_t>(index(hop.from)) << 32 | index(hop.to);
}

std::uint64_t mixed(std::uint64_t x) {
  x *= 0x9E3779B97F4A7C15ULL;
  return x ^ x >> 32;
}

}  // namespace

RouteCache::RouteCache() : slots_(kFirstSlots) {}

std::size_t RouteCache::slot_of(std::uint64_t pair) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = mixed(pair) & mask;
  while (slots_[slot].pair != pair && slots_[slot].pair != kNoPair) slot = (slot + 1) & mask;
  return slot;
}

const RouteCache::Entry* RouteCache::find(std::uint64_t pair) const {
  const Entry& entry = slots_[slot_of(pair)];
  return entry.pair == pair ? &entry : nullptr;
}

const RouteCache::Entry* RouteCache::store(std::uint64_t pair, const Links& links) {
  if (pool_.size() + links.size() > kMostLinks) clear();
  if (2 * (used_ + 1) > slots_.size()) {
    if (slots_.size() < kMostSlots) {
      grow();
    } else {
      clear();
    }
  }
  Entry& entry = slots_[slot_of(pair)];
  entry = {pair, static_cast<std::uint32_t>(pool_.size()),
           static_cast<std::uint32_t>(links.size())};
  pool_.insert(pool_.end(), links.begin(), links.end());
  ++used_;
  return &entry;
}

void RouteCache::clear() {
  std::fill(slots_.begin(), slots_.end(), Entry{});
  pool_.clear();
  used_ = 0;
}

void RouteCache::grow() {
  std::vector<Entry> old(2 * slots_.size());
  old.swap(slots_);
  for (const Entry& entry : old) {
    if (entry.pair != kNoPair) slots_[slot_of(entry.pair)] = entry;
  }
}

SimgridTopology::SimgridTopology(std::unique_ptr<const Model> model)
    : Topology(static_cast<std::uint32_t>(model->hosts().size()),
               static_cast<std::uint32_t>(model->routers().size()),
               static_cast<std::uint32_t>(model->cables().size())),
      model_(std::move(model)) {}

std::string SimgridTopology::describe() const {
  return "SimGrid platform, " + counted(nodes_, "host", "hosts") + ", " +
         counted(switches_, "router", "routers") + ", " + counted(cables_, "link", "links");
}

const Point& SimgridTopology::point(VertexId v) const {
  return is_switch(v) ? *model_->routers()[index(v) - nodes_] : *model_->hosts()[index(v)].point;
}

const RouteCache::Entry& SimgridTopology::route(const Hop& hop) const {
  const std::uint64_t pair = pair_of(hop);
  if (last_ != nullptr && last_->pair == pair) return *last_;
  last_ = routes_.find(pair);
  if (last_ == nullptr) {
    scratch_.clear();
    append_route(point(hop.from), point(hop.to), scratch_);
    last_ = routes_.store(pair, scratch_);
  }
  return *last_;
}

LinkId SimgridTopology::output(const Hop& hop) const {
  const RouteCache::Entry& entry = route(hop);
  return hop.step < entry.length ? routes_.link(entry, hop.step) : kNoLink;
}

bool SimgridTopology::has_route(VertexId from, VertexId to) const {
  try {
    route({from, from, to});
  } catch (const NoRoute&) {
    return false;
  }
  return true;
}

VertexId SimgridTopology::after(const Hop& hop, LinkId) const {
  return hop.step + 1 == route(hop).length ? hop.to : kNoVertex;
}

std::optional<VertexId> SimgridTopology::find(std::string_view name) const {
  const Point* point = model_->find_point(name);
  if (point == nullptr || point->kind == PointKind::zone) return std::nullopt;
  return VertexId{point->number + (point->kind == PointKind::router ? nodes_ : 0)};
}

std::string SimgridTopology::name(VertexId v) const {
  return point(v).name;
}

std::string SimgridTopology::link_name(LinkId link) const {
  return model_->link_name(link);
}

std::string SimgridTopology::cable_group(std::uint32_t cable) const {
  return model_->cables()[cable].zone->name();
}

}  // namespace heddle::platform::simgrid
