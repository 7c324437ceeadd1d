// `heddle traffic`: synthetic traffic on a machine.
#include <fmt/core.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/held_signals.hpp"
#include "cli/progress_line.hpp"
#include "cli/shorthand_options.hpp"
#include "core/forked_tasks.hpp"
#include "core/units.hpp"
#include "network/links/links_config.hpp"
#include "platform/node_names.hpp"
#include "report/page.hpp"
#include "report/traffic/flow_report.hpp"
#include "report/traffic/received_plot.hpp"
#include "report/traffic/traffic_page.hpp"
#include "report/traffic/traffic_report.hpp"

namespace heddle::cli {
namespace {

constexpr const char* kHint =
    "\nTry  heddle traffic --pattern incast --messages 10      # who waits for whom\n"
    "     heddle traffic --pattern tornado --svg curve.svg    # draw the curve\n"
    "     heddle traffic --network fluid --load 0.5           # another model of the network\n"
    "     heddle platforms                                    # other machines\n";

const std::vector<Shorthand>& shorthands() {
  static const std::vector<Shorthand> list = {
      {"--network",
       "network.model",
       "MODEL",
       network_help() + ";\nlinks: each link alone, for millions of flows",
       {},
       false},
      {"--pattern", "traffic.pattern", "NAME", "Who sends to whom"},
      {"--size", "traffic.size", "SIZE",
       "Size of messages: 4KiB, uniform:64B:64KiB, web-search, ..."},
      {"--size-file", "traffic.size_file", "FILE", "Sizes as a file distributes them", {}, false},
      {"--slowdown", "traffic.slowdown", "WHETHER", "Compare flows with what they take alone"},
      {"--load", "traffic.load", "LOAD", "Open loop at these loads: 0.5, 0.1:0.9:0.1, 10Gbps",
       "traffic.loop=open"},
      {"--messages", "traffic.messages", "N", "Closed loop with so many messages of each node",
       "traffic.loop=closed"},
      {"--window", "traffic.window", "N", "Closed loop: messages of a node under way at a time",
       "traffic.loop=closed"},
      {"--file", "traffic.file", "FILE", "The messages of this file; - for the standard input",
       "traffic.pattern=file", false},
      {"--duration", "traffic.duration", "TIME", "Open loop: length of the measured window"},
      {"--warm-up", "traffic.warm_up", "TIME", "Open loop: time before the window"},
      {"--spacing", "traffic.spacing", "NAME",
       "Open loop: exponential (poisson), constant, bernoulli or log-normal"},
      {"--from", "traffic.from", "PLACE", "Where messages begin and end: memory or nic"},
      {"--seed", "traffic.seed", "N", "Seed of every random choice"},
      {"--seeds", "traffic.seeds", "N",
       "Open loop: so many seeds of each load, for means with intervals", "traffic.loop=open"},
  };
  return list;
}

/// What is written from the use of all links.
constexpr std::pair<const char*, const char*> kOfLinks[] = {
    {"--report", "Write a page that shows curve and links, for a browser"},
    {"--summary", "Write what the page says as JSON"},
    {"--heat-map", "Draw how much the links were used as SVG"}};

/// Nodes by number, or by name where a number might be another node's name.
std::vector<std::string> short_names(const platform::Topology& topology) {
  std::vector<std::string> numbers;
  std::vector<std::string> names;
  bool clear = true;
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    numbers.push_back(std::to_string(n));
    names.push_back(platform::node_name(topology, NodeId{n}));
    clear = clear && platform::find_node(topology, numbers.back()) == NodeId{n};
  }
  return clear ? numbers : names;
}

/// Writes each message that finishes as a line of CSV.
class FinishTimes final : public traffic::MessageSink {
 public:
  FinishTimes(const report::OutputFile& file, const platform::Topology& topology)
      : stream_(file), nodes_(short_names(topology)) {
    stream_.append("id,source,destination,bytes,start_ps,finish_ps,latency_us,rate,class\n");
  }
  void message_finished(const traffic::MessageRecord& r) override {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{},{},{},{},{},{},{:.6f},{},{}\n", r.id,
                   nodes_[index(r.source)], nodes_[index(r.destination)], r.size.count(),
                   r.created.ps(), r.finished.ps(),
                   static_cast<double>((r.finished - r.created).ps()) / 1e6,
                   r.rate_cap.is_unlimited() ? "" : exact_bandwidth(r.rate_cap), r.traffic_class);
    stream_.append(line_);
  }
  void finish() { stream_.finish(); }

 private:
  report::OutputStream stream_;
  std::vector<std::string> nodes_;
  std::string line_;
};

class TrafficCommand final : public Command {
 public:
  explicit TrafficCommand(CommandLine line) {
    machine_.add_to(line);
    machine_.set_default("fat-tree-64");
    machine_.uses(uses_of("traffic"));
    add_shorthands(line);
    line.add_option("--top", top_, "Show so many of the busiest links")
        .type_name("N")
        .check(whole_number(0, kMostShown))
        .show_default();
    line.add_option("--jobs", jobs_,
                    "Open loop: simulate so many loads and seeds at once, each in a process\n"
                    "of its own; 0: as many as there are cores. Results do not depend on it")
        .type_name("N")
        .check(whole_number(0, kMostJobs))
        .show_default();
    line.add_option("--threads", threads_,
                    "Over queue and packet: share the nodes of a run among so many threads;\n"
                    "results are the same")
        .type_name("N")
        .check(whole_number(1, kMostThreads))
        .show_default();
    output_.add_file(line, "--csv", "Write a line of results per load as CSV");
    output_.add_file(line, "--svg",
                     "Plot latency and throughput against load, or\nwhat nodes receive over time "
                     "where there are no loads");
    output_.add_file(line, "--flows-csv", "Write completion times and slowdowns by size as CSV");
    output_.add_file(line, "--flows-svg", "Plot slowdowns against size");
    output_.add_file(line, "--finish-times",
                     "Write each message with its finish time as CSV; can be read by --file");
    for (const auto& [option, about] : kOfLinks) output_.add_file(line, option, about);
    line.add_flag("--fingerprint", fingerprint_, "Print a number that stands for all events");
    output_.add_to(line);
  }

  void run() override {
    output_.open();
    if (output_.file("--report") != nullptr) report::require_page();
    const Machine machine = machine_.read([this](Settings& settings) { assign(settings); });
    output_.keep_off(machine.files());
    if (machine_.print_config()) return fmt::print("{}", machine.config());
    std::string received;
    report::TrafficRecording recording(*machine.platform);
    report::TrafficReport report =
        with_places(machine.settings, [&] { return simulate(machine, received, recording); });
    write_page(report, recording);
    output_.write("--csv", [&] { return csv_of(report); });
    output_.write("--svg", [&] { return report.open_loop() ? svg_of(report) : received; });
    write_flows(report);
    output_.write_json([&] { return json_of(report); });
    if (output_.text_wanted()) print(report);
    output_.finish();
    if (interrupted_ != 0) throw Interrupted(interrupted_);
    if (!report.failure.empty()) throw RunError(report.failure);
  }

 private:
  void write_flows(const report::TrafficReport& report) {
    output_.write("--flows-csv", [&] { return flows_csv(report); });
    output_.write("--flows-svg", [&] { return flows_svg(report); });
  }

  bool wants_links() const {
    return std::any_of(std::begin(kOfLinks), std::end(kOfLinks),
                       [this](const auto& o) { return output_.file(o.first) != nullptr; });
  }

  /// All links are for the page; the rest of the report shows the busiest.
  void write_page(report::TrafficReport& report, const report::TrafficRecording& recording) {
    if (!wants_links()) return;
    const std::vector<network::LinkUse> links = report.results.back().busiest;
    output_.write("--report",
                  [&] { return report::page(report::traffic_page(report, links, recording)); });
    output_.write("--summary",
                  [&] { return report::dump(report::traffic_summary(report, links, recording)); });
    output_.write("--heat-map", [&] { return report::traffic_heat_map(report, links); });
    for (traffic::TrafficResult& result : report.results) {
      result.busiest.resize(std::min(top_, result.busiest.size()));
    }
  }

  void add_shorthands(CommandLine line) {
    short_.add_to(line, shorthands());
    for (const char* closed : {"--messages", "--window"}) {
      line.option("--load").excludes(line.option(closed));
    }
    line.add_flag("--find-saturation", find_saturation_,
                  "Open loop: find the load from which on not all is delivered, to 1/128");
    line.option("--find-saturation").excludes(line.option("--load"));
    line.option("--size").excludes(line.option("--size-file"));
    for (const char* other :
         {"--load", "--messages", "--window", "--pattern", "--size", "--size-file"}) {
      line.option("--file").excludes(line.option(other));
    }
  }

  void assign(Settings& settings) const {
    short_.assign(settings);
    assign_slowdown(settings);
    if (!find_saturation_) return;
    settings.assign("traffic.find_saturation", "yes", {"--find-saturation"}, Origin::option);
    settings.assign("traffic.loop", "open", {"--find-saturation"}, Origin::option);
  }

  /// Flows are asked for by the files that tell of them.
  void assign_slowdown(Settings& settings) const {
    for (const char* file : {"--flows-csv", "--flows-svg"}) {
      if (output_.file(file) != nullptr) assign_short(settings, "traffic.slowdown", "yes", file);
    }
  }

  static bool is_open(const traffic::TrafficConfig& config) {
    return config.loop == traffic::Loop::open && config.pattern != "file";
  }

  static std::string report_network(const Settings& settings) {
    return settings.get(network::network_choice_table()).model;
  }

  void check(const traffic::TrafficConfig& config, const Settings& settings) const {
    const bool open = is_open(config);
    if (config.pattern == "file" && !settings.has("traffic.file")) {
      throw InputError(settings.where("traffic.pattern"),
                       "pattern 'file' needs a traffic file: accepted is --file with its path");
    }
    for (const char* course : {"--report", "--summary"}) {
      if (output_.file(course) == nullptr || report_network(settings) != network::kLinksName) {
        continue;
      }
      throw InputError({course},
                       "tells how a run goes by, which 'links' does not know: accepted "
                       "over other networks; --heat-map is over all");
    }
    check_threads(settings);
    const bool several = config.load.list.size() > 1 || config.seeds > 1 || config.find_saturation;
    if (output_.file("--finish-times") && open && several) {
      throw InputError({"--finish-times"},
                       "accepted with a single load and a single seed only, such as --load 0.5");
    }
  }

  void check_threads(const Settings& settings) const {
    const std::string network = report_network(settings);
    if (threads_ == 1 || network == "queue" || network == "packet") return;
    throw InputError({"--threads"}, "accepted with --network queue and packet; '" + network +
                                        "' simulates a run by one thread");
  }

  /// As many as there are cores, unless it is said: with threads for each, as many as they leave.
  std::size_t jobs() const {
    if (jobs_ != 0) return jobs_;
    return std::max<std::size_t>(1, ForkedTasks::cores() / threads_);
  }

  void tell_of_threads(const report::TrafficReport& report) const {
    for (const traffic::TrafficResult& result : report.results) {
      if (result.why_fewer.empty() || result.threads == threads_) continue;
      const std::string fewer =
          result.threads == 1 ? "one thread" : fmt::format("{}", result.threads);
      return warn({fmt::format("--threads {}: {} simulated this, for {}", threads_, fewer,
                               result.why_fewer)});
    }
  }

  /// `received` becomes the plot of a run without loads, if a plot is wanted.
  report::TrafficReport simulate(const Machine& machine, std::string& received,
                                 report::TrafficRecording& recording) {
    report::TrafficReport report{&machine,
                                 machine.settings.get(network::network_choice_table()).model,
                                 machine.settings.get(traffic::traffic_table()),
                                 {}};
    check(report.config, machine.settings);
    std::optional<FinishTimes> sink;
    if (const auto* times = output_.file("--finish-times")) {
      sink.emplace(*times, machine.platform->topology());
    }
    ProgressLine line("traffic");
    traffic::TrafficWatch watch;
    watch.top_links = wants_links() ? machine.platform->links().ids() : top_;
    if (wants_links()) watch.watcher = &recording;
    watch.jobs = jobs();
    watch.threads = threads_;
    report::ReceivedPlot plot(sink ? &*sink : nullptr);
    const bool plotted = output_.file("--svg") && !is_open(report.config);
    if (plotted) {
      watch.messages = &plot;
    } else if (sink) {
      watch.messages = &*sink;
    }
    {
      HeldSignals signals;
      watch.progress = [&](const traffic::RunProgress& p) {
        signals.check();
        line.update(p.done, p.events, p.run);
      };
      run(report, watch);
      interrupted_ = signals.seen();
    }
    tell_of_threads(report);
    if (sink) output_.attempt([&] { sink->finish(); });
    if (plotted) {
      received = plot.svg(*machine.platform, report.config.from, report::subtitle_of(report));
    }
    return report;
  }

  /// The loads of a sweep that are done are kept if a later one cannot be.
  static void run(report::TrafficReport& report, const traffic::TrafficWatch& watch) {
    try {
      report.results = traffic::run_traffic(report.config, *report.machine->platform,
                                            report.network, report.machine->settings, watch);
    } catch (const traffic::SweepError& error) {
      report.results = error.finished;
      report.failure = error.what();
    }
  }

  bool untouched() const { return machine_.untouched() && !short_.given(); }

  void print(const report::TrafficReport& report) const {
    fmt::print("{}", text_of(report));
    if (fingerprint_) fmt::print("{}", fingerprint_of(report));
    if (untouched()) fmt::print("{}", kHint);
  }

  MachineOptions machine_;
  ShorthandOptions short_;
  static constexpr std::size_t kMostJobs = 1024;
  static constexpr int kMostThreads = 256;

  std::size_t top_ = 5;
  std::size_t jobs_ = 0;
  std::size_t threads_ = 1;
  bool fingerprint_ = false;
  bool find_saturation_ = false;
  int interrupted_ = 0;  ///< The signal that ended the sweep, if one did.
  OutputOptions output_;
};

}  // namespace

CommandKind traffic_command() {
  return {"traffic", "Synthetic traffic: latency and throughput against load, or a makespan",
          "  heddle traffic                                          # a sweep of loads\n"
          "  heddle traffic --pattern tornado --load 0.5,0.9         # two loads\n"
          "  heddle traffic --pattern all-to-all --window 4          # a closed loop\n"
          "  heddle traffic --size mix:90%:64B,10%:1MiB --svg l.svg  # small and large messages\n"
          "  heddle traffic --size web-search --load 0.5 --spacing poisson   # slowdown of flows\n"
          "  heddle traffic --file t.txt --finish-times done.csv     # messages of a file",
          make_command<TrafficCommand>};
}

}  // namespace heddle::cli
