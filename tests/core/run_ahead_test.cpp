// Code of fibers ahead of its turn: nothing but real time tells.
#include "core/run_ahead.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <tuple>
#include <vector>

#include "core/fiber.hpp"
#include "sanitized.hpp"

namespace heddle {
namespace {

constexpr FiberConfig kSome{Bytes(256 * 1024), 32};

class Worker;

/// What happens to all workers, and in which order they do what others may notice.
struct Office {
  Office(Simulation& clock, FiberScheduler& scheduler) : simulation(clock), fibers(scheduler) {}
  Simulation& simulation;
  FiberScheduler& fibers;
  std::deque<Worker> workers;
  std::vector<std::tuple<Time, std::size_t, std::uint64_t>> log;
  int early = 0;  ///< Waits that ended so.
};

/// Waits for a letter, computes with what it says, and sends the result to another, again and
/// again. What a letter says is certain from when it is sent, though it takes its time.
class Worker final : public FiberTask, public AsideTask {
 public:
  Worker(Office& office, std::size_t number)
      : office_(office), number_(number), source_(office.simulation.new_source()) {}

  void begin(std::uint64_t first) {
    fiber_ = &office_.fibers.spawn(*this);
    send(*this, first, Time::ns(1));
  }
  Time waited() const { return waited_; }

  void run(Fiber& fiber) override {
    if (RunAhead* const ahead = fiber.scheduler().ahead()) ahead->add(fiber);
    for (int round = 0; round < kRounds; ++round) {
      await_letter();
      leave();
      const std::uint64_t result = compute(word_);
      FiberLead::come_back();
      speak(result);
    }
  }
  std::string name() const override { return "worker " + std::to_string(number_); }
  AsideTask* aside() override { return this; }

  void gone_aside() override {}
  void coming_back() override {}
  void come_back() override { end_wait(); }
  Time aside_until(Time) override { return Time::never(); }
  bool ends_wait_early() override {
    if (!waiting_ || early_ || !sent_) return false;
    early_ = true;
    ++office_.early;
    return true;
  }
  bool early_wait_is_over() override {
    if (there_) return true;
    ++looks_;
    return false;
  }

 private:
  static constexpr int kRounds = 30;

  void await_letter() {
    waiting_ = true;
    since_ = office_.simulation.now();
    while (!there_ && !early_) {
      fiber_->suspend("waits for a letter");
      looks_ += static_cast<int>(!there_ && !early_);
    }
    word_ = coming_;
    if (!early_) end_wait();
  }
  /// In the worker's turn.
  void end_wait() {
    if (!waiting_) return;
    waiting_ = early_ = there_ = sent_ = false;
    waited_ += office_.simulation.now() - since_;
    if (!letters_.empty()) open(Time::ns(3));
  }
  void leave() {
    if (office_.fibers.running_ahead()) {
      fiber_->lead().go_aside();
    } else if (office_.fibers.ahead() != nullptr) {
      fiber_->lead().look_around();
    }
  }
  static std::uint64_t compute(std::uint64_t word) {
    RandomStream random(word);
    std::uint64_t sum = 0;
    for (std::uint64_t i = random.below(3000); i > 0; --i) sum += random.below(1000);
    return sum;
  }
  void speak(std::uint64_t result) {
    office_.log.emplace_back(office_.simulation.now(), number_, result);
    // The mailbox of the next has room for one letter.
    Worker& next = office_.workers[(number_ + 1) % office_.workers.size()];
    send(next, result, Time::ns(static_cast<std::int64_t>(5 + result % 200)));
    // Now and then somebody is woken for nothing.
    Worker& other = office_.workers[result % office_.workers.size()];
    other.fiber_->wake();
  }
  void send(Worker& to, std::uint64_t word, Time takes) {
    to.letters_.push_back(word);
    if (!to.sent_) to.open(takes);
  }
  /// The next letter is under way.
  void open(Time takes) {
    coming_ = letters_.front();
    letters_.pop_front();
    sent_ = true;
    office_.simulation.schedule_in(arrival_, takes, source_);
  }
  void arrive() {
    there_ = true;
    fiber_->wake();
  }

  Office& office_;
  std::size_t number_;
  EventSource source_;
  Fiber* fiber_ = nullptr;
  MemberEvent<Worker, &Worker::arrive> arrival_{*this};
  std::deque<std::uint64_t> letters_;
  std::uint64_t coming_ = 0;
  std::uint64_t word_ = 0;
  bool sent_ = false;
  bool there_ = false;
  bool waiting_ = false;
  bool early_ = false;
  int looks_ = 0;
  Time since_;
  Time waited_;
};

/// What can be noticed of a run.
struct Noticed {
  std::uint64_t fingerprint = 0;
  std::vector<std::tuple<Time, std::size_t, std::uint64_t>> log;
  std::vector<Time> waited;
  bool operator==(const Noticed&) const = default;
};

struct Result {
  Noticed noticed;
  int early = 0;
  RunAhead::Totals totals;
};

/// On so many threads besides; none: in turns.
Result run(unsigned threads, std::uint64_t disturbance = 0) {
  constexpr std::size_t kWorkers = 9;
  Simulation simulation;
  FiberScheduler fibers(simulation, kSome);
  Office office(simulation, fibers);
  if (threads > 0) {
    fibers.run_ahead(threads);
    fibers.ahead()->disturb(disturbance);
  }
  for (std::size_t i = 0; i < kWorkers; ++i) office.workers.emplace_back(office, i);
  for (std::size_t i = 0; i < kWorkers; ++i) office.workers[i].begin(i);
  fibers.run();
  Result result{{simulation.fingerprint(), office.log, {}}, office.early, {}};
  for (const Worker& worker : office.workers) result.noticed.waited.push_back(worker.waited());
  if (threads > 0) result.totals = fibers.ahead()->totals();
  return result;
}

/// AddressSanitizer knows the stacks of one thread; ThreadSanitizer looks at these.
class RunAheadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "code changes threads";
  }
};

// Nine that hand numbers round, with letters that take up to 205 ns: the same events in the same
// order, the same results and times of waiting for any number of threads.
TEST_F(RunAheadTest, NumberOfThreadsMakesNoDifference) {
  const Result one = run(0);
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    const Result several = run(threads);
    EXPECT_TRUE(several.noticed == one.noticed) << threads;
    EXPECT_GT(several.early, 0) << threads;
  }
}

// Nor do the orders in which threads take up what they are given, with pauses.
TEST_F(RunAheadTest, NorDoesTheOrderInWhichTheyCompute) {
  const Result one = run(0);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_TRUE(run(3, seed).noticed == one.noticed) << seed;
  }
}

// Of 270 stretches of code some dozens at least go to threads, as many as these keep up with: who
// is in turn has the others looked at, whose letters are under way.
TEST_F(RunAheadTest, CodeRunsAside) {
  EXPECT_GT(run(2).totals.begun, 20U);
}

}  // namespace
}  // namespace heddle
