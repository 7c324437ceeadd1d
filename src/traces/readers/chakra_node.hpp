// What both forms of Chakra's files have in common: how attributes and dependencies become those of
// a node.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "traces/readers/chakra_trace.hpp"

namespace heddle::traces {

/// The value of an attribute: writers use different kinds for the same.
struct ChakraAttribute {
  std::string_view name;
  std::int64_t number = 0;
  std::string_view text = {};
};

void set_attribute(ChakraNode& node, const ChakraAttribute& attribute);
/// What a node depends on by data and by control is one dependency.
void sort_dependencies(ChakraNode& node);

/// As read_chakra() and chakra_in_order(), of JSON.
void read_chakra_json(std::string_view text, const std::string& file, const ChakraVisitor& visit);
bool chakra_json_in_order(std::string_view text, const std::string& file);

}  // namespace heddle::traces
