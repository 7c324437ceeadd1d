#include <algorithm>
#include <charconv>

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

/// Whether the nodes are such as a switch inside them reduces for.
void check_switches(const NcclPlan& plan) {
  constexpr std::uint32_t kMostPorts = 128;  // An adapter of a schedule's rank each.
  const std::uint32_t per_node = plan.ranks / plan.nodes;
  if (per_node < 2 || per_node > kMostPorts) {
    throw ParamError({"nccl.ranks_per_node"},
                     fmt::format("{} is for nodes of several GPUs: accepted are 2 to {}",
                                 name_of(plan.algorithm), kMostPorts));
  }
  const bool several = plan.nodes > 1;
  if (several == (plan.algorithm == Algorithm::nvls_tree)) return;
  throw ParamError({"nccl.algorithm"},
                   fmt::format("{} is for {}: accepted is {}", name_of(plan.algorithm),
                               several ? "one node" : "several nodes",
                               name_of(several ? Algorithm::nvls_tree : Algorithm::nvls)));
}

void check_choice(const NcclPlan& plan, bool protocol_given) {
  if (!has_entry(plan.operation, plan.algorithm)) {
    throw ParamError({"nccl.algorithm"},
                     fmt::format("{} has no {}", name_of(plan.operation), name_of(plan.algorithm)));
  }
  const bool simple_only = plan.algorithm == Algorithm::pat || is_nvls(plan.algorithm);
  if (simple_only && protocol_given && plan.protocol != Protocol::simple) {
    throw ParamError({"nccl.protocol"},
                     fmt::format("{} has one only: accepted is simple", name_of(plan.algorithm)));
  }
  if (plan.algorithm == Algorithm::pat && plan.nodes != plan.ranks) {
    throw ParamError({"nccl.ranks_per_node"}, "pat is for one GPU per node: accepted is 1");
  }
  if (is_nvls(plan.algorithm)) check_switches(plan);
}

/// The shortest of those that agree with what was given.
coll::nccl::Estimate choice(const NcclConfig& c, const coll::nccl::Cluster& cluster,
                            std::uint64_t bytes) {
  std::optional<coll::nccl::Estimate> best;
  for (const coll::nccl::Estimate& one : estimates(c.operation, cluster, bytes)) {
    const bool open = c.inner_reduction || !is_nvls(one.algorithm);
    if (c.algorithm ? one.algorithm != *c.algorithm : !open) continue;
    if (c.protocol && one.protocol != *c.protocol) continue;
    if (!best || one.microseconds < best->microseconds) best = one;
  }
  if (best) return *best;
  return {c.algorithm.value_or(Algorithm::ring), c.protocol.value_or(Protocol::simple), 0};
}

constexpr std::string_view kSwitchesNote = "// switches inside nodes, the last ranks: ";

}  // namespace

std::string switches_note(const NcclPlan& plan) {
  return plan.switches() == 0 ? "" : fmt::format("{}{}\n", kSwitchesNote, plan.switches());
}

std::uint32_t noted_switches(std::string_view text) {
  if (!text.starts_with(kSwitchesNote)) return 0;
  text.remove_prefix(kSwitchesNote.size());
  std::uint32_t switches = 0;
  std::from_chars(text.data(), text.data() + text.size(), switches);
  return switches;
}

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
                 "how; auto: what NCCL's estimates find shortest");
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
    t.add("inner_reduction", &C::inner_reduction, "no", {},
          "switches inside nodes reduce and multicast: auto may choose nvls and nvls-tree, whose "
          "schedules have a rank for each switch and need machines with node.inner_reduction");
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
