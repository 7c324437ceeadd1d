// Random failures on many shapes: every message ends once, and every run ends.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>

#include "core/random.hpp"
#include "network/support.hpp"
#include "platform/machine_support.hpp"
#include "sanitized.hpp"

namespace heddle::network {
namespace {

constexpr std::uint32_t kHistoryMessages = 40;

const char* const kShapes[] = {
    "topology: {kind: fat-tree, arity: 4, levels: 2}\n",
    "topology: {kind: dragonfly, nodes_per_switch: 2}\n",
    "topology: {kind: torus, dims: 4x4}\n",
    "topology: {kind: slim-fly, q: 3, nodes_per_switch: 2}\n",
    "topology: {kind: jellyfish, switches: 16, ports: 4, nodes_per_switch: 2}\n",
};

template <class T, std::size_t n>
const T& any_of(const T (&all)[n], RandomStream& random) {
  return all[random.below(n)];
}

std::string random_span(RandomStream& random) {
  const std::uint64_t from = random.below(40);
  const std::uint64_t length = 1 + random.below(30);
  std::string text = "@" + std::to_string(from) + "us-";
  if (random.below(6) == 0) return text;
  text += std::to_string(from + length) + "us";
  if (random.below(4) == 0) text += "/" + std::to_string(length + 1 + random.below(40)) + "us";
  return text;
}

/// A section `failures` of a machine.
std::string failures(RandomStream& random) {
  std::string text =
      "failures:\n  cables: \"" + std::to_string(1 + random.below(30)) + "%" + random_span(random);
  for (std::uint64_t more = random.below(3); more > 0; --more) {
    text += ", " + std::to_string(1 + random.below(10)) + "%" + random_span(random);
  }
  text += "\"\n";
  if (random.below(3) == 0) text += "  switches: \"5%" + random_span(random) + "\"\n";
  if (random.below(3) == 0) text += "  adapters: \"5%" + random_span(random) + "\"\n";
  if (random.below(3) == 0) text += "  degraded: \"20%" + random_span(random) + "\"\n";
  static constexpr const char* kUnderWay[] = {"lost", "held"};
  static constexpr const char* kRerouting[] = {"none", "local", "tables", "both"};
  text += std::string("  under_way: ") + any_of(kUnderWay, random) + "\n";
  text += std::string("  rerouting: ") + any_of(kRerouting, random) + "\n";
  text += "  detection: " + std::to_string(random.below(5)) + "us\n";
  text += "  sweep: " + std::to_string(random.below(20)) + "us\n";
  text += "  resend_after: 5us\n  resends: 3\n";
  text += "  seed: " + std::to_string(random.below(1'000'000)) + "\n";
  return text;
}

/// What is said of each message.
class HistoryEnds final : public TransferClient {
 public:
  void transfer_reached(Instant instant, std::uint64_t cookie) override {
    ++counts[cookie][static_cast<std::uint8_t>(instant)];
    if (instant == Instant::tail || instant == Instant::lost) return;
    EXPECT_EQ(ended(cookie), 0) << "an instant after the end";
  }
  int ended(std::uint64_t cookie) {
    return count(cookie, Instant::tail) + count(cookie, Instant::lost);
  }
  int count(std::uint64_t cookie, Instant instant) {
    return counts[cookie][static_cast<std::uint8_t>(instant)];
  }

  std::map<std::uint64_t, std::map<std::uint8_t, int>> counts;
};

/// A message at its time.
class HistoryStart final : public Event {
 public:
  HistoryStart(Bed& bed, const Transfer& transfer) : bed_(bed), transfer_(transfer) {}

 private:
  void fire() override { bed_.network->start(transfer_); }
  Bed& bed_;
  Transfer transfer_;
};

struct HistoryOutcome {
  std::uint64_t fingerprint = 0;
  std::uint64_t lost = 0;
  bool given_up = false;
  bool operator==(const HistoryOutcome&) const = default;
};

/// One history; `told` if clients want to know of losses, and nothing is sent again.
HistoryOutcome run_history(std::uint64_t seed, bool told) {
  RandomStream random(seed);
  static constexpr const char* kModels[] = {"queue", "packet", "fluid"};
  static constexpr const char* kRoutings[] = {"minimal", "adaptive", "ecmp",  "spray",
                                              "flowlet", "valiant",  "ugal-l"};
  const std::string model = any_of(kModels, random);
  // Trees have no switches to go by way of: for them the minimal ones.
  const std::size_t shape = seed % std::size(kShapes);
  const std::string routing = kRoutings[random.below(shape == 0 ? 5 : std::size(kRoutings))];
  const std::string text = kShapes[shape] +
                           std::string("link: {bandwidth: 100Gbps, latency: 100ns}\n") +
                           failures(random);
  SCOPED_TRACE(model + " " + routing + "\n" + text);
  const auto machine = platform::platform_of(text, {"topology.routing=" + routing});
  Bed bed(model, *machine);
  HistoryEnds ends;
  EventSource source = bed.simulation.new_source();
  std::deque<HistoryStart> starts;
  for (std::uint32_t m = 0; m < kHistoryMessages; ++m) {
    const auto from = static_cast<std::uint32_t>(random.below(machine->nodes()));
    const auto to = static_cast<std::uint32_t>(random.below(machine->nodes()));
    Transfer transfer = bed.transfer(m, from, to, static_cast<std::int64_t>(random.below(100'000)));
    transfer.client = &ends;
    transfer.wants = told ? kAllInstants | static_cast<std::uint8_t>(Instant::lost) : kAllInstants;
    bed.simulation.schedule(starts.emplace_back(bed, transfer),
                            Time::ns(static_cast<std::int64_t>(random.below(60'000))), source);
  }
  HistoryOutcome outcome;
  try {
    bed.simulation.run();
    EXPECT_EQ(bed.network->stuck(), "");
    for (std::uint32_t m = 0; m < kHistoryMessages; ++m) {
      EXPECT_EQ(ends.ended(m), 1) << "message " << m;
      EXPECT_EQ(ends.count(m, Instant::injected), 1) << "message " << m;
      EXPECT_LE(ends.count(m, Instant::head), 1) << "message " << m;
      if (!told) {
        EXPECT_EQ(ends.count(m, Instant::tail), 1) << "message " << m;
      }
    }
  } catch (const RunError& error) {
    EXPECT_FALSE(told) << error.what();
    EXPECT_NE(std::string(error.what()).find("could not reach"), std::string::npos) << error.what();
    outcome.given_up = true;
  }
  outcome.fingerprint = bed.simulation.fingerprint();
  outcome.lost = bed.network->losses().lost;
  return outcome;
}

TEST(FailureHistories, EveryMessageEndsOnceAndTheSameSeedDoesTheSame) {
  const std::uint64_t usual = kSanitized ? 40 : 100;
  const std::uint64_t histories = std::getenv("HEDDLE_VALIDATE") != nullptr ? 1000 : usual;
  std::uint64_t with_losses = 0;
  std::uint64_t given_up = 0;
  for (std::uint64_t seed = 0; seed < histories && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const HistoryOutcome told = run_history(seed, true);
    EXPECT_EQ(run_history(seed, true), told);
    const HistoryOutcome resent = run_history(seed, false);
    EXPECT_EQ(run_history(seed, false), resent);
    with_losses += told.lost > 0;
    given_up += resent.given_up;
  }
  // Otherwise nothing was tested.
  EXPECT_GT(with_losses, histories / 5);
  EXPECT_LT(given_up, histories / 2);
}

}  // namespace
}  // namespace heddle::network
