#include "cli/study/sweep_names.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "cli/common.hpp"
#include "core/text.hpp"

namespace heddle::cli {
namespace {

using Kind = StudyName::Kind;

/// By the names of the options, without dashes.
const std::vector<StudyName>& names_of(const std::string& command) {
  static const std::map<std::string, std::vector<StudyName>> names = {
      {"traffic",
       {{"platform", "--platform", {}, {}, Kind::platform},
        {"network", "--network", "network.model"},
        {"routing", "--routing", "topology.routing"},
        {"pattern", "--pattern", "traffic.pattern"},
        {"size", "--size", "traffic.size"},
        {"load", "--load", "traffic.load", "traffic.loop=open"},
        {"messages", "--messages", "traffic.messages", "traffic.loop=closed"},
        {"window", "--window", "traffic.window", "traffic.loop=closed"},
        {"file", "--file", "traffic.file", "traffic.pattern=file", Kind::file},
        {"duration", "--duration", "traffic.duration"},
        {"warm-up", "--warm-up", "traffic.warm_up"},
        {"spacing", "--spacing", "traffic.spacing"},
        {"from", "--from", "traffic.from"},
        {"seed", "--seed", "traffic.seed"},
        {"seeds", "--seeds", "traffic.seeds", "traffic.loop=open"}}},
      {"replay",
       {{"platform", "--platform", {}, {}, Kind::platform},
        {"network", "--network", "network.model"},
        {"routing", "--routing", "topology.routing"},
        {"schedule", "", {}, {}, Kind::file},
        {"pattern", "--pattern"},
        {"ranks-per-node", "--ranks-per-node", "replay.ranks_per_node"},
        {"map", "--map", {}, {}, Kind::map},
        {"nodes", "--nodes"},
        {"time-unit", "--time-unit"},
        {"compat", "--compat"},
        {"seed", "--seed"}}},
      {"run",
       {{"platform", "--platform", {}, {}, Kind::platform},
        {"network", "--network", "network.model"},
        {"routing", "--routing", "topology.routing"},
        {"program", "", {}, {}, Kind::program},
        {"ranks", "--ranks"},
        {"ranks-per-node", "--ranks-per-node"},
        {"map", "--map", {}, {}, Kind::map},
        {"nodes", "--nodes"},
        {"fault", "--fault"},
        {"compute", "--compute"},
        {"stack", "--stack", "host.stack"},
        {"privatize", "--privatize", "host.privatize"},
        {"threads-per-rank", "--threads-per-rank", "host.threads_per_rank"},
        {"fidelity", "--fidelity"},
        {"payload", "--payload"},
        {"seed", "--seed"}}}};
  return names.at(command);
}

/// Every parameter there is.
std::vector<std::string> parameter_names() {
  std::vector<std::string> names;
  for (const ParamSection* section : all_sections()) {
    for (const std::string& name : section->names()) {
      names.push_back(section->section() + "." + name);
    }
  }
  return names;
}

const ParamInfo* find_parameter(const std::string& full_name) {
  const std::size_t dot = full_name.find('.');
  for (const ParamSection* section : all_sections()) {
    if (section->section() != full_name.substr(0, dot)) continue;
    if (const auto i = section->find(full_name.substr(dot + 1))) return &section->params()[*i];
  }
  return nullptr;
}

}  // namespace

StudyName study_name(const std::string& command, const study::Parameter& parameter) {
  std::string name = parameter.name;
  if (name.find('.') != name.npos) {
    if (const ParamInfo* info = find_parameter(name)) {
      return {name, "--set", name, {}, info->type == kFileType ? Kind::file : Kind::other};
    }
    const auto all = parameter_names();
    throw InputError(parameter.where, "unknown parameter " + in_quotes(name) +
                                          did_you_mean(name, all) + ": `heddle params` lists them");
  }
  std::replace(name.begin(), name.end(), '_', '-');
  std::vector<std::string> known;
  for (const StudyName& one : names_of(command)) {
    if (one.name == name) return one;
    known.push_back(one.name);
  }
  throw InputError(parameter.where, "`heddle " + command + "` has no " + in_quotes(name) +
                                        did_you_mean(name, known) + ": accepted are " +
                                        joined(known) + ", and parameters such as link.latency");
}

}  // namespace heddle::cli
