#include "cli/common.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "cli/notes.hpp"
#include "cli/shorthand_options.hpp"
#include "goal/generators/generators.hpp"
#include "goal/patterns/patterns.hpp"
#include "host/rank/host_params.hpp"
#include "mpi/config.hpp"
#include "network/network.hpp"
#include "network/sections.hpp"
#include "platform/noise.hpp"
#include "platform/routing.hpp"
#include "portals/config.hpp"
#include "replay/loggops/parameters.hpp"
#include "shmem/config.hpp"
#include "traces/convert/config.hpp"
#include "traces/readers/collective_files.hpp"
#include "traffic/traffic_config.hpp"

namespace heddle::cli {
namespace {

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  for (const auto& machine : platform::builtin_machines()) names.emplace_back(machine.name);
  return names;
}

/// "minimal, adaptive or valiant".
std::string routing_names() {
  std::vector<std::string> names;
  for (const platform::RoutingKind& kind : platform::routing_kinds()) names.emplace_back(kind.name);
  const std::string last = names.back();
  names.pop_back();
  return joined(names) + " or " + last;
}

/// Only one model follows links that change.
void warn_of_profiles(const Machine& machine) {
  const std::vector<platform::LinkProfile>& links = machine.platform->profiles().links;
  const std::string model = machine.settings.get(network::network_choice_table()).model;
  if (links.empty() || model == "fluid") return;
  warn(
      {fmt::format("{}: profiles of bandwidth and latency are for --network fluid only: with "
                   "'{}' links keep what they have at first ({} in all)",
                   links.front().where.str(), model,
                   links.size() == 1 ? "one profile" : fmt::format("{} profiles", links.size()))});
}

}  // namespace

std::vector<const ParamSection*> all_sections() {
  std::vector<const ParamSection*> all = network::fabric_sections(
      {&portals::portals_table(), &host::host_table(), &mpi::mpi_table(), &shmem::shmem_table(),
       &traffic::traffic_table(), &replay::replay_table(), &platform::noise_table(),
       &goal::pattern_table(), &traces::convert_table(), &traces::collective_table()});
  for (const goal::Generator& generator : goal::generators()) all.push_back(&generator.section());
  return all;
}

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) logger().warning("{}", warning);
}

Machine read_machine(const std::string& name_or_path,
                     const std::function<void(Settings&)>& change) {
  Machine machine{Settings(all_sections()), {}, nullptr};
  machine.description = platform::read_machine(name_or_path, machine.settings);
  std::error_code ignored;
  if (platform::is_builtin(name_or_path) &&
      std::filesystem::is_regular_file(name_or_path, ignored)) {
    warn({fmt::format("'{0}' is the built-in machine; for the file here write './{0}'",
                      name_or_path)});
  }
  const Settings before = machine.settings;
  change(machine.settings);
  mpi::follow_preset(machine.settings);
  machine.platform = platform::build_platform(machine.description, machine.settings);
  machine.changes = changes_between(before, machine.settings);
  std::string& about = machine.description.about;
  if (!about.empty() && !machine.changes.empty()) about += " (changed: " + machine.changes + ")";
  warn(machine.platform->warnings());
  warn_of_profiles(machine);
  return machine;
}

InputError with_place(const ParamError& error, const Settings& settings) {
  for (const std::string& name : error.names()) {
    // What is no parameter has an option of its name.
    if (name.find('.') == name.npos) return InputError({"--" + name}, error.problem());
  }
  const std::string last = settings.last_of(error.names());
  if (last.empty()) return error;
  return InputError(settings.where(last), error.what());
}

void assign_all(Settings& settings, const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) {
    settings.assign(assignment, {"--set " + assignment}, Origin::set);
  }
}

std::string default_of(std::string_view full_name) {
  const std::size_t dot = full_name.find('.');
  for (const ParamSection* section : all_sections()) {
    if (section->section() != full_name.substr(0, dot)) continue;
    if (const auto i = section->find(full_name.substr(dot + 1))) {
      return section->params()[*i].default_text;
    }
  }
  return "";
}

std::string network_help() {
  std::vector<std::string> names;
  for (const network::NetworkModel& model : network::network_models()) {
    names.emplace_back(model.name);
  }
  return "Network model: " + joined(names) + " (default: the machine's, else " +
         default_of("network.model") + ")";
}

void MachineOptions::set_default(const std::string& platform) {
  default_platform_ = platform;
  platform_option_.default_text(platform);
}

void MachineOptions::add_to(CommandLine line, Platform platform) {
  uses_.command = line.name();
  const bool positional = platform == Platform::positional;
  platform_option_ =
      line.add_option(positional ? "-p,--platform,platform" : "-p,--platform", platform_,
                      "The machine: a built-in one, or a file: YAML, edge list or SimGrid XML")
          .type_name("NAME|FILE")
          .check(not_empty());
  line.add_option("--set", assignments_, "Set a parameter; `heddle params` lists them")
      .type_name("NAME=VALUE")
      .one_at_a_time();
  line.add_option("--routing", routing_, "Short for --set topology.routing=: " + routing_names())
      .type_name("NAME")
      .check(not_empty());
  line.add_flag("--print-config", print_config_,
                "Print the effective configuration, which reads back as a platform, and stop");
}

Machine MachineOptions::read(const std::function<void(Settings&)>& change) const {
  const std::string& platform = platform_.empty() ? default_platform_ : platform_;
  if (platform.empty()) {
    throw InputError({}, "no platform given: accepted is --platform with a file's path or one of " +
                             joined(builtin_names()));
  }
  Machine machine = read_machine(platform, [&](Settings& settings) {
    apply(settings);
    change(settings);
  });
  warn_of_idle(machine);
  return machine;
}

void MachineOptions::warn_of_idle(const Machine& machine) const {
  if (print_config_) return;
  Uses uses = uses_;
  uses.machine = machine.platform != nullptr;
  warn(idle_options(machine.settings, machine.description, uses));
}

void MachineOptions::apply(Settings& settings) const {
  assign_all(settings, assignments_);
  if (!routing_.empty()) assign_short(settings, "topology.routing", routing_, "--routing");
}

}  // namespace heddle::cli
