#include "cli/completion_values.hpp"

#include <map>

#include "cli/common.hpp"
#include "coll/rules/selector.hpp"
#include "core/text.hpp"
#include "goal/patterns/patterns.hpp"
#include "traffic/sizes.hpp"

namespace heddle::cli {
namespace {

std::string name_of_parameter(const ParamSection& section, const ParamInfo& param) {
  return section.section() + "." + param.name;
}

Candidates listed(const std::vector<std::string>& words) {
  Candidates candidates;
  for (const std::string& word : words) candidates.words.push_back({word});
  return candidates;
}

Candidates machines() {
  Candidates candidates{.files = true};
  for (const auto& machine : platform::builtin_machines()) {
    candidates.words.push_back({std::string(machine.name), std::string(machine.about)});
  }
  return candidates;
}

Candidates schedule_patterns() {
  Candidates candidates;
  for (const goal::Pattern& pattern : goal::patterns()) {
    candidates.words.push_back({std::string(pattern.name), std::string(pattern.about)});
  }
  return candidates;
}

Candidates collectives() {
  Candidates candidates;
  for (int i = 0; i < coll::kCollectives; ++i) {
    candidates.words.push_back({std::string(coll::name_of(static_cast<coll::Collective>(i)))});
  }
  return candidates;
}

Candidates algorithms(const std::string& collective) {
  Candidates candidates;
  const auto one = coll::collective_named(collective);
  if (!one) return candidates;
  for (const coll::AlgorithmEntry& algorithm : coll::algorithms_of(*one)) {
    candidates.words.push_back({std::string(algorithm.name), std::string(algorithm.about)});
  }
  return candidates;
}

Candidates sizes_of_messages() {
  Candidates candidates;
  for (const traffic::PublishedSizes& sizes : traffic::published_sizes()) {
    candidates.words.push_back({std::string(sizes.name), std::string(sizes.about)});
  }
  return candidates;
}

/// No parameter has it for its default.
constexpr std::string_view kSomeFile = "x";

/// What the parameter "section.name" may be set to.
Candidates values_of_parameter(const ParamSection& section, const ParamInfo& param) {
  constexpr std::string_view kCollective = "coll.";
  if (section.section() == "mpi" && param.name.starts_with(kCollective)) {
    Candidates candidates = algorithms(param.name.substr(kCollective.size()));
    if (!candidates.words.empty()) return candidates;
  }
  if (section.section() == "traffic" && param.name == "size") return sizes_of_messages();
  if (!param.choices.empty()) return listed(param.choices);
  if (names_file(param, kSomeFile)) return {.files = true};
  if (param.type == "flag") return listed({"yes", "no"});
  return param.default_text.empty() ? Candidates{} : listed({param.default_text});
}

Candidates values_of_parameter(const std::string& name) {
  for (const ParamSection* section : all_sections()) {
    for (const ParamInfo& param : section->params()) {
      if (name_of_parameter(*section, param) == name) return values_of_parameter(*section, param);
    }
  }
  return {};
}

/// Commands that look at a few sections only.
const std::map<std::string, std::vector<std::string>>& sections_of_commands() {
  static const std::map<std::string, std::vector<std::string>> sections = {
      {"convert", {"convert", "collective"}},
      {"goal gen", {"pattern"}},
      {"goal generate llm", {"llm", "collective"}},
      {"goal generate nccl", {"nccl"}},
      {"goal scale", {"convert", "mpi"}}};
  return sections;
}

/// What may follow --set: a parameter, and then its value.
Candidates assignments(const std::string& command, const std::string& begun) {
  const std::size_t equals = begun.find('=');
  Candidates candidates;
  if (equals != begun.npos) {
    candidates = values_of_parameter(begun.substr(0, equals));
    for (Candidate& one : candidates.words) one.word = begun.substr(0, equals + 1) + one.word;
    return candidates;
  }
  const auto known = sections_of_commands().find(command);
  for (const ParamSection* section : all_sections()) {
    const bool wanted = known == sections_of_commands().end() ||
                        joined(known->second, " ").find(section->section()) != std::string::npos;
    if (!wanted) continue;
    for (const ParamInfo& param : section->params()) {
      candidates.words.push_back({name_of_parameter(*section, param) + "=", param.meaning});
    }
  }
  return candidates;
}

Candidates names_of_parameters() {
  Candidates candidates;
  for (const ParamSection* section : all_sections()) {
    candidates.words.push_back({section->section(), section->about()});
    for (const ParamInfo& param : section->params()) {
      candidates.words.push_back({name_of_parameter(*section, param), param.meaning});
    }
  }
  return candidates;
}

/// Options that are short for a parameter.
const std::map<std::string, std::string>& parameters_of_options() {
  static const std::map<std::string, std::string> parameters = {{"--network", "network.model"},
                                                                {"--routing", "topology.routing"},
                                                                {"--privatize", "host.privatize"},
                                                                {"--from", "traffic.from"}};
  return parameters;
}

/// Options with words of their own.
const std::map<std::string, std::vector<std::string>>& words_of_options() {
  static const std::map<std::string, std::vector<std::string>> words = {
      {"--map", {"by-core", "by-node", "by-switch", "random:", "file:"}},
      {"--compute", {"none", "measure:", "fixed:"}},
      {"--payload", {"all", "none"}},
      {"--ends", {"loggops", "mpi"}},
      {"--osc", {"portals4", "pt2pt"}},
      {"--compat", {"loggopsim-2023"}},
      {"--on", {"slurm"}},
      {"--time-unit", {"ns", "us", "ms", "s"}},
      {"--x-scale", {"linear", "log", "log2"}},
      {"--y-scale", {"linear", "log", "log2"}},
      {"--completion", {"bash", "zsh", "fish"}},
      {"--trace-only", {"ranks=", "time=", "kinds="}}};
  return words;
}

/// "a|b" where the help calls a value so.
std::vector<std::string> words_of_type(const std::string& type) {
  std::vector<std::string> words;
  if (type.find('|') == type.npos) return words;
  for (const std::string_view word : split(type, '|')) words.emplace_back(word);
  return words;
}

}  // namespace

Candidates values_of(const std::string& command, const std::string& option, const std::string& type,
                     const std::string& begun) {
  const bool of_traffic = command == "traffic";
  if (type == "NAME|FILE") return machines();
  if (type.starts_with("FILE") || type == "TRACES") return {.files = true};
  if (type == "FOLDER") return {.folders = true};
  if (option == "--set") return assignments(command, begun);
  if (option == "--pattern" && of_traffic) return values_of_parameter("traffic.pattern");
  if (option == "--pattern" || option == "pattern") return schedule_patterns();
  if (option == "operation") return collectives();
  if (option == "name" && command == "params") return names_of_parameters();
  if (const auto known = parameters_of_options().find(option);
      known != parameters_of_options().end() && (option != "--from" || of_traffic)) {
    return values_of_parameter(known->second);
  }
  const auto known = words_of_options().find(option);
  return listed(known == words_of_options().end() ? words_of_type(type) : known->second);
}

}  // namespace heddle::cli
