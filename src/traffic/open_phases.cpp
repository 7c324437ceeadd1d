#include "traffic/open_phases.hpp"

#include <algorithm>

namespace heddle::traffic {
namespace {

constexpr double kPicosecondsPerSecond = 1e12;
constexpr Time kLongest = Time::s(3600);  ///< Of a phase, and of a node's mean interval.

/// Picoseconds that a message of mean size takes into the network.
double slot_of(const Sweep& sweep, Bandwidth injection) {
  if (injection.is_unlimited()) {
    throw ParamError({"traffic.spacing"},
                     "bernoulli has slots that a message takes into the network, which has no "
                     "bandwidth limit here: accepted are exponential and constant");
  }
  const double bytes_per_second = static_cast<double>(injection.bits_per_second()) / 8;
  return sweep.config.size.mean() / bytes_per_second * kPicosecondsPerSecond;
}

/// Time for about 200 000 messages in all, given how often the nodes send.
Time usual_duration(const std::vector<OpenLoop::Pace>& paces, std::size_t senders) {
  const double longest = std::ranges::max(paces, {}, &OpenLoop::Pace::interval).interval;
  const std::size_t each = std::clamp<std::size_t>(200'000 / senders, 20, 2000);
  const double wanted = longest * static_cast<double>(each);
  if (wanted > static_cast<double>(kLongest.ps())) {
    throw ParamError({"traffic.load"},
                     "so small a load would take more than an hour of simulated time: accepted is "
                     "a larger load, or a traffic.duration of at most 1h");
  }
  return std::max(Time::us(20), Time::ps(static_cast<std::int64_t>(wanted)));
}

}  // namespace

Bandwidth injection_bandwidth(const platform::Platform& platform, NodeId node, From from) {
  const platform::Port port = from == From::nic ? platform::Port::nic : platform::Port::memory;
  const NodeId other{(static_cast<std::uint32_t>(node) + 1) % platform.nodes()};
  platform::Walk walk = platform.routes().walk({node, port}, {other, port}, 0);
  const platform::NoLoads idle;
  Bandwidth narrowest = Bandwidth::unlimited();
  while (walk.hop.step == 0) {
    const LinkId link = platform.routes().next(walk, idle);
    if (link == kNoLink) break;
    narrowest = tighter(narrowest, platform.links()[link].bandwidth);
  }
  return narrowest;
}

double total_injection(const Sweep& sweep, const std::vector<NodeId>& senders) {
  double total = 0;
  for (const NodeId node : senders) {
    const Bandwidth own = injection_bandwidth(sweep.platform, node, sweep.config.from);
    if (own.is_unlimited()) return 0;
    total += static_cast<double>(own.bits_per_second()) / 8;
  }
  return total;
}

std::vector<OpenLoop::Pace> paces_of(const Sweep& sweep, const Load& load,
                                     const std::vector<NodeId>& senders) {
  std::vector<OpenLoop::Pace> paces(sweep.platform.nodes());
  for (const NodeId node : senders) {
    const Bandwidth injection = injection_bandwidth(sweep.platform, node, sweep.config.from);
    const double rate = load.bytes_per_second(injection);
    if (rate <= 0) {
      throw ParamError({"traffic.load"},
                       "'" + load.text() + "' is a fraction of nothing: node " +
                           sweep.platform.topology().name(static_cast<VertexId>(node)) +
                           " has no bandwidth limit; accepted here is a rate such as 10Gbps");
    }
    OpenLoop::Pace& pace = paces[index(node)];
    pace.interval = sweep.config.size.mean() / rate * kPicosecondsPerSecond /
                    std::max(sweep.config.pattern_part(), 1e-9);
    if (sweep.config.spacing == Spacing::bernoulli) pace.slot = slot_of(sweep, injection);
    pace.sigma = sweep.config.spacing_sigma;
    if (pace.interval > static_cast<double>(kLongest.ps())) {
      throw ParamError({"traffic.load"}, "'" + load.text() +
                                             "' is less than a message per hour: accepted is a "
                                             "larger load");
    }
  }
  return paces;
}

std::optional<Bursts> bursts_of(const Sweep& sweep, const Load& load,
                                const std::vector<NodeId>& senders, const RandomStream& random) {
  const TrafficConfig& config = sweep.config;
  if (config.pattern_part() == 1) return std::nullopt;
  double bytes_per_second = 0;
  for (const NodeId node : senders) {
    bytes_per_second +=
        load.bytes_per_second(injection_bandwidth(sweep.platform, node, config.from));
  }
  return Bursts(burst_streams(config, bytes_per_second / kPicosecondsPerSecond), senders,
                sweep.platform.nodes(), static_cast<std::uint8_t>(config.traffic_class),
                random.split("bursts"));
}

Phases phases_of(const TrafficConfig& config, const std::vector<OpenLoop::Pace>& paces,
                 std::size_t senders) {
  const Time duration = config.duration ? *config.duration : usual_duration(paces, senders);
  const Time begin = config.warm_up.value_or(duration / 4);
  const Time end = begin + duration;
  return {{begin, end}, !config.duration, end + config.drain.value_or(duration)};
}

}  // namespace heddle::traffic
