#include "study/study_nodes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "core/text.hpp"
#include "platform/yaml_document.hpp"

namespace heddle::study {

SourceLocation StudyNodes::at(const YAML::Node& node) const {
  return platform::place_of(node.Mark(), file_);
}

void StudyNodes::refuse(const YAML::Node& node, const std::string& what,
                        const std::string& accepted) const {
  throw InputError(at(node),
                   what + " is " + platform::token_of(node) + ": accepted is " + accepted);
}

std::string StudyNodes::scalar(const YAML::Node& node, const std::string& what,
                               const std::string& accepted) const {
  if (!node.IsScalar()) refuse(node, what, accepted);
  return node.Scalar();
}

std::vector<StudyEntry> StudyNodes::entries(const YAML::Node& map, const std::string& what) const {
  if (!map.IsMap()) refuse(map, what, "a mapping of names and values");
  std::vector<StudyEntry> list;
  std::map<std::string, SourceLocation> seen;
  for (const auto& item : map) {
    StudyEntry entry{scalar(item.first, "a key of " + what, "a word"), at(item.first), item.second};
    const auto [first, is_new] = seen.emplace(entry.key, entry.where);
    if (!is_new) {
      throw InputError(entry.where,
                       in_quotes(entry.key) + " is given twice: first at " + first->second.str());
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Value StudyNodes::value_of(const YAML::Node& node, const std::string& name) const {
  return {scalar(node, name, "a value"), at(node)};
}

StretchEnds StudyNodes::ends(const YAML::Node& node, const std::string& name,
                             const std::vector<std::string>& others) const {
  if (!node.IsMap()) refuse(node, name, kAcceptedValues);
  std::map<std::string, YAML::Node> parts;
  std::vector<std::string> known = {"from", "to", "scale"};
  known.insert(known.end(), others.begin(), others.end());
  for (const StudyEntry& entry : entries(node, name)) {
    if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
      throw InputError(entry.where, "unknown key " + in_quotes(entry.key) + " of " + name +
                                        did_you_mean(entry.key, known) + ": accepted are " +
                                        joined(known));
    }
    parts.emplace(entry.key, entry.value);
  }
  if (!parts.contains("from") || !parts.contains("to")) refuse(node, name, kAcceptedValues);
  const std::string from = scalar(parts["from"], "from", "a value");
  const std::string to = scalar(parts["to"], "to", "a value");
  const auto span = Span::between(from, to);
  if (!span) {
    throw InputError(at(parts["from"]), in_quotes(from) + " and " + in_quotes(to) +
                                            " are not two quantities of one kind: accepted are "
                                            "numbers, times, sizes or bandwidths");
  }
  return {*span, logarithmic(parts, *span), std::move(parts)};
}

bool StudyNodes::logarithmic(const std::map<std::string, YAML::Node>& parts,
                             const Span& span) const {
  const auto scale = parts.find("scale");
  if (scale == parts.end()) return false;
  const std::string text = scalar(scale->second, "scale", "linear or log");
  if (text == "linear") return false;
  if (text == "log" && span.positive()) return true;
  throw InputError(at(scale->second),
                   in_quotes(text) +
                       " is no scale for these values: accepted is linear or, if "
                       "both ends are more than zero, log");
}

std::vector<std::string> StudyNodes::stretch(const YAML::Node& node,
                                             const std::string& name) const {
  StretchEnds ends = this->ends(node, name, {"step", "points"});
  if (ends.others.contains("points") == ends.others.contains("step")) {
    refuse(node, name, kAcceptedValues);
  }
  if (const auto points = ends.others.find("points"); points != ends.others.end()) {
    return ends.span.even(count(points->second, "points"), ends.logarithmic);
  }
  const YAML::Node node_of_step = ends.others["step"];
  const std::string text = scalar(node_of_step, "step", "a value");
  const auto step = ends.span.number(text);
  const double steps = step && *step != 0 ? (ends.span.to() - ends.span.from()) / *step : -1;
  if (ends.logarithmic || !(steps >= 0) || steps > static_cast<double>(Study::kMostPoints)) {
    throw InputError(at(node_of_step), in_quotes(text) +
                                           " is no step from the one end to the other: accepted "
                                           "is a quantity of their kind, on a linear scale");
  }
  return ends.span.stepped(*step);
}

std::size_t StudyNodes::count(const YAML::Node& node, const std::string& what) const {
  const std::string accepted = fmt::format("a whole number from 1 to {}", Study::kMostPoints);
  const std::string text = scalar(node, what, accepted);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || number < 1 || number > Study::kMostPoints) refuse(node, what, accepted);
  return number;
}

}  // namespace heddle::study
