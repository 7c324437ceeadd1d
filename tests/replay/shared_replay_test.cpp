// A replay shared among processes, which are threads here that share nothing but their exchange.
#include "replay/engine/shared_replay.hpp"

#include <gmock/gmock.h>

#include <barrier>
#include <cstring>
#include <filesystem>
#include <thread>

#include "goal/formats/formats.hpp"
#include "goal/patterns/patterns.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "sanitized.hpp"

namespace heddle::replay {
namespace {

using testing::HasSubstr;

/// A table that all members write to and read from in turns.
struct Meeting {
  explicit Meeting(std::size_t members)
      : boxes(members, std::vector<std::string>(members)),
        barrier(static_cast<std::ptrdiff_t>(members)) {}
  std::vector<std::vector<std::string>> boxes;  ///< By sender and receiver.
  std::barrier<> barrier;
};

class ThreadExchange final : public Exchange {
 public:
  ThreadExchange(Meeting& meeting, std::size_t me) : meeting_(meeting), me_(me) {}
  std::size_t me() const override { return me_; }
  std::size_t size() const override { return meeting_.boxes.size(); }
  std::vector<std::uint64_t> numbers(std::uint64_t mine) override {
    return swap_numbers(std::vector<std::uint64_t>(size(), mine));
  }
  std::vector<std::uint64_t> swap_numbers(std::span<const std::uint64_t> mine) override {
    const std::vector<std::uint64_t> ones(size(), 1);
    std::vector<std::uint64_t> in(size());
    swap(mine.data(), ones, in.data(), ones, sizeof(std::uint64_t));
    return in;
  }
  void gather(const void* mine, std::span<const std::uint64_t> counts, std::size_t record,
              void* all) override {
    std::string out;
    for (std::size_t p = 0; p < size(); ++p) {
      out.append(static_cast<const char*>(mine), counts[me_] * record);
    }
    const std::vector<std::uint64_t> out_counts(size(), counts[me_]);
    swap(out.data(), out_counts, all, counts, record);
  }
  void swap(const void* out, std::span<const std::uint64_t> out_counts, void* in,
            std::span<const std::uint64_t> in_counts, std::size_t record) override {
    const char* at = static_cast<const char*>(out);
    for (std::size_t p = 0; p < size(); ++p) {
      meeting_.boxes[me_][p].assign(at, out_counts[p] * record);
      at += out_counts[p] * record;
    }
    meeting_.barrier.arrive_and_wait();
    char* to = static_cast<char*>(in);
    for (std::size_t p = 0; p < size(); ++p) {
      const std::string& box = meeting_.boxes[p][me_];
      ASSERT_EQ(box.size(), in_counts[p] * record);
      to = std::copy(box.begin(), box.end(), to);
    }
    meeting_.barrier.arrive_and_wait();
  }

 private:
  Meeting& meeting_;
  std::size_t me_;
};

ReplayOptions options() {
  return {{Time::ns(2500), Time::ns(1500), Time::ns(1000), TimePerByte::attoseconds(6'000'000'000),
           TimePerByte(), replay_table().defaults()}};
}

/// "fingerprint events operations" of a replay by so many members, or the error that all of them
/// have met. `read` makes one share of the schedule.
template <class Read>
std::string outcome(std::uint32_t members, Read read, std::uint64_t most_logged = 1 << 18) {
  Meeting meeting(members);
  std::vector<std::string> told(members);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t me = 0; me < members; ++me) {
      threads.emplace_back([&, me] {
        ThreadExchange exchange(meeting, me);
        try {
          const goal::Schedule schedule = read(goal::RankShare{me, members});
          const SharedResult shared = shared_replay(schedule, options(), exchange, most_logged);
          told[me] = std::to_string(shared.result.fingerprint()) + " " +
                     std::to_string(shared.result.events) + " " + std::to_string(shared.operations);
        } catch (const std::exception& error) {
          told[me] = error.what();
        }
      });
    }
  }
  return told[0];
}

std::string one_thread(const goal::Schedule& schedule) {
  const ReplayResult result = loggops_replay(schedule, options());
  return std::to_string(result.fingerprint()) + " " + std::to_string(result.events) + " " +
         std::to_string(schedule.ops());
}

// Generated shares, and more members than ranks.
TEST(SharedReplay, GivesTheBitsOfOneProcess) {
  for (const char* pattern :
       {"dissemination", "nearest-neighbour", "random-dag", "binomial-bcast"}) {
    goal::PatternConfig config = goal::pattern_table().defaults();
    config.ranks = 7;
    config.compute = 3000;
    config.iterations = 3;
    const auto share = [&](const goal::RankShare& s) { return generate(pattern, config, s); };
    const std::string expected = one_thread(share({}));
    for (const std::uint32_t members : {1U, 2U, 5U, 9U}) {
      EXPECT_EQ(outcome(members, share), expected) << pattern << " " << members;
    }
  }
}

// Logs of a window that are joined a few events at a time, 1 of each member or 3, give the same
// order: simultaneous events, chains of events within a window, and members without any.
TEST(SharedReplay, LongLogsAreJoinedInSlices) {
  for (const char* pattern :
       {"dissemination", "nearest-neighbour", "random-dag", "linear-alltoall"}) {
    goal::PatternConfig config = goal::pattern_table().defaults();
    config.ranks = 11;
    config.compute = 300;
    config.iterations = 4;
    const auto share = [&](const goal::RankShare& s) { return generate(pattern, config, s); };
    const std::string expected = one_thread(share({}));
    for (const std::uint32_t members : {2U, 5U}) {
      for (const std::uint64_t most : {1U, 3U}) {
        EXPECT_EQ(outcome(members, share, most * members), expected) << pattern << " " << members;
      }
    }
  }
}

// Every reference schedule whose messages are no larger than S, read in shares from text.
TEST(SharedReplay, ReferenceSchedulesGiveTheFingerprintOfOneProcess) {
  int replayed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_TEST_DATA "/goal")) {
    if (entry.path().extension() != ".goal") continue;
    const auto share = [&](const goal::RankShare& s) {
      return goal::read_schedule(entry.path().string(), {1 << 20, s});
    };
    const goal::Schedule whole = share({});
    if (whole.largest_message() > 65535) continue;
    std::string expected;
    try {
      expected = one_thread(whole);
    } catch (const StallError&) {
      continue;
    }
    for (const std::uint32_t members : {2U, 1U, 5U}) {
      EXPECT_EQ(outcome(members, share), expected) << entry.path() << " " << members;
      if (kSanitized) break;
    }
    ++replayed;
  }
  EXPECT_GT(replayed, 10);
}

// Shares of all three formats have the same operations as the whole.
TEST(SharedReplay, SharesOfAFileHaveItsOwnRanksOnly) {
  const goal::Schedule whole = generate("dissemination", [] {
    goal::PatternConfig config = goal::pattern_table().defaults();
    config.ranks = 10;
    return config;
  }());
  for (const goal::Format format :
       {goal::Format::text, goal::Format::binary, goal::Format::compact}) {
    std::ostringstream out;
    write_schedule(whole, format, out);
    const goal::Schedule part = goal::parse_schedule(out.str(), "x", {1000, {1, 3}});
    EXPECT_EQ(part.ranks(), 10U);
    // Ranks 3, 4 and 5 of 10 are the second of three shares.
    for (std::uint32_t r = 0; r < 10; ++r) {
      EXPECT_EQ(part.rank(r).size(), r >= 3 && r < 6 ? whole.rank(r).size() : 0) << r;
    }
    EXPECT_EQ(part.rank(4).op(1), whole.rank(4).op(1));
  }
}

goal::Schedule text_share(const char* text, const goal::RankShare& share) {
  return goal::parse_text(text, "t.goal", {1000, share});
}

TEST(SharedReplay, MembersAgreeOnAnError) {
  const char* const large =
      "num_ranks 2\nrank 0 {\nsend 70000b to 1\n}\nrank 1 {\nrecv 70000b from 0\n}\n";
  const auto share = [&](const goal::RankShare& s) { return text_share(large, s); };
  EXPECT_THAT(outcome(2, share), HasSubstr("t.goal:3: rank 0, l1: send 70000b to 1 tag 0"));
  EXPECT_THAT(outcome(2, share), HasSubstr("larger than replay.S"));
}

// One receive is never served.
TEST(SharedReplay, AStallIsCounted) {
  const char* const stuck = "num_ranks 2\nrank 0 {\ncalc 5\n}\nrank 1 {\nrecv 7b from 0\n}\n";
  EXPECT_THAT(outcome(2, [&](const goal::RankShare& s) { return text_share(stuck, s); }),
              HasSubstr("1 receives without a message"));
}

}  // namespace
}  // namespace heddle::replay
