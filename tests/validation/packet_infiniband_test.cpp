// The packet model against the tables of a thesis on coupling LogGOPSim with a flit-level
// InfiniBand model (2011), on the built-in machines that stand for its networks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "network/network.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "validation.hpp"

namespace heddle::network {
namespace {

using Json = nlohmann::json;

std::vector<Json> rows_of(const char* table) {
  std::ifstream file(HEDDLE_TEST_DATA "/infiniband/thesis_tables.json");
  return Json::parse(file).at(table).at("rows");
}

/// Prints a measured and a published value; the difference in percent of the published.
double compared(const std::string& what, double measured, double published, const char* unit,
                const char* allowed) {
  const double error = published == 0 ? 0 : 100 * (measured - published) / published;
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  validation_row(fmt::format("Packet network against the InfiniBand thesis: {}", test->name()),
                 what, fmt::format("{:.10g} {}", measured, unit),
                 fmt::format("{:.10g} {}", published, unit), fmt::format("{:+.3f} %", error),
                 allowed);
  return error;
}

/// A built-in machine with its packet network.
class Machine {
 public:
  explicit Machine(const std::string& name) : settings_(fabric_sections()) {
    const platform::MachineDescription description = platform::read_machine(name, settings_);
    platform_ = platform::build_platform(description, settings_);
    network_ = make_network("packet", simulation_, *platform_, settings_);
  }
  Simulation& simulation() { return simulation_; }
  std::uint32_t nodes() const { return platform_->nodes(); }
  void send(std::uint32_t from, std::uint32_t to, std::int64_t bytes, TransferClient& client,
            std::uint64_t cookie) {
    Transfer transfer;
    transfer.source = {NodeId{from}, platform::Port::nic};
    transfer.destination = {NodeId{to}, platform::Port::nic};
    transfer.size = Bytes(bytes);
    transfer.client = &client;
    transfer.cookie = cookie;
    network_->start(transfer);
  }

 private:
  Simulation simulation_;
  Settings settings_;
  std::unique_ptr<platform::Platform> platform_;
  std::unique_ptr<Network> network_;
};

/// Rounds in which each of the first hosts (all, unless it is said) sends a message and waits for
/// one before the next.
class Rounds final : public TransferClient {
 public:
  enum class Kind { dissemination, ring };
  /// The first messages enter the network at `first`, later ones `turn` after the arrival they wait
  /// for; a host has finished `turn` after its last arrival.
  Rounds(Machine& machine, Kind kind, int rounds, std::int64_t bytes, Time first, Time turn,
         std::optional<std::uint32_t> members = {})
      : machine_(machine),
        kind_(kind),
        members_(members.value_or(machine.nodes())),
        rounds_(rounds),
        bytes_(bytes),
        turn_(turn),
        source_(machine.simulation().new_source()) {
    for (std::uint32_t h = 0; h < members_; ++h) hosts_.push_back(std::make_unique<Host>(*this, h));
    for (auto& host : hosts_) machine.simulation().schedule(*host, first, source_);
    machine.simulation().run();
  }
  void transfer_reached(Instant, std::uint64_t cookie) override {
    Host& host = *hosts_[cookie >> 32];
    host.received |= std::uint64_t{1} << (cookie & 63);
    host.last_arrival = machine_.simulation().now();
    proceed(host);
  }
  std::vector<double> finish_ps() const {
    std::vector<double> all;
    for (const auto& host : hosts_) {
      all.push_back(static_cast<double>((host->last_arrival + turn_).ps()));
    }
    return all;
  }

 private:
  struct Host final : public Event {
    Host(Rounds& owner, std::uint32_t n) : rounds(owner), number(n) {}
    void fire() override { rounds.send(*this); }
    Rounds& rounds;
    std::uint32_t number;
    int sent = 0;
    std::uint64_t received = 0;
    Time last_arrival;
  };
  void proceed(Host& host) {
    if (host.scheduled() || host.sent == 0 || host.sent == rounds_) return;
    if ((host.received >> (host.sent - 1) & 1) == 0) return;
    if (turn_ == Time::zero()) return send(host);
    machine_.simulation().schedule_in(host, turn_, source_);
  }
  void send(Host& host) {
    const int round = host.sent++;
    const std::uint32_t distance = kind_ == Kind::ring ? 1 : 1U << static_cast<unsigned>(round);
    const std::uint32_t to = (host.number + distance) % members_;
    machine_.send(host.number, to, bytes_, *this,
                  std::uint64_t{to} << 32 | static_cast<std::uint64_t>(round));
    proceed(host);
  }

  Machine& machine_;
  Kind kind_;
  std::uint32_t members_;
  int rounds_;
  std::int64_t bytes_;
  Time turn_;
  EventSource source_;
  std::vector<std::unique_ptr<Host>> hosts_;
};

struct Spread {
  double max;
  double min;
  double deviation;  ///< Of a sample.
};
Spread spread(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  return {*max, *min, std::sqrt(squares / static_cast<double>(values.size() - 1))};
}

/// "H8_S4" -> "ib-h8-s4".
std::string machine_name(const std::string& topology) {
  std::string name = "ib-" + topology;
  for (char& c : name) c = c == '_' ? '-' : static_cast<char>(std::tolower(c));
  return name;
}

/// H8_S4 and H8_S6: everything to the picosecond; H8_S2: the minimum to the picosecond, the maximum
/// within 2 %; H8_S1 within 2 %.
void check_dissemination(const char* table_name, Time first, Time turn) {
  for (const Json& row : rows_of(table_name)) {
    const std::string topology = row.at("topology");
    if (topology[0] != 'H') continue;
    Machine machine(machine_name(topology));
    Rounds rounds(machine, Rounds::Kind::dissemination, 3, 180, first, turn);
    const Spread ours = spread(rounds.finish_ps());
    const bool exact = topology == "H8_S4" || topology == "H8_S6";
    const double max_error =
        compared(topology + " max", ours.max, row.at("max_ps"), "ps", exact ? "exact" : "2 %");
    const double min_error = compared(topology + " min", ours.min, row.at("min_ps"), "ps",
                                      topology == "H8_S1" ? "2 %" : "exact");
    compared(topology + " deviation", ours.deviation, row.at("stddev_ps"), "ps",
             exact ? "1 ps" : "any");
    if (exact) {
      EXPECT_EQ(max_error, 0) << topology;
      EXPECT_NEAR(ours.deviation, row.at("stddev_ps").get<double>(), 1) << topology;
    }
    if (topology != "H8_S1") {
      EXPECT_EQ(min_error, 0) << topology;
    }
    EXPECT_LT(std::abs(max_error), 2) << topology;
    EXPECT_LT(std::abs(min_error), 2) << topology;
  }
}

// Dissemination of 180 B over eight hosts, no cost at the hosts.
TEST(InfiniBand, DisseminationWithoutOverheads) {
  check_dissemination("table_4_7_2_2", Time::zero(), Time::zero());
}

// With o = 50 ns, g = 100 ns and G = 6 ns: the first message enters after o, later ones 2 o + 179 G
// = 1,174 ns after the arrival they wait for, and a host has finished g + 179 G after its last.
TEST(InfiniBand, DisseminationWithOverheads) {
  check_dissemination("table_4_7_2_1", Time::ns(50), Time::ns(1174));
}

/// The end of a ring of the first `members` hosts of the network of a row, and its error against
/// the row's time.
double ring_error(const Json& row, std::uint32_t members, const char* allowed) {
  const std::uint32_t hosts = row.at("hcas");
  const int sends = row.at("sends_per_node");
  Machine machine("ib-h" + std::to_string(hosts) + "-s" +
                  std::to_string(row.at("switches").get<int>()));
  const Rounds rounds(machine, Rounds::Kind::ring, sends, row.at("message_B"), Time::zero(),
                      Time::zero(), members);
  const std::string who =
      members == hosts ? "" : std::to_string(members) + " in the ring of the network of ";
  return compared(who + std::to_string(hosts) + " hosts x " + std::to_string(sends),
                  spread(rounds.finish_ps()).max, row.at("simulated_final_ps"), "ps", allowed);
}

// Rings on fat trees, the end of 15, 30 and 45 messages of 1,000 B, to the picosecond.
//
// On 392 hosts (28 leaves of 14) that is so if 389 of them take part, so that one leaf has 11 hosts
// in the ring: all three rows come out. (With 388 they do as well; with 386, 387, 390, 391 or all
// 392 at least one does not.) The thesis does not say so. But with all 392 only the row of 15
// messages can come out:
// - The last chain of 30 sends on leaves of 14 changes leaf at the sends 0, 14 and 28 or at 1, 15
//   and 29, and ends at 20,055,600 ps. The printed 20,086,850 ps is that of a chain whose last
//   change is at send 25, as on 242 hosts, where leaves have 11: in a ring of 389 there is one leaf
//   of 11.
// - No chain of 45 sends on leaves of 14 alone ends at the printed 30,034,500 ps, under any choice
//   of which flow-control packets are sent and which of simultaneous events comes first.
// So those times are printed beside, and 0.2 % is allowed there. The networks of 128, 242 and 512
// hosts give the printed times with all of their hosts in the ring.
TEST(InfiniBand, RingsOnFatTrees) {
  constexpr std::uint32_t kMembersOf392 = 389;
  for (const Json& row : rows_of("table_4_8_1")) {
    const std::uint32_t hosts = row.at("hcas");
    const std::string which = std::to_string(hosts) + " x " + row.at("sends_per_node").dump();
    EXPECT_EQ(ring_error(row, hosts == 392 ? kMembersOf392 : hosts, "exact"), 0) << which;
    if (hosts == 392) {
      EXPECT_LT(std::abs(ring_error(row, hosts, "0.2 %: see the ring of 389")), 0.2) << which;
    }
  }
}

/// The travel time of one message between two hosts of one switch that starts at 73 us.
class Travel final : public TransferClient {
 public:
  explicit Travel(Machine& machine) : machine_(machine) {}
  void transfer_reached(Instant, std::uint64_t) override { end_ = machine_.simulation().now(); }
  Time of(std::uint32_t from, std::uint32_t to, std::int64_t bytes, Time start) {
    machine_.simulation().run_until(start);
    machine_.send(from, to, bytes, *this, 0);
    machine_.simulation().run();
    return end_ - start;
  }

 private:
  Machine& machine_;
  Time end_;
};

// Travel times by size, printed with two or three digits: within half a unit of the last. (The 4 B
// of the thesis' first row were a packet of 20 B; ours are one of 24 B, 2.1 ns longer, and meet a
// pause of the sink, again about 2 ns.)
TEST(InfiniBand, TravelTimesBySize) {
  for (const char* name : {"table_5_3_1", "table_5_3_2"}) {
    for (const Json& row : rows_of(name)) {
      Machine machine("ib-h8-s1");
      const std::int64_t bytes = row.at("size_B");
      const double published = row.at("simulated_us");
      const double ours =
          static_cast<double>(Travel(machine).of(0, 1, bytes, Time::us(73)).ps()) / 1e6;
      compared(std::to_string(bytes) + " B", ours, published, "us",
               bytes == 4       ? "5 ns: another header"
               : published < 20 ? "0.05 us, as printed"
                                : "0.5 us, as printed");
      if (bytes == 4) {
        EXPECT_NEAR(ours, published, 0.005);
      } else {
        EXPECT_NEAR(ours, published, published < 20 ? 0.05 : 0.5) << bytes;
      }
    }
  }
}

// The twenty messages of 400 kB of the ping-pong, each started when the thesis started it: within
// 0.3 %. What they take depends on the phases of two clocks and on the unknown size of the buffers.
TEST(InfiniBand, PingPongOf400Kilobytes) {
  Machine machine("ib-h8-s1");
  Travel travel(machine);
  for (const Json& row : rows_of("appendix_E_messages")) {
    const Time ours = travel.of(row.at("src"), row.at("dst"), 400'000,
                                Time::ps(row.at("insert_ps").get<std::int64_t>()));
    const double error =
        compared("message " + std::to_string(row.at("handle").get<int>()),
                 static_cast<double>(ours.ps()), row.at("travel_ps"), "ps", "0.3 %");
    EXPECT_LT(std::abs(error), 0.3);
  }
}

}  // namespace
}  // namespace heddle::network
