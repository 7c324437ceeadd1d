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
                      const SourceLocation& where, Origin origin) {
  const std::size_t dot = full_name.find('.');
  for (const ParamSection* section : known_) {
    if (dot == std::string_view::npos || section->section() != full_name.substr(0, dot)) continue;
    const auto i = section->find(full_name.substr(dot + 1));
    if (!i) continue;
    section->check(*i, value, where);
    values_[std::string(full_name)] = {std::string(value), where, origin, ++assignments_};
    return;
  }
  throw InputError(where, "unknown parameter '" + std::string(full_name) + "'" +
                              meant(full_name, known_) + "; `heddle params` lists every parameter");
}

void Settings::assign(std::string_view assignment, const SourceLocation& where, Origin origin) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    throw InputError(where, "'" + std::string(assignment) +
                                "' is not an assignment: accepted is name=value, for example "
                                "queue.forwarding=cut-through");
  }
  const std::string_view name = assignment.substr(0, equals);
  const std::string_view value = assignment.substr(equals + 1);
  // Whoever sets a parameter twice has forgotten the first time.
  const Value* before = find(name);
  if (origin == Origin::set && before != nullptr && before->origin == Origin::set &&
      before->text != value) {
    throw InputError(where, before->where.str() + " says otherwise: accepted is one of the two");
  }
  assign(name, value, where, origin);
}

const Settings::Value* Settings::find(std::string_view full_name) const {
  const auto it = values_.find(std::string(full_name));
  return it == values_.end() ? nullptr : &it->second;
}

SourceLocation Settings::where(std::string_view full_name) const {
  const Value* value = find(full_name);
  return value == nullptr ? SourceLocation{} : value->where;
}

Origin Settings::origin(std::string_view full_name) const {
  const Value* value = find(full_name);
  return value == nullptr ? Origin::default_ : value->origin;
}

std::string Settings::text(std::string_view full_name) const {
  const Value* value = find(full_name);
  return value == nullptr ? "" : value->text;
}

bool Settings::has_any(const ParamSection& section) const {
  const std::string prefix = section.section() + ".";
  const auto first = values_.lower_bound(prefix);
  return first != values_.end() && first->first.starts_with(prefix);
}

std::string Settings::last_of(const std::vector<std::string>& full_names) const {
  std::string last;
  std::uint64_t number = 0;
  for (const std::string& name : full_names) {
    const Value* value = find(name);
    if (value == nullptr || value->number < number) continue;
    last = name;
    number = value->number;
  }
  return last;
}

SourceLocation Settings::where_last(const ParamSection& section,
                                    const SourceLocation& otherwise) const {
  std::vector<std::string> names = section.names();
  for (std::string& name : names) name = section.section() + "." + name;
  const std::string last = last_of(names);
  return last.empty() ? otherwise : where(last);
}

}  // namespace heddle
