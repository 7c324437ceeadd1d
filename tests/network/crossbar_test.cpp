// Switches whose inputs and outputs are allocated to each other, in slots of a flit: what they
// accept beside theory and beside BookSim2.
#include <gmock/gmock.h>

#include <cmath>

#include "core/random.hpp"
#include "network/packet/rules.hpp"
#include "network/support.hpp"
#include "sanitized.hpp"
#include "validation.hpp"

namespace heddle::network {
namespace {

// --- Allocators by themselves.

using Matches = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::unique_ptr<const Allocation> allocation(const char* name, int rounds = 1) {
  Settings settings(network_sections());
  settings.assign("packet.allocation_rounds=" + std::to_string(rounds), {});
  const PacketConfig config = settings.get(packet_table());
  const platform::Platform platform = star(2);
  return find_rule(allocations(), name).make({config, settings, 1, platform});
}

/// The inputs and outputs matched, in the order of inputs.
Matches match(Allocator& allocator, const std::vector<CrossbarRequest>& requests) {
  std::vector<std::size_t> places;
  allocator.match(requests, places);
  Matches matches;
  for (const std::size_t i : places) matches.emplace_back(requests[i].input, requests[i].output);
  std::sort(matches.begin(), matches.end());
  return matches;
}

std::vector<CrossbarRequest> all_ask_for_all(std::uint32_t ports) {
  std::vector<CrossbarRequest> requests;
  for (std::uint32_t output = 0; output < ports; ++output) {
    for (std::uint32_t input = 0; input < ports; ++input) {
      requests.push_back({input, output, Time::zero()});
    }
  }
  return requests;
}

// All four outputs grant to input 0, which accepts output 0, and all but output 0 go on with it:
// 1 match. Then output 0 grants to input 1 and the others to input 0, which accepts output 1: 2,
// and so on, until after four slots each output grants to an input of its own, in every slot.
TEST(Allocator, IslipPointersDriftApart) {
  const auto rule = allocation("islip");
  const auto allocator = rule->new_allocator({4, 4, 0});
  for (std::size_t slot = 1; slot <= 12; ++slot) {
    EXPECT_EQ(match(*allocator, all_ask_for_all(4)).size(), std::min<std::size_t>(slot, 4)) << slot;
  }
}

// A second round finds matches among what the first has left over: of four ports two at least, and
// with four rounds all.
TEST(Allocator, FurtherRoundsMatchWhatIsLeft) {
  for (const char* name : {"islip", "separable-input-first", "separable-output-first", "pim"}) {
    for (const int rounds : {2, 4}) {
      const auto rule = allocation(name, rounds);
      const auto allocator = rule->new_allocator({4, 4, 1});
      const std::size_t matches = match(*allocator, all_ask_for_all(4)).size();
      EXPECT_GE(matches, static_cast<std::size_t>(rounds)) << name;
    }
  }
}

// Inputs 0 and 1 both choose output 0 at first, where input 0 has the first turn; next time input 0
// goes on to output 1 and output 0 to input 1.
TEST(Allocator, SeparableInputsChooseFirst) {
  const auto rule = allocation("separable-input-first");
  const auto allocator = rule->new_allocator({2, 2, 0});
  EXPECT_EQ(match(*allocator, all_ask_for_all(2)), (Matches{{0, 0}}));
  EXPECT_EQ(match(*allocator, all_ask_for_all(2)), (Matches{{0, 1}, {1, 0}}));
}

// Input 1 has waited for output 0 since 1 ns and is first; input 0 has waited for it since 2 ns and
// gets output 1, for which it waits since 5 ns; input 2, since 3 ns, finds output 1 free before.
TEST(Allocator, TheOldestGoFirst) {
  const auto rule = allocation("oldest-first");
  const auto allocator = rule->new_allocator({3, 2, 0});
  EXPECT_EQ(match(*allocator, {{0, 0, Time::ns(2)}, {1, 0, Time::ns(1)}, {0, 1, Time::ns(5)}}),
            (Matches{{0, 1}, {1, 0}}));
  EXPECT_EQ(
      match(*allocator,
            {{0, 0, Time::ns(2)}, {1, 0, Time::ns(1)}, {0, 1, Time::ns(5)}, {2, 1, Time::ns(3)}}),
      (Matches{{1, 0}, {2, 1}}));
}

// Two inputs that ask for one output have it about as often: 5000 of 10,000 times, with a standard
// deviation of 50.
TEST(Allocator, MatchingAtRandomPrefersNobody) {
  const auto rule = allocation("pim");
  const auto allocator = rule->new_allocator({2, 1, 7});
  int first = 0;
  for (int i = 0; i < 10'000; ++i) {
    first += match(*allocator, {{0, 0, Time::zero()}, {1, 0, Time::zero()}}).front().first == 0;
  }
  EXPECT_NEAR(first, 5000, 200);
}

// --- Switches.

/// `ports` senders that always have cells of one flit, of 1 ns, in every class for `ports`
/// receivers, each as likely, on one switch.
class Cells final : public TransferClient {
 public:
  Cells(std::uint32_t ports, std::vector<std::string> settings, std::uint8_t classes = 1)
      : ports_(ports), platform_(star(2 * ports, machine())) {
    for (const char* one : {"packet.header=0B", "packet.max_packet=64B", "packet.switch_output=100",
                            "packet.host_output=4"}) {
      settings.emplace_back(one);
    }
    bed_ = std::make_unique<Bed>("packet", platform_, settings);
    for (std::uint32_t port = 0; port < ports; ++port) {
      for (int i = 0; i < 4 * classes; ++i) send(port, static_cast<std::uint8_t>(i % classes));
    }
  }
  void transfer_reached(Instant, std::uint64_t cookie) override {
    send(static_cast<std::uint32_t>(cookie >> 8), static_cast<std::uint8_t>(cookie));
  }
  /// Cells per receiver and slot, once queues have settled.
  double accepted(Time from, Time until) {
    bed_->simulation.run_until(from);
    const std::uint64_t before = bed_->network->packets_arrived().arrived;
    bed_->simulation.run_until(until);
    const std::uint64_t cells = bed_->network->packets_arrived().arrived - before;
    return static_cast<double>(cells) / ports_ / ((until - from).seconds() * 1e9);
  }

 private:
  static MachineParams machine() {
    MachineParams params;
    params.link = {Bandwidth::gbps(512), {}, Time::ns(4), platform::Duplex::full};
    params.switches.latency = Time::ns(2);
    return params;
  }
  void send(std::uint32_t port, std::uint8_t traffic_class) {
    const auto to = static_cast<std::uint32_t>(ports_ + random_.below(ports_));
    Transfer transfer = bed_->transfer(port << 8 | traffic_class, port, to, 64);
    transfer.traffic_class = traffic_class;
    transfer.wants = static_cast<std::uint8_t>(Instant::injected);
    transfer.client = this;
    bed_->network->start(transfer);
  }

  std::uint32_t ports_;
  platform::Platform platform_;
  std::unique_ptr<Bed> bed_;
  RandomStream random_{1};
};

void note(const std::string& what, double measured, const std::string& expected,
          const std::string& allowed) {
  validation_row("Switches beside theory and BookSim2", what, std::to_string(measured).substr(0, 6),
                 expected, "", allowed);
}

// Queues before inputs hold up what stands behind their first cell: switches of 2 to 8 ports accept
// 0.75 to 0.6184 of uniform traffic (Karol, Hluchyj and Morgan 1987), of many 2 - sqrt(2) = 0.586,
// whoever is chosen among those that ask for an output.
TEST(Crossbar, FirstInFirstOutAcceptsWhatTheoryHas) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  struct Expected {
    std::uint32_t ports;
    double accepted;
  };
  for (const Expected& e : {Expected{2, 0.75},
                            {3, 0.6825},
                            {4, 0.6553},
                            {5, 0.6399},
                            {6, 0.6302},
                            {7, 0.6234},
                            {8, 0.6184}}) {
    Cells cells(e.ports, {"packet.input_queue=fifo", "packet.allocation=islip"});
    const double accepted = cells.accepted(Time::us(1), Time::us(13));
    note("first in first out, " + std::to_string(e.ports) + " ports, accepted", accepted,
         std::to_string(e.accepted).substr(0, 6), "1 %");
    EXPECT_NEAR(accepted, e.accepted, 0.01 * e.accepted) << e.ports;
  }
  Cells many(64, {"packet.input_queue=fifo", "packet.allocation=oldest-first"});
  const double accepted = many.accepted(Time::us(1), Time::us(3));
  note("first in first out, 64 ports, accepted", accepted, "0.586", "2 %");
  EXPECT_NEAR(accepted, 2 - std::sqrt(2), 0.02 * 0.586);
}

// With queues per output that are never empty, all outputs of N grant at random, so that an input
// has a grant with the probability 1 - (1 - 1/N)^N: 0.644 for 16, 1 - 1/e = 0.632 for many.
TEST(Crossbar, MatchingAtRandomAcceptsWhatTheoryHas) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  Cells cells(16, {"packet.allocation=pim", "packet.buffer=2000"});
  const double accepted = cells.accepted(Time::us(4), Time::us(8));
  note("queues per output, pim, 16 ports, accepted", accepted, "0.644 (many ports: 0.632)", "2 %");
  const double expected = 1 - std::pow(1 - 1.0 / 16, 16);
  EXPECT_NEAR(accepted, expected, 0.02 * expected);
}

// Turns that drift apart accept nearly all, as much as BookSim2 does with a lane per next output
// (its `noq`).
TEST(Crossbar, TurnsThatDriftApartAcceptNearlyAll) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  Cells cells(8, {"packet.allocation=islip", "packet.buffer=512"});
  const double accepted = cells.accepted(Time::us(2), Time::us(8));
  note("queues per output, islip, 8 ports, accepted", accepted, "BookSim2 0.963", "2 %");
  EXPECT_NEAR(accepted, 0.963, 0.02 * 0.963);
}

/// Of eight ports with lanes of 16 flits each, whose queues are first-in-first-out.
double accepted_by_lanes(const std::string& rule, std::uint8_t lanes, int speed_up,
                         std::vector<std::string> more = {}) {
  for (const std::string& one :
       {"packet.allocation=" + rule, "packet.lanes=" + std::to_string(lanes),
        std::string("packet.buffer=16"), std::string("packet.input_queue=fifo"),
        "packet.speed_up=" + std::to_string(speed_up)}) {
    more.push_back(one);
  }
  Cells cells(8, more, lanes);
  return cells.accepted(Time::us(1), Time::us(7));
}

// BookSim2 gives a lane to a packet, here a flit, in a cycle of its own, so that a lane passes one
// in two cycles: one alone accepts 0.309, half of 0.6184. With eight lanes it is the rule of the
// crossbar that decides, with one of twice the speed none. (Inputs that choose first accept more
// here, as packets keep their lanes, where there they get any that is free: more of them lead to
// one output.) Of eight such lanes four take part at a time: as many that are nobody's own do the
// same.
TEST(Crossbar, LanesAcceptWhatBookSimDoes) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  struct Expected {
    const char* rule;
    std::uint8_t lanes;
    int speed_up;
    double booksim;
    double allowed;
  };
  for (const Expected& e : {Expected{"islip", 1, 1, 0.309, 0.02},
                            {"islip", 8, 1, 0.681, 0.02},
                            {"separable-input-first", 8, 1, 0.669, 0.04},
                            {"pim", 8, 1, 0.642, 0.02},
                            {"islip", 8, 2, 0.990, 0.01},
                            {"separable-input-first", 8, 2, 0.990, 0.01}}) {
    const double accepted =
        accepted_by_lanes(e.rule, e.lanes, e.speed_up,
                          {"packet.lane_time=" + std::to_string(1000 / e.speed_up) + "ps"});
    note(fmt::format("lanes of one packet at a time: {}, {}, speed-up {}, accepted", e.lanes,
                     e.rule, e.speed_up),
         accepted, fmt::format("BookSim2 {:.3f}", e.booksim),
         fmt::format("{:.0f} %", 100 * e.allowed));
    EXPECT_NEAR(accepted, e.booksim, e.allowed * e.booksim) << e.rule << e.lanes << e.speed_up;
  }
  for (const Expected& e : {Expected{"islip", 4, 1, 0.681, 0.02},
                            {"separable-input-first", 4, 1, 0.669, 0.02},
                            {"pim", 4, 1, 0.642, 0.04}}) {
    const double accepted = accepted_by_lanes(e.rule, e.lanes, e.speed_up);
    note(fmt::format("4 lanes of many packets: {}, accepted", e.rule), accepted,
         fmt::format("BookSim2 with eight {:.3f}", e.booksim),
         fmt::format("{:.0f} %", 100 * e.allowed));
    EXPECT_NEAR(accepted, e.booksim, e.allowed * e.booksim) << e.rule;
  }
}

// A cell on an idle switch takes so much longer as it takes to find its route and to give it a
// lane.
TEST(Crossbar, RoutesAndLanesTakeTheirTime) {
  const auto time = [](const std::vector<std::string>& more) {
    std::vector<std::string> settings = {"packet.input_queue=fifo", "packet.allocation=islip"};
    settings.insert(settings.end(), more.begin(), more.end());
    MachineParams params;
    params.link = {Bandwidth::gbps(512), {}, Time::ns(4), platform::Duplex::full};
    params.switches.latency = Time::ns(2);
    const platform::Platform platform = star(2, params);
    Bed bed("packet", platform, settings);
    bed.send(0, 0, 1, 44);
    bed.simulation.run();
    return bed.recorder.at(0);
  };
  const Time idle = time({});
  EXPECT_EQ(time({"packet.route_time=10ns"}), idle + Time::ns(10));
  EXPECT_EQ(time({"packet.lane_time=20ns"}), idle + Time::ns(20));
  EXPECT_EQ(time({"packet.route_time=10ns", "packet.lane_time=20ns"}), idle + Time::ns(30));
}

TEST(Crossbar, SaysWhatRoutesAndLanesOfPacketsNeed) {
  const platform::Platform platform = star(2);
  const auto refused = [&](const std::vector<std::string>& settings) {
    try {
      Bed bed("packet", platform, settings);
    } catch (const ParamError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refused({"packet.route_time=1ns"}), testing::HasSubstr("accepted with it is fifo"));
  EXPECT_THAT(refused({"packet.lane_time=1ns", "packet.input_queue=fifo"}),
              testing::HasSubstr("any allocation but none"));
  EXPECT_THAT(refused({"packet.lane_time=1ns", "packet.allocation=pim"}),
              testing::HasSubstr("accepted with it are fifo"));
}

// With four lanes of many packets each the oldest first, a matching that leaves no free pair over,
// accepts more than one round of two stages does.
TEST(Crossbar, TheOldestFirstLeavesNothingOver) {
  if (kSanitized) GTEST_SKIP() << "a long run";
  EXPECT_GT(accepted_by_lanes("oldest-first", 4, 1), 0.8);
}

}  // namespace
}  // namespace heddle::network
