// Chakra's traces as JSON: one object after another, the metadata, then nodes. Protobuf's own names
// of members are accepted beside those of the schema.
#include <algorithm>

#include "traces/readers/chakra_node.hpp"
#include "traces/readers/fields.hpp"
#include "traces/readers/json_scanner.hpp"

namespace heddle::traces {
namespace {

std::uint64_t number_of(JsonScanner& in) {
  if (!in.scalar_follows()) {
    in.skip();
    return 0;
  }
  return static_cast<std::uint64_t>(std::max<std::int64_t>(in.scalar().integer(), 0));
}

/// Nothing of what is no string.
std::string string_of(JsonScanner& in) {
  if (!in.scalar_follows()) {
    in.skip();
    return {};
  }
  const JsonScanner before = in;
  const auto text = in.scalar().string();
  if (!text) before.fail("a string with escapes as JSON has them");
  return *text;
}

/// By name or number.
ChakraType type_of(JsonScanner& in) {
  constexpr std::string_view kNames[] = {"INVALID_NODE",   "METADATA_NODE", "MEM_LOAD_NODE",
                                         "MEM_STORE_NODE", "COMP_NODE",     "COMM_SEND_NODE",
                                         "COMM_RECV_NODE", "COMM_COLL_NODE"};
  if (!in.scalar_follows()) in.fail("the type of a node");
  const JsonScalar value = in.scalar();
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (value.text == kNames[i]) return static_cast<ChakraType>(i);
  }
  const std::int64_t number = value.quoted ? 0 : value.integer();
  return number > 0 && number < static_cast<std::int64_t>(std::size(kNames))
             ? static_cast<ChakraType>(number)
             : ChakraType::invalid;
}

/// {"name": ..., "int64Val": ...}; lists of values say nothing that a schedule wants.
void take_attribute(JsonScanner& in, ChakraNode& node) {
  if (in.next() != '{') return in.skip();
  ChakraAttribute attribute;
  std::string text;
  in.object([&](std::string_view key) {
    if (key == "stringVal" || key == "string_val") {
      text = string_of(in);
      attribute.text = text;
      attribute.number = whole_number<std::int64_t>(text).value_or(0);
      return;
    }
    if (!in.scalar_follows()) return in.skip();
    const JsonScalar value = in.scalar();
    if (key == "name") {
      attribute.name = value.text;
    } else if (key != "docString" && key != "doc_string") {
      attribute.number = value.integer();
    }
  });
  set_attribute(node, attribute);
}

void take_inputs(JsonScanner& in, ChakraNode& node) {
  in.object([&](std::string_view key) {
    if (key != "values") return in.skip();
    node.input_values = string_of(in);
  });
}

void take_member(JsonScanner& in, std::string_view key, ChakraNode& node) {
  if (key == "id") {
    node.id = number_of(in);
  } else if (key == "name") {
    node.name = string_of(in);
  } else if (key == "type") {
    node.type = type_of(in);
  } else if (key == "durationMicros" || key == "duration_micros") {
    node.microseconds = number_of(in);
  } else if ((key == "ctrlDeps" || key == "ctrl_deps" || key == "dataDeps" || key == "data_deps") &&
             in.next() == '[') {
    in.list([&] { node.after.push_back(number_of(in)); });
  } else if (key == "inputs" && in.next() == '{') {
    take_inputs(in, node);
  } else if (key == "attr" && in.next() == '[') {
    in.list([&] { take_attribute(in, node); });
  } else {
    in.skip();
  }
}

/// Calls `visit(in)` at the object of every node.
template <class Visitor>
void for_objects(std::string_view text, const std::string& file, Visitor visit) {
  JsonScanner in(text, file);
  in.skip();
  while (!in.done()) {
    if (in.next() != '{') in.fail("the object of a node");
    if (!visit(in)) return;
  }
}

}  // namespace

void read_chakra_json(std::string_view text, const std::string& file, const ChakraVisitor& visit) {
  for_objects(text, file, [&](JsonScanner& in) {
    ChakraNode node;
    node.offset = in.offset();
    in.object([&](std::string_view key) { take_member(in, key, node); });
    sort_dependencies(node);
    visit(std::move(node));
    return true;
  });
}

bool chakra_json_in_order(std::string_view text, const std::string& file) {
  bool in_order = true;
  bool first = true;
  std::uint64_t last = 0;
  for_objects(text, file, [&](JsonScanner& in) {
    std::uint64_t id = 0;
    in.object([&](std::string_view key) {
      if (key != "id") return in.skip();
      id = number_of(in);
    });
    in_order = first || id > last;
    first = false;
    last = id;
    return in_order;
  });
  return in_order;
}

}  // namespace heddle::traces
