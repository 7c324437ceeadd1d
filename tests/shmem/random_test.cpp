// Random programs against a reference memory: what a fence orders and a quiet completes, no more.
#include <array>
#include <map>
#include <set>

#include "shmem/support.hpp"

namespace heddle::shmem {
namespace {

constexpr int kSlots = 4;   ///< Of each PE at each other PE.
constexpr int kLength = 3;  ///< Longs in a slot.
constexpr int kRounds = 3;  ///< Between barriers.
constexpr int kOperations = 25;

/// What one PE does, in its order: the same whenever it is asked.
class Script {
 public:
  enum class Kind { put, put_nbi, single, strided, signal, add, fetch_add, get, fence, quiet };
  struct Operation {
    Kind kind;
    int target;
    int slot;
    long value;
  };
  Script(int seed, int pe, int pes) : random_(static_cast<std::uint64_t>(seed), pe), pes_(pes) {}
  Operation next() {
    const auto kind = static_cast<Kind>(pick(10));
    const int target = pick(pes_);
    const int slot = pick(kSlots);
    return {kind, target, slot, ++value_};
  }

 private:
  int pick(int below) {
    return static_cast<int>(random_.next() % static_cast<std::uint64_t>(below));
  }
  struct Stream {
    Stream(std::uint64_t seed, int pe) : state(seed * 1000003 + static_cast<std::uint64_t>(pe)) {}
    std::uint64_t next() {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      return state >> 33;
    }
    std::uint64_t state;
  } random_;
  int pes_;
  long value_ = 0;
};

/// What the writer knows of a slot of its own at another PE.
struct Known {
  std::set<long> possible = {0};  ///< What a get may find there.
  long last = 0;
  bool unordered = false;  ///< Written since the last fence.
};

class Player {
 public:
  Player(int seed, int me, int pes)
      : script_(seed, me, pes), me_(me), pes_(pes), known_(static_cast<std::size_t>(pes * kSlots)) {
    const auto all = static_cast<std::size_t>(pes * kSlots * kLength);
    slots_ = allocate<long>(all);
    counter_ = allocate<long>(1);
    signals_ = allocate<std::uint64_t>(static_cast<std::size_t>(pes));
  }

  void play() {
    for (int i = 0; i < kOperations; ++i) perform(script_.next());
  }
  /// After a barrier: what all others have done to this PE's memory.
  void check(const std::vector<std::vector<Script::Operation>>& done) {
    long added = 0;
    for (int pe = 0; pe < pes_; ++pe) {
      std::map<int, long> last;
      std::uint64_t signals = 0;
      for (const Script::Operation& one : done[static_cast<std::size_t>(pe)]) {
        if (one.target != me_) continue;
        if (one.kind <= Script::Kind::signal) last[one.slot] = one.value;
        signals += one.kind == Script::Kind::signal ? 1 : 0;
        if (one.kind == Script::Kind::add || one.kind == Script::Kind::fetch_add) {
          added += one.value;
        }
      }
      for (const auto& [slot, value] : last) EXPECT_EQ(*place(pe, slot), value) << pe;
      EXPECT_EQ(signals_[pe], signals);
    }
    EXPECT_EQ(*counter_, added);
  }

 private:
  long* place(int writer, int slot) const { return slots_ + (writer * kSlots + slot) * kLength; }
  Known& known(int target, int slot) {
    return known_[static_cast<std::size_t>(target * kSlots + slot)];
  }
  /// Data that stays until the next quiet.
  const long* data(long value) {
    sources_.push_back(std::make_unique<std::array<long, 2 * kLength>>());
    sources_.back()->fill(value);
    return sources_.back()->data();
  }
  void write(const Script::Operation& one) {
    Known& slot = known(one.target, one.slot);
    if (slot.unordered) fence();
    slot.last = one.value;
    slot.possible.insert(one.value);
    slot.unordered = true;
    long* dest = place(me_, one.slot);
    switch (one.kind) {
      case Script::Kind::put:
        return pshmem_long_put(dest, data(one.value), kLength, one.target);
      case Script::Kind::put_nbi:
        return pshmem_long_put_nbi(dest, data(one.value), kLength, one.target);
      case Script::Kind::single:
        return pshmem_long_p(dest, one.value, one.target);
      case Script::Kind::strided:
        return pshmem_long_iput(dest, data(one.value), 1, 2, kLength, one.target);
      default:
        return pshmem_long_put_signal(dest, data(one.value), kLength, signals_ + me_, 1,
                                      SHMEM_SIGNAL_ADD, one.target);
    }
  }
  void fence() {
    pshmem_fence();
    for (Known& slot : known_) slot.unordered = false;
  }
  void quiet() {
    pshmem_quiet();
    for (Known& slot : known_) {
      slot.unordered = false;
      slot.possible = {slot.last};
    }
  }
  void perform(const Script::Operation& one) {
    switch (one.kind) {
      case Script::Kind::add:
        return pshmem_long_atomic_add(counter_, one.value, one.target);
      case Script::Kind::fetch_add:
        EXPECT_GE(pshmem_long_atomic_fetch_add(counter_, one.value, one.target), 0);
        return;
      case Script::Kind::get: {
        const long found = pshmem_long_g(place(me_, one.slot), one.target);
        EXPECT_TRUE(known(one.target, one.slot).possible.contains(found)) << found;
        return;
      }
      case Script::Kind::fence:
        return fence();
      case Script::Kind::quiet:
        return quiet();
      default:
        return write(one);
    }
  }

  Script script_;
  int me_;
  int pes_;
  std::vector<Known> known_;
  long* slots_ = nullptr;
  long* counter_ = nullptr;
  std::uint64_t* signals_ = nullptr;
  std::vector<std::unique_ptr<std::array<long, 2 * kLength>>> sources_;
};

class Random : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, Random, ::testing::Values("hybrid", "portals"),
                         [](const auto& values) { return std::string(values.param); });

void play(const char* transport, int seed, int pes) {
  Bed bed(static_cast<std::uint32_t>(pes), {by(transport)}, 1 + seed % 2);
  bed.run([&](int me) {
    Player player(seed, me, pes);
    std::vector<Script> scripts;
    std::vector<std::vector<Script::Operation>> done(static_cast<std::size_t>(pes));
    for (int pe = 0; pe < pes; ++pe) scripts.emplace_back(seed, pe, pes);
    for (int round = 0; round < kRounds; ++round) {
      player.play();
      pshmem_barrier_all();
      for (int pe = 0; pe < pes; ++pe) {
        for (int i = 0; i < kOperations; ++i) {
          done[static_cast<std::size_t>(pe)].push_back(
              scripts[static_cast<std::size_t>(pe)].next());
        }
      }
      player.check(done);
      pshmem_barrier_all();
    }
  });
  EXPECT_EQ(bed.job().ends().abort().problem, "");
}

TEST_P(Random, EveryPeFindsWhatTheReferenceHas) {
  for (const int pes : {1, 2, 3, 7, 16, 33}) {
    for (int seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(std::to_string(pes) + " PEs, seed " + std::to_string(seed));
      play(GetParam(), seed, pes);
    }
  }
}

}  // namespace
}  // namespace heddle::shmem
