#include <algorithm>

#include <fmt/core.h>

#include "goal/nccl/nccl_pattern.hpp"

namespace heddle::goal {
namespace {

using coll::nccl::Algorithm;
using coll::nccl::Gpu;
using coll::nccl::Operation;
using coll::nccl::Protocol;

template <class E>
using Words = std::vector<std::pair<std::string, E>>;

/// "auto" and the names of these.
template <class E>
Words<std::optional<E>> open_or(std::initializer_list<E> values) {
  Words<std::optional<E>> words = {{"auto", std::nullopt}};
  for (const E value : values) words.emplace_back(std::string(name_of(value)), value);
  return words;
}

bool has_entry(Operation operation, Algorithm algorithm) {
  const auto& all = coll::nccl::entries();
  return std::any_of(all.begin(), all.end(), [&](const coll::nccl::Entry& entry) {
    return entry.operation == operation && entry.algorithm == algorithm;
  });
}

void check_choice(const NcclPlan& plan, bool protocol_given) {
  if (!has_entry(plan.operation, plan.algorithm)) {
    throw ParamError({"nccl.algorithm"},
                     fmt::format("{} has no {}", name_of(plan.operation), name_of(plan.algorithm)));
  }
  if (plan.algorithm == Algorithm::nvls || plan.algorithm == Algorithm::nvls_tree) {
    throw ParamError({"nccl.algorithm"},
                     fmt::format("{} reduces in the switch, which is no rank of a schedule: "
                                 "accepted are ring, tree and pat",
                                 name_of(plan.algorithm)));
  }
  if (plan.algorithm != Algorithm::pat) return;
  if (plan.nodes != plan.ranks) {
    throw ParamError({"nccl.ranks_per_node"}, "pat is for one GPU per node: accepted is 1");
  }
  if (protocol_given && plan.protocol != Protocol::simple) {
    throw ParamError({"nccl.protocol"}, "pat has one only: accepted is simple");
  }
}

/// The shortest of those that agree with what was given.
coll::nccl::Estimate choice(const NcclConfig& c, const coll::nccl::Cluster& cluster,
                            std::uint64_t bytes) {
  std::optional<coll::nccl::Estimate> best;
  for (const coll::nccl::Estimate& one : estimates(c.operation, cluster, bytes)) {
    const bool switches = one.algorithm == Algorithm::nvls || one.algorithm == Algorithm::nvls_tree;
    if (c.algorithm ? one.algorithm != *c.algorithm : switches) continue;
    if (c.protocol && one.protocol != *c.protocol) continue;
    if (!best || one.microseconds < best->microseconds) best = one;
  }
  if (best) return *best;
  return {c.algorithm.value_or(Algorithm::ring), c.protocol.value_or(Protocol::simple), 0};
}

}  // namespace

const ParamTable<NcclConfig>& nccl_table() {
  static const auto table = [] {
    using C = NcclConfig;
    ParamTable<C> t("nccl", "a collective of NCCL, as a generated schedule (pattern nccl)");
    t.add_choice("operation", &C::operation, "allreduce",
                 {{"allreduce", Operation::allreduce},
                  {"allgather", Operation::allgather},
                  {"reduce_scatter", Operation::reduce_scatter},
                  {"broadcast", Operation::broadcast},
                  {"reduce", Operation::reduce}},
                 "what is done");
    t.add_choice("algorithm", &C::algorithm, "auto",
                 open_or({Algorithm::ring, Algorithm::tree, Algorithm::pat, Algorithm::nvls,
                          Algorithm::nvls_tree}),
                 "how; auto: what NCCL's estimates find shortest of those that have a schedule");
    t.add_choice("protocol", &C::protocol, "auto",
                 open_or({Protocol::ll, Protocol::ll128, Protocol::simple}),
                 "how data and flags are sent; auto: as for the algorithm");
    t.add("ranks", &C::ranks, "8", {"2", "1000000"}, "GPUs");
    t.add("ranks_per_node", &C::ranks_per_node, "8", {"1", "1000"}, "GPUs of a node");
    t.add("size", &C::size, "1MiB", {"1", "1TiB"},
          "bytes of the whole buffer: what each GPU has in the end, or had at first");
    t.add("channels", &C::channels, "auto", {"1", "64"},
          "parts of the data that go ways of their own; auto: as many as such nodes have");
    t.add_choice("gpu", &C::gpu, "hopper",
                 {{"volta", Gpu::volta},
                  {"ampere", Gpu::ampere},
                  {"hopper", Gpu::hopper},
                  {"blackwell", Gpu::blackwell}},
                 "kind of GPU, for the estimates");
    t.add("amd", &C::amd, "no", {}, "processors are AMD's, for the estimates");
    return t;
  }();
  return table;
}

NcclPlan plan_of(const NcclConfig& c) {
  const std::int64_t per_node = std::min(c.ranks_per_node, c.ranks);
  if (c.ranks % per_node != 0) {
    throw ParamError({"nccl.ranks", "nccl.ranks_per_node"},
                     fmt::format("{} GPUs do not fill nodes of {}", c.ranks, per_node));
  }
  const auto ranks = static_cast<std::uint32_t>(c.ranks);
  const auto nodes = static_cast<std::uint32_t>(c.ranks / per_node);
  coll::nccl::Cluster cluster{ranks, nodes, c.gpu, 0, 0, 0, c.amd};
  cluster.channels = static_cast<std::uint32_t>(c.channels.value_or(0));
  cluster = filled_in(cluster);
  const auto bytes = static_cast<std::uint64_t>(c.size.count());
  const coll::nccl::Estimate best = choice(c, cluster, bytes);
  NcclPlan plan{c.operation, best.algorithm,   best.protocol, ranks,
                nodes,       cluster.channels, bytes,         {}};
  check_choice(plan, c.protocol.has_value());
  plan.division = division_of(plan.operation, plan.algorithm, plan.protocol, bytes, plan.channels,
                              ranks, nodes);
  return plan;
}

}  // namespace heddle::goal
