#include "network/network.hpp"

#include "network/fluid/fluid_network.hpp"
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
      {"fluid", "max-min fair sharing of every link's bandwidth", make<FluidNetwork>},
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

const ParamTable<NetworkChoice>& network_choice_table() {
  static const auto table = [] {
    std::vector<std::pair<std::string, std::string>> choices;
    for (const NetworkModel& model : network_models()) choices.emplace_back(model.name, model.name);
    ParamTable<NetworkChoice> t("network", "choice of the network model");
    t.add_choice("model", &NetworkChoice::model, "queue", choices, "how transfers are timed");
    return t;
  }();
  return table;
}

std::vector<const ParamSection*> network_sections() {
  return {&network_choice_table(), &LogGopsNetwork::table(), &QueueNetwork::table(),
          &FluidNetwork::table(), &PacketNetwork::table()};
}

}  // namespace heddle::network
