// Nodes of a Chakra execution trace.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::traces {

enum class ChakraType : std::uint8_t {
  invalid,
  metadata,
  memory_load,
  memory_store,
  compute,
  send,
  receive,
  collective
};

/// Values have the numbers of the schema.
enum class ChakraCollective : std::uint8_t {
  allreduce,
  reduce,
  allgather,
  gather,
  scatter,
  broadcast,
  alltoall,
  reduce_scatter,
  reduce_scatter_block,
  barrier
};

/// What one node says that matters to a schedule.
struct ChakraNode {
  std::uint64_t id = 0;
  std::string name;
  ChakraType type = ChakraType::invalid;
  std::vector<std::uint64_t> after;  ///< Nodes that it depends on, by data or control.
  std::uint64_t microseconds = 0;
  std::uint64_t picoseconds = 0;  ///< The same exactly, where it is said.
  bool on_host = false;           ///< A node without attribute is the GPU's.
  std::uint64_t bytes = 0;
  std::uint64_t flops = 0;
  std::uint64_t touched = 0;  ///< Bytes of its operands.
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  std::uint32_t tag = 0;
  std::uint32_t root = 0;
  ChakraCollective collective = ChakraCollective::allreduce;
  std::string group;         ///< The name of its process group, or "".
  std::string input_values;  ///< Of a metadata node: JSON.
  std::size_t offset = 0;    ///< In the file, in bytes.
};

using ChakraVisitor = std::function<void(ChakraNode&&)>;

/// Calls `visit` for every node of a file: protobuf messages behind their lengths, or the JSON that
/// Chakra's own tool makes of them. Throws InputError with the byte.
void read_chakra(std::string_view bytes, const std::string& file, const ChakraVisitor& visit);

/// Whether the nodes of a file stand in the order of their ids, and none is there twice.
bool chakra_in_order(std::string_view bytes, const std::string& file);

/// Whether a file begins like one.
bool begins_like_chakra(std::string_view beginning);

/// The process groups that a metadata node lists, by name; no ranks: all. Empty if it lists none.
std::map<std::string, std::vector<std::uint32_t>> chakra_groups(const ChakraNode& node);

}  // namespace heddle::traces
