// `heddle setup`: what Heddle builds on the machine it is used on.
#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/run/openmpi_options.hpp"

namespace heddle::cli {
namespace {

class OpenMpiCommand final : public Command {
 public:
  explicit OpenMpiCommand(CommandLine) {}
  void run() override { fmt::print("{}\n", openmpi_components()); }
};

CommandKind openmpi_command() {
  return {
      "openmpi",
      "Build the Portals 4 components that the installed Open MPI lacks, from its source package",
      "  heddle setup openmpi  # once; `heddle mpirun` does it, too", make_command<OpenMpiCommand>};
}

class SetupCommand final : public CommandGroup {
 public:
  explicit SetupCommand(CommandLine line) : CommandGroup(line, {openmpi_command()}) {}
};

}  // namespace

CommandKind setup_command() {
  return {"setup", "Build what running other people's programs takes",
          "  heddle setup openmpi  # for `heddle mpirun`", make_command<SetupCommand>};
}

}  // namespace heddle::cli
