// Random sequences of calls, through Portals on simulated adapters and through the plain model:
// answers, memory, events, counters and status registers must be the same after every step.
//
// Steps follow one another when everything is quiet, so that the model needs no idea of time. What
// one step triggers in several processes may happen in any order, so it is kept to what commutes:
// counters that messages change trigger increments only; the others, which only calls change, also
// trigger messages, none of them to the process itself.
#include "portals/model/world.hpp"
#include "portals/random/compare.hpp"
#include "sanitized.hpp"

namespace heddle::portals::random {
namespace {

constexpr int kSteps = 80;
constexpr std::uint64_t kFirstSeed = 1;
constexpr std::uint64_t kSequences = kSanitized ? 240 : 1200;

/// An entry on both sides; it may be gone.
struct Appended {
  ptl_handle_me_t handle = 0;
  std::size_t id = 0;
  std::size_t portal = 0;
};

/// One sequence.
class Sequence {
 public:
  explicit Sequence(std::uint64_t seed)
      : seed_(seed), draw_(seed), real_(kRanks), entries_(kRanks) {
    world_.processes.resize(kRanks);
    world_.max_headers = 4;
    world_.matching = draw_.matching();
    for (model::Process& process : world_.processes) {
      process.memory.resize(kMemory);
      process.portals.resize(kPortals);
      process.portals[1].flow_control = true;
      process.counters.resize(kCounters);
      process.target_queue.capacity = kQueue;
      process.initiator_queue.capacity = kInitiatorQueue;
    }
  }

  void run() {
    SCOPED_TRACE("seed " + std::to_string(seed_));
    Bed bed(kRanks, {"portals.max_unexpected_headers=4"});
    bed.run([this](std::uint32_t rank) { live(rank); });
    EXPECT_EQ(bed.machine().commands().in_use(), 0U);
    EXPECT_EQ(bed.machine().events().in_use(), 0U);
    EXPECT_EQ(bed.machine().counters().in_use(), 0U);
  }

 private:
  void live(std::uint32_t rank) {
    real_[rank].set_up(draw_);
    for (int i = 0; i < kSteps && !testing::Test::HasFailure(); ++i) {
      pause();
      if (rank == 0) actor_ = draw_.rank();
      pause();
      if (rank == actor_) step(rank);
      pause();
      compare(rank, "step " + std::to_string(i) + " " + did_);
    }
    pause();
    read_all(rank);
  }

  void compare(std::uint32_t rank, const std::string& after) {
    SCOPED_TRACE("seed " + std::to_string(seed_) + ", rank " + std::to_string(rank) + " after " +
                 after);
    compare_initiator(real_[rank], world_.processes[rank]);
    compare_state(real_[rank], world_.processes[rank]);
  }

  // Steps.

  void step(std::uint32_t rank) {
    switch (draw_.below(14)) {
      case 0:
      case 1:
      case 2:
        return append(rank);
      case 3:
      case 4:
      case 5:
        return transfer(rank);
      case 6:
        return unlink(rank);
      case 7:
        return search(rank);
      case 8:
        return read_some(rank);
      case 9:
        return count(rank);
      case 10:
        return trigger(rank);
      default:
        return switch_portal(rank);
    }
  }

  void append(std::uint32_t rank) {
    did_ = "append by " + std::to_string(rank);
    const DrawnEntry drawn = draw_.entry();
    const ptl_pt_index_t portal = draw_.portal();
    const ptl_list_t list = draw_.chance(50) ? PTL_PRIORITY_LIST : PTL_OVERFLOW_LIST;
    const ptl_handle_me_t handle = real_[rank].append(drawn, portal, list);
    entries_[rank].push_back({handle, world_.append(rank, portal, drawn.spec, list), portal});
  }

  void unlink(std::uint32_t rank) {
    const std::vector<Appended>& entries = entries_[rank];
    if (entries.empty()) return;
    did_ = "unlink by " + std::to_string(rank);
    const Appended entry = entries[draw_.below(entries.size())];
    const int answer = real_[rank].unlink(entry.handle);
    EXPECT_EQ(answer, world_.unlink(rank, entry.portal, entry.id));
  }

  void search(std::uint32_t rank) {
    did_ = "search by " + std::to_string(rank);
    const DrawnEntry drawn = draw_.entry();
    const ptl_pt_index_t portal = draw_.portal();
    const ptl_search_op_t what = draw_.chance(50) ? PTL_SEARCH_ONLY : PTL_SEARCH_DELETE;
    real_[rank].search(drawn, portal, what);
    world_.search(rank, portal, drawn.spec, what);
  }

  DrawnTransfer draw_transfer(std::uint32_t rank, std::uint32_t target) {
    return draw_.transfer(target, real_[rank].sources, real_[rank].results[target]);
  }

  /// Several in a row go to one target, in order.
  void transfer(std::uint32_t rank) {
    const std::uint32_t target = draw_.rank();
    Real& real = real_[rank];
    for (std::size_t i = kEntries; i < kEntries + kSource; ++i) {
      real.memory[i] = static_cast<unsigned char>(draw_.below(256));
      world_.processes[rank].memory[i] = real.memory[i];
    }
    const std::uint64_t count = 1 + draw_.below(3);
    did_ = std::to_string(count) + " transfers from " + std::to_string(rank) + " to " +
           std::to_string(target);
    for (std::uint64_t i = 0; i < count; ++i) {
      const DrawnTransfer drawn = draw_transfer(rank, target);
      EXPECT_OK(Real::start(drawn));
      world_.transfer(rank, drawn.transfer);
    }
  }

  void count(std::uint32_t rank) {
    did_ = "count by " + std::to_string(rank);
    const std::size_t counter = draw_.below(kCounters);
    const ptl_handle_ct_t handle = real_[rank].counters[counter];
    if (draw_.chance(70)) {
      const ptl_ct_event_t by =
          draw_.chance(80) ? ptl_ct_event_t{draw_.below(4), 0} : ptl_ct_event_t{0, 1};
      EXPECT_OK(PtlCTInc(handle, by));
      world_.increment(rank, counter, by);
    } else {
      const ptl_ct_event_t to{draw_.below(10), draw_.below(2)};
      EXPECT_OK(PtlCTSet(handle, to));
      world_.set(rank, counter, to);
    }
  }

  void trigger(std::uint32_t rank) {
    did_ = "trigger by " + std::to_string(rank);
    const std::size_t counter = draw_.below(kCounters);
    const ptl_handle_ct_t handle = real_[rank].counters[counter];
    if (draw_.chance(15)) {
      EXPECT_OK(PtlCTCancelTriggered(handle));
      return world_.cancel(rank, counter);
    }
    const ptl_ct_event_t value = world_.processes[rank].counters[counter].value;
    const ptl_size_t threshold = draw_.below(value.success + value.failure + 8);
    const bool driven = counter < kDriven;
    world_.trigger(rank, counter, threshold,
                   driven && draw_.chance(60) ? trigger_transfer(rank, handle, threshold)
                                              : trigger_change(rank, driven, handle, threshold));
  }
  model::Action trigger_transfer(std::uint32_t rank, ptl_handle_ct_t handle, ptl_size_t threshold) {
    const DrawnTransfer drawn = draw_transfer(rank, draw_.other_rank(rank));
    EXPECT_OK(Real::start_triggered(drawn, handle, threshold));
    model::Action action;
    action.transfer = drawn.transfer;
    return action;
  }
  /// Of a counter that is `driven` by calls only or not, as is the one that triggers.
  model::Action trigger_change(std::uint32_t rank, bool driven, ptl_handle_ct_t handle,
                               ptl_size_t threshold) {
    const bool set = driven && draw_.chance(40);
    model::Action action;
    action.what = set ? model::Action::What::set : model::Action::What::increment;
    action.counter = driven ? draw_.below(kDriven) : draw_.message_counter();
    action.change = {draw_.below(4), 0};
    const auto call = set ? PtlTriggeredCTSet : PtlTriggeredCTInc;
    EXPECT_OK(call(real_[rank].counters[action.counter], action.change, handle, threshold));
    return action;
  }

  void switch_portal(std::uint32_t rank) {
    did_ = "switch by " + std::to_string(rank);
    const ptl_pt_index_t portal = draw_.portal();
    const bool enable = draw_.chance(90);
    EXPECT_OK(enable ? PtlPTEnable(real_[rank].ni, portal) : PtlPTDisable(real_[rank].ni, portal));
    world_.processes[rank].portals[portal].enabled = enable;
  }

  void read_some(std::uint32_t rank) {
    did_ = "read by " + std::to_string(rank);
    const std::uint64_t count = 1 + draw_.below(kQueue);
    for (std::uint64_t i = 0; i < count && read_one(rank); ++i) {
    }
  }
  void read_all(std::uint32_t rank) {
    SCOPED_TRACE("at the end");
    while (read_one(rank) && !testing::Test::HasFailure()) {
    }
  }
  bool read_one(std::uint32_t rank) {
    return compare_next_event(real_[rank], world_.processes[rank]);
  }

  std::uint64_t seed_;
  Draw draw_;
  model::World world_;
  std::vector<Real> real_;
  std::vector<std::vector<Appended>> entries_;  ///< By rank.
  std::uint32_t actor_ = 0;
  std::string did_;  ///< The last step, in words.
};

TEST(Random, SequencesAgreeWithTheModel) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSequences && !HasFailure(); ++seed) {
    Sequence(seed).run();
  }
  RecordProperty("seeds",
                 std::to_string(kFirstSeed) + ".." + std::to_string(kFirstSeed + kSequences - 1));
}

}  // namespace
}  // namespace heddle::portals::random
