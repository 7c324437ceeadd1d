// `heddle topo`: what a machine's fabric looks like.
#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/shorthand_options.hpp"
#include "network/packet/channel_graph.hpp"
#include "platform/machine_files/edge_list_writer.hpp"
#include "platform/node_names.hpp"
#include "report/topo/topo_report.hpp"
#include "report/topology_dot.hpp"
#include "report/topology_svg.hpp"
#include "traffic/traffic_config.hpp"

namespace heddle::cli {
namespace {

using platform::Platform;

/// The node that the user calls `text`.
NodeId node_called(const platform::Topology& topology, const std::string& text) {
  if (const auto node = platform::find_node(topology, text)) return *node;
  throw InputError(
      {"--route"},
      fmt::format("'{}' is not a node{}: accepted are the nodes' names ({} .. {}) and "
                  "numbers (0 .. {})",
                  text, topology.find(text) ? " but a switch" : "", topology.name(VertexId{0}),
                  topology.name(VertexId{topology.nodes() - 1}), topology.nodes() - 1));
}

class TopoCommand final : public Command {
 public:
  explicit TopoCommand(CommandLine line) {
    machine_.add_to(line, MachineOptions::Platform::positional);
    line.add_option("--route", ends_, "Show the way between two nodes, by name or number")
        .type_name("NODE NODE")
        .check(not_empty());
    line.add_option("--size", size_,
                    "Time a message of this size on the route shown, alone in the network")
        .type_name("SIZE")
        .check(not_empty())
        .needs("--route");
    line.add_option("--cost", prices_,
                    "Count what the fabric costs and draws by this table of prices: a YAML file, "
                    "or the published slim-fly-2014")
        .type_name("PRICES")
        .check(not_empty());
    line.add_option("--fail", fail_,
                    "Compare the fabric with what is left of it when cables are down: a share "
                    "such as 1% (drawn by failures.seed), or their names")
        .type_name("CABLES")
        .check(not_empty());
    short_.add_to(line, {{"--network",
                          "network.model",
                          "MODEL",
                          "Network model that times it; short for --set network.model=",
                          {},
                          false},
                         {"--seed", "traffic.seed", "N", "Seed of random routes"}});
    line.add_flag("--lanes", lanes_,
                  "Say whether packets of network model packet can deadlock with this routing and "
                  "these lanes");
    output_.add_file(line, "--svg", "Draw the fabric as SVG, with the route if one is shown");
    output_.add_file(line, "--dot", "Write the fabric for Graphviz");
    output_.add_file(line, "--edges", "Write the machine as an edge list, which can be read again");
    output_.add_to(line);
  }

  void run() override {
    output_.open();
    const report::OutputFile* svg = output_.file("--svg");
    const report::OutputFile* dot = output_.file("--dot");
    const report::OutputFile* edges = output_.file("--edges");
    if (!machine_.names_platform()) throw no_platform();
    announce_uses();
    const Machine machine = machine_.read([this](Settings& settings) { short_.assign(settings); });
    std::vector<std::string> inputs = machine.files();
    if (!prices_.empty()) inputs.push_back(prices_);
    output_.keep_off(inputs);
    if (machine_.print_config()) return fmt::print("{}", machine.config());
    check_drawable(*machine.platform);
    const report::TopoReport report =
        with_places(machine.settings, [&] { return describe(machine); });
    // All of it is made before any of it is written.
    std::string drawing = svg ? report::topology_svg(*machine.platform, links_of(report)) : "";
    std::string graph = dot ? report::topology_dot(*machine.platform) : "";
    std::string list = edges ? edge_list_of(machine) : "";
    output_.write_json([&] { return json_of(report); });
    output_.write("--svg", [&] { return drawing; });
    output_.write("--dot", [&] { return graph; });
    output_.write("--edges", [&] { return list; });
    if (output_.text_wanted()) fmt::print("{}", text_of(report));
    output_.finish();
  }

 private:
  static InputError no_platform() {
    return InputError(
        {},
        "no platform given: accepted is a built-in machine, as in 'heddle topo bxi-v2' (`heddle "
        "platforms` lists them), or a file, as in 'heddle topo my-machine.yaml'");
  }

  /// A drawing of millions of cables shows nothing, and takes minutes and gigabytes.
  void check_drawable(const platform::Platform& platform) const {
    constexpr std::uint32_t kMostCables = 4'000'000;
    const std::uint32_t cables = platform.topology().links() / 2;
    if (cables <= kMostCables) return;
    for (const char* option : {"--svg", "--dot", "--edges"}) {
      if (output_.file(option) == nullptr) continue;
      throw InputError(
          {option}, fmt::format("the fabric has {} cables, and a {} at most {}: "
                                "accepted is a smaller one of its kind",
                                cables, option == std::string_view("--edges") ? "list" : "drawing",
                                kMostCables));
    }
  }

  static std::string edge_list_of(const Machine& machine) {
    const std::string routing = machine.settings.get(platform::topology_table()).routing;
    try {
      return platform::edge_list_text(*machine.platform, routing);
    } catch (const InputError& error) {
      throw InputError({"--edges"}, error.problem());
    }
  }

  void announce_uses() {
    std::vector<std::string> names{"traffic.from"};
    if (!ends_.first.empty()) names.emplace_back("traffic.seed");
    if (!size_.empty()) {
      names.insert(names.end(), {"network", "nic.send_overhead", "nic.receive_overhead"});
    }
    if (lanes_) {
      for (const std::string& name : network::packet_table().names()) {
        names.push_back("packet." + name);
      }
    }
    machine_.uses(std::move(names));
  }

  report::TopoReport describe(const Machine& machine) const {
    report::TopoReport report = report::describe_fabric(machine);
    if (lanes_) {
      report.lanes = network::check_lanes(
          {*machine.platform, machine.settings.get(network::packet_table()), machine.settings});
    }
    const std::optional<Bytes> size = size_.empty() ? std::nullopt : std::optional(parse_size());
    if (!prices_.empty()) {
      const platform::Prices prices = platform::read_prices(prices_);
      report.cost = report::cost_report(*machine.platform, prices, report.metrics);
    }
    if (!fail_.empty()) report.failures = compare_failures(machine, report);
    if (ends_.first.empty()) return report;
    report.route = run::find_route(*machine.platform, endpoint(machine, ends_.first),
                                   endpoint(machine, ends_.second), machine.settings);
    if (size) {
      report.message = run::send_alone(*machine.platform, *report.route, *size, machine.settings);
    }
    return report;
  }

  report::FailureReport compare_failures(const Machine& machine,
                                         const report::TopoReport& report) const {
    Settings settings = machine.settings;
    platform::assign_lasting_failures(settings, fail_, {"--fail"}, Origin::option);
    const auto after = platform::build_platform(machine.description, settings);
    return report::compared(fail_, report::state_of(*machine.platform, report.metrics),
                            report::state_of(*after));
  }

  static platform::Endpoint endpoint(const Machine& machine, const std::string& name) {
    const bool in_memory =
        machine.settings.get(traffic::traffic_table()).from == traffic::From::memory;
    return {node_called(machine.platform->topology(), name),
            in_memory ? platform::Port::memory : platform::Port::nic};
  }

  Bytes parse_size() const {
    constexpr Bytes kLargest{std::int64_t{1} << 50};
    const auto size = parse_bytes(size_);
    if (size && *size <= kLargest) return *size;
    throw InputError({"--size"}, "'" + size_ + "' is not accepted: accepted is " +
                                     std::string(ParamType<Bytes>::accepted) + ", at most 1024TiB");
  }

  static std::vector<LinkId> links_of(const report::TopoReport& report) {
    return report.route ? report.route->links : std::vector<LinkId>();
  }

  MachineOptions machine_;
  std::pair<std::string, std::string> ends_;
  std::string size_;
  std::string prices_;
  std::string fail_;
  bool lanes_ = false;
  ShorthandOptions short_;
  OutputOptions output_;
};

}  // namespace

CommandKind topo_command() {
  return {
      "topo", "Describe a machine's fabric: sizes, distances, routes, drawings",
      "  heddle topo bxi-v2                                  # nodes, cables, distances\n"
      "  heddle topo bxi-v2 --route 0 63 --size 64KiB        # the way between two nodes\n"
      "  heddle topo bxi-v2 --svg bxi.svg                    # a drawing\n"
      "  heddle topo bxi-v2 --set link.latency=50ns --json - # changed, for programs\n"
      "  heddle topo bxi-v2 --route 0 63 --size 1B --network packet # another model\n"
      "  heddle topo bxi-v2 --edges bxi.edges                # a list of cables, to be changed\n"
      "  heddle topo bxi-v2 --cost slim-fly-2014             # money and watts\n"
      "  heddle topo bxi-v2 --fail 1%                        # what is left with cables down\n"
      "  heddle topo my-machine.yaml --print-config          # what a file amounts to\n"
      "  heddle topo torus-512 --lanes                       # can packets deadlock?\n"
      "\n"
      "Figures:\n"
      "  radix      most cables at one switch\n"
      "  diameter   most links (cables crossed, those of the two nodes included) on the\n"
      "             deterministic minimal route between two nodes; and most links on the\n"
      "             shortest path between two switches\n"
      "  mean hops  links on that route, in the mean over all ordered pairs of different nodes\n"
      "  bisection  what the cables across the narrowest cut between two halves of the nodes\n"
      "             carry in each direction; 'at most': the narrowest that a search found",
      make_command<TopoCommand>};
}

}  // namespace heddle::cli
