// `heddle coll`: the algorithms of MPI's and NCCL's collectives.
#include <fmt/core.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "coll/nccl/tuning.hpp"
#include "coll/rules/rules.hpp"
#include "coll/rules/selector.hpp"
#include "core/units.hpp"
#include "report/table.hpp"

namespace heddle::cli {
namespace {

using coll::Collective;

std::vector<Collective> all_collectives() {
  std::vector<Collective> all;
  for (int i = 0; i < coll::kCollectives; ++i) all.push_back(static_cast<Collective>(i));
  return all;
}

/// The collectives that a name stands for: one, or all for an empty name.
std::vector<Collective> chosen(const std::string& name) {
  if (name.empty()) return all_collectives();
  if (const auto one = coll::collective_named(name)) return {*one};
  std::vector<std::string> names;
  for (const Collective one : all_collectives()) names.emplace_back(coll::name_of(one));
  throw InputError({}, fmt::format("there is no collective operation '{}'{}; accepted are {}", name,
                                   did_you_mean(name, names), joined(names)));
}

class ListCommand final : public Command {
 public:
  explicit ListCommand(CommandLine line) {
    line.add_option("operation", operation_, "such as allreduce; all if none is named")
        .type_name("NAME");
  }
  void run() override {
    report::Table table({{"operation"}, {"algorithm"}, {"about"}, {"where it does not fit"}});
    for (const Collective collective : chosen(operation_)) {
      for (const coll::AlgorithmEntry& one : coll::algorithms_of(collective)) {
        table.add({std::string(coll::name_of(collective)), std::string(one.name),
                   std::string(one.about), std::string(one.otherwise)});
      }
    }
    fmt::print(
        "{}\nChoose one with --set mpi.coll.OPERATION=ALGORITHM, or a library's rules with "
        "--set mpi.selector=NAME:\n",
        table.text());
    for (const coll::Library& library : coll::libraries()) {
      fmt::print("  {:<10}{}\n", library.name, library.about);
    }
    print_nccl();
  }

 private:
  /// Its operations have MPI's names, with one exception.
  void print_nccl() const {
    report::Table table({{"operation"}, {"algorithm"}, {"about"}, {"where it does not fit"}});
    int entries = 0;
    for (const coll::nccl::Entry& one : coll::nccl::entries()) {
      const std::string name(name_of(one.operation));
      const bool asked = operation_.empty() || operation_ == name ||
                         (operation_ == "bcast" && name == "broadcast");
      if (!asked) continue;
      table.add({name, std::string(name_of(one.algorithm)), std::string(one.about),
                 std::string(one.limits)});
      ++entries;
    }
    if (entries == 0) return;
    fmt::print(
        "\nNCCL's, for `heddle goal generate nccl`; `heddle coll nccl` says which it takes:\n{}",
        table.text());
  }

  std::string operation_;
};

/// What NCCL takes, by size.
class NcclChoiceCommand final : public Command {
 public:
  explicit NcclChoiceCommand(CommandLine line) {
    line.add_option("operation", operation_, "such as allreduce (default) or allgather")
        .type_name("NAME")
        .check(one_of({"allreduce", "allgather", "reduce_scatter", "broadcast", "reduce"}));
    line.add_option("--gpus", gpus_, "GPUs in all")
        .type_name("N")
        .check(whole_number(2, 1'000'000))
        .show_default();
    line.add_option("--gpus-per-node", per_node_, "GPUs of a node")
        .type_name("N")
        .check(whole_number(1, 1'000))
        .show_default();
    line.add_option("--gpu", gpu_, "volta, ampere, hopper or blackwell")
        .type_name("NAME")
        .check(one_of({"volta", "ampere", "hopper", "blackwell"}))
        .show_default();
  }
  void run() override {
    const coll::nccl::Cluster cluster = filled_in(asked());
    report::Table table({{"size", report::Align::right},
                         {"algorithm"},
                         {"protocol"},
                         {"time_us", report::Align::right}});
    constexpr std::int64_t kLeast = 1 << 10;
    constexpr std::int64_t kMost = std::int64_t{4} << 30;
    for (std::int64_t size = kLeast; size <= kMost; size *= 2) {
      const coll::nccl::Estimate best =
          choose(operation(), cluster, static_cast<std::uint64_t>(size));
      table.add({format_bytes(Bytes(size)), std::string(name_of(best.algorithm)),
                 std::string(name_of(best.protocol)), fmt::format("{:.1f}", best.microseconds)});
    }
    fmt::print("{} on {} GPUs of {} nodes, {} channels: what NCCL's own estimates choose\n\n{}",
               operation_, cluster.ranks, cluster.nodes, cluster.channels, table.text());
  }

 private:
  coll::nccl::Operation operation() const {
    using enum coll::nccl::Operation;
    for (const auto one : {allreduce, allgather, reduce_scatter, broadcast, reduce}) {
      if (name_of(one) == operation_) return one;
    }
    return allreduce;
  }
  coll::nccl::Cluster asked() const {
    const std::uint32_t per_node = std::min(per_node_, gpus_);
    if (gpus_ % per_node != 0) {
      throw InputError({"--gpus"}, fmt::format("{} GPUs do not fill nodes of {}", gpus_, per_node));
    }
    coll::nccl::Cluster cluster;
    cluster.ranks = gpus_;
    cluster.nodes = gpus_ / per_node;
    using enum coll::nccl::Gpu;
    cluster.gpu = gpu_ == "volta"    ? volta
                  : gpu_ == "ampere" ? ampere
                  : gpu_ == "hopper" ? hopper
                                     : blackwell;
    return cluster;
  }

  std::string operation_ = "allreduce";
  unsigned gpus_ = 8;
  unsigned per_node_ = 8;
  std::string gpu_ = "hopper";
};

CommandKind nccl_choice_command() {
  return {"nccl", "Say which algorithm and protocol NCCL takes, by size",
          "  heddle coll nccl --gpus 64                     # all-reduce, eight GPUs to a node\n"
          "  heddle coll nccl allgather --gpus 64 --gpu ampere",
          make_command<NcclChoiceCommand>};
}

CommandKind list_command() {
  return {"list", "List the algorithms, of one operation or of all",
          "  heddle coll list allreduce  # those of one operation", make_command<ListCommand>};
}

class CollCommand final : public CommandGroup {
 public:
  explicit CollCommand(CommandLine line)
      : CommandGroup(line, {list_command(), nccl_choice_command()}) {}
};

}  // namespace

CommandKind coll_command() {
  return {"coll", "Say which algorithms MPI's and NCCL's collectives have",
          "  heddle coll list            # every operation\n"
          "  heddle coll list allreduce  # those of one",
          make_command<CollCommand>};
}

}  // namespace heddle::cli
