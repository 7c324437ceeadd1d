// The part of JSON Schema that docs/schemas uses, for checking documents against it.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

namespace heddle::cli {

/// Finds what is wrong with a document.
class JsonSchema {
 public:
  using Json = nlohmann::json;

  /// "" if `value` is as `schema` says, else where it is not and why. A keyword that is not known
  /// here is a mistake as well.
  static std::string problem(const Json& schema, const Json& value, const std::string& at = "") {
    for (const auto& [keyword, rule] : schema.items()) {
      const std::string found = broken(keyword, rule, schema, value, at);
      if (!found.empty()) return found;
    }
    return "";
  }

 private:
  static std::string broken(const std::string& keyword, const Json& rule, const Json& schema,
                            const Json& value, const std::string& at) {
    const auto unless = [&](bool kept) {
      return kept ? "" : at + ": " + keyword + " " + rule.dump() + " is not " + value.dump();
    };
    if (keyword == "$schema" || keyword == "title" || keyword == "description") return "";
    if (keyword == "type") return unless(is_type(rule, value));
    if (keyword == "const") return unless(value == rule);
    if (keyword == "enum") return unless(std::find(rule.begin(), rule.end(), value) != rule.end());
    if (keyword == "minimum") return unless(!value.is_number() || value >= rule);
    if (keyword == "pattern") {
      return unless(!value.is_string() || std::regex_search(value.get<std::string>(),
                                                            std::regex(rule.get<std::string>())));
    }
    if (keyword == "items") return of_items(rule, value, at);
    if (keyword == "properties") return of_properties(rule, value, at);
    if (keyword == "required") return of_required(rule, value, at);
    if (keyword == "additionalProperties") return of_others(rule, schema, value, at);
    return at + ": the keyword '" + keyword + "' is not known to the test";
  }

  static bool is_type(const Json& rule, const Json& value) {
    if (rule.is_array()) {
      return std::any_of(rule.begin(), rule.end(),
                         [&](const Json& one) { return is_type(one, value); });
    }
    return (rule == "object" && value.is_object()) || (rule == "array" && value.is_array()) ||
           (rule == "string" && value.is_string()) || (rule == "boolean" && value.is_boolean()) ||
           (rule == "null" && value.is_null()) || (rule == "number" && value.is_number()) ||
           (rule == "integer" && value.is_number_integer());
  }

  static std::string of_items(const Json& rule, const Json& value, const std::string& at) {
    for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
      const std::string found = problem(rule, value[i], at + "/" + std::to_string(i));
      if (!found.empty()) return found;
    }
    return "";
  }

  static std::string of_properties(const Json& rule, const Json& value, const std::string& at) {
    for (const auto& [name, schema] : rule.items()) {
      if (!value.is_object() || !value.contains(name)) continue;
      const std::string found = problem(schema, value[name], at + "/" + name);
      if (!found.empty()) return found;
    }
    return "";
  }

  static std::string of_required(const Json& rule, const Json& value, const std::string& at) {
    for (const Json& name : rule) {
      if (value.is_object() && !value.contains(name)) return at + ": no " + name.dump();
    }
    return "";
  }

  static std::string of_others(const Json& rule, const Json& schema, const Json& value,
                               const std::string& at) {
    for (const auto& [name, member] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(name)) continue;
      const std::string found = problem(rule, member, at + "/" + name);
      if (!found.empty()) return found;
    }
    return "";
  }
};

}  // namespace heddle::cli
