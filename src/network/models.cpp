#include "network/models.hpp"

#include <algorithm>

#include "network/adapter_network.hpp"
#include "network/links/links_config.hpp"
#include "network/resending_network.hpp"

namespace heddle::network {
namespace {

/// Cheapest first.
const std::vector<const ModelDescription*>& sorted_models() {
  static const std::vector<const ModelDescription*> sorted = [] {
    std::vector<const ModelDescription*> all = model_descriptions();
    std::sort(all.begin(), all.end(),
              [](const auto* a, const auto* b) { return a->cost < b->cost; });
    return all;
  }();
  return sorted;
}

[[noreturn]] void refuse_links() {
  std::vector<std::string> names;
  for (const ModelDescription* description : sorted_models()) {
    names.emplace_back(description->model.name);
  }
  throw ParamError({"network.model"},
                   "'links' is for `heddle traffic` only, as it has to know all messages and their "
                   "times beforehand: accepted here are " +
                       joined(names));
}

}  // namespace

const std::vector<NetworkModel>& network_models() {
  static const std::vector<NetworkModel> models = [] {
    std::vector<NetworkModel> all;
    for (const ModelDescription* description : sorted_models()) all.push_back(description->model);
    return all;
  }();
  return models;
}

const ModelDescription& model_description(std::string_view name) {
  std::vector<std::string> names;
  if (name == kLinksName) refuse_links();
  for (const ModelDescription* description : sorted_models()) {
    if (description->model.name == name) return *description;
    names.emplace_back(description->model.name);
  }
  throw InputError({}, "unknown network '" + std::string(name) + "'" + did_you_mean(name, names) +
                           ": accepted are " + joined(names));
}

namespace {

[[noreturn]] void refuse_failures(std::string_view name) {
  std::vector<std::string> names;
  for (const ModelDescription* description : sorted_models()) {
    if (description->has_links) names.emplace_back(description->model.name);
  }
  throw ParamError({"network.model"},
                   "'" + std::string(name) +
                       "' knows no links, so none can fail while it runs: accepted with failures "
                       "that have times are " +
                       joined(names));
}

}  // namespace

std::unique_ptr<Network> make_network(std::string_view name, Simulation& simulation,
                                      const platform::Platform& platform,
                                      const Settings& settings) {
  const ModelDescription& description = model_description(name);
  const bool links_fail = platform.outages().any();
  if (links_fail && !description.has_links) refuse_failures(name);
  auto model = description.model.make(simulation, platform, settings);
  if (links_fail) {
    model = std::make_unique<ResendingNetwork>(std::move(model), simulation, platform);
  }
  if (platform.adapters() == 1) return model;
  return std::make_unique<AdapterNetwork>(std::move(model), platform);
}

std::unique_ptr<Network> make_network(Simulation& simulation, const platform::Platform& platform,
                                      const Settings& settings) {
  return make_network(settings.get(network_choice_table()).model, simulation, platform, settings);
}

const ParamTable<NetworkChoice>& network_choice_table() {
  static const auto table = [] {
    std::vector<std::pair<std::string, std::string>> choices;
    for (const NetworkModel& model : network_models()) choices.emplace_back(model.name, model.name);
    choices.emplace_back(kLinksName, kLinksName);
    ParamTable<NetworkChoice> t("network", "choice of the network model");
    t.add_choice("model", &NetworkChoice::model, "queue", choices, "how transfers are timed");
    return t;
  }();
  return table;
}

std::vector<const ParamSection*> network_sections() {
  std::vector<const ParamSection*> all = {&network_choice_table(), &links_table()};
  for (const ModelDescription* description : sorted_models()) {
    all.insert(all.end(), description->sections.begin(), description->sections.end());
  }
  return all;
}

}  // namespace heddle::network
