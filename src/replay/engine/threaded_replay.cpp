#include "replay/engine/threaded_replay.hpp"

#include <exception>
#include <memory>
#include <thread>
#include <utility>

#include "core/forked_tasks.hpp"
#include "replay/engine/part_replay.hpp"
#include "replay/engine/thread_barrier.hpp"
#include "replay/engine/window_pace.hpp"

namespace heddle::replay {
namespace {

/// The threads of one replay. Whatever one of them writes another reads only after a barrier.
class Crew {
 public:
  Crew(const goal::Schedule& schedule, const ReplayOptions& options, const Parts& parts,
       const SharedFabric* fabric = nullptr, SharedPackets* packets = nullptr)
      : schedule_(schedule),
        options_(options),
        parts_(parts),
        fabric_(fabric),
        packets_(packets),
        units_(UnitPairs::of(schedule)),
        members_(parts.size()),
        pace_(options.least_events),
        first_(schedule.ops() | mark()),
        barrier_(static_cast<std::uint32_t>(parts.size()), parts.size() <= ForkedTasks::cores()) {}

  ReplayResult run() {
    {
      std::vector<std::jthread> threads;
      for (std::size_t me = 1; me < members_.size(); ++me) {
        threads.emplace_back([this, me] { work(me); });
      }
      work(0);
    }
    throw_first_error();
    return result();
  }

 private:
  struct alignas(64) Member {
    std::unique_ptr<PartReplay> engine;
    std::exception_ptr error;
    Time failed_at;
    std::vector<std::vector<Numbered>> share;  ///< By part: of the numbers that this one gives.
    Numbers numbers;                           ///< Of this part's events.
    std::uint64_t caused = 0;                  ///< By the last window, of all parts.
    Time next;                                 ///< When there is something to do.
    ReplayResult result;                       ///< Of this part's ranks, at the end.
    Leftovers left;                            ///< The same.
  };

  /// An error ends the thread's part of the work, but not its visits to the barriers.
  template <class Step>
  void attempt(std::size_t me, Step step) {
    Member& member = members_[me];
    if (member.error) return;
    try {
      step(member);
    } catch (...) {
      member.error = std::current_exception();
      member.failed_at = member.engine ? member.engine->now() : Time::zero();
    }
  }

  void work(std::size_t me) {
    attempt(me, [&](Member& member) {
      EngineInput input{schedule_, options_, units_, &parts_, me};
      input.fabric = fabric_;
      input.packets = packets_;
      member.engine = make_part_replay(input);
      member.engine->begin(ops_before(me) | mark());
    });
    for (;;) {
      barrier_.arrive_and_wait([this] { replay_alone(); });
      if (any_failed()) return;
      if (over()) return attempt(me, [](Member& member) { end(member); });
      if (me == 0) ++shared_;
      number_events(me);
      settle(me);
      barrier_.arrive_and_wait([this] { join_window(); });
      if (over()) return attempt(me, [](Member& member) { end(member); });
      replay(me);
    }
  }

  /// The windows that one thread replays for all, while the others wait.
  void replay_alone() {
    const std::uint64_t slept = std::exchange(slept_, barrier_.sleeps());
    bool alone = pace_.next_alone(events_of_window(), slept_ - slept);
    for (; alone && !any_failed(); alone = pace_.next_alone(events_of_window(), 0)) {
      number_all();
      for (std::size_t part = 0; part < members_.size(); ++part) settle(part);
      join_window();
      if (over()) return;
      for (std::size_t part = 0; part < members_.size(); ++part) replay(part);
    }
    slept_ = barrier_.sleeps();
  }

  /// Of the last window, of all parts.
  std::uint64_t events_of_window() {
    std::uint64_t events = 0;
    for (std::size_t part = 0; part < members_.size(); ++part) {
      if (members_[part].error) continue;
      const PartReplay& engine = *members_[part].engine;
      events += engine.events() + engine.hops();
      if (packets_ != nullptr) events += packets_->network.simulation(part).events_fired();
    }
    return events - std::exchange(events_, events);
  }

  void settle(std::size_t part) {
    attempt(part, [](Member& member) { member.next = member.engine->settle(member.numbers); });
  }

  /// All parts have settled what the last window has caused.
  void join_window() {
    first_ += members_.front().caused;
    start_ = next_time();
    report_progress(windows_++);
  }

  /// Nothing is left to do.
  bool over() const { return start_ == Time::never(); }

  void replay(std::size_t part) {
    attempt(part, [&](Member& member) {
      if (packets_ != nullptr) packets_->network.take(part);
      for (const Member& other : members_) {
        if (&other != &member) member.engine->take_from(other.engine->part());
      }
      member.engine->replay(start_);
    });
  }

  /// Each thread frees the memory of its part, too.
  static void end(Member& member) {
    member.left = member.engine->leftovers();
    member.engine->add_to(member.result);
    member.engine.reset();
  }

  /// Of the sequences of ranks: over links they come behind those of hops.
  std::uint64_t mark() const { return fabric_ == nullptr ? 0 : Sequences::kBehind; }

  std::uint64_t ops_before(std::size_t part) const {
    std::uint64_t ops = 0;
    for (RankId r{0}; r < parts_.begin(part); ++r) ops += schedule_.rank(raw(r)).size();
    return ops;
  }

  /// Numbers what this thread's last window has caused.
  /// Where the logs are long each numbers a share of the events of all, else each those of all, for
  /// itself, which is done sooner than to wait for the others.
  void number_events(std::size_t me) {
    constexpr std::size_t kLong = 1024;
    const Numbering numbering(logs());
    Member& mine = members_[me];
    mine.numbers.clear();
    if (numbering.runs() > kLong) {
      number_share(numbering, mine, me, members_.size());
      barrier_.arrive_and_wait();
      for (const Member& member : members_) mine.numbers.add(member.share[me]);
    } else {
      number_share(numbering, mine, 0, 1);
      mine.numbers.add(mine.share[me]);
    }
    mine.numbers.close();
    mine.caused = numbering.caused();
  }

  /// The same by one thread for all.
  void number_all() {
    const Numbering numbering(logs());
    Member& mine = members_.front();
    number_share(numbering, mine, 0, 1);
    for (std::size_t part = 0; part < members_.size(); ++part) {
      members_[part].numbers.clear();
      members_[part].numbers.add(mine.share[part]);
      members_[part].numbers.close();
    }
    mine.caused = numbering.caused();
  }

  std::vector<std::span<const EventRun>> logs() const {
    std::vector<std::span<const EventRun>> logs;
    for (const Member& member : members_) logs.push_back(member.engine->part().log().runs());
    return logs;
  }

  void number_share(const Numbering& numbering, Member& member, std::size_t share,
                    std::size_t shares) const {
    const Numbering::Place from = numbering.cut(share, shares);
    member.share.resize(members_.size());
    for (std::vector<Numbered>& stretches : member.share) stretches.clear();
    numbering.number(from, numbering.cut(share + 1, shares), first_ + numbering.caused_before(from),
                     member.share);
  }

  Time next_time() const {
    Time next = Time::never();
    for (const Member& member : members_) next = std::min(next, member.next);
    return next;
  }

  bool any_failed() const {
    return std::any_of(members_.begin(), members_.end(),
                       [](const Member& member) { return member.error != nullptr; });
  }

  void report_progress(std::uint64_t windows) const {
    constexpr std::uint64_t kSeldom = 256;
    if (!options_.progress || windows % kSeldom != 0) return;
    options_.progress(members_[0].engine->ended() * members_.size(), schedule_.ops());
  }

  /// The error that one thread would have met first.
  void throw_first_error() const {
    const Member* first = nullptr;
    for (const Member& member : members_) {
      if (member.error && (first == nullptr || member.failed_at < first->failed_at)) {
        first = &member;
      }
    }
    if (first != nullptr) std::rethrow_exception(first->error);
  }

  ReplayResult result() {
    ReplayResult result = std::move(members_.front().result);
    Leftovers left = std::move(members_.front().left);
    for (Member& member : std::span(members_).subspan(1)) {
      result.events += member.result.events;
      result.network_events += member.result.network_events;
      result.network_fingerprint += member.result.network_fingerprint;
      append(result.finish, member.result.finish);
      append(result.adapters_free, member.result.adapters_free);
      append(result.times, member.result.times);
      append(left.receives, member.left.receives);
      append(left.sends, member.left.sends);
      append(left.waiting, member.left.waiting);
    }
    result.cpus = schedule_.cpus();
    result.threads = members_.size();
    result.shared_windows = shared_;
    if (fabric_ != nullptr) fabric_->links.crossings().fingerprint += result.network_fingerprint;
    const std::string stuck = join_packets(result);
    if (!left.empty() || !stuck.empty()) throw StallError(schedule_, left, result.events, stuck);
    return result;
  }

  template <class Value>
  static void append(std::vector<Value>& all, const std::vector<Value>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  /// What the network waits for, if it does.
  std::string join_packets(ReplayResult& result) const {
    if (packets_ == nullptr) return "";
    for (std::size_t part = 0; part < members_.size(); ++part) {
      result.network_events += packets_->network.simulation(part).events_fired();
    }
    packets_->whole.join();
    return packets_->whole.stuck();
  }

  const goal::Schedule& schedule_;
  const ReplayOptions& options_;
  const Parts& parts_;
  const SharedFabric* const fabric_;
  SharedPackets* const packets_;
  const UnitPairs units_;
  std::vector<Member> members_;
  WindowPace pace_;
  std::uint64_t first_;        ///< Of the numbers that the last window's events are given.
  Time start_;                 ///< Of the next window.
  std::uint64_t windows_ = 0;  ///< So far.
  std::uint64_t shared_ = 0;   ///< Of those, settled by all threads.
  std::uint64_t events_ = 0;   ///< Those of all parts, before the last window.
  std::uint64_t slept_ = 0;    ///< How often a thread had, before the last window.
  ThreadBarrier barrier_;
};

}  // namespace

ReplayResult threaded_replay(const goal::Schedule& schedule, const ReplayOptions& options) {
  const CostModel costs(options.parameters);
  require_within(schedule, costs.limits());
  const Parts parts =
      cut_into_parts(schedule, options.threads, options.parameters.replay.rendezvous);
  if (parts.size() == 1 || costs.lookahead() == Time::zero()) {
    return replay_alone(schedule, options);
  }
  return Crew(schedule, options, parts).run();
}

ReplayResult threaded_replay(const goal::Schedule& schedule, const ReplayOptions& options,
                             const Parts& parts, const SharedFabric& fabric) {
  require_within(schedule, CostModel(options.parameters).limits());
  return Crew(schedule, options, parts, &fabric).run();
}

ReplayResult threaded_replay(const goal::Schedule& schedule, const ReplayOptions& options,
                             const Parts& parts, SharedPackets& packets) {
  require_within(schedule, CostModel(options.parameters).limits());
  return Crew(schedule, options, parts, nullptr, &packets).run();
}

}  // namespace heddle::replay
