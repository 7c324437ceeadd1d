#include "run/idle_message.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/units.hpp"
#include "network/models.hpp"
#include "traffic/injector.hpp"
#include "traffic/traffic_config.hpp"

namespace heddle::run {
namespace {

Simulation simulation_for(const Settings& settings) {
  return Simulation(static_cast<std::uint64_t>(settings.get(traffic::traffic_table()).seed));
}

/// Where a message of any size would take hours.
void check_size(Bytes size, const std::string& model, const Settings& settings) {
  const auto limit_of = network::model_description(model).limit;
  if (limit_of == nullptr) return;
  const network::SizeLimit limit = limit_of(settings);
  if (size < limit.below) return;
  throw ParamError({"size"}, format_bytes(size) + " is more than " + limit.more_than +
                                 ": accepted over " + model + " is less than " +
                                 format_bytes(limit.below) + " here; other networks take any size");
}

class LastFinish final : public traffic::MessageSink {
 public:
  void message_finished(const traffic::MessageRecord& record) override { time = record.finished; }
  Time time = Time::never();
};

Time simulate_alone(const platform::Platform& platform, const traffic::FileMessage& message,
                    traffic::From from, const Settings& settings) {
  Simulation simulation = simulation_for(settings);
  const auto network = network::make_network(simulation, platform, settings);
  const std::vector<traffic::FileMessage> one = {message};
  traffic::FileLoop workload(one, platform.nodes());
  LastFinish finish;
  traffic::Injector injector(simulation, platform, *network, workload, finish, from);
  injector.add_sender(message.source);
  simulation.run();
  if (finish.time == Time::never()) {
    throw RunError("the message never arrives: " + network->stuck());
  }
  return finish.time;
}

}  // namespace

Route find_route(const platform::Platform& platform, platform::Endpoint source,
                 platform::Endpoint destination, const Settings& settings) {
  // More links than any minimal or Valiant route has: the routes themselves run in a circle.
  const std::size_t too_many = 4 * static_cast<std::size_t>(platform.topology().vertices()) + 16;
  Route route{source, destination, {}, {}, {}, {}};
  const platform::NoLoads idle;
  platform::Walk walk = platform.routes().walk(
      source, destination, network::Network::first_salt(simulation_for(settings)));
  for (LinkId link = platform.routes().next(walk, idle); link != kNoLink;
       link = platform.routes().next(walk, idle)) {
    const platform::Link& properties = platform.links()[link];
    route.links.push_back(link);
    route.latencies.push_back(platform.routes().latency(walk, link));
    route.latency += route.latencies.back();
    route.bandwidth = tighter(route.bandwidth, tighter(properties.bandwidth, properties.flow_cap));
    if (route.links.size() > too_many) {
      throw RunError("the route from " +
                     platform.topology().name(static_cast<VertexId>(source.node)) + " to " +
                     platform.topology().name(static_cast<VertexId>(destination.node)) +
                     " does not end");
    }
  }
  return route;
}

IdleMessage send_alone(const platform::Platform& platform, const Route& route, Bytes size,
                       const Settings& settings) {
  IdleMessage message;
  message.network = settings.get(network::network_choice_table()).model;
  check_size(size, message.network, settings);
  message.size = size;
  message.send_overhead = platform.nic(route.source.node).send_overhead;
  message.latency = route.latency;
  message.serialisation = route.bandwidth.time_for(size);
  message.receive_overhead = platform.nic(route.destination.node).receive_overhead;
  const bool in_memory = route.source.port == platform::Port::memory;
  message.total =
      simulate_alone(platform, {Time::zero(), route.source.node, route.destination.node, size},
                     in_memory ? traffic::From::memory : traffic::From::nic, settings);
  message.model = message.total - (message.send_overhead + message.latency + message.serialisation +
                                   message.receive_overhead);
  return message;
}

std::string model_part(const std::string& network, const platform::Platform& platform) {
  return network::model_description(network).own_part(platform);
}

}  // namespace heddle::run
