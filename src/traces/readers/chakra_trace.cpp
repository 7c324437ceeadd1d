#include "traces/readers/chakra_trace.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "traces/readers/fields.hpp"
#include "traces/readers/wire_fields.hpp"

namespace heddle::traces {
namespace {

using Json = nlohmann::json;

/// The value of an attribute: writers use different kinds for the same.
struct Attribute {
  std::string_view name;
  std::int64_t number = 0;
  std::string_view text = {};
};

void set_attribute(ChakraNode& node, const Attribute& attribute) {
  const auto number = static_cast<std::uint64_t>(std::max<std::int64_t>(attribute.number, 0));
  const auto small = static_cast<std::uint32_t>(std::min<std::uint64_t>(number, UINT32_MAX));
  const std::string_view name = attribute.name;
  if (name == "comm_size") node.bytes = number;
  if (name == "num_ops") node.flops = number;
  if (name == "tensor_size") node.touched = number;
  if (name == "duration_picos") node.picoseconds = number;
  if (name == "is_cpu_op") node.on_host = attribute.number != 0;
  if (name == "comm_src") node.source = small;
  if (name == "comm_dst") node.target = small;
  if (name == "comm_tag") node.tag = small;
  if (name == "root") node.root = small;
  if (name == "pg_name") {
    node.group =
        attribute.text.empty() ? std::to_string(attribute.number) : std::string(attribute.text);
  }
  if (name == "comm_type") {
    constexpr auto kLast = static_cast<std::uint64_t>(ChakraCollective::barrier);
    node.collective = static_cast<ChakraCollective>(std::min(number, kLast));
  }
}

// Protobuf.

Attribute attribute_of(WireFields fields) {
  Attribute attribute;
  while (!fields.done()) {
    const WireFields::Field field = fields.next();
    switch (field.number) {
      case 1:
        attribute.name = field.bytes;
        break;
      case 15:
      case 17:
        attribute.number = unzigzagged(field.value);
        break;
      case 29:
        attribute.text = field.bytes;
        break;
      default:
        if (!field.has_bytes) attribute.number = static_cast<std::int64_t>(field.value);
    }
  }
  return attribute;
}

void add_dependencies(ChakraNode& node, const WireFields::Field& field, const std::string& file) {
  if (!field.has_bytes) return node.after.push_back(field.value);
  WireFields packed(field.bytes, file, field.offset);
  while (!packed.done()) node.after.push_back(packed.varint("the number of a node"));
}

ChakraNode node_of(WireFields fields, const std::string& file) {
  ChakraNode node;
  node.offset = fields.offset();
  while (!fields.done()) {
    const WireFields::Field field = fields.next();
    switch (field.number) {
      case 1:
        node.id = field.value;
        break;
      case 2:
        node.name = std::string(field.bytes);
        break;
      case 3:
        if (field.value > static_cast<std::uint64_t>(ChakraType::collective)) {
          fields.fail(fmt::format("a node of type {}: accepted are 1 to 7", field.value));
        }
        node.type = static_cast<ChakraType>(field.value);
        break;
      case 4:
      case 5:
        add_dependencies(node, field, file);
        break;
      case 7:
        node.microseconds = field.value;
        break;
      case 8: {
        WireFields inputs(field.bytes, file, field.offset);
        while (!inputs.done()) {
          const WireFields::Field input = inputs.next();
          if (input.number == 1) node.input_values = std::string(input.bytes);
        }
        break;
      }
      case 10:
        set_attribute(node, attribute_of({field.bytes, file, field.offset}));
        break;
      default:
        break;
    }
  }
  return node;
}

/// What a node depends on by data and by control is one dependency.
void sort_dependencies(ChakraNode& node) {
  std::sort(node.after.begin(), node.after.end());
  node.after.erase(std::unique(node.after.begin(), node.after.end()), node.after.end());
}

void read_messages(std::string_view bytes, const std::string& file, const ChakraVisitor& visit) {
  WireFields all(bytes, file);
  WireFields metadata = all.message("the metadata");
  while (!metadata.done()) metadata.next();
  while (!all.done()) {
    ChakraNode node = node_of(all.message("a node"), file);
    sort_dependencies(node);
    visit(std::move(node));
  }
}

// JSON.

/// Numbers of 64 bits are written as text.
std::int64_t integer_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_string()) return 0;
  return whole_number<std::int64_t>(value.get_ref<const std::string&>()).value_or(0);
}

ChakraType type_named(const Json& value) {
  constexpr std::string_view kNames[] = {"INVALID_NODE",   "METADATA_NODE", "MEM_LOAD_NODE",
                                         "MEM_STORE_NODE", "COMP_NODE",     "COMM_SEND_NODE",
                                         "COMM_RECV_NODE", "COMM_COLL_NODE"};
  for (std::size_t i = 0; value.is_string() && i < std::size(kNames); ++i) {
    if (value.get_ref<const std::string&>() == kNames[i]) return static_cast<ChakraType>(i);
  }
  const std::int64_t number = value.is_string() ? 0 : integer_of(value);
  return number > 0 && number < static_cast<std::int64_t>(std::size(kNames))
             ? static_cast<ChakraType>(number)
             : ChakraType::invalid;
}

/// A member by either of its names: as protobuf writes JSON, or as the schema has it.
const Json* member(const Json& object, const char* camel, const char* snake) {
  const auto found = object.find(object.contains(camel) ? camel : snake);
  return found == object.end() ? nullptr : &*found;
}

void set_json_attribute(ChakraNode& node, const Json& json) {
  if (!json.is_object()) return;
  Attribute attribute;
  for (const auto& [key, value] : json.items()) {
    if (key == "name" && value.is_string()) {
      attribute.name = value.get_ref<const std::string&>();
    } else if (value.is_string() || value.is_number() || value.is_boolean()) {
      attribute.number = integer_of(value);
      if (value.is_string() && (key == "stringVal" || key == "string_val")) {
        attribute.text = value.get_ref<const std::string&>();
      }
    }
  }
  set_attribute(node, attribute);
}

ChakraNode json_node(const Json& json, std::size_t offset) {
  ChakraNode node;
  node.offset = offset;
  const auto number = [&](const char* camel, const char* snake) {
    const Json* const value = member(json, camel, snake);
    return value == nullptr
               ? 0
               : static_cast<std::uint64_t>(std::max<std::int64_t>(integer_of(*value), 0));
  };
  node.id = number("id", "id");
  if (const Json* name = member(json, "name", "name"); name != nullptr && name->is_string()) {
    node.name = name->get<std::string>();
  }
  if (const Json* type = member(json, "type", "type")) node.type = type_named(*type);
  node.microseconds = number("durationMicros", "duration_micros");
  for (const auto& [camel, snake] :
       {std::pair{"ctrlDeps", "ctrl_deps"}, std::pair{"dataDeps", "data_deps"}}) {
    const Json* const list = member(json, camel, snake);
    for (std::size_t i = 0; list != nullptr && list->is_array() && i < list->size(); ++i) {
      node.after.push_back(static_cast<std::uint64_t>(integer_of((*list)[i])));
    }
  }
  if (const Json* inputs = member(json, "inputs", "inputs"); inputs && inputs->is_object()) {
    const Json* const values = member(*inputs, "values", "values");
    if (values != nullptr && values->is_string()) node.input_values = values->get<std::string>();
  }
  const Json* const attributes = member(json, "attr", "attr");
  for (std::size_t i = 0; attributes != nullptr && attributes->is_array() && i < attributes->size();
       ++i) {
    set_json_attribute(node, (*attributes)[i]);
  }
  return node;
}

/// The length of the object that a text begins with, 0 if it does not end.
std::size_t object_size(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == '{') {
      ++depth;
    } else if (!quoted && c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return 0;
}

/// One object after another: the metadata, then nodes.
void read_objects(std::string_view text, const std::string& file, const ChakraVisitor& visit) {
  bool first = true;
  for (std::size_t at = text.find('{'); at < text.size(); first = false) {
    const std::size_t size = object_size(text.substr(at));
    const Json json = Json::parse(text.substr(at, size), nullptr, false);
    if (size == 0 || json.is_discarded() || !json.is_object()) {
      throw InputError({file}, fmt::format("at byte {}: an object of JSON is expected, or the file "
                                           "ends within it",
                                           at));
    }
    if (!first) {
      ChakraNode node = json_node(json, at);
      sort_dependencies(node);
      visit(std::move(node));
    }
    at = std::min(text.find('{', at + size), text.size());
  }
}

bool is_json(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && text[at] == '{';
}

}  // namespace

void read_chakra(std::string_view bytes, const std::string& file, const ChakraVisitor& visit) {
  if (is_json(bytes)) return read_objects(bytes, file, visit);
  read_messages(bytes, file, visit);
}

bool chakra_in_order(std::string_view bytes, const std::string& file) {
  if (is_json(bytes)) return false;
  WireFields all(bytes, file);
  all.message("the metadata");
  std::uint64_t last = 0;
  for (bool first = true; !all.done(); first = false) {
    WireFields node = all.message("a node");
    std::uint64_t id = 0;  // 0 is not written.
    while (!node.done()) {
      const WireFields::Field field = node.next();
      if (field.number != 1) continue;
      id = field.value;
      break;
    }
    if (!first && id <= last) return false;
    last = id;
  }
  return true;
}

/// The metadata are small and begin with a version, or are empty; a node begins with its number or
/// name. JSON has the same in words.
bool begins_like_chakra(std::string_view beginning) {
  if (is_json(beginning)) {
    const bool version = beginning.find("\"version\"") < 64;
    return version && (beginning.find("\"ctrlDeps\"") != std::string_view::npos ||
                       beginning.find("_NODE\"") != std::string_view::npos);
  }
  constexpr std::size_t kLongest = 100;  // A length of one byte.
  if (beginning.size() < 4) return false;
  const auto size = static_cast<unsigned char>(beginning[0]);
  if (size > kLongest || beginning.size() < size + 3U) return false;
  if (size > 0) {
    const auto version = static_cast<unsigned char>(beginning[2]);
    if (beginning[1] != 0x0a || version + 2U > size) return false;
    const std::string_view text = beginning.substr(3, version);
    if (text.find_first_not_of("0123456789.") != std::string_view::npos) return false;
  }
  const std::string file;
  try {
    WireFields rest(beginning.substr(size + 1U), file);
    const std::uint64_t node = rest.varint("a length");
    if (node == 0 || node > (1U << 24)) return false;
    const WireFields::Field field = rest.next();
    return (field.number == 1 && !field.has_bytes) || (field.number == 2 && field.has_bytes);
  } catch (const InputError&) {
    return false;
  }
}

std::map<std::string, std::vector<std::uint32_t>> chakra_groups(const ChakraNode& node) {
  std::map<std::string, std::vector<std::uint32_t>> groups;
  if (node.type != ChakraType::metadata || node.input_values.find("pg_name") == std::string::npos) {
    return groups;
  }
  Json json = Json::parse(node.input_values, nullptr, false);
  // A list, as text in a list.
  if (json.is_array() && json.size() == 1 && json[0].is_string()) {
    json = Json::parse(json[0].get<std::string>(), nullptr, false);
  }
  for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) {
    const Json& one = json[i];
    if (!one.is_object() || !one.contains("pg_name")) continue;
    const Json& name = one["pg_name"];
    auto& ranks = groups[name.is_string() ? name.get<std::string>() : name.dump()];
    const auto list = one.find("ranks");
    for (std::size_t r = 0; list != one.end() && list->is_array() && r < list->size(); ++r) {
      const std::int64_t rank = integer_of((*list)[r]);
      if (rank >= 0 && rank < UINT32_MAX) ranks.push_back(static_cast<std::uint32_t>(rank));
    }
  }
  return groups;
}

}  // namespace heddle::traces
