#include "record/gains.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "record/shares.hpp"

namespace heddle::record {
namespace {

Time computing(const RankTotals& rank) {
  return rank.times[static_cast<std::size_t>(Activity::compute)];
}

}  // namespace

Gains::Gains(const CriticalPath& path, const Overview& overview, const LinkFacts& links)
    : path_(path), overview_(overview), links_(links) {
  find_late_rank();
  find_link();
}

void Gains::find_late_rank() {
  if (overview_.ranks < 2) return;
  std::vector<Time> all;
  for (const RankTotals& rank : overview_.by_rank) all.push_back(computing(rank));
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2),
                   all.end());
  late_.usual = all[all.size() / 2];
  if (overview_.ranks == 2) late_.usual = std::min(all[0], all[1]);
  for (std::uint32_t r = 0; r < overview_.ranks; ++r) {
    if (on_path(r, Resource::compute) > on_path(late_.rank, Resource::compute)) late_.rank = r;
  }
  const Time own = computing(overview_.by_rank[late_.rank]);
  if (own <= late_.usual) return;
  late_.gain = part_of(on_path(late_.rank, Resource::compute), 1 - ratio(late_.usual, own));
}

/// By cables: who makes a link wider makes both of its directions so.
void Gains::find_link() {
  for (auto at = path_.links.begin(); at != path_.links.end();) {
    GuiltyLink cable;
    Time most;
    const std::uint32_t first = at->first;
    for (; at != path_.links.end() && same_cable(at->first, first); ++at) {
      const Time owed = at->second.bandwidth + at->second.contention;
      if (owed > most) cable.link = at->first;
      most = std::max(most, owed);
      cable.owed += owed;
      cable.gain += at->second.if_twice;
    }
    if (cable.gain > Time::zero() && cable.owed > link_.owed) link_ = cable;
  }
  const auto fact = std::find_if(links_.used.begin(), links_.used.end(),
                                 [&](const LinkFact& f) { return f.link == link_.link; });
  if (link_.owed == Time::zero() || fact == links_.used.end()) return;
  link_.fact = &*fact;
  link_.gain = possible(link_.gain, {false, false, link_.fact});
}

Time Gains::busy(const LinkFact& link) const {
  return part_of(path_.length, link.utilisation);
}

Time Gains::floor(const Doubled& doubled) const {
  Time most;
  for (const LinkFact& link : links_.used) {
    const bool cable = doubled.link != nullptr && same_cable(link.link, doubled.link->link);
    const bool twice = cable || (link.bus ? doubled.buses : doubled.fabric);
    most = std::max(most, twice ? busy(link) / 2 : busy(link));
  }
  return most;
}

Time Gains::possible(Time gain, const Doubled& doubled) const {
  return std::clamp(gain, Time::zero(), path_.length - floor(doubled));
}

/// Whether all there is to the run are links that are busy nearly all the time: then what they
/// carry takes half as long where they are twice as wide, whatever the path has besides.
bool Gains::saturated() const {
  constexpr double kBusy = 0.8;
  const Time others = share(Resource::compute) + share(Resource::sleep) + share(Resource::storage);
  return ratio(others, path_.length) < 0.1 &&
         ratio(share(Resource::contention), path_.length) > 0.3 &&
         ratio(floor({}) - floor({true, false}), path_.length) > kBusy / 2;
}

Time Gains::links_gain() const {
  const Time busy = saturated() ? floor({}) / 2 : Time::zero();
  return possible(std::max(path_.if_twice.links, busy), {true, false});
}

bool Gains::links_and_buses() const {
  return ratio(both_gain() - std::max(links_gain(), buses_gain()), path_.length) > 0.02;
}

/// If each rank computed as long as they do on average.
Time Gains::balance_gain() const {
  Time sum;
  for (const RankTotals& rank : overview_.by_rank) sum += computing(rank);
  const Time mean = overview_.ranks == 0 ? sum : sum / static_cast<std::int64_t>(overview_.ranks);
  double gain = 0;
  for (std::uint32_t r = 0; r < overview_.ranks; ++r) {
    const Time own = computing(overview_.by_rank[r]);
    if (own == Time::zero()) continue;
    gain += static_cast<double>(on_path(r, Resource::compute).ps()) * (1 - ratio(mean, own));
  }
  return Time::ps(static_cast<std::int64_t>(std::max(gain, 0.0)));
}

/// Whether adapters work for several messages at a time, most of which are not on the path.
bool Gains::crowded() const {
  const Operations& all = overview_.operations;
  const std::uint64_t operations = all.puts + all.gets + all.atomics;
  return !overview_.steps.empty() && 2 * path_.messages < operations;
}

/// What is held up, or waits for what is not known, may shrink or grow with anything, and so may
/// all that adapters do for messages which are in each other's way: of two that come at about the
/// same time the other one may be first. And where another chain becomes the longest, some is
/// gained or lost by chance. How much was found by experiments (tests/data/verdicts).
Time Gains::unsure() const {
  constexpr double kAnyway = 0.07;
  constexpr double kOfHeldUp = 1.2;
  Time unsure = part_of(path_.length, kAnyway) +
                part_of(share(Resource::contention) + share(Resource::wait), kOfHeldUp);
  if (!crowded()) return unsure;
  for (const Resource r : {Resource::nic, Resource::pcie, Resource::latency, Resource::bandwidth}) {
    unsure += share(r);
  }
  return unsure;
}

std::vector<WhatIf> Gains::list() const {
  std::vector<WhatIf> all;
  constexpr double kSure = 0.1;
  const Time unsure = this->unsure();
  const bool all_sure = ratio(unsure, path_.length) <= kSure;
  // What takes half as long leaves the other half, but for the order in which things come.
  const Time most_of_all = part_of(path_.length, all_sure ? 0.5 : 0.55);
  const auto add = [&](const char* key, std::string what, Time gain, Time at_most) {
    if (gain <= Time::zero()) return;
    const Time most = std::max(gain, std::min(at_most, path_.length));
    all.push_back({key, std::move(what), gain, gain - unsure, most, all_sure});
  };
  const auto half = [&](const char* key, std::string what, Resource r) {
    add(key, std::move(what), share(r) / 2, std::min(share(r) / 2 + unsure, most_of_all));
  };
  half("compute", "computation twice as fast", Resource::compute);
  half("overhead", "software overheads halved", Resource::overhead);
  half("nic", has_gaps() ? "g and G halved" : "adapters twice as fast", Resource::nic);
  half("latency", "latencies of wires and switches halved", Resource::latency);
  half("storage", "the file system twice as fast", Resource::storage);
  const auto wide = [&](const char* key, std::string what, Time gain, Time shares, Doubled twice) {
    const Time most = std::max(gain, shares / 2) + unsure;
    add(key, std::move(what), gain, std::min(possible(most, twice), most_of_all));
  };
  const Time buses = share(Resource::pcie);
  const Time links = share(Resource::bandwidth);
  wide("pcie", "PCIe buses twice as fast", buses_gain(), buses, {false, true});
  wide("bandwidth", "all links of the fabric twice as wide", links_gain(), links, {true, false});
  if (links_and_buses()) {
    wide("bandwidth+pcie", "links of the fabric and PCIe buses twice as fast", both_gain(),
         links + buses, {true, true});
  }
  const Time held_up = possible(share(Resource::contention), {});
  add("contention", "no message held up by others", held_up, held_up);
  add("sleep", "no rank sleeping", share(Resource::sleep), share(Resource::sleep));
  if (late_.gain > Time::zero()) {
    add("imbalance", fmt::format("rank {} computing no longer than ranks usually do", late_.rank),
        late_.gain, late_.gain + unsure);
  }
  if (overview_.ranks > 1) {
    add("balance", "all ranks computing equally long", balance_gain(), balance_gain() + unsure);
  }
  if (link_.owed > Time::zero()) {
    wide("link",
         fmt::format("the cable of link {} alone twice as wide",
                     link_.fact == nullptr ? std::to_string(link_.link) : link_.fact->name),
         link_.gain, link_.owed, {false, false, link_.fact});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const WhatIf& a, const WhatIf& b) { return a.gain > b.gain; });
  return all;
}

}  // namespace heddle::record
