// `heddle design`: which fabric to build.
#include <fmt/core.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/design/design_simulation.hpp"
#include "core/forked_tasks.hpp"
#include "goal/formats/formats.hpp"
#include "network/network.hpp"
#include "report/design/design_report.hpp"
#include "report/topology_svg.hpp"
#include "traffic/traffic_config.hpp"

namespace heddle::cli {
namespace {

/// Does `work(i)` for all i below `count` on up to `jobs` threads; throws what the first of them,
/// in the order of i, threw.
void on_threads(std::size_t count, std::size_t jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> errors(count);
  const auto loop = [&] {
    for (std::size_t i; (i = next++) < count;) {
      try {
        work(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t j = 1; j < std::min(jobs, count); ++j) threads.emplace_back(loop);
    loop();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

class DesignCommand final : public Command {
 public:
  explicit DesignCommand(CommandLine line) {
    line.add_option("--nodes", nodes_, "Nodes that the fabric has at least")
        .type_name("N")
        .check(whole_number(2, 1'000'000))
        .required();
    line.add_option("--radix", radix_, "Ports that a switch has at most")
        .type_name("K")
        .check(whole_number(3, 1024))
        .required();
    line.add_option("--prices", prices_,
                    "Table of prices: a YAML file, or the published slim-fly-2014")
        .type_name("PRICES")
        .check(not_empty());
    line.add_option("--fail", failures_, "Share of the cables that resilience is counted with")
        .type_name("SHARE")
        .check(not_empty())
        .show_default();
    line.add_option("--kinds", kinds_, "Only these kinds of topology, with commas between")
        .type_name("KIND,...")
        .delimiter(',')
        .check(one_of(platform::topology_kind_names()));
    line.add_option("--patterns", patterns_,
                    "Simulate traffic of these patterns, with commas between: those of `heddle "
                    "traffic`, and worst-shift, the shift that loads a design most")
        .type_name("PATTERN,...")
        .delimiter(',')
        .check(one_of(pattern_names()));
    line.add_option("--schedule", schedule_,
                    "Replay this schedule (GOAL) on each design: when its last rank has ended")
        .type_name("FILE")
        .check(not_empty());
    line.add_option("--set", assignments_, "Set a parameter, such as link.bandwidth=400Gbps")
        .type_name("SECTION.NAME=VALUE")
        .one_at_a_time();
    line.add_option("-j,--jobs", jobs_, "Designs looked at side by side (default: all cores)")
        .type_name("N")
        .check(whole_number(1, 1024));
    output_.add_file(line, "--csv", "Write the table as CSV");
    output_.add_file(line, "--page", "Write a page (HTML) with table, plot and drawings");
    output_.add_to(line);
  }

  void run() override {
    output_.open();
    for (const std::string& input : {prices_, schedule_}) {
      if (!input.empty()) output_.keep_off({input});
    }
    Settings settings(all_sections());
    assign_all(settings, assignments_);
    std::optional<goal::Schedule> schedule;
    if (!schedule_.empty()) schedule = goal::read_schedule(schedule_, {});
    report::DesignReport report{nodes_, radix_, failures_, prices_, {}, {}, {}};
    report.designs = designs();
    evaluate(settings, report);
    report.front = platform::pareto_front(report.figures);
    if (!patterns_.empty() || schedule) simulate(settings, schedule, report);
    const bool page = output_.file("--page") != nullptr;
    const std::string html = page ? page_of(report, drawings(settings, report)) : "";
    output_.write_json([&] { return json_of(report); });
    output_.write("--csv", [&] { return csv_of(report); });
    output_.write("--page", [&] { return html; });
    if (output_.text_wanted()) fmt::print("{}", text_of(report));
    output_.finish();
  }

 private:
  std::vector<platform::FabricDesign> designs() const {
    std::vector<platform::FabricDesign> list = platform::fitting_designs(nodes_, radix_);
    if (!kinds_.empty()) {
      std::erase_if(list, [this](const platform::FabricDesign& design) {
        return std::ranges::find(kinds_, design.kind) == kinds_.end();
      });
    }
    if (!list.empty()) return list;
    throw InputError({"--radix"},
                     fmt::format("no shape{} joins {} nodes by switches of {} ports: accepted are "
                                 "fewer nodes, more ports or other kinds",
                                 kinds_.empty() ? "" : " of these kinds", nodes_, radix_));
  }

  static std::vector<std::string> pattern_names() {
    const ParamSection& traffic = traffic::traffic_table();
    std::vector<std::string> names = traffic.params()[*traffic.find("pattern")].choices;
    std::erase(names, "file");
    names.emplace_back(kWorstShift);
    return names;
  }

  std::size_t jobs() const { return jobs_ > 0 ? jobs_ : ForkedTasks::cores(); }

  void simulate(Settings settings, const std::optional<goal::Schedule>& schedule,
                report::DesignReport& report) const {
    assign_simulation(settings);
    report.network = settings.get(network::network_choice_table()).model;
    report.patterns = patterns_;
    const auto note = [&report](std::size_t design, const std::string& what,
                                const SimulatedFigure& figure) {
      if (figure.problem.empty()) return;
      report.problems.push_back(
          fmt::format("{} under {}: {}", report.designs[design].name, what, figure.problem));
    };
    const auto loads =
        simulate_designs(report.designs, report.figures, patterns_, settings, jobs());
    for (std::size_t i = 0; i < loads.size(); ++i) {
      auto& row = report.simulated.emplace_back();
      for (std::size_t p = 0; p < patterns_.size(); ++p) {
        row.push_back(loads[i][p].value);
        note(i, patterns_[p], loads[i][p]);
      }
    }
    if (!schedule) return;
    report.schedule = schedule_;
    const auto times = replay_on_designs(report.designs, *schedule, settings, jobs());
    for (std::size_t i = 0; i < times.size(); ++i) {
      report.replayed.push_back(times[i].value);
      note(i, schedule_, times[i]);
    }
  }

  void evaluate(const Settings& settings, report::DesignReport& report) const {
    const std::optional<platform::Prices> prices =
        prices_.empty() ? std::nullopt : std::optional(platform::read_prices(prices_));
    const platform::DesignQuestion question{
        &settings, prices ? &*prices : nullptr, failures_, {"--fail"}};
    report.figures.resize(report.designs.size());
    on_threads(report.designs.size(), jobs(), [&](std::size_t i) {
      report.figures[i] = platform::figures_of(report.designs[i], question);
    });
  }

  std::vector<std::string> drawings(const Settings& settings,
                                    const report::DesignReport& report) const {
    constexpr std::uint32_t kMostCables = 20'000;  // A page of more is slow to look at.
    std::vector<std::string> list(report.designs.size());
    on_threads(list.size(), jobs(), [&](std::size_t i) {
      if (report.figures[i].cables > kMostCables) return;
      Settings own = settings;
      report.designs[i].apply(own);
      platform::MachineDescription machine;
      machine.name = report.designs[i].name;
      list[i] = report::topology_svg(*platform::build_platform(machine, own));
    });
    return list;
  }

  std::uint64_t nodes_ = 0;
  std::uint64_t radix_ = 0;
  std::string prices_;
  std::string failures_ = "1%";
  std::vector<std::string> kinds_;
  std::vector<std::string> patterns_;
  std::string schedule_;
  std::vector<std::string> assignments_;
  std::uint64_t jobs_ = 0;
  OutputOptions output_;
};

}  // namespace

CommandKind design_command() {
  return {"design", "Compare all fabrics of so many nodes and ports: cost, load, resilience",
          "  heddle design --nodes 128 --radix 16                         # a table\n"
          "  heddle design --nodes 200 --radix 16 --prices slim-fly-2014  # with cost and power\n"
          "  heddle design --nodes 30 --radix 10 --patterns uniform,worst-shift  # simulated, too\n"
          "  heddle design --nodes 64 --radix 16 --schedule app.goal      # how long it takes\n"
          "  heddle design --nodes 64 --radix 16 --page designs.html      # with drawings\n"
          "  heddle design --nodes 64 --radix 16 --set link.bandwidth=400Gbps --csv designs.csv",
          make_command<DesignCommand>};
}

}  // namespace heddle::cli
