#include "traces/readers/chakra_trace.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "traces/readers/chakra_node.hpp"
#include "traces/readers/fields.hpp"
#include "traces/readers/wire_fields.hpp"

namespace heddle::traces {
namespace {

using Json = nlohmann::json;

ChakraAttribute attribute_of(WireFields fields) {
  ChakraAttribute attribute;
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

bool is_json(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && text[at] == '{';
}

}  // namespace

void set_attribute(ChakraNode& node, const ChakraAttribute& attribute) {
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

void sort_dependencies(ChakraNode& node) {
  std::sort(node.after.begin(), node.after.end());
  node.after.erase(std::unique(node.after.begin(), node.after.end()), node.after.end());
}

void read_chakra(std::string_view bytes, const std::string& file, const ChakraVisitor& visit) {
  if (is_json(bytes)) return read_chakra_json(bytes, file, visit);
  read_messages(bytes, file, visit);
}

bool chakra_in_order(std::string_view bytes, const std::string& file) {
  if (is_json(bytes)) return chakra_json_in_order(bytes, file);
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
      const Json& number = (*list)[r];
      const std::int64_t rank =
          number.is_string()
              ? whole_number<std::int64_t>(number.get_ref<const std::string&>()).value_or(-1)
          : number.is_number_integer() ? number.get<std::int64_t>()
                                       : -1;
      if (rank >= 0 && rank < UINT32_MAX) ranks.push_back(static_cast<std::uint32_t>(rank));
    }
  }
  return groups;
}

}  // namespace heddle::traces
