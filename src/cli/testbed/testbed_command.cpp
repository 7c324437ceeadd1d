// `heddle testbed`: a small real network, and what is predicted of it.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "core/error.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

/// Beside the program in a build, in a folder of its own where it is installed.
std::string script(const fs::path& program) {
  for (const fs::path folder : {"testbed", "../lib/heddle/testbed"}) {
    const fs::path place = program.parent_path() / folder / "testbed";
    if (fs::exists(place)) return place.string();
  }
  throw RunError("the testbed is not installed with " + program.string());
}

class TestbedCommand final : public Command {
 public:
  explicit TestbedCommand(CommandLine line) {
    line.add_option("--topology", topologies_,
                    "One switch, or two leaves with half of the bandwidth\nbetween them (or both)")
        .type_name("star|tree")
        .check(one_of({"star", "tree"}))
        .one_at_a_time();
    line.add_option("--eager", eager_, "All messages at once, or Open MPI's own limit (or both)")
        .type_name("eager|default")
        .check(one_of({"eager", "default"}))
        .one_at_a_time();
    line.add_option("--network", networks_, "Model to predict by: queue, fluid, packet (or all)")
        .type_name("MODEL")
        .check(one_of({"queue", "fluid", "packet"}))
        .one_at_a_time();
    line.add_option("--set", settings_, "A parameter for predictions with Open MPI's own limit")
        .type_name("NAME=VALUE")
        .check(not_empty())
        .one_at_a_time();
    line.add_option("--native", native_, "The folder of recorded figures")
        .type_name("FOLDER")
        .check(not_empty());
    line.add_flag("--recorded", recorded_, "Build no network: use what was recorded");
    line.add_flag("--record", record_, "Write what is measured to the folder of --native");
    line.add_flag("--quick", quick_, "Two sizes instead of seven");
    line.add_flag("--rows", rows_, "Print rows for the page of validation as well");
  }

  void run() override {
    const fs::path self = fs::read_symlink("/proc/self/exe");
    std::vector<std::string> words = {"python3", script(self)};
    const auto add = [&](const char* option, const std::vector<std::string>& values) {
      for (const std::string& value : values) words.insert(words.end(), {option, value});
    };
    add("--topology", topologies_);
    add("--eager", eager_);
    add("--network", networks_);
    add("--set", settings_);
    if (!native_.empty()) add("--native", {native_});
    if (recorded_) words.emplace_back("--recorded");
    if (record_) words.emplace_back("--record");
    if (quick_) words.emplace_back("--quick");
    if (rows_) words.emplace_back("--rows");
    setenv("HEDDLE", self.c_str(), 1);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    throw RunError(std::string("cannot start python3, which the testbed needs: ") +
                   std::strerror(errno));
  }

 private:
  std::vector<std::string> topologies_;
  std::vector<std::string> eager_;
  std::vector<std::string> networks_;
  std::vector<std::string> settings_;
  std::string native_;
  bool recorded_ = false;
  bool record_ = false;
  bool quick_ = false;
  bool rows_ = false;
};

}  // namespace

CommandKind testbed_command() {
  return {"testbed", "Build a small real network, and compare it with what is predicted",
          "  heddle testbed                            # all, in a quarter of an hour; needs root\n"
          "  heddle testbed --quick --topology star    # two sizes on one switch\n"
          "  heddle testbed --recorded                 # without a network, from recorded figures",
          make_command<TestbedCommand>};
}

}  // namespace heddle::cli
