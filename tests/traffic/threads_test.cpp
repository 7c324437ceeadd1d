// Traffic by several threads: every bit is that of one thread.
#include <gmock/gmock.h>

#include <sstream>

#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "temporary_file.hpp"
#include "traffic/traffic_run.hpp"

namespace heddle::traffic {
namespace {

using ::testing::HasSubstr;

/// A machine in a few words: its name or description, what is set of it and of the traffic.
struct Case {
  const char* machine;
  std::vector<std::string> settings = {};
  const char* network = "queue";
};

/// Numbers as text, all of their digits.
class Text {
 public:
  Text() { stream_.precision(17); }
  template <class... Values>
  void add(const char* name, const Values&... values) {
    stream_ << name;
    (..., (stream_ << ' ' << value_of(values)));
    stream_ << '\n';
  }
  std::string str() const { return stream_.str(); }

 private:
  static std::int64_t value_of(Time time) { return time.ps(); }
  static std::int64_t value_of(Bytes bytes) { return bytes.count(); }
  template <class Number>
  static Number value_of(Number number) {
    return number;
  }
  std::ostringstream stream_;
};

void tell(Text& text, const TrafficResult& r) {
  text.add("messages", r.messages, r.unfinished, r.bytes, r.offered, r.accepted, r.senders);
  text.add("latency", r.latency.mean, r.latency.min, r.latency.max, r.latency.p50, r.latency.p95,
           r.latency.p99);
  text.add("times", r.measured, r.warm_up, r.last_finish);
  text.add("packets", r.packets.arrived, r.packets.out_of_order, r.packets.marked);
  text.add("estimates", r.mean_latency.mean, r.mean_latency.half_width, r.mean_latency.samples,
           r.accepted_rate.mean, r.accepted_rate.half_width, r.injection, r.saturated, r.seeds);
  for (const FlowGroup& g : r.flows) {
    text.add("flows", g.from, g.flows, g.bytes, g.mean, g.p50, g.p99, g.slowdown_mean,
             g.slowdown_p50, g.slowdown_p95, g.slowdown_p99, g.slowdown_p999);
  }
  for (const network::LinkUse& use : r.busiest) {
    text.add("link", index(use.link), use.bytes, use.utilisation);
    for (const network::LinkStatistic& more : use.more) text.add("more", more.name, more.value);
  }
  text.add("events", r.events, r.fingerprint);
}

/// What is the same with every number of threads.
std::string told(const std::vector<TrafficResult>& results) {
  Text text;
  for (const TrafficResult& result : results) tell(text, result);
  return text.str();
}

/// The first line in which they differ.
std::string difference(const std::string& a, const std::string& b) {
  std::istringstream in_a(a);
  std::istringstream in_b(b);
  std::string line_a;
  std::string line_b;
  while (std::getline(in_a, line_a) && std::getline(in_b, line_b)) {
    if (line_a != line_b) return line_a + " and not " + line_b;
  }
  return "";
}

struct Outcome {
  std::vector<TrafficResult> results;
  std::string error;
  std::string told;
};

Outcome run(const Case& of, std::size_t threads, MessageSink* sink = nullptr) {
  std::vector<const ParamSection*> sections = network::fabric_sections({&traffic_table()});
  Settings settings(sections);
  const auto description = platform::read_machine(of.machine, settings);
  settings.assign("traffic.size=uniform:64B:8KiB", {"test"});
  for (const std::string& setting : of.settings) settings.assign(setting, {"test"});
  const auto platform = platform::build_platform(description, settings);
  TrafficWatch watch;
  watch.top_links = platform->links().ids();
  watch.messages = sink;
  watch.threads = threads;
  watch.least_nodes = 1;
  watch.least_events = threads == 3 ? 40 : 0;  // Some windows by one thread, too.
  Outcome outcome;
  try {
    outcome.results =
        run_traffic(settings.get(traffic_table()), *platform, of.network, settings, watch);
    outcome.told = told(outcome.results);
  } catch (const RunError& error) {
    outcome.told = error.what();
  }
  return outcome;
}

/// With 2, 3 and 8 threads; how many there were with 8.
std::size_t expect_same(const Case& of) {
  const Outcome one = run(of, 1);
  std::size_t most = 1;
  for (const std::size_t threads : {2U, 3U, 8U}) {
    const Outcome outcome = run(of, threads);
    EXPECT_TRUE(outcome.told == one.told)
        << of.machine << " " << testing::PrintToString(of.settings) << ", threads: " << threads
        << ": " << difference(outcome.told, one.told);
    if (!outcome.results.empty()) most = outcome.results.front().threads;
  }
  return most;
}

std::vector<std::string> with(std::vector<std::string> settings,
                              const std::vector<std::string>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

const std::vector<Case>& machines() {
  static const std::vector<Case> list = {
      {"fat-tree-64"},
      {"torus-512"},
      {"dragonfly-72"},
      {"hyperx-256"},
      {"fat-tree-64", {"link.duplex=half"}},
      {"fat-tree-64", {"queue.forwarding=store-and-forward"}},
      {"torus-512", {"link.latency=37ns", "switch.latency=0ns"}},
      {"dragonfly-72",
       {"node.pcie_bandwidth=50Gbps", "node.limiter_bandwidth=60Gbps", "node.pcie_duplex=half"}},
      {"dragonfly-72", {"node.loopback_bandwidth=10Gbps", "node.loopback_latency=5ns"}},
  };
  return list;
}

// Loads at which latencies settle, at which they do not, and beyond what is carried: the last ends
// early. Each way of spacing messages; those at constant intervals of one size tie again and again.
TEST(TrafficThreads, OpenLoopsGiveTheBitsOfOne) {
  const std::vector<std::vector<std::string>> loops = {
      {"traffic.load=0.2,0.6"},
      {"traffic.load=0.5", "traffic.spacing=constant", "traffic.size=1KiB"},
      {"traffic.load=0.7", "traffic.spacing=bernoulli", "traffic.pattern=tornado"},
      {"traffic.load=0.99", "traffic.pattern=incast", "traffic.size=2KiB"},
      {"traffic.load=0.4", "traffic.incast=0.3", "traffic.outcast=0.1", "traffic.burst_degree=5"},
      {"traffic.load=0.3", "traffic.slowdown=yes", "traffic.seeds=2"},
  };
  std::size_t turn = 0;
  for (const Case& machine : machines()) {
    for (int i = 0; i < 2; ++i) {
      Case of = machine;
      of.settings = with(of.settings, loops[turn++ % loops.size()]);
      of.settings.push_back("traffic.duration=8us");
      EXPECT_GT(expect_same(of), 2U) << of.machine;
    }
  }
}

// All begin at once and go on in step: the order of what is simultaneous decides who comes first.
TEST(TrafficThreads, ClosedLoopsGiveTheBitsOfOne) {
  const std::vector<std::vector<std::string>> loops = {
      {"traffic.size=1KiB"},
      {"traffic.window=4", "traffic.size=1KiB", "nic.send_overhead=100ns", "nic.gap=150ns"},
      {"traffic.pattern=permutation", "traffic.window=3"},
      {"traffic.pattern=all-to-all", "traffic.size=512B", "nic.receive_overhead=70ns"},
      {"traffic.from=nic", "traffic.window=2"},
  };
  std::size_t turn = 0;
  for (const Case& machine : machines()) {
    Case of = machine;
    of.settings = with(of.settings, loops[turn++ % loops.size()]);
    of.settings = with(of.settings, {"traffic.loop=closed", "traffic.messages=20"});
    const bool answers_at_once = turn == 8;  // The buses of these nodes have no latency.
    EXPECT_EQ(expect_same(of) > 2, !answers_at_once) << of.machine;
  }
}

// Messages of a file, and who is told of each in the order of their arrival.
TEST(TrafficThreads, ListsOfMessagesAreToldInTheOrderOfOneThread) {
  std::string text;
  RandomStream random(7);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t source = random.below(64);
    text += std::to_string(random.below(2000)) + "ns " + std::to_string(source) + " " +
            std::to_string((source + 1 + random.below(63)) % 64) + " " +
            std::to_string(1000 + 500 * random.below(3)) + "\n";
  }
  const TemporaryFile file(text);
  const Case of{"fat-tree-64", {"traffic.pattern=file", "traffic.file=" + file.path}};
  class Collected final : public MessageSink {
   public:
    void message_finished(const MessageRecord& r) override {
      all.emplace_back(r.id, r.finished.ps());
    }
    std::vector<std::pair<std::uint64_t, std::int64_t>> all;
  };
  Collected one;
  const Outcome alone = run(of, 1, &one);
  for (const std::size_t threads : {2U, 5U}) {
    Collected several;
    const Outcome outcome = run(of, threads, &several);
    EXPECT_EQ(outcome.results.front().threads, threads);
    EXPECT_EQ(difference(outcome.told, alone.told), "");
    EXPECT_EQ(several.all, one.all);
  }
}

// Packets, over the same machines and some that have more to them: lanes, sinks that drain slowly,
// crossbars that are allocated, marks and notifications.
TEST(TrafficThreads, PacketsGiveTheBitsOfOne) {
  const std::vector<Case> packets = {
      {"fat-tree-64", {"traffic.load=0.6", "traffic.slowdown=yes"}},
      {"torus-512", {"traffic.load=0.2", "packet.lanes=2", "packet.lane_by=hop"}},
      {"dragonfly-72", {"traffic.load=0.9", "traffic.pattern=incast", "traffic.size=2KiB"}},
      {"hyperx-256", {"traffic.load=0.5", "traffic.spacing=constant", "traffic.size=1KiB"}},
      {"fat-tree-64", {"traffic.load=0.5", "packet.congestion=ib", "traffic.pattern=hotspot"}},
      {"fat-tree-64", {"traffic.load=0.5", "packet.allocation=islip"}},
      {"dragonfly-72", {"traffic.load=0.4", "traffic.incast=0.3", "traffic.burst_degree=5"}},
  };
  for (Case of : packets) {
    of.network = "packet";
    of.settings.push_back("traffic.duration=4us");
    EXPECT_GT(expect_same(of), 2U) << of.machine;
  }
}

// A source hears of an arrival elsewhere when a window is over, before it can answer.
TEST(TrafficThreads, ClosedLoopsOfPacketsGiveTheBitsOfOne) {
  const std::vector<std::string> loop = {"traffic.loop=closed", "traffic.messages=12",
                                         "nic.send_overhead=80ns", "nic.receive_overhead=60ns"};
  for (const auto& more :
       std::vector<std::vector<std::string>>{{"traffic.size=1KiB"},
                                             {"traffic.window=4", "nic.gap=150ns"},
                                             {"traffic.pattern=permutation", "traffic.window=3"}}) {
    Case of{"fat-tree-64", with(loop, more), "packet"};
    EXPECT_GT(expect_same(of), 2U);
    of.machine = "dragonfly-72";
    EXPECT_GT(expect_same(of), 2U);
  }
}

// What one thread does alone, and why.
TEST(TrafficThreads, FewerThreadsSayWhy) {
  const auto why = [](const Case& of) {
    const Outcome outcome = run(of, 4);
    EXPECT_EQ(outcome.results.front().threads, 1U);
    return outcome.results.front().why_fewer;
  };
  const std::vector<std::string> short_loop = {"traffic.load=0.3", "traffic.duration=2us"};
  EXPECT_THAT(why({"fat-tree-64", with(short_loop, {"topology.routing=adaptive"})}),
              HasSubstr("routes that depend on loads"));
  EXPECT_THAT(why({"fat-tree-64", with(short_loop, {"link.latency=0ns", "switch.latency=0ns"})}),
              HasSubstr("no latency"));
  EXPECT_THAT(why({"fat-tree-64", short_loop, "loggops"}), HasSubstr("queue and packet"));
  EXPECT_THAT(why({"fat-tree-64", with(short_loop, {"packet.flow_control=pfc"}), "packet"}),
              HasSubstr("without credits"));
  EXPECT_THAT(why({"fat-tree-64", {"traffic.loop=closed", "traffic.messages=2"}, "packet"}),
              HasSubstr("at once"));
}

// A program that looks on may end a run between two windows.
TEST(TrafficThreads, ARunEndsWhenItsProgressThrows) {
  Settings settings(network::fabric_sections({&traffic_table()}));
  const auto description = platform::read_machine("fat-tree-64", settings);
  for (const char* setting : {"traffic.load=0.5", "traffic.duration=20us"}) {
    settings.assign(setting, {"test"});
  }
  const auto platform = platform::build_platform(description, settings);
  TrafficWatch watch;
  watch.threads = 2;
  watch.least_nodes = 1;
  watch.least_events = 0;
  watch.progress = [](const RunProgress&) { throw RunError("enough"); };
  EXPECT_THROW(run_traffic(settings.get(traffic_table()), *platform, "queue", settings, watch),
               RunError);
}

}  // namespace
}  // namespace heddle::traffic
