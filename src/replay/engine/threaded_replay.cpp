#include "replay/engine/threaded_replay.hpp"

#include <memory>
#include <span>
#include <utility>

#include "core/windows/window_crew.hpp"
#include "replay/engine/part_replay.hpp"

namespace heddle::replay {
namespace {

/// A part of a replay among the others of it.
class ReplayMember final : public WindowPart {
 public:
  /// `others` is by part; all are there when windows begin.
  ReplayMember(const EngineInput& input, std::uint64_t ops_before,
               const std::vector<ReplayMember*>& others)
      : ops_before_(ops_before),
        packets_(input.packets),
        me_(input.me),
        others_(others),
        engine_(make_part_replay(input)) {}

  void begin() override { engine_->begin(ops_before_); }
  void advance(Time start, Time /*limit*/) override {
    if (packets_ != nullptr) packets_->network.take(me_);
    for (const ReplayMember* other : others_) {
      if (other != this) engine_->take_from(other->engine_->part());
    }
    engine_->replay(start);
  }
  Time settle(Numbers& numbers) override { return engine_->settle(numbers); }
  const EventLog& log() const override { return engine_->part().log(); }
  Time now() const override { return engine_->now(); }
  std::uint64_t happened() const override {
    const std::uint64_t carried =
        packets_ != nullptr ? packets_->network.simulation(me_).events_fired() : 0;
    return engine_->events() + engine_->hops() + carried;
  }

  std::uint64_t ended() const { return engine_->ended(); }
  /// What is known of its ranks; frees its memory.
  void end() {
    left = engine_->leftovers();
    engine_->add_to(result);
    engine_.reset();
  }
  ReplayResult result;
  Leftovers left;

 private:
  const std::uint64_t ops_before_;
  SharedPackets* const packets_;
  const std::size_t me_;
  const std::vector<ReplayMember*>& others_;
  std::unique_ptr<PartReplay> engine_;
};

/// One replay by several threads.
class ThreadedReplay {
 public:
  ThreadedReplay(const goal::Schedule& schedule, const ReplayOptions& options, const Parts& parts,
                 const SharedFabric* fabric = nullptr, SharedPackets* packets = nullptr)
      : schedule_(schedule),
        options_(options),
        parts_(parts),
        fabric_(fabric),
        packets_(packets),
        units_(UnitPairs::of(schedule)),
        members_(parts.size()),
        crew_(parts.size(), options.least_events, schedule.ops() | mark()) {}

  ReplayResult run() {
    crew_.between_windows([this] { report_progress(); });
    crew_.begin([this](std::size_t me) { return make(me); });
    crew_.run(Time::never());
    crew_.each([this](std::size_t me) { members_[me]->end(); });
    return result();
  }

 private:
  std::unique_ptr<WindowPart> make(std::size_t me) {
    EngineInput input{schedule_, options_, units_, &parts_, me};
    input.fabric = fabric_;
    input.packets = packets_;
    auto member = std::make_unique<ReplayMember>(input, ops_before(me) | mark(), members_);
    members_[me] = member.get();
    return member;
  }

  /// Of the sequences of ranks: over links they come behind those of hops.
  std::uint64_t mark() const { return fabric_ == nullptr ? 0 : Sequences::kBehind; }

  std::uint64_t ops_before(std::size_t part) const {
    std::uint64_t ops = 0;
    for (RankId r{0}; r < parts_.begin(part); ++r) ops += schedule_.rank(raw(r)).size();
    return ops;
  }

  void report_progress() {
    constexpr std::uint64_t kSeldom = 256;
    if (!options_.progress || windows_++ % kSeldom != 0) return;
    options_.progress(members_[0]->ended() * members_.size(), schedule_.ops());
  }

  ReplayResult result() {
    ReplayResult result = std::move(members_.front()->result);
    Leftovers left = std::move(members_.front()->left);
    for (ReplayMember* const member : std::span(members_).subspan(1)) {
      result.events += member->result.events;
      result.network_events += member->result.network_events;
      result.network_fingerprint += member->result.network_fingerprint;
      append(result.finish, member->result.finish);
      append(result.adapters_free, member->result.adapters_free);
      append(result.times, member->result.times);
      append(left.receives, member->left.receives);
      append(left.sends, member->left.sends);
      append(left.waiting, member->left.waiting);
    }
    result.cpus = schedule_.cpus();
    result.threads = members_.size();
    result.shared_windows = crew_.shared_windows();
    if (fabric_ != nullptr) fabric_->links.crossings().fingerprint += result.network_fingerprint;
    const std::string stuck = stuck_packets(result);
    if (!left.empty() || !stuck.empty()) throw StallError(schedule_, left, result.events, stuck);
    return result;
  }

  template <class Value>
  static void append(std::vector<Value>& all, const std::vector<Value>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  /// What the network waits for, if it does.
  std::string stuck_packets(ReplayResult& result) const {
    if (packets_ == nullptr) return "";
    for (std::size_t part = 0; part < members_.size(); ++part) {
      result.network_events += packets_->network.simulation(part).events_fired();
    }
    return packets_->whole.stuck();
  }

  const goal::Schedule& schedule_;
  const ReplayOptions& options_;
  const Parts& parts_;
  const SharedFabric* const fabric_;
  SharedPackets* const packets_;
  const UnitPairs units_;
  std::vector<ReplayMember*> members_;  ///< By part; the crew's.
  std::uint64_t windows_ = 0;           ///< So far.
  WindowCrew crew_;
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
  return ThreadedReplay(schedule, options, parts).run();
}

ReplayResult threaded_replay(const goal::Schedule& schedule, const ReplayOptions& options,
                             const Parts& parts, const SharedFabric& fabric) {
  require_within(schedule, CostModel(options.parameters).limits());
  return ThreadedReplay(schedule, options, parts, &fabric).run();
}

ReplayResult threaded_replay(const goal::Schedule& schedule, const ReplayOptions& options,
                             const Parts& parts, SharedPackets& packets) {
  require_within(schedule, CostModel(options.parameters).limits());
  return ThreadedReplay(schedule, options, parts, nullptr, &packets).run();
}

}  // namespace heddle::replay
