#include "record/travel.hpp"

#include <algorithm>

#include "record/shares.hpp"

namespace heddle::record {
/// What is twice as wide.
struct Travel::Doubled {
  bool fabric = false;
  bool buses = false;
  std::uint32_t link = UINT32_MAX;  ///< Its cable.
  double factor(const WayLink& l) const {
    return same_cable(l.link, link) || (l.bus ? buses : fabric) ? 2 : 1;
  }
};

/// How busy the links of a way were meanwhile, as far as they have an end.
struct Travel::Uses {
  std::vector<double> by_link;  ///< As in the cost.
  std::size_t most = 0;
  double after(const WayCost& cost, const Doubled& doubled) const {
    double then = 0;
    for (std::size_t i = 0; i < by_link.size(); ++i) {
      then = std::max(then, by_link[i] / doubled.factor(cost.links[i]));
    }
    return by_link[most] > 0 ? then / by_link[most] : 1;
  }
};

Shares Travel::share(const WayCost& cost, const WayCost& crowd, Stretch when) {
  Shares shares{};
  const WayLink* const narrowest = narrowest_of(cost);
  const Time bus_latency = std::min(cost.bus_latency, when.length());
  const Time latency = std::min(cost.latency, when.length() - bus_latency);
  const Time rest = when.length() - bus_latency - latency;
  const Time serial =
      narrowest == nullptr ? Time::zero()
      : cost.alone > Time::zero()
          ? std::max(cost.alone - cost.latency - cost.bus_latency, Time::zero())
          : Time::whole_ps(static_cast<double>(cost.bytes) / narrowest->bytes_per_ps);
  const Time bytes = std::min(serial, rest);
  const Time contention = rest - bytes;
  shares[slot(Resource::pcie)] = bus_latency;
  shares[slot(Resource::latency)] = latency;
  if (narrowest == nullptr) {
    shares[slot(Resource::contention)] = contention;
    return shares;
  }
  shares[slot(narrowest->bus ? Resource::pcie : Resource::bandwidth)] += bytes;
  add_bytes(cost, *narrowest, bytes);
  if (contention > Time::zero()) {
    shares[slot(Resource::contention)] += contention;
    add_contention(crowd, uses_of(crowd, when), contention);
  }
  return shares;
}

/// Where a link and a bus are equally narrow, the link.
const WayLink* Travel::narrowest_of(const WayCost& cost) {
  const WayLink* narrowest = nullptr;
  for (const WayLink& link : cost.links) {
    if (link.bytes_per_ps <= 0) continue;
    if (narrowest == nullptr || link.bytes_per_ps < narrowest->bytes_per_ps ||
        (link.bytes_per_ps == narrowest->bytes_per_ps && narrowest->bus && !link.bus)) {
      narrowest = &link;
    }
  }
  return narrowest;
}

/// What a byte takes.
double Travel::slowest(const WayCost& cost, const Doubled& doubled) {
  double most = 0;
  for (const WayLink& l : cost.links) {
    if (l.bytes_per_ps > 0) most = std::max(most, 1 / (l.bytes_per_ps * doubled.factor(l)));
  }
  return most;
}

void Travel::add_bytes(const WayCost& cost, const WayLink& narrowest, Time bytes) {
  const auto gain = [&](const Doubled& doubled) {
    return part_of(bytes, 1 - slowest(cost, doubled) * narrowest.bytes_per_ps);
  };
  PathLink& link = path_.links[narrowest.link];
  link.bandwidth += bytes;
  ++link.messages;
  link.if_twice += gain({false, false, narrowest.link});
  path_.if_twice.links += gain({true, false});
  path_.if_twice.buses += gain({false, true});
  path_.if_twice.both += gain({true, true});
  if (narrowest.bus) path_.bus_bytes += bytes;
}

/// What holds a message up behind others shrinks as they do, until another link of the way is the
/// busiest.
void Travel::add_contention(const WayCost& cost, const Uses& uses, Time contention) {
  const auto gain = [&](const Doubled& doubled) {
    return part_of(contention, 1 - uses.after(cost, doubled));
  };
  const WayLink& crowded = cost.links[uses.most];
  PathLink& link = path_.links[crowded.link];
  link.contention += contention;
  link.if_twice += gain({false, false, crowded.link});
  path_.if_twice.links += gain({true, false});
  path_.if_twice.buses += gain({false, true});
  path_.if_twice.both += gain({true, true});
}

/// Where nobody looked at them, as busy as they are narrow.
Travel::Uses Travel::uses_of(const WayCost& cost, Stretch when) const {
  const bool looked = std::any_of(cost.links.begin(), cost.links.end(),
                                  [&](const WayLink& link) { return used(link.link, when) > 0; });
  const auto use = [&](const WayLink& link, double rate) {
    return rate > 0 ? (looked ? used(link.link, when) : 1) / rate : 0;
  };
  Uses uses;
  for (const WayLink& link : cost.links) {
    uses.by_link.push_back(use(link, std::max(link.bytes_per_ps, link.all_bytes_per_ps)));
  }
  uses.most = most_of(uses, cost);
  // What leaves a node leaves it one after another, each as fast as a single message is.
  const auto first = std::find_if(cost.links.begin(), cost.links.end(),
                                  [](const WayLink& link) { return !link.bus; });
  const auto own = static_cast<std::size_t>(first - cost.links.begin());
  for (std::size_t i = 0; uses.most <= own && i <= own && i < cost.links.size(); ++i) {
    uses.by_link[i] = use(cost.links[i], cost.links[i].bytes_per_ps);
  }
  uses.most = most_of(uses, cost);
  return uses;
}

/// Where a link and a bus are equally busy, the link.
std::size_t Travel::most_of(const Uses& uses, const WayCost& cost) {
  std::size_t most = 0;
  for (std::size_t i = 1; i < uses.by_link.size(); ++i) {
    const double more = uses.by_link[i] - uses.by_link[most];
    if (more > 0 || (more == 0 && cost.links[most].bus && !cost.links[i].bus)) most = i;
  }
  return most;
}

double Travel::used(std::uint32_t link, Stretch when) const {
  if (samples_.slices() == 0 || link >= samples_.links()) return 0;
  const std::size_t last = samples_.slices() - 1;
  const auto slice = [&](Time t) {
    return std::min(last, static_cast<std::size_t>(t.ps() / samples_.slice().ps()));
  };
  std::int64_t sum = 0;
  for (std::size_t s = slice(when.begin); s <= slice(when.end); ++s) sum += samples_.bytes(s, link);
  return static_cast<double>(sum);
}

}  // namespace heddle::record
