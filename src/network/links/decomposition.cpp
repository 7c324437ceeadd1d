#include "network/links/decomposition.hpp"

#include <algorithm>
#include <cmath>

#include "network/links/parallel_for.hpp"
#include "platform/routing/topology_routing.hpp"

namespace heddle::network {
namespace {

constexpr std::uint32_t kNoInput = UINT32_MAX;

double rate_of(Bandwidth bandwidth) {
  return bandwidth.is_unlimited() ? 0 : bandwidth.bytes_per_ps();
}

/// The lower of two rates; 0 is none.
double slower_of(double a, double b) {
  if (a == 0 || b == 0) return a + b;
  return std::min(a, b);
}

double time_at(double bytes, double rate) {
  return rate == 0 ? 0 : bytes / rate;
}

}  // namespace

double LinkUnits::on_wire(Bytes size) const {
  const auto bytes = static_cast<double>(size.count());
  return payload == 0 ? bytes : bytes + std::ceil(std::max(bytes, 1.0) / payload) * header;
}

/// Where a flow would be if it had no delays.
struct Decomposition::IdlePlace {
  double begin;        ///< Its first byte at the link.
  double rate_before;  ///< Of the slowest link so far and its own cap; 0: none.
  double rate_behind;  ///< The same with the link itself.
  double rate;         ///< Of the link alone, and its own cap.
};

Decomposition::IdlePlace Decomposition::idle_place(std::uint32_t flow, std::uint32_t hop) const {
  const std::span<const std::uint32_t> route = routes_->of(flow);
  IdlePlace place{static_cast<double>(flows_[flow].start.ps()), 0, 0, 0};
  for (std::uint32_t i = 0; i <= hop; ++i) {
    const platform::Link& link = platform_.links()[LinkId{route[i]}];
    place.rate_before = place.rate_behind;
    place.rate = slower_of(rate_of(link.bandwidth),
                           slower_of(rate_of(link.flow_cap), rate_of(flows_[flow].rate_cap)));
    place.rate_behind = slower_of(place.rate_behind, place.rate);
    if (i < hop) place.begin += static_cast<double>(routes_->latency(route[i]).ps());
  }
  return place;
}

std::vector<FlowTimes> Decomposition::run(std::span<const Flow> flows, std::uint32_t first_salt,
                                          const Pause& pause) {
  flows_ = flows;
  routes_ = std::make_unique<FlowRoutes>(platform_, flows, first_salt, threads_);
  delays_.assign(flows.size(), {});
  counts_ = {};
  simulated_ = 0;
  counts_.crossings = routes_->steps();
  const auto [first, last] = std::minmax_element(
      flows.begin(), flows.end(), [](const Flow& a, const Flow& b) { return a.start < b.start; });
  if (!flows.empty()) first_start_ = first->start;
  if (!flows.empty()) last_start_ = last->start;
  std::vector<Scratch> scratch(std::max<std::size_t>(threads_, 1));
  for (Scratch& own : scratch) own.inputs.assign(platform_.links().ids(), kNoInput);
  for (LinkLevels levels(*routes_, flows.size()); !levels.done();) {
    const Level level = levels.next();
    ++counts_.levels;
    const std::vector<Alike> all = alike_of(level);
    const auto work = [&](std::size_t worker, std::size_t item) {
      simulate(all[item], scratch[worker]);
    };
    const auto look_on = [&] {
      pause(static_cast<double>(simulated_) / static_cast<double>(counts_.crossings + 1));
    };
    parallel_for(level.independent ? threads_ : 1, all.size(), work, look_on);
    counts_.alike += static_cast<std::uint32_t>(level.links.size() - all.size());
  }
  for (const Scratch& own : scratch) counts_.links += own.links;
  counts_.simulated = simulated_;
  std::vector<FlowTimes> times(flows.size());
  for (std::uint32_t flow = 0; flow < times.size(); ++flow) times[flow] = times_of(flow);
  return times;
}

/// In the order of the links that stand for others. Where flows cross several links of a level,
/// each is simulated.
std::vector<Decomposition::Alike> Decomposition::alike_of(const Level& level) const {
  std::vector<Alike> all;
  if (config_.alike == 0 || !level.independent) {
    for (const std::uint32_t link : level.links) all.push_back({link, {}});
    return all;
  }
  std::vector<LinkProfile> profiles(level.links.size(), LinkProfile(0, 0));
  const auto look = [&](std::size_t, std::size_t i) { profiles[i] = profile_of(level.links[i]); };
  parallel_for(threads_, profiles.size(), look, [] {});
  const std::vector<std::uint32_t> stands_for = representatives(profiles, config_.alike);
  std::vector<std::size_t> place(stands_for.size());
  for (std::uint32_t i = 0; i < stands_for.size(); ++i) {
    if (stands_for[i] != i) continue;
    place[i] = all.size();
    all.push_back({level.links[i], {}});
  }
  for (std::uint32_t i = 0; i < stands_for.size(); ++i) {
    if (stands_for[i] != i) all[place[stands_for[i]]].others.push_back(level.links[i]);
  }
  return all;
}

LinkProfile Decomposition::profile_of(std::uint32_t link) const {
  std::vector<std::uint32_t> inputs;
  const auto span = static_cast<double>(std::max(Time::ps(1), last_start_ - first_start_).ps());
  const auto input_of = [&](std::uint32_t flow) {
    const auto route = routes_->of(flow);
    const auto here = std::find(route.begin(), route.end(), link);
    return here == route.begin() ? kNoInput : *(here - 1);
  };
  for (const std::uint32_t flow : routes_->flows_of(link)) inputs.push_back(input_of(flow));
  std::sort(inputs.begin(), inputs.end());
  const auto different = std::unique(inputs.begin(), inputs.end()) - inputs.begin();
  LinkProfile profile(rate_of(platform_.links()[LinkId{link}].bandwidth),
                      static_cast<std::uint32_t>(different));
  for (const std::uint32_t flow : routes_->flows_of(link)) {
    const Time since = flows_[flow].start - first_start_;
    profile.add(flows_[flow].size.count(), static_cast<double>(since.ps()) / span);
  }
  return profile;
}

/// The flows of the link as passages; how many inputs they come from.
std::uint32_t Decomposition::gather(std::uint32_t link, Scratch& scratch) const {
  scratch.passages.clear();
  scratch.idle.clear();
  scratch.used.clear();
  std::uint32_t inputs = 1;  // The first are the sources.
  std::uint32_t last = UINT32_MAX;
  for (const std::uint32_t flow : routes_->flows_of(link)) {
    if (flow == last) continue;  // Which goes over a bus twice.
    last = flow;
    const auto route = routes_->of(flow);
    const auto hop =
        static_cast<std::uint32_t>(std::find(route.begin(), route.end(), link) - route.begin());
    std::uint32_t input = 0;
    if (hop > 0) {
      std::uint32_t& number = scratch.inputs[route[hop - 1]];
      if (number == kNoInput) {
        number = inputs++;
        scratch.used.push_back(route[hop - 1]);
      }
      input = number;
    }
    const IdlePlace idle = idle_place(flow, hop);
    const double bytes = units_.on_wire(flows_[flow].size);
    const double begin = idle.begin + delays_[flow].begin;
    const double end = idle.begin + time_at(bytes, idle.rate_before) + delays_[flow].end;
    scratch.idle.push_back({flow, begin, std::max(begin, end), idle.rate,
                            time_at(bytes, idle.rate_behind) - time_at(bytes, idle.rate_before)});
    scratch.passages.push_back({begin, std::max(begin, end), bytes, 0, input});
  }
  for (const std::uint32_t used : scratch.used) scratch.inputs[used] = kNoInput;
  for (std::uint32_t i = 0; i < scratch.passages.size(); ++i) scratch.passages[i].flow = i;
  std::sort(scratch.passages.begin(), scratch.passages.end(),
            [](const LinkPassage& a, const LinkPassage& b) {
              return a.begin != b.begin ? a.begin < b.begin : a.flow < b.flow;
            });
  return inputs;
}

/// One of them, and for the flows of the others what it makes of its own.
void Decomposition::simulate(const Alike& alike, Scratch& scratch) {
  DelaySamples samples;
  scratch.samples = alike.others.empty() ? nullptr : &samples;
  simulate(alike.link, scratch);
  samples.finish();
  if (samples.empty()) return;
  for (const std::uint32_t link : alike.others) draw(link, samples);
}

void Decomposition::draw(std::uint32_t link, const DelaySamples& samples) {
  std::uint32_t last = UINT32_MAX;
  for (const std::uint32_t flow : routes_->flows_of(link)) {
    if (flow == last) continue;  // Which goes over a bus twice.
    last = flow;
    const std::uint64_t number = platform::scrambled(link, flow) >> 8;
    const FlowDelay drawn = samples.draw(units_.on_wire(flows_[flow].size), number);
    delays_[flow].begin += drawn.begin;
    delays_[flow].end += drawn.end;
  }
}

void Decomposition::simulate(std::uint32_t link, Scratch& scratch) {
  const double rate = rate_of(platform_.links()[LinkId{link}].bandwidth);
  if (rate == 0) return;
  const std::uint32_t inputs = gather(link, scratch);
  if (config_.like == LinksLike::queue) {
    OrderedLink::serve(rate, scratch.passages);
  } else {
    scratch.link.serve(rate, inputs, scratch.passages);
  }
  for (const LinkPassage& passage : scratch.passages) {
    const auto& came = scratch.idle[passage.flow];
    const double own_end = passage.begin + time_at(passage.bytes, came.rate);
    const FlowDelay more{passage.begin - came.begin,
                         std::max(passage.end, own_end) - came.end - came.growth};
    delays_[came.flow].begin += more.begin;
    delays_[came.flow].end += more.end;
    if (scratch.samples != nullptr) scratch.samples->add(passage.bytes, more);
  }
  ++scratch.links;
  simulated_ += scratch.passages.size();
}

FlowTimes Decomposition::times_of(std::uint32_t flow) const {
  const auto route = routes_->of(flow);
  if (route.empty()) return {flows_[flow].start, Time::zero()};
  const auto last = static_cast<std::uint32_t>(route.size() - 1);
  const IdlePlace idle = idle_place(flow, last);
  const double begin = idle.begin + static_cast<double>(routes_->latency(route[last]).ps());
  const double alone = begin + time_at(units_.on_wire(flows_[flow].size), idle.rate_behind);
  const double end = std::max(alone + delays_[flow].end, begin);
  return {Time::ps(std::llround(end)), Time::ps(std::llround(alone)) - flows_[flow].start};
}

std::vector<std::int64_t> Decomposition::carried(Time begin, Time end) const {
  std::vector<std::int64_t> bytes(routes_->links());
  for (std::uint32_t flow = 0; flow < flows_.size(); ++flow) {
    if (flows_[flow].start < begin || flows_[flow].start >= end) continue;
    for (const std::uint32_t link : routes_->of(flow)) bytes[link] += flows_[flow].size.count();
  }
  if (end == Time::never()) return bytes;
  for (std::uint32_t link = 0; link < bytes.size(); ++link) {
    const Bandwidth bandwidth = platform_.links()[LinkId{link}].bandwidth;
    if (bandwidth.is_unlimited()) continue;
    const double most = bandwidth.bytes_per_ps() * static_cast<double>((end - begin).ps());
    bytes[link] = std::min(bytes[link], static_cast<std::int64_t>(most));
  }
  return bytes;
}

}  // namespace heddle::network
