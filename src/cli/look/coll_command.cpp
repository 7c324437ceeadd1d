// `heddle coll`: the algorithms of MPI's collectives.
#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "coll/rules/rules.hpp"
#include "coll/rules/selector.hpp"
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
  }

 private:
  std::string operation_;
};

CommandKind list_command() {
  return {"list", "List the algorithms, of one operation or of all",
          "  heddle coll list allreduce  # those of one operation", make_command<ListCommand>};
}

class CollCommand final : public CommandGroup {
 public:
  explicit CollCommand(CommandLine line) : CommandGroup(line, {list_command()}) {}
};

}  // namespace

CommandKind coll_command() {
  return {"coll", "Say which algorithms MPI's collectives have",
          "  heddle coll list            # every operation\n"
          "  heddle coll list allreduce  # those of one",
          make_command<CollCommand>};
}

}  // namespace heddle::cli
