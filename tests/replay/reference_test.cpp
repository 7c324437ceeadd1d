// What LogGOPSim 2023 computes for its own kind of schedules, under four sets of parameters each.
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "goal/formats/formats.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "sanitized.hpp"

namespace heddle::replay {
namespace {

using Engine = ReplayResult (*)(const goal::Schedule&, const ReplayOptions&);

/// The parameters of a case: whole numbers of the schedule's unit, here nanoseconds.
ReplayOptions options_of(const nlohmann::json& c, bool compat) {
  ReplayConfig replay = replay_table().defaults();
  replay.rendezvous = Bytes(c["S"].get<std::int64_t>());
  replay.loggopsim_2023 = compat;
  const auto rate = [&](const char* name) {
    return TimePerByte::attoseconds(c[name].get<std::int64_t>() * 1'000'000'000);
  };
  const auto time = [&](const char* name) { return Time::ns(c[name].get<std::int64_t>()); };
  return {{time("L"), time("o"), time("g"), rate("G"), rate("O"), replay}};
}

std::vector<std::int64_t> finish_in_ns(const ReplayResult& result) {
  std::vector<std::int64_t> ns;
  for (const Time t : result.finish) {
    EXPECT_EQ(t.ps() % 1000, 0);
    ns.push_back(t.ps() / 1000);
  }
  return ns;
}

class Reference : public testing::Test {
 protected:
  Reference() {
    std::ifstream in(HEDDLE_TEST_DATA "/goal/expected.json");
    cases_ = nlohmann::json::parse(in)["cases"];
  }
  const goal::Schedule& schedule(const std::string& file) {
    auto it = schedules_.find(file);
    if (it == schedules_.end()) {
      it = schedules_.emplace(file, goal::read_schedule(HEDDLE_TEST_DATA "/goal/" + file)).first;
    }
    return it->second;
  }
  void check(const nlohmann::json& c, Engine engine, bool compat) {
    const auto options = options_of(c, compat);
    const std::string file = c["file"];
    SCOPED_TRACE(file + " L=" + std::to_string(c["L"].get<int>()));
    if (c["finish_times"].empty()) {
      EXPECT_THROW(engine(schedule(file), options), StallError);
      return;
    }
    const ReplayResult result = engine(schedule(file), options);
    EXPECT_EQ(finish_in_ns(result), c["finish_times"].get<std::vector<std::int64_t>>());
    EXPECT_EQ(result.events, c["events"].get<std::uint64_t>());
  }

  nlohmann::json cases_;
  std::map<std::string, goal::Schedule> schedules_;
};

/// Cases whose published times rest on an accident of that program.
///
/// comments_syntax.goal is among them under the first and the last set of parameters. Its rank 0
/// has a calc x1 of 10 and a send of 20 B on cpu 1 and nic 1, and on cpu 0 and nic 1 a send y of 3
/// B that requires x1. With o = 1500, g = 1000 and G = 6 the rank ends at 2614, the end of y: y
/// began at 1114. So nic 1 was free then: the other send had begun at 0, for 1000 + 19 x 6. Until
/// 1500 that send held cpu 1, and x1 ended at 1510: y began before what it requires. No order of
/// the operations avoids it: with x1 first, y begins at 1124. With o = 300, g = 50, G = 1 and O = 4
/// the rank ends at 386, so y, which takes 308, began at 78 at the latest; with x1 first it begins
/// at 79, else x1 ends at 386. Under the two other sets nic 1 is the last that y waits for, and the
/// times are those of the rules.
bool rests_on_an_accident(const nlohmann::json& c) {
  const std::string file = c["file"];
  if (file == "comments_syntax.goal") return c["L"] == 2500 || c["L"] == 12000;
  return file == "multi_cpu.goal" || file == "multi_nic.goal" || file == "zero_and_one_byte.goal" ||
         file == "random_dag8_multicpu.goal" || file == "ring_allreduce16_schedgen.goal";
}

TEST_F(Reference, CompatibilityModeGivesEveryPublishedTime) {
  ASSERT_EQ(cases_.size(), 84U);
  for (const auto& c : cases_) check(c, single_queue_replay, true);
}

TEST_F(Reference, TheSimpleReplayGivesEveryTimeThatRestsOnNoAccident) {
  for (const auto& c : cases_) {
    if (!rests_on_an_accident(c)) check(c, single_queue_replay, false);
  }
}

TEST_F(Reference, TheReplayGivesEveryTimeThatRestsOnNoAccident) {
  for (const auto& c : cases_) {
    if (!rests_on_an_accident(c)) check(c, loggops_replay, false);
  }
}

template <unsigned threads>
ReplayResult replay_by(const goal::Schedule& schedule, const ReplayOptions& options) {
  ReplayOptions shared = options;
  shared.threads = threads;
  return loggops_replay(schedule, shared);
}

TEST_F(Reference, AnyNumberOfThreadsGivesTheFingerprintOfOne) {
  for (const auto& c : cases_) {
    const auto options = options_of(c, false);
    const goal::Schedule& s = schedule(c["file"]);
    if (c["finish_times"].empty()) continue;
    const std::uint64_t expected = loggops_replay(s, options).fingerprint();
    EXPECT_EQ(replay_by<3>(s, options).fingerprint(), expected) << c["file"];
    if (kSanitized) continue;
    EXPECT_EQ(replay_by<2>(s, options).fingerprint(), expected) << c["file"];
    EXPECT_EQ(replay_by<8>(s, options).fingerprint(), expected) << c["file"];
  }
}

}  // namespace
}  // namespace heddle::replay
