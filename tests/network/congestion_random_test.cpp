// Random messages under every congestion control, flow control and choice of ways: each arrives
// once, and no byte is lost, doubled or invented.
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "network/packet/rules.hpp"
#include "network/support.hpp"
#include "platform/topology/fat_tree.hpp"

namespace heddle::network {
namespace {

platform::Platform small_fat_tree() {
  auto topology =
      std::make_unique<platform::FatTree>(platform::FatTreeShape{{2, 2, 2}, {1, 2, 2}, {1, 1, 1}});
  auto routing = platform::make_routing("spray", *topology);
  const platform::LinkParams link{Bandwidth::gbps(100), {}, Time::ns(300), platform::Duplex::full};
  return {"fat tree",
          std::move(topology),
          std::move(routing),
          link,
          platform::SwitchParams{Time::ns(50)},
          {},
          {}};
}

struct Mixture {
  std::string control;
  std::string flow_control;  ///< With what belongs to it.
  std::string path_by;
};

std::vector<std::string> settings_of(const Mixture& c) {
  std::vector<std::string> all = {"packet.congestion=" + c.control, "packet.path_by=" + c.path_by,
                                  "packet.paths=8"};
  if (c.flow_control == "trim") {
    all.insert(all.end(), {"packet.flow_control=lossy", "lossy.full=trim", "lossy.queue=20kB"});
  } else if (c.flow_control == "drop") {
    all.insert(all.end(), {"packet.flow_control=lossy", "lossy.queue=20kB"});
  } else {
    all.push_back("packet.flow_control=" + c.flow_control);
  }
  return all;
}

/// 40 messages, half of them to one node, so that queues are full.
void run(const Mixture& c, std::uint64_t seed) {
  SCOPED_TRACE(c.control + ", " + c.flow_control + ", " + c.path_by + ", " + std::to_string(seed));
  const platform::Platform platform = small_fat_tree();
  Bed bed("packet", platform, settings_of(c));
  RandomStream random(seed);
  constexpr std::uint64_t kMessages = 40;
  std::int64_t bytes = 0;
  for (std::uint64_t i = 0; i < kMessages; ++i) {
    const auto from = static_cast<std::uint32_t>(1 + random.below(7));
    const auto to = static_cast<std::uint32_t>(i % 2 == 0 ? 0 : (from + 1 + random.below(6)) % 8);
    const auto size =
        static_cast<std::int64_t>(random.below(random.below(4) == 0 ? 200'000 : 3'000));
    bytes += size;
    bed.send(i, from, to, size);
    bed.simulation.run_until(bed.simulation.now() +
                             Time::ns(static_cast<std::int64_t>(random.below(500))));
  }
  bed.simulation.run();
  EXPECT_EQ(bed.recorder.count(), kMessages);
  EXPECT_EQ(bed.network->delivered(), Bytes(bytes));
  EXPECT_EQ(bed.network->stuck(), "");
}

class AllControls : public testing::TestWithParam<std::string> {};

TEST_P(AllControls, LoseNothing) {
  for (const char* flow_control : {"credits", "pfc", "drop", "trim"}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      run({GetParam(), flow_control, "packet"}, seed);
      run({GetParam(), flow_control, "mixed"}, seed);
    }
  }
  for (const PacketRule<PathChoice>* choice : path_choices()) {
    run({GetParam(), "trim", std::string(choice->name)}, 4);
  }
}

std::vector<std::string> control_names() {
  std::vector<std::string> names = {"none"};
  for (const auto* control : congestion_controls()) names.emplace_back(control->name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Each, AllControls, testing::ValuesIn(control_names()),
                         [](const auto& control) { return control.param; });

}  // namespace
}  // namespace heddle::network
