// `heddle platforms`: the machines that come with the program.
#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "core/units.hpp"
#include "report/table.hpp"

namespace heddle::cli {
namespace {

/// The cable most messages enter the fabric by: the first one.
const platform::LinkParams* first_cable(const platform::Platform& platform) {
  return platform.topology().cables() == 0 ? nullptr : &platform.cable(0);
}

std::string link_text(const platform::Platform& platform) {
  const platform::LinkParams* cable = first_cable(platform);
  return cable ? format_bandwidth(cable->bandwidth) : "";
}

report::Json to_json(const Machine& machine) {
  const platform::Platform& platform = *machine.platform;
  report::Json entry = {{"name", machine.description.name},
                        {"about", machine.description.about},
                        {"nodes", platform.nodes()},
                        {"switches", platform.topology().switches()},
                        {"topology", platform.topology().describe()}};
  if (const platform::LinkParams* cable = first_cable(platform)) {
    report::put(entry, "link_bandwidth", cable->bandwidth);
    report::put(entry, "link_latency", cable->latency);
  }
  return entry;
}

class PlatformsCommand final : public Command {
 public:
  explicit PlatformsCommand(CommandLine line) { output_.add_to(line); }

  void run() override {
    output_.open();
    report::Table table({{"platform"},
                         {"nodes", report::Align::right},
                         {"switches", report::Align::right},
                         {"link", report::Align::right},
                         {"about"}});
    report::Json document = report::new_document("heddle.platforms/1");
    document["platforms"] = report::Json::array();
    for (const auto& builtin : platform::builtin_machines()) {
      const Machine machine = read_machine(std::string(builtin.name));
      const platform::Platform& platform = *machine.platform;
      table.add({std::string(builtin.name), std::to_string(platform.nodes()),
                 std::to_string(platform.topology().switches()), link_text(platform),
                 builtin.about});
      document["platforms"].push_back(to_json(machine));
    }
    if (output_.text_wanted()) fmt::print("{}", table.text());
    output_.write_json([&] { return document; });
    output_.finish();
  }

 private:
  OutputOptions output_;
};

}  // namespace

CommandKind platforms_command() {
  return {"platforms", "List the machines that come with the program",
          "  heddle platforms           # one line each\n"
          "  heddle platforms --json -  # for programs",
          make_command<PlatformsCommand>};
}

}  // namespace heddle::cli
