// `heddle coll`: the algorithms of MPI's and NCCL's collectives.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "coll/nccl/tuning.hpp"
#include "coll/rules/rules.hpp"
#include "coll/rules/selector.hpp"
#include "core/units.hpp"
#include "report/table.hpp"
#include "traces/readers/collective_files.hpp"

namespace heddle::cli {
namespace {

using coll::Collective;

std::vector<Collective> all_collectives() {
  std::vector<Collective> all;
  for (int i = 0; i < coll::kCollectives; ++i) all.push_back(static_cast<Collective>(i));
  return all;
}

/// The collectives that names stand for; all for no names.
std::vector<Collective> chosen(const std::vector<std::string>& names) {
  if (names.empty()) return all_collectives();
  std::vector<Collective> all;
  for (const std::string& name : names) {
    if (const auto one = coll::collective_named(name)) {
      all.push_back(*one);
      continue;
    }
    std::vector<std::string> known;
    for (const Collective one : all_collectives()) known.emplace_back(coll::name_of(one));
    throw InputError({}, fmt::format("there is no collective operation and no file '{}'{}; "
                                     "accepted are {}",
                                     name, did_you_mean(name, known), joined(known)));
  }
  return all;
}

class ListCommand final : public Command {
 public:
  explicit ListCommand(CommandLine line) {
    line.add_option("what", what_,
                    "Operations such as allreduce, and files of algorithms; all operations if "
                    "nothing is named")
        .type_name("NAME|FILE");
    line.add_option("--bytes", bytes_,
                    "The whole buffer that files of sends and receives are written for: proves "
                    "that GPUs send and receive enough")
        .type_name("SIZE");
  }
  void run() override {
    for (const std::string& one : what_) {
      (std::filesystem::is_regular_file(one) ? files_ : operations_).push_back(one);
    }
    if (files_.empty() || !operations_.empty()) print_known();
    if (!files_.empty()) print_files();
  }

 private:
  void print_known() const {
    report::Table table({{"operation"}, {"algorithm"}, {"about"}, {"where it does not fit"}});
    for (const Collective collective : chosen(operations_)) {
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

  /// A file says what it is, or is what the one operation that is named does.
  void print_files() const {
    const std::optional<goal::CollectiveKind> named =
        operations_.size() == 1 ? goal::collective_kind_named(operations_[0]) : std::nullopt;
    std::optional<Bytes> bytes;
    if (!bytes_.empty()) {
      bytes = parse_bytes(bytes_);
      if (!bytes) throw InputError({"--bytes"}, "'" + bytes_ + "' is no size such as 1MiB");
    }
    report::Table table({{"operation"},
                         {"algorithm"},
                         {"GPUs", report::Align::right},
                         {"channels", report::Align::right},
                         {"format"},
                         {"proved"}});
    for (const std::string& path : files_) {
      const traces::CollectiveFile file = traces::look_at_collective(path, named, bytes);
      table.add({file.kind ? std::string(name_of(*file.kind)) : "-", file.name,
                 std::to_string(file.gpus), std::to_string(file.channels), file.format,
                 file.proved});
    }
    fmt::print("{}Of files, for --set collective.OPERATION=FILE:\n{}",
               operations_.empty() ? "" : "\n", table.text());
  }

  /// Its operations have MPI's names, with one exception.
  void print_nccl() const {
    report::Table table({{"operation"}, {"algorithm"}, {"about"}, {"where it does not fit"}});
    int entries = 0;
    for (const coll::nccl::Entry& one : coll::nccl::entries()) {
      const std::string name(name_of(one.operation));
      const bool asked = std::ranges::any_of(operations_, [&](const std::string& operation) {
        return operation == name || (operation == "bcast" && name == "broadcast");
      });
      if (!operations_.empty() && !asked) continue;
      table.add({name, std::string(name_of(one.algorithm)), std::string(one.about),
                 std::string(one.limits)});
      ++entries;
    }
    if (entries == 0) return;
    fmt::print(
        "\nNCCL's, for `heddle goal generate nccl`; `heddle coll nccl` says which it takes:\n{}",
        table.text());
  }

  std::vector<std::string> what_;
  std::vector<std::string> operations_;
  std::vector<std::string> files_;
  std::string bytes_;
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
  return {"list", "List the algorithms, of operations, of all, or of files",
          "  heddle coll list allreduce                  # those of one operation\n"
          "  heddle coll list ring.xml                   # an algorithm of MSCCL, which is proved\n"
          "  heddle coll list allreduce custom.0.et      # Chakra's, as what it is to be",
          make_command<ListCommand>};
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
