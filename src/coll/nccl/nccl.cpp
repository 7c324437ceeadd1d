#include "coll/nccl/nccl.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::coll::nccl {

std::string_view name_of(Operation operation) {
  constexpr std::string_view kNames[] = {"allreduce", "allgather", "reduce_scatter", "broadcast",
                                         "reduce"};
  return kNames[static_cast<std::size_t>(operation)];
}

std::string_view name_of(Algorithm algorithm) {
  constexpr std::string_view kNames[] = {"tree", "ring", "nvls", "nvls-tree", "pat"};
  return kNames[static_cast<std::size_t>(algorithm)];
}

std::string_view name_of(Protocol protocol) {
  constexpr std::string_view kNames[] = {"ll", "ll128", "simple"};
  return kNames[static_cast<std::size_t>(protocol)];
}

const std::vector<Entry>& entries() {
  using enum Algorithm;
  constexpr std::string_view kRing = "pieces round the ring, once for each phase";
  constexpr std::string_view kPat = "pieces gathered over halving distances, in log2 n steps";
  constexpr std::string_view kOne = "one GPU per node only";
  constexpr std::string_view kReducing = "nodes with node.inner_reduction only";
  static const std::vector<Entry> list = {
      {Operation::allreduce, ring, kRing, ""},
      {Operation::allreduce, tree, "two binary trees over nodes, chains inside, half the data each",
       ""},
      {Operation::allreduce, nvls, "reduced by the switch of a node", kReducing},
      {Operation::allreduce, nvls_tree, "the same, and a tree over nodes", kReducing},
      {Operation::allgather, ring, kRing, ""},
      {Operation::allgather, pat, kPat, kOne},
      {Operation::reduce_scatter, ring, kRing, ""},
      {Operation::reduce_scatter, pat, kPat, kOne},
      {Operation::broadcast, ring, "pieces down the chain", ""},
      {Operation::reduce, ring, "pieces up the chain", ""},
  };
  return list;
}

std::uint64_t wire_bytes(Protocol protocol, std::uint64_t data) {
  if (protocol == Protocol::ll) return 2 * data;
  if (protocol == Protocol::ll128) return (16 * data + 14) / 15;
  return data;
}

TreePlace first_tree(std::uint32_t me, std::uint32_t n) {
  TreePlace place;
  if (me == 0) {
    if (n > 1) place.children.push_back(std::bit_floor(n - 1));
    return place;
  }
  const std::uint32_t bit = me & -me;
  const std::uint32_t up = (me ^ bit) | (bit << 1);
  place.parent = up < n ? up : me ^ bit;
  if (bit == 1) return place;
  place.children.push_back(me - bit / 2);
  std::uint32_t step = bit / 2;
  while (step > 0 && me + step >= n) step /= 2;
  if (step > 0) place.children.push_back(me + step);
  return place;
}

TreePlace second_tree(std::uint32_t me, std::uint32_t n) {
  const auto there = [&](std::uint32_t i) { return n % 2 == 0 ? n - 1 - i : (i + n - 1) % n; };
  const auto back = [&](std::uint32_t i) { return n % 2 == 0 ? n - 1 - i : (i + 1) % n; };
  TreePlace place = first_tree(there(me), n);
  if (place.parent) place.parent = back(*place.parent);
  for (std::uint32_t& child : place.children) child = back(child);
  return place;
}

namespace {

constexpr std::uint64_t kStep = 512 << 10;     ///< Of Simple's buffer, which has eight.
constexpr std::uint64_t kLlData = 32 << 10;    ///< Of a step of LL.
constexpr std::uint64_t kLl128Data = 576'000;  ///< Of a step of LL128.

/// Chunks of trees get smaller until there are enough of them to fill the pipeline.
std::uint64_t tree_ll128_chunk(std::uint64_t bytes, std::uint32_t channels, std::uint32_t ranks,
                               std::uint32_t nodes) {
  const double per_node = static_cast<double>(ranks) / nodes;
  const double depth = 1 + std::log2(nodes) + 0.1 * per_node;
  std::uint64_t chunk = kLl128Data;
  const auto few = [&](double times) {
    return static_cast<double>(bytes) /
               (static_cast<double>(channels) * static_cast<double>(chunk)) <
           times * depth / per_node;
  };
  while (few(64) && chunk > 128 << 10) chunk /= 2;
  while (few(16) && chunk > 32 << 10) chunk /= 2;
  return chunk;
}

std::uint64_t pat_chunk(Operation operation, std::uint64_t bytes, std::uint32_t channels) {
  const std::uint64_t times = operation == Operation::allgather ? 32 : 16;
  std::uint64_t chunk = kStep;
  while (chunk * channels * times > bytes && chunk > 64 << 10) chunk /= 2;
  return chunk;
}

/// Of each GPU of a node; the smaller the less there is.
std::uint64_t nvls_chunk(std::uint64_t bytes, std::uint32_t channels, std::uint32_t gpus) {
  std::uint64_t chunk = 128 << 10;
  const auto at_most = [&](std::uint64_t times, std::uint64_t size) {
    if (bytes < times * channels * gpus * chunk) chunk = std::min(chunk, size);
  };
  at_most(64, 64 << 10);
  at_most(8, 32 << 10);
  at_most(2, 16 << 10);
  return chunk;
}

}  // namespace

Division division_of(Operation operation, Algorithm algorithm, Protocol protocol,
                     std::uint64_t bytes, std::uint32_t channels, std::uint32_t ranks,
                     std::uint32_t nodes) {
  const bool phases = operation != Operation::broadcast && operation != Operation::reduce;
  if (algorithm == Algorithm::pat) {
    const std::uint64_t chunk = pat_chunk(operation, bytes, channels);
    return {chunk, chunk};
  }
  if (is_nvls(algorithm)) {
    const std::uint64_t chunk = nvls_chunk(bytes, channels, ranks / nodes);
    return {chunk, chunk};
  }
  if (protocol == Protocol::ll) return {kLlData, kLlData};
  if (protocol == Protocol::ll128) {
    const std::uint64_t chunk =
        algorithm == Algorithm::tree ? tree_ll128_chunk(bytes, channels, ranks, nodes) : kLl128Data;
    return {chunk, chunk};
  }
  if (algorithm == Algorithm::ring && phases) return {4 * kStep, 2 * kStep};
  return {kStep, kStep};
}

}  // namespace heddle::coll::nccl
