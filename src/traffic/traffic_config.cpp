#include "traffic/traffic_config.hpp"

#include "traffic/pattern.hpp"

namespace heddle::traffic {
namespace {

using Table = ParamTable<TrafficConfig>;

std::vector<std::pair<std::string, std::string>> pattern_choices() {
  std::vector<std::pair<std::string, std::string>> choices;
  for (const PatternKind& kind : pattern_kinds()) choices.emplace_back(kind.name, kind.name);
  return choices;
}

void add_what(Table& t) {
  t.add_choice("pattern", &TrafficConfig::pattern, "uniform", pattern_choices(),
               "who sends to whom");
  t.add("size", &TrafficConfig::size, "4KiB", {},
        "size of a message, a distribution of sizes, or one that was published");
  t.add_file("size_file", &TrafficConfig::size_file, "none",
             "a file with a distribution of sizes, in place of traffic.size: lines of a size and "
             "the part of all messages that have at most this size");
  t.add_choice("loop", &TrafficConfig::loop, "open",
               {{"open", Loop::open}, {"closed", Loop::closed}},
               "open: nodes offer a load, whatever arrives; closed: each sends so many messages, "
               "with a window in flight");
  t.add_choice("from", &TrafficConfig::from, "memory",
               {{"memory", From::memory}, {"nic", From::nic}},
               "where messages begin and end: in the memory, behind the PCIe bus of nodes that "
               "have one, or in the adapter");
  t.add("class", &TrafficConfig::traffic_class, "0", {"0", "15"},
        "class (service level) of the messages: network model packet gives classes lanes");
  t.add_choice("slowdown", &TrafficConfig::slowdown, "auto",
               {{"auto", Slowdown::automatic}, {"yes", Slowdown::yes}, {"no", Slowdown::no}},
               "whether each flow is compared with what it takes alone; auto: where sizes are a "
               "published distribution or a file's");
  t.add("seed", &TrafficConfig::seed, "1", {}, "seed of every random choice");
}

void add_open_loop(Table& t) {
  t.add("load", &TrafficConfig::load, "0.1:0.9:0.1", {},
        "open loop: what each node offers, one run per load");
  t.add("seeds", &TrafficConfig::seeds, "1", {"1", "1000"},
        "open loop: runs of each load with seeds from traffic.seed on, put together into means and "
        "their 95 % intervals");
  t.add("find_saturation", &TrafficConfig::find_saturation, "no", {},
        "open loop: instead of traffic.load, fractions chosen one after another until the load of "
        "saturation is known to 1/128");
  t.add_choice("spacing", &TrafficConfig::spacing, "exponential",
               {{"exponential", Spacing::exponential},
                {"constant", Spacing::constant},
                {"bernoulli", Spacing::bernoulli},
                {"log-normal", Spacing::log_normal},
                {"poisson", Spacing::exponential}},
               "open loop: time between the messages of a node; bernoulli: in each of the slots of "
               "time that a message of mean size takes on the node's way into the network, one or "
               "none by chance; log-normal: in bursts; poisson: another word for exponential");
  t.add("spacing_sigma", &TrafficConfig::spacing_sigma, "1", {"0", "4"},
        "spacing log-normal: standard deviation of the logarithm of the time between messages; the "
        "more, the burstier");
  t.add("incast", &TrafficConfig::incast, "0", {"0", "0.99"},
        "open loop: part of the load that comes as incasts: at random times so many random nodes "
        "send to one at once");
  t.add("outcast", &TrafficConfig::outcast, "0", {"0", "0.99"},
        "open loop: part of the load that comes as outcasts: at random times a node sends to so "
        "many at once");
  t.add("burst_degree", &TrafficConfig::burst_degree, "16", {"1", "1M"},
        "of incasts and outcasts: the nodes that send, or are sent to, at once");
  t.add("burst_size", &TrafficConfig::burst_size, "20kB", {"1B", "1024TiB"},
        "of incasts and outcasts: size of each message");
  t.add_choice("load_streams", &TrafficConfig::load_streams, "shared",
               {{"shared", LoadStreams::shared}, {"own", LoadStreams::own}},
               "open loop: whether all loads of a sweep draw the same random numbers, so that they "
               "can be compared but err alike, or each its own");
  t.add("duration", &TrafficConfig::duration, "auto", {"1ps", "1h"},
        "open loop: length of the measured window; auto: 200 000 messages in all, but 20 to 2000 "
        "per node, and at least 20us; less where the load is far beyond saturation");
  t.add("warm_up", &TrafficConfig::warm_up, "auto", {"", "1h"},
        "open loop: time before the measured window; auto: a quarter of the window, or up to four "
        "until latencies have settled (MSER-5)");
  t.add("drain", &TrafficConfig::drain, "auto", {"", "1h"},
        "open loop: longest wait for the messages of the window after its end; auto: as long as "
        "the window");
}

void add_closed_loop(Table& t) {
  t.add("messages", &TrafficConfig::messages, "auto", {"1", "1G"},
        "closed loop: messages of each node; auto: one to every other node for all-to-all, one to "
        "each neighbour for neighbours, else 100");
  t.add("window", &TrafficConfig::window, "1", {"1", "1M"},
        "closed loop: messages of a node that may be under way at a time");
}

void add_of_patterns(Table& t) {
  t.add("shift", &TrafficConfig::shift, "1", {"1", "1G"},
        "pattern shift: distance between source and destination");
  t.add("group", &TrafficConfig::group, "8", {"1", "1G"},
        "pattern next-group: nodes of a group, in the order of their numbers");
  t.add("hot_fraction", &TrafficConfig::hot_fraction, "0.2", {"0", "1"},
        "pattern hotspot: part of the messages that goes to the hot nodes");
  t.add("hot_nodes", &TrafficConfig::hot_nodes, "1", {"1", "1G"},
        "pattern hotspot: number of hot nodes, spread evenly from the target on");
  t.add("target", &TrafficConfig::target, "0", {"", "1G"},
        "patterns incast and hotspot: the node, or the first node, that is sent to");
  t.add("fan_in", &TrafficConfig::fan_in, "auto", {"1", "1G"},
        "pattern incast: number of senders, those next to the target; auto: all other nodes");
  t.add("grid", &TrafficConfig::grid, "auto", {},
        "patterns tornado and neighbours: 1d, 2d, 3d (extents as equal as the number of nodes "
        "allows), or extents such as 8x4x2; auto: the machine's own (torus, mesh, HyperX), else 1d "
        "for "
        "tornado, 3d for neighbours");
  t.add_file("file", &TrafficConfig::file, "none", "pattern file: path of the traffic file");
}

}  // namespace

const ParamTable<TrafficConfig>& traffic_table() {
  static const Table table = [] {
    Table t("traffic", "synthetic traffic (`heddle traffic`)");
    add_what(t);
    add_open_loop(t);
    add_closed_loop(t);
    add_of_patterns(t);
    return t;
  }();
  return table;
}

}  // namespace heddle::traffic
