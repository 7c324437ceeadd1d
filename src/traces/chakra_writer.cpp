#include "traces/chakra_writer.hpp"

#include <algorithm>
#include <vector>

#include "core/error.hpp"

namespace heddle::traces {
namespace {

// The wire format of protobuf.

std::string chakra_varint(std::uint64_t n) {
  std::string out;
  for (; n >= 0x80; n >>= 7) out += static_cast<char>(n | 0x80);
  out += static_cast<char>(n);
  return out;
}
std::string chakra_number(std::uint32_t field, std::uint64_t value) {
  return chakra_varint(std::uint64_t{field} << 3) + chakra_varint(value);
}
std::string chakra_bytes(std::uint32_t field, const std::string& bytes) {
  return chakra_varint(std::uint64_t{field} << 3 | 2) + chakra_varint(bytes.size()) + bytes;
}

// Fields of the schema.
constexpr std::uint32_t kUint64 = 13;
constexpr std::uint32_t kBool = 27;

std::string chakra_attribute(const std::string& name, std::uint32_t kind, std::uint64_t value) {
  return chakra_bytes(10, chakra_bytes(1, name) + chakra_number(kind, value));
}

/// The node of one operation. Ids count from 1: 0 is left out by some readers.
std::string node_of_op(const goal::Op& op, std::uint32_t id,
                       const std::vector<std::uint32_t>& before, Time unit) {
  constexpr std::uint64_t kTypes[] = {5, 6, 4};  // By OpKind.
  constexpr const char* kNames[] = {"send", "recv", "calc"};
  const auto kind = static_cast<std::size_t>(op.kind);
  std::string packed;
  for (const std::uint32_t earlier : before) packed += chakra_varint(earlier + 1);
  std::string node =
      chakra_number(1, id + 1) + chakra_bytes(2, kNames[kind]) + chakra_number(3, kTypes[kind]);
  if (!packed.empty()) node += chakra_bytes(5, packed);
  if (op.kind == goal::OpKind::calc) {
    const std::uint64_t ps = op.value * static_cast<std::uint64_t>(unit.ps());
    return node + chakra_number(7, (ps + 500'000) / 1'000'000) +
           chakra_attribute("is_cpu_op", kBool, 0) +
           chakra_attribute("duration_picos", kUint64, ps);
  }
  const bool sends = op.kind == goal::OpKind::send;
  return node + chakra_attribute(sends ? "comm_dst" : "comm_src", kUint64, op.peer) +
         chakra_attribute("comm_tag", kUint64, op.tag) +
         chakra_attribute("comm_size", kUint64, op.value) + chakra_attribute("is_cpu_op", kBool, 0);
}

/// What each operation waits for.
std::vector<std::vector<std::uint32_t>> predecessors_of(const goal::RankView& rank) {
  std::vector<std::vector<std::uint32_t>> before(rank.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> of_starts;
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    for (const goal::Edge edge : rank.successors(i)) {
      if (edge.from_start) {
        of_starts.emplace_back(edge.target, i);
      } else {
        before[edge.target].push_back(i);
      }
    }
  }
  // What an operation waits for has happened when it starts.
  for (const auto& [later, started] : of_starts) {
    before[later].insert(before[later].end(), before[started].begin(), before[started].end());
  }
  return before;
}

}  // namespace

std::string chakra_file_of(const goal::Schedule& schedule, std::uint32_t rank, Time unit) {
  const goal::RankView view = schedule.rank(rank);
  std::vector<std::vector<std::uint32_t>> before = predecessors_of(view);
  const std::string metadata = chakra_bytes(1, "0.0.4");
  std::string file = chakra_varint(metadata.size()) + metadata;
  for (std::uint32_t i = 0; i < view.size(); ++i) {
    const goal::Op op = view.op(i);
    if (op.kind == goal::OpKind::recv && (op.peer == goal::kAnySource || op.tag == goal::kAnyTag)) {
      throw InputError({schedule.source()}, schedule.describe(rank, i) +
                                                " receives from any rank or any tag, which Chakra "
                                                "traces do not have");
    }
    std::vector<std::uint32_t>& earlier = before[i];
    std::sort(earlier.begin(), earlier.end());
    earlier.erase(std::unique(earlier.begin(), earlier.end()), earlier.end());
    const std::string node = node_of_op(op, i, earlier, unit);
    file += chakra_varint(node.size()) + node;
  }
  return file;
}

}  // namespace heddle::traces
