#include "network/loggops/loggops_network.hpp"

#include <algorithm>

namespace heddle::network {

enum class LogGopsNetwork::Step : std::uint8_t { across_bus, arrived, received };

/// A message under way; as an event it is the next of its steps.
struct LogGopsNetwork::Message final : public Event {
  explicit Message(LogGopsNetwork& network) : network(network), injected(*this) {}
  void fire() override { network.advance(*this); }
  void report_injected() { transfer.report(Instant::injected); }

  LogGopsNetwork& network;
  Transfer transfer;
  Step step;
  MemberEvent<Message, &Message::report_injected> injected;
};

const ParamTable<LogGopsConfig>& LogGopsNetwork::table() {
  static const auto table = [] {
    ParamTable<LogGopsConfig> t("loggops",
                                "network model 'loggops': latency, overhead and gaps, no topology");
    t.add("L", &LogGopsConfig::latency, "auto", {"", "1000s"},
          "latency of the first byte; auto: the platform's mean route latency plus one byte at G");
    t.add("o", &LogGopsConfig::overhead, "0ns", {"", "1000s"},
          "processor time per message, at each end");
    t.add("g", &LogGopsConfig::gap, "0ns", {"", "1000s"},
          "least time between two messages of one end");
    t.add("G", &LogGopsConfig::gap_per_byte, "auto", {"", "1s/B"},
          "time per byte after the first; auto: the mean over routes of their narrowest link");
    t.add("O", &LogGopsConfig::overhead_per_byte, "0ns/B", {"", "1s/B"},
          "processor time per byte after the first, at each end");
    return t;
  }();
  return table;
}

namespace {

/// What a message meets on its way from adapter to adapter.
struct RouteCost {
  Time latency;
  std::int64_t attoseconds_per_byte = 0;
};

RouteCost cost_of_route(const platform::Platform& platform, NodeId from, NodeId to) {
  const platform::NoLoads idle;
  Bandwidth narrowest = Bandwidth::unlimited();
  RouteCost cost;
  auto walk = platform.routes().walk({from}, {to}, 0);
  for (LinkId link; (link = platform.routes().next(walk, idle)) != kNoLink;) {
    const platform::Link& l = platform.links()[link];
    cost.latency += platform.routes().latency(walk, link);
    narrowest = tighter(narrowest, tighter(l.bandwidth, l.flow_cap));
  }
  if (const std::int64_t bps = narrowest.bits_per_second(); bps != 0) {
    cost.attoseconds_per_byte = rounded_quotient(8'000'000'000'000'000'000, bps);
  }
  return cost;
}

/// The mean over pairs of nodes: all of them, or some 4,096 to 16,384 spread evenly.
RouteCost mean_route(const platform::Platform& platform) {
  constexpr std::uint32_t kSample = 64;
  const std::uint32_t nodes = platform.nodes();
  const std::uint32_t stride = std::max(1U, nodes / kSample);
  __int128 latency = 0;
  __int128 attoseconds = 0;
  std::int64_t pairs = 0;
  for (std::uint32_t a = 0; a < nodes; a += stride) {
    for (std::uint32_t b = stride / 2; b < nodes; b += stride) {
      if (a == b) continue;
      const RouteCost cost = cost_of_route(platform, NodeId{a}, NodeId{b});
      latency += cost.latency.ps();
      attoseconds += cost.attoseconds_per_byte;
      ++pairs;
    }
  }
  if (pairs == 0) return {};
  const auto mean = [pairs](__int128 sum) {
    return static_cast<std::int64_t>((sum + pairs / 2) / pairs);
  };
  return {Time::ps(mean(latency)), mean(attoseconds)};
}

/// All but the first byte: what G and O are charged for.
Bytes after_first(Bytes size) {
  return Bytes(std::max<std::int64_t>(0, size.count() - 1));
}

}  // namespace

LogGopsConfig LogGopsNetwork::on_platform(const platform::Platform& platform,
                                          LogGopsConfig config) {
  if (config.latency && config.gap_per_byte) return config;
  const RouteCost mean = mean_route(platform);
  if (!config.gap_per_byte) {
    config.gap_per_byte = TimePerByte::attoseconds(mean.attoseconds_per_byte);
  }
  if (!config.latency) config.latency = mean.latency + config.gap_per_byte->time_for(Bytes(1));
  return config;
}

LogGopsNetwork::LogGopsNetwork(Simulation& simulation, const platform::Platform& platform,
                               const LogGopsConfig& config)
    : simulation_(simulation),
      platform_(platform),
      config_(on_platform(platform, config)),
      source_(simulation.new_source()),
      send_free_(std::size_t{platform.nodes()} * platform.adapters()),
      receive_free_(send_free_.size()) {}

LogGopsNetwork::~LogGopsNetwork() = default;

void LogGopsNetwork::start(const Transfer& transfer) {
  Message& message = messages_.take(*this);
  message.transfer = transfer;
  const bool within_node = transfer.source.node == transfer.destination.node;
  if (within_node && transfer.source.port != transfer.destination.port) {
    cross_bus(message);
  } else {
    send(message);
  }
}

void LogGopsNetwork::cross_bus(Message& message) {
  if (message.transfer.wants_instant(Instant::injected)) {
    simulation_.schedule_in(message.injected, bus_time(message), source_);
  }
  message.step = Step::across_bus;
  simulation_.schedule_in(message, platform_.node(message.transfer.source.node).pcie_latency,
                          source_);
}

Time LogGopsNetwork::bus_time(const Message& message) const {
  return bus_bandwidth(message.transfer.source.node).time_for(message.transfer.size);
}

Bandwidth LogGopsNetwork::bus_bandwidth(NodeId node) const {
  const platform::NodeParams& params = platform_.node(node);
  return tighter(params.pcie_bandwidth, params.pcie_flow_cap);
}

Time LogGopsNetwork::wire_time(const Transfer& transfer) const {
  Bandwidth cap = transfer.rate_cap;
  for (const platform::Endpoint& end : {transfer.source, transfer.destination}) {
    if (end.port != platform::Port::nic) cap = tighter(cap, bus_bandwidth(end.node));
  }
  const Time first = config_.gap_per_byte->time_for(Bytes(1));  // In L.
  return std::max(config_.gap_per_byte->time_for(after_first(transfer.size)),
                  cap.time_for(transfer.size) - first);
}

Time LogGopsNetwork::latency(const Transfer& transfer) const {
  Time latency = *config_.latency;
  for (const platform::Endpoint& end : {transfer.source, transfer.destination}) {
    if (end.port == platform::Port::memory) latency += platform_.node(end.node).pcie_latency;
  }
  return latency;
}

LogGopsNetwork::Turn LogGopsNetwork::take_turn(Time& free_at, const Transfer& transfer) const {
  const Bytes rest = after_first(transfer.size);
  const Time overhead = config_.overhead + config_.overhead_per_byte.time_for(rest);
  const Time wire = wire_time(transfer);
  const Time begin = std::max(simulation_.now(), free_at);
  free_at = begin + std::max(overhead, config_.gap + wire);
  return {begin, overhead, wire};
}

void LogGopsNetwork::send(Message& message) {
  const auto [begin, overhead, wire] =
      take_turn(send_free_[platform_.adapter_index(message.transfer.source)], message.transfer);
  if (message.transfer.wants_instant(Instant::injected)) {
    simulation_.schedule(message.injected, begin + overhead + wire, source_);
  }
  message.step = Step::arrived;
  simulation_.schedule(message, begin + overhead + latency(message.transfer), source_);
}

void LogGopsNetwork::advance(Message& message) {
  switch (message.step) {
    case Step::across_bus:
      message.step = Step::received;
      simulation_.schedule_in(message, bus_time(message), source_);
      return message.transfer.report(Instant::head);
    case Step::arrived:
      return receive(message);
    case Step::received:
      return finish(message);
  }
}

void LogGopsNetwork::receive(Message& message) {
  const auto [begin, overhead, wire] = take_turn(
      receive_free_[platform_.adapter_index(message.transfer.destination)], message.transfer);
  message.step = Step::received;
  simulation_.schedule(message, begin + overhead + wire, source_);
  message.transfer.report(Instant::head);
}

void LogGopsNetwork::finish(Message& message) {
  const Transfer transfer = message.transfer;
  messages_.give_back(message);
  delivered_ += transfer.size;
  transfer.report(Instant::tail);
}

}  // namespace heddle::network
