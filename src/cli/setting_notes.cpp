#include "cli/setting_notes.hpp"

#include <algorithm>
#include <optional>

#include "goal/generators/generators.hpp"
#include "goal/patterns/patterns.hpp"
#include "mpi/config.hpp"
#include "network/fluid/fluid_network.hpp"
#include "network/links/links_config.hpp"
#include "network/models.hpp"
#include "network/packet/rules.hpp"
#include "platform/noise.hpp"
#include "platform/routing.hpp"
#include "traffic/idle_parameters.hpp"

namespace heddle::cli {
namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> machine_section_names() {
  std::vector<std::string> names;
  for (const ParamSection* section : platform::machine_sections()) {
    names.push_back(section->section());
  }
  return names;
}

/// The network model that a section has parameters of; "" if there is none.
std::string model_of(const std::string& section) {
  if (section == network::kLinksName) return section;
  for (const network::ModelDescription* model : network::model_descriptions()) {
    for (const ParamSection* own : model->sections) {
      if (own->section() == section) return std::string(model->model.name);
    }
  }
  return "";
}

/// Why a parameter has no effect on the schedule of `pattern`; "" if it may have one.
std::string of_pattern(const std::string& pattern, const std::string& name) {
  if (goal::find_generator(pattern) != nullptr) {
    return "the pattern is " + pattern + ", which has parameters of its own";
  }
  if (name == "ranks" || pattern.empty()) return "";
  const auto& known = goal::find_pattern(pattern).parameters;
  const bool used = std::find(known.begin(), known.end(), name) != known.end();
  return used ? "" : "the pattern is " + pattern;
}

/// Why parameters have no effect in a run.
class IdleReasons {
 public:
  IdleReasons(const Settings& settings, const platform::MachineDescription& machine,
              const Uses& uses)
      : machine_(machine),
        uses_(uses),
        kind_(settings.get(platform::topology_table()).kind),
        routing_(settings.get(platform::topology_table()).routing),
        network_(settings.get(network::network_choice_table()).model),
        mpi_(settings.get(mpi::mpi_table())),
        noise_(settings.get(platform::noise_table()).kind),
        traffic_(settings.get(traffic::traffic_table())),
        fluid_(settings.get(network::FluidNetwork::table())),
        packet_(settings.get(network::packet_table())) {}

  /// "" for a parameter that may have an effect.
  std::string of(const std::string& section, const std::string& name) const {
    const std::string full_name = section + "." + name;
    if (section != "nic" && contains(machine_sections_, section)) return of_fabric(section);
    if (contains(uses_.names, full_name)) return "";
    if (contains(uses_.left_out, full_name)) return not_used();
    if (!model_of(section).empty() && contains(uses_.names, "network")) {
      return of_model(section, name);
    }
    if (goal::find_generator(section) != nullptr) {
      return uses_.pattern == section ? "" : "the pattern is not " + section;
    }
    if (!contains(uses_.names, section)) return not_used();
    if (section == "replay") return of_replay(name);
    if (section == "pattern") return of_pattern(uses_.pattern, name);
    if (section == "noise") return of_noise(name);
    static const std::vector<std::string> kOfNode = {
        "mpi.node_bandwidth",        "mpi.node_delay", "mpi.node_gap",
        "mpi.node_memory_bandwidth", "mpi.sockets",    "mpi.socket_delay"};
    if (contains(kOfNode, full_name) && !mpi_.node_latency) return "mpi.node_latency is auto";
    if (full_name == "mpi.send_buffer" && !mpi_.control_size) return "mpi.control_size is auto";
    static const std::vector<std::string> kOfHybrid = {"mpi.control_size",
                                                       "mpi.send_buffer",
                                                       "mpi.delay",
                                                       "mpi.gap",
                                                       "mpi.jitter",
                                                       "nic.gap",
                                                       "mpi.node_eager_limit",
                                                       "mpi.node_send_overhead",
                                                       "mpi.node_isend_overhead",
                                                       "mpi.node_receive_overhead",
                                                       "mpi.node_delay",
                                                       "mpi.node_gap",
                                                       "mpi.node_memory_bandwidth",
                                                       "mpi.sockets",
                                                       "mpi.socket_delay"};
    if (contains(kOfHybrid, full_name) && mpi_.transport != mpi::TransportKind::hybrid) {
      return "mpi.transport is not hybrid";
    }
    return section == "traffic" ? traffic::idle_reason(traffic_, name) : "";
  }

 private:
  std::string not_used() const { return "`heddle " + uses_.command + "` does not use it"; }

  std::string of_model(const std::string& section, const std::string& name) const {
    if (model_of(section) != network_) return "the network is " + network_;
    if (network_ == "packet") return network::idle_reason(packet_, section, name);
    const bool unweighted = fluid_.weighting == network::Weighting::automatic
                                ? fluid_.preset == network::FluidPreset::none
                                : fluid_.weighting == network::Weighting::none;
    return section == "fluid" && name == "weight_s" && unweighted ? "the weighting is none" : "";
  }

  std::string of_replay(const std::string& name) const {
    const bool of_machine = name == "ranks_per_node" || name == "measured_on";
    if (of_machine && !uses_.machine) return "no platform is named";
    if (!name.starts_with("class_")) return "";
    return network_ == "packet" ? "" : "the network is " + network_ + ", which has no classes";
  }

  std::string of_noise(const std::string& name) const {
    using Kind = platform::NoiseKind;
    // The seed is for other choices, too.
    if (name == "kind" || name == "seed") return "";
    if (noise_ == Kind::none) return "noise.kind is none";
    if (name == "file") return noise_ == Kind::trace ? "" : "noise.kind is not trace";
    const bool of_trace = name != "period" && name != "duration";
    return noise_ == Kind::trace && !of_trace ? "noise.kind is trace" : "";
  }

  std::string of_fabric(const std::string& section) const {
    if (!uses_.machine) return "no platform is named";
    if (is_of_other_routing(section)) return "the routing is " + routing_;
    if (!contains(kinds_, section)) return "";
    if (!machine_.simgrid.empty()) return "the topology is that of '" + machine_.simgrid + "'";
    return section == kind_ ? "" : "the topology is " + kind_;
  }

  /// Whether the section has parameters of routings, but not of that in use.
  bool is_of_other_routing(const std::string& section) const {
    bool others = false;
    for (const platform::RoutingKind& kind : platform::routing_kinds()) {
      if (kind.params == nullptr || kind.params->section() != section) continue;
      if (kind.name == routing_) return false;
      others = true;
    }
    return others;
  }

  const platform::MachineDescription& machine_;
  const Uses& uses_;
  std::string kind_;
  std::string routing_;
  std::string network_;
  mpi::MpiConfig mpi_;
  platform::NoiseKind noise_;
  traffic::TrafficConfig traffic_;
  network::FluidConfig fluid_;
  network::PacketConfig packet_;
  std::vector<std::string> machine_sections_ = machine_section_names();
  std::vector<std::string> kinds_ = platform::topology_kind_names();
};

/// An option that sets parameters, and why they have no effect; no reason if one of them has.
struct GivenOption {
  std::string text;
  std::string reason;
};

void note(std::vector<GivenOption>& options, const std::string& text, const std::string& reason) {
  const auto known = std::find_if(options.begin(), options.end(),
                                  [&](const GivenOption& option) { return option.text == text; });
  if (known == options.end()) {
    options.push_back({text, reason});
  } else if (reason.empty()) {
    known->reason.clear();
  }
}

std::vector<std::string> sentences_of(const std::vector<GivenOption>& options) {
  std::vector<std::string> sentences;
  for (const GivenOption& option : options) {
    if (!option.reason.empty()) {
      sentences.push_back(option.text + " has no effect here: " + option.reason);
    }
  }
  return sentences;
}

}  // namespace

std::string changes_between(const Settings& before, const Settings& after) {
  const std::vector<std::string> of_machines = machine_section_names();
  std::vector<std::string> other_kinds = platform::topology_kind_names();
  std::erase(other_kinds, after.get(platform::topology_table()).kind);
  std::vector<std::string> changes;
  for (const ParamSection* section : after.known()) {
    if (contains(other_kinds, section->section())) continue;
    if (section == &network::network_choice_table()) continue;  // Every result names it.
    if (!before.has_any(*section) && !after.has_any(*section)) continue;
    const auto old_values = section->effective(before);
    const auto new_values = section->effective(after);
    for (std::size_t i = 0; i < new_values.size(); ++i) {
      const std::string name = section->section() + "." + new_values[i].first;
      if (!contains(of_machines, section->section()) && !before.has(name)) continue;
      if (new_values[i] != old_values[i]) changes.push_back(name + "=" + new_values[i].second);
    }
  }
  return joined(changes);
}

Uses uses_of(const std::string& command) {
  if (command == "traffic") {
    return {command,
            true,
            {"network", "traffic", "nic.gap", "nic.send_overhead", "nic.receive_overhead"}};
  }
  // What the ends cost is charged over every network, the latency is LogGOPS' own.
  if (command == "replay") {
    return {command,
            true,
            {"network", "replay", "noise", "loggops.o", "loggops.g", "loggops.G", "loggops.O"}};
  }
  if (command == "replay traces") {
    return {"replay", true, {"network", "nic", "portals", "host", "mpi", "replay.ranks_per_node"}};
  }
  if (command == "replay by mpi") {
    return {"replay",
            true,
            {"network", "nic", "portals", "host", "mpi", "replay.ranks_per_node",
             "replay.time_unit", "replay.measured_on"}};
  }
  // Programs are charged by the adapters' own stages, or by what MPI says.
  return {"run",
          true,
          {"network", "nic", "portals", "host", "mpi", "shmem", "noise"},
          {"nic.send_overhead", "nic.receive_overhead"}};
}

void assume_loggopsim(Settings& settings) {
  for (const char* value : {"loggops.L=2500ns", "loggops.o=1500ns", "loggops.g=1000ns",
                            "loggops.G=6ns/B", "network.model=loggops"}) {
    settings.assign(value, {}, Origin::default_);
  }
}

std::string idle_reason(const Settings& settings, const platform::MachineDescription& machine,
                        const Uses& uses, const std::string& full_name) {
  const std::size_t dot = full_name.find('.');
  return IdleReasons(settings, machine, uses)
      .of(full_name.substr(0, dot), full_name.substr(dot + 1));
}

std::vector<std::string> idle_options(const Settings& settings,
                                      const platform::MachineDescription& machine,
                                      const Uses& uses) {
  std::optional<IdleReasons> reasons;  // Where there is something to look at.
  std::vector<GivenOption> options;
  for (const ParamSection* section : settings.known()) {
    if (!settings.has_any(*section)) continue;
    for (const std::string& name : section->names()) {
      const std::string full_name = section->section() + "." + name;
      if (!of_this_run(settings.origin(full_name))) continue;
      if (!reasons) reasons.emplace(settings, machine, uses);
      note(options, settings.where(full_name).str(), reasons->of(section->section(), name));
    }
  }
  return sentences_of(options);
}

std::vector<std::string> idle_of_pattern(const Settings& settings, const std::string& pattern) {
  std::vector<GivenOption> options;
  for (const std::string& name : goal::pattern_table().names()) {
    const std::string full_name = "pattern." + name;
    if (!of_this_run(settings.origin(full_name))) continue;
    note(options, settings.where(full_name).str(), of_pattern(pattern, name));
  }
  return sentences_of(options);
}

}  // namespace heddle::cli
