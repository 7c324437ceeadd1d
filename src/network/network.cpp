#include "network/network.hpp"

#include "network/loggops/loggops_network.hpp"
#include "network/packet/packet_network.hpp"
#include "network/queue/queue_network.hpp"

namespace heddle::network {
namespace {

template <class Model>
std::unique_ptr<Network> make(Simulation& simulation, const platform::Platform& platform,
                              const Settings& settings) {
  return std::make_unique<Model>(simulation, platform, settings.get(Model::table()));
}

}  // namespace

const std::vector<NetworkModel>& network_models() {
  static const std::vector<NetworkModel> models = {
      {"loggops", "no topology: latency, gap and overhead of the ends only", make<LogGopsNetwork>},
      {"queue", "a first-in-first-out queue per link, cut-through, one event per hop",
       make<QueueNetwork>},
      {"packet", "packets of flits through buffers with credits and virtual lanes",
       make<PacketNetwork>},
  };
  return models;
}

std::unique_ptr<Network> make_network(std::string_view name, Simulation& simulation,
                                      const platform::Platform& platform,
                                      const Settings& settings) {
  std::vector<std::string> names;
  for (const NetworkModel& model : network_models()) {
    if (model.name == name) return model.make(simulation, platform, settings);
    names.emplace_back(model.name);
  }
  throw InputError({}, "unknown network '" + std::string(name) + "'" + did_you_mean(name, names) +
                           ": accepted are " + joined(names));
}

std::vector<const ParamSection*> network_sections() {
  return {&LogGopsNetwork::table(), &QueueNetwork::table(), &PacketNetwork::table()};
}

}  // namespace heddle::network
