// Reads the values of a study's YAML: words, numbers, mappings, and stretches from one value to
// another.
#pragma once

#include <yaml-cpp/yaml.h>

#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "study/span.hpp"
#include "study/study.hpp"

namespace heddle::study {

/// What may be written for the values of a parameter.
inline constexpr const char* kAcceptedValues =
    "a value, a list of values, first:last:step, or {from: A, to: B} with step or points and, if "
    "wanted, scale: log";

struct StudyEntry {
  std::string key;
  SourceLocation where;
  YAML::Node value;
};

/// Two ends and what lies between them.
struct StretchEnds {
  Span span;
  bool logarithmic;
  std::map<std::string, YAML::Node> others;  ///< What else was said.
};

/// Each throws InputError at the node if it is not what is wanted.
class StudyNodes {
 public:
  explicit StudyNodes(std::string file) : file_(std::move(file)) {}

  SourceLocation at(const YAML::Node& node) const;
  [[noreturn]] void refuse(const YAML::Node& node, const std::string& what,
                           const std::string& accepted) const;
  std::string scalar(const YAML::Node& node, const std::string& what,
                     const std::string& accepted) const;
  /// From 1 on.
  std::size_t count(const YAML::Node& node, const std::string& what) const;
  Value value_of(const YAML::Node& node, const std::string& name) const;
  /// What a mapping holds, each key once.
  std::vector<StudyEntry> entries(const YAML::Node& map, const std::string& what) const;
  /// From a mapping with `from`, `to`, perhaps `scale`, and any of `others`.
  StretchEnds ends(const YAML::Node& node, const std::string& name,
                   const std::vector<std::string>& others) const;
  /// All values from one end to the other.
  std::vector<std::string> stretch(const YAML::Node& node, const std::string& name) const;

 private:
  bool logarithmic(const std::map<std::string, YAML::Node>& parts, const Span& span) const;

  std::string file_;
};

}  // namespace heddle::study
