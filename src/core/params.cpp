#include "core/params.hpp"

namespace heddle {

bool names_file(const ParamInfo& param, std::string_view value) {
  return param.type == kFileType && !value.empty() && value != param.default_text && value != "-";
}

std::vector<std::string> ParamSection::names() const {
  std::vector<std::string> names;
  for (const ParamInfo& param : params_) names.push_back(param.name);
  return names;
}

std::optional<std::size_t> ParamSection::find(std::string_view name) const {
  for (std::size_t i = 0; i < params_.size(); ++i) {
    if (params_[i].name == name) return i;
  }
  return std::nullopt;
}

void ParamSection::declare(std::string_view name, std::string_view type,
                           std::string_view default_text, const ParamRange& range,
                           std::string_view meaning, std::string_view accepted) {
  ParamInfo& info = params_.emplace_back();
  info.name = name;
  info.type = type;
  info.default_text = default_text;
  info.min_text = range.min;
  info.max_text = range.max;
  info.meaning = meaning;
  info.accepted = accepted;
  if (!range.min.empty()) info.accepted.append(", at least ").append(range.min);
  if (!range.max.empty()) info.accepted.append(", at most ").append(range.max);
}

void ParamSection::refuse(std::size_t i, std::string_view text, const SourceLocation& where) const {
  const ParamInfo& info = params_[i];
  throw InputError(where, "'" + std::string(text) + "' is not a valid " + section() + "." +
                              info.name + did_you_mean(text, info.choices) + ": accepted is " +
                              info.accepted);
}

namespace {

/// " (did you mean 'x'?)" for a name that no section has: one that lacks its section, or the
/// nearest of all.
std::string meant(std::string_view name, const std::vector<const ParamSection*>& sections) {
  std::vector<std::string> candidates;
  for (const ParamSection* section : sections) {
    for (const ParamInfo& param : section->params()) {
      const std::string full = section->section() + "." + param.name;
      if (param.name == name) return did_you_mean(full, {full});
      candidates.push_back(full);
    }
  }
  return did_you_mean(name, candidates);
}

}  // namespace

void Settings::assign(std::string_view full_name, std::string_view value,
                      const SourceLocation& where) {
  const std::size_t dot = full_name.find('.');
  for (const ParamSection* section : known_) {
    if (dot == std::string_view::npos || section->section() != full_name.substr(0, dot)) continue;
    const auto i = section->find(full_name.substr(dot + 1));
    if (!i) continue;
    section->check(*i, value, where);
    values_[std::string(full_name)] = {std::string(value), where, ++assignments_};
    return;
  }
  throw InputError(where, "unknown parameter '" + std::string(full_name) + "'" +
                              meant(full_name, known_) + "; `heddle params` lists every parameter");
}

SourceLocation Settings::where(std::string_view full_name) const {
  const auto it = values_.find(std::string(full_name));
  return it == values_.end() ? SourceLocation{} : it->second.where;
}

bool Settings::has_any(const ParamSection& section) const {
  const std::string prefix = section.section() + ".";
  const auto first = values_.lower_bound(prefix);
  return first != values_.end() && first->first.starts_with(prefix);
}

SourceLocation Settings::where_last(const ParamSection& section,
                                    const SourceLocation& otherwise) const {
  const Value* last = nullptr;
  for (const std::string& name : section.names()) {
    const auto it = values_.find(section.section() + "." + name);
    if (it == values_.end()) continue;
    if (last == nullptr || last->number < it->second.number) last = &it->second;
  }
  return last == nullptr ? otherwise : last->where;
}

void Settings::assign(std::string_view assignment, const SourceLocation& where) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    throw InputError(where, "'" + std::string(assignment) +
                                "' is not an assignment: accepted is name=value, for example "
                                "queue.forwarding=cut-through");
  }
  // Whoever sets a parameter twice has forgotten the first time.
  constexpr std::string_view kOption = "--set ";
  const std::string before = this->where(assignment.substr(0, equals)).file;
  if (where.file.starts_with(kOption) && before.starts_with(kOption) && before != where.file) {
    throw InputError(where, before + " says otherwise: accepted is one of the two");
  }
  assign(assignment.substr(0, equals), assignment.substr(equals + 1), where);
}

}  // namespace heddle
