// `heddle jobs`: what jobs that share a machine do to each other.
#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/progress_line.hpp"
#include "cli/shorthand_options.hpp"
#include "network/network.hpp"
#include "report/jobs/jobs_report.hpp"
#include "run/jobs/job_run.hpp"

namespace heddle::cli {
namespace {

class JobsCommand final : public Command {
 public:
  explicit JobsCommand(CommandLine line) {
    line.add_option("list", list_,
                    "Jobs, one per line: arrival=TIME ranks=N pattern=NAME or schedule=FILE,\n"
                    "placement=contiguous, random, by-switch or by-group, pattern.size=...")
        .type_name("FILE")
        .required();
    machine_.add_to(line);
    short_.add_to(line, {{"--network", "network.model", "MODEL", network_help(), {}, false}});
    line.add_option("--seed", seed_, "Seed of random placement and of random routes")
        .type_name("N")
        .check(whole_number(0, 1'000'000'000));
    output_.add_file(line, "--csv", "Write a line per job as CSV");
    output_.add_to(line);
  }

  void run() override {
    output_.open();
    machine_.uses({"jobs",
                   true,
                   {"network", "replay.time_unit", "replay.rendezvous", "pattern", "noise.seed",
                    "loggops.o", "loggops.g", "loggops.G", "loggops.O"}});
    const Machine machine = machine_.read([this](Settings& settings) {
      short_.assign(settings);
      if (!seed_.empty()) assign_short(settings, "noise.seed", seed_, "--seed");
    });
    std::vector<std::string> files = machine.files();
    files.push_back(list_);
    output_.keep_off(files);
    if (machine_.print_config()) return fmt::print("{}", machine.config());
    with_places(machine.settings, [&] { print(machine); });
  }

 private:
  void print(const Machine& machine) {
    report::JobsReport report;
    report.machine = &machine;
    report.network = machine.settings.get(network::network_choice_table()).model;
    report.list = list_;
    report.jobs = run::read_job_list(list_);
    ProgressLine line("jobs");
    report.mix = run::run_jobs(machine, report.jobs, [&](double done) { line.update(done, 0); });
    output_.write("--csv", [&] { return csv_of(report); });
    output_.write_json([&] { return json_of(report); });
    if (output_.text_wanted()) fmt::print("{}", text_of(report));
    output_.finish();
  }

  std::string list_;
  std::string seed_;
  MachineOptions machine_;
  ShorthandOptions short_;
  OutputOptions output_;
};

}  // namespace

CommandKind jobs_command() {
  return {"jobs", "Jobs that share a machine: when each starts, and how much others slow it",
          "  heddle jobs day.jobs -p fat-tree-64                     # a table\n"
          "  heddle jobs day.jobs -p dragonfly-72 --network packet   # packet by packet\n"
          "  heddle jobs day.jobs -p dragonfly-72 --csv day.csv      # with the nodes of each",
          make_command<JobsCommand>};
}

}  // namespace heddle::cli
