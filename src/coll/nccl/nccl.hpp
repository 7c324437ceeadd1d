// What NCCL's collectives are made of: algorithms, protocols, trees.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::coll::nccl {

enum class Operation : std::uint8_t { allreduce, allgather, reduce_scatter, broadcast, reduce };
enum class Algorithm : std::uint8_t { tree, ring, nvls, nvls_tree, pat };
enum class Protocol : std::uint8_t { ll, ll128, simple };
/// Whether switches inside nodes reduce and multicast.
constexpr bool is_nvls(Algorithm algorithm) {
  return algorithm == Algorithm::nvls || algorithm == Algorithm::nvls_tree;
}
std::string_view name_of(Operation operation);
std::string_view name_of(Algorithm algorithm);
std::string_view name_of(Protocol protocol);

/// A way to carry out an operation.
struct Entry {
  Operation operation;
  Algorithm algorithm;
  std::string_view about;
  std::string_view limits;  ///< Where it does not fit, or "".
};
/// All there are, by operation.
const std::vector<Entry>& entries();

/// Bytes on the wire for so many of data: LL sends a flag with every four, LL128 one line in 16.
std::uint64_t wire_bytes(Protocol protocol, std::uint64_t data);

/// Who GPUs, or nodes, exchange data with in a tree.
struct TreePlace {
  std::optional<std::uint32_t> parent;  ///< None: the root.
  std::vector<std::uint32_t> children;
};
/// The first of the two binary trees over `n`, in which every second one is a leaf.
TreePlace first_tree(std::uint32_t me, std::uint32_t n);
/// The second: the leaves of the first are inside. A mirror if `n` is even, else shifted by one.
TreePlace second_tree(std::uint32_t me, std::uint32_t n);

/// Data that is sent as one, in a channel that has its share of `bytes` in all.
struct Division {
  std::uint64_t chunk;
  std::uint64_t slice;  ///< Chunks are sent in such pieces.
};
/// `ranks` on `nodes`.
Division division_of(Operation operation, Algorithm algorithm, Protocol protocol,
                     std::uint64_t bytes, std::uint32_t channels, std::uint32_t ranks,
                     std::uint32_t nodes);

}  // namespace heddle::coll::nccl
