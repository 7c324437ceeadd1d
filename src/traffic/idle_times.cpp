#include "traffic/idle_times.hpp"

#include <bit>

#include "core/error.hpp"

namespace heddle::traffic {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

}  // namespace

IdleTimes::IdleTimes(const platform::Platform& platform, std::string_view network,
                     const Settings& settings, std::int64_t seed, From from)
    : platform_(platform),
      port_(from == From::nic ? platform::Port::nic : platform::Port::memory),
      simulation_(static_cast<std::uint64_t>(seed)),
      network_(network::make_network(network, simulation_, platform, settings)) {}

/// By what stands on the way that a flow would take through an idle network.
std::uint64_t IdleTimes::kind_of(const MessageRecord& flow) const {
  std::uint64_t hash =
      mixed(flow.traffic_class, static_cast<std::uint64_t>(flow.rate_cap.bits_per_second()));
  const platform::NoLoads idle;
  platform::Walk walk = platform_.routes().walk({flow.source, port_}, {flow.destination, port_}, 0);
  for (LinkId link = platform_.routes().next(walk, idle); link != kNoLink;
       link = platform_.routes().next(walk, idle)) {
    const platform::Link& properties = platform_.links()[link];
    hash = mixed(hash, static_cast<std::uint64_t>(properties.bandwidth.bits_per_second()));
    hash = mixed(hash, static_cast<std::uint64_t>(properties.flow_cap.bits_per_second()));
    hash = mixed(hash, static_cast<std::uint64_t>(platform_.routes().latency(walk, link).ps()));
  }
  return hash;
}

Time IdleTimes::of(const MessageRecord& flow) {
  const std::uint64_t kind = kind_of(flow);
  const std::int64_t size = flow.size.count();
  const Time in_network = size < kExactBelow ? known(flow, kind, size) : on_line(flow, kind);
  return platform_.nic(flow.source).send_overhead + in_network +
         platform_.nic(flow.destination).receive_overhead;
}

/// Between the two sizes of those simulated that are next to the flow's.
Time IdleTimes::on_line(const MessageRecord& flow, std::uint64_t kind) {
  const std::int64_t size = flow.size.count();
  const auto step = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(size))) /
                    kSizesPerDoubling;
  const std::int64_t below = size / step * step;
  const Time low = known(flow, kind, below);
  if (size == below) return low;
  const Time high = known(flow, kind, below + step);
  const double part = static_cast<double>(size - below) / static_cast<double>(step);
  return low +
         Time::ps(static_cast<std::int64_t>(part * static_cast<double>((high - low).ps()) + 0.5));
}

Time IdleTimes::known(const MessageRecord& flow, std::uint64_t kind, std::int64_t size) {
  const auto [time, is_new] = times_.try_emplace(mixed(kind, static_cast<std::uint64_t>(size)));
  if (is_new) time->second = simulate(flow, size);
  return time->second;
}

Time IdleTimes::simulate(const MessageRecord& flow, std::int64_t size) {
  network::Transfer transfer{
      {flow.source, port_}, {flow.destination, port_}, Bytes(size), flow.rate_cap};
  transfer.traffic_class = flow.traffic_class;
  transfer.client = this;
  const Time begin = simulation_.now();
  arrived_ = Time::never();
  network_->start(transfer);
  simulation_.run();
  if (arrived_ == Time::never()) {
    throw RunError("a flow alone never arrives: " + network_->stuck());
  }
  return arrived_ - begin;
}

}  // namespace heddle::traffic
