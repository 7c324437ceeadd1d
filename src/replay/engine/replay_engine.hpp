// The replay engine: events of all ranks in their exact order, what waits for a busy unit set
// aside.
#pragma once

#include <span>
#include <vector>

#include "core/bucket_queue.hpp"
#include "core/prefetch.hpp"
#include "network/pool.hpp"
#include "replay/engine/flight.hpp"
#include "replay/engine/freed_ops.hpp"
#include "replay/engine/numbering.hpp"
#include "replay/engine/parts.hpp"
#include "replay/engine/queue_entry.hpp"
#include "replay/engine/rank_table.hpp"
#include "replay/engine/replay_recording.hpp"
#include "replay/engine/waiting_counts.hpp"
#include "replay/engine/waiting_line.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "replay/matching.hpp"
#include "replay/network_replay.hpp"

namespace heddle::replay {

/// Computes the same as single_queue_replay. Instead of entering an event again and again until its
/// processor and adapter are free, it sets it aside in the rank's line for them; only the first of
/// each line stands in the queue.
///
/// With a carrier, messages travel through its network instead of for L; the two queues are served
/// in the order of their times, the network's first.
///
/// The queue is its own, not a Simulation: its entries need no object to be scheduled, and slices
/// of time serve them at about half the price of a heap.
class ReplayEngine final : private network::TransferClient {
 public:
  ReplayEngine(const Schedule& schedule, const ReplayOptions& options, Carrier* carrier = nullptr);
  ReplayResult run();

  // One part of a replay that is shared, in windows of time: begin() or replay(), then settle()
  // with the numbers of what that caused, then take() with what other parts sent here.

  /// The ranks of part `me`; the other parts are replayed by others. Over LogGOPS, over a fabric,
  /// or over a packet network.
  ReplayEngine(const Schedule& schedule, const ReplayOptions& options, const UnitPairs& units,
               const Parts& parts, std::size_t me, const SharedFabric* fabric = nullptr,
               SharedPackets* packets = nullptr);
  /// Starts what is free at the beginning. `before` operations belong to ranks of earlier parts.
  void begin(std::uint64_t before);
  /// Everything that happens from `start` on, in a window of time. Nothing is left before it.
  void replay(std::int64_t start);
  /// What happened in the last window, or at the beginning, and caused something; closed.
  const EventLog& log() const { return log_; }
  /// Gives what was caused its numbers. When next there is something to do, here or where messages
  /// go to; or kNever.
  std::int64_t settle(Numbers& numbers);
  static constexpr std::int64_t kNever = INT64_MAX;
  /// Messages for another part, until the settle() after the next.
  std::span<const RemoteMessage> messages_to(std::size_t part) const {
    return outgoing_[parity_][part];
  }
  /// They have been copied: their memory serves the next window.
  void forget_messages() {
    for (auto& messages : outgoing_[parity_]) messages.clear();
    parity_ ^= 1;
  }
  void take(std::span<const RemoteMessage> messages);
  /// The same of messages on links.
  std::span<const RemoteFlight> flights_to(std::size_t part) const {
    return outgoing_flights_[parity_][part];
  }
  void take(std::span<const RemoteFlight> flights);
  /// What happened on links, and a hash of it that is the sum of the parts'.
  std::uint64_t hops() const { return hops_; }
  std::uint64_t network_fingerprint() const { return crossings_.fingerprint; }
  std::uint64_t ended() const { return ended_; }
  std::uint64_t events() const { return events_; }
  /// The simulated time.
  std::int64_t now() const { return now_; }
  Leftovers leftovers() const;
  /// Adds the times of this part's ranks.
  void add_to(ReplayResult& result) const;

 private:
  /// A message under way, waiting for its receiver's units, or unexpected.
  struct alignas(64) Message {
    std::uint64_t sequence;
    std::uint64_t size;
    std::int64_t since;    ///< Arrived; of an unexpected one: when it was handled.
    std::uint32_t op;      ///< The sender's operation.
    std::uint32_t source;  ///< The sender.
    std::uint32_t tag;
    std::uint32_t units;  ///< The pair of cpu and nic it needs.
    std::uint32_t child;  ///< In a line.
    std::uint32_t next;
    bool departing;  ///< Its network has not been given it yet.
  };

  /// When a receive is posted, as an event of the queue.
  struct Posting {
    std::int64_t time;
    std::uint64_t sequence;
    bool after(std::int64_t other_time, std::uint64_t other_sequence) const {
      return time != other_time ? time > other_time : sequence > other_sequence;
    }
  };

  static constexpr Posting kPosted{INT64_MIN, 0};  ///< Of one that came through the queue.

  // Set-up.
  ReplayEngine(const Schedule& schedule, const ReplayOptions& options, Carrier* carrier,
               const UnitPairs& units, std::uint32_t first, std::uint32_t last, std::int64_t window,
               bool shared);
  void find_programs();
  void count_predecessors(std::span<const std::uint8_t> predecessors);
  void start_rank(std::uint32_t rank, std::uint64_t first);
  template <bool plain>
  std::uint32_t units_of(const PackedOp& op) const {
    return plain ? 0 : units_of_[std::size_t{op.cpu} * nics_ + op.nic];
  }

  // The queue.
  void push(std::int64_t time, std::uint64_t sequence, EntryKind kind, std::uint32_t rank,
            std::uint32_t detail) {
    QueueEntry{time, sequence, kind, rank, detail}.push_to(queue_);
  }
  // What happens is compiled twice: for all there is, and for ranks of one processor and one
  // adapter over LogGOPS, without noise, slow nodes and a recorder, as most replays are. The second
  // has no tests for what there is not.
  bool is_plain() const;
  template <bool plain>
  void serve_all();
  template <bool plain>
  void serve_window();
  void serve_window();
  bool next_entry(BucketQueue::Entry& entry);
  const BucketQueue::Entry* next_in_window();
  /// Of a window.
  std::uint64_t first_sequence() const {
    return Sequences::first_of(0) | (fabric_ == nullptr ? 0 : Sequences::kBehind);
  }
  /// An event that has caused something is remembered.
  void note(std::int64_t time, std::uint64_t sequence) {
    const std::uint64_t caused = sequence_ - log_sequence_;
    if (caused == 0) return;
    if (caused >> Sequences::kOffsetBits != 0) throw_too_many(caused);
    log_.note(time, sequence, caused);
    sequence_ = log_sequence_ += Sequences::first_of(1) - Sequences::first_of(0);
  }
  [[noreturn]] static void throw_too_many(std::uint64_t caused);
  template <bool plain>
  void execute(const QueueEntry& entry);
  void look_ahead() const;
  void prefetch_program(const QueueEntry& entry) const;
  void prefetch_waiting(const QueueEntry& entry) const;
  void report_progress();

  // Operations and messages.
  void start(std::uint32_t rank, std::uint32_t op, std::uint64_t sequence);
  template <bool plain>
  void work(OpKind kind, const QueueEntry& entry);
  template <bool plain>
  void calc(std::uint32_t rank, std::uint32_t op, const PackedOp& packed);
  template <bool plain>
  void send(std::uint32_t rank, std::uint32_t op, const PackedOp& packed, std::int64_t since);
  template <bool plain>
  void launch(std::uint32_t rank, std::uint32_t op, const PackedOp& packed, std::uint64_t size,
              std::int64_t arrival);
  template <bool plain>
  void receive(std::uint32_t rank, std::uint32_t op);
  template <bool plain>
  bool post_early(std::uint32_t rank, std::uint32_t op, const PackedOp& packed, std::int64_t when,
                  std::uint64_t sequence);
  template <bool plain>
  std::uint32_t find_posted(std::uint32_t rank, const Message& message);
  template <bool plain>
  void message(const QueueEntry& entry);
  void depart(std::uint32_t message);
  void transfer_reached(network::Instant instant, std::uint64_t message) override;
  template <bool plain>
  void arrive(std::uint32_t rank, std::uint32_t message);
  template <bool plain>
  void handle(std::uint32_t rank, std::uint32_t message);
  template <bool plain>
  void complete_send(std::uint32_t receiver, std::uint32_t sender, std::uint32_t op);

  // Links that are shared: hops.cpp.
  void take_off(std::uint32_t message);
  void advance(std::uint32_t flight);
  void go_on(std::uint32_t flight, Time when);
  void hand_over(std::uint32_t flight, std::int64_t when, std::uint32_t part);
  void land(std::uint32_t flight);
  std::int64_t settle_flights(Numbers& numbers);

  // A packet network that is shared: voyages.cpp.
  void set_sail(std::uint32_t message, network::Transfer& transfer);
  void come_in(Voyage& voyage);
  std::int64_t settle_voyages(Numbers& numbers);
  std::uint32_t receiver_of(const Message& message) const {
    return schedule_.rank(message.source).packed(message.op).peer;
  }

  // What becomes free. An operation is named by its rank and number there, and given.
  template <bool plain>
  void op_started(std::uint32_t rank, std::uint32_t op, const PackedOp& packed) {
    if (packed.start_awaited()) set_free<plain>(rank, op, packed, true, now_, freed_);
  }
  template <bool plain>
  void op_ended(std::uint32_t rank, std::uint32_t op, const PackedOp& packed, std::int64_t when,
                FreedOps& freed) {
    ++ended_;
    set_free<plain>(rank, op, packed, false, when, freed);
  }
  template <bool plain>
  void set_free(std::uint32_t rank, std::uint32_t op, const PackedOp& packed, bool from_start,
                std::int64_t when, FreedOps& freed);
  const PackedOp& op_of(const RankState& state, std::uint32_t op) const {
    return first_op_[number_of(state, op)];
  }
  /// A rank's operations follow each other: those after it are soon needed.
  static void prefetch_after(const PackedOp& op) { prefetch(&op + 8); }
  /// Ranks of one program take their turns one after another: what waits for this operation at a
  /// rank that follows is soon counted.
  template <bool plain>
  void prefetch_counts_after(std::uint32_t rank, std::uint32_t op) const {
    constexpr std::uint32_t kAfter = 3;
    if (rank - first_ + kAfter >= count_) return;
    prefetch(waiting_for_.address_of(number_of(state<plain>(rank + kAfter), op)));
  }
  /// Of an operation among those of these ranks.
  std::size_t number_of(const RankState& state, std::uint32_t op) const { return state.first + op; }
  template <bool plain>
  void release(std::uint32_t rank, FreedOps& freed) {
    if (!freed.empty()) release_all<plain>(rank, freed);
  }
  template <bool plain>
  void release_all(std::uint32_t rank, FreedOps& freed);
  template <bool plain>
  void release_after(std::uint32_t receiver, std::uint32_t sender, bool rendezvous);
  template <bool plain>
  void schedule_receive(std::uint32_t rank, std::uint32_t op);
  template <bool plain>
  void schedule_work(OpKind kind, std::uint32_t rank, std::uint32_t op);

  // Lines.
  /// That of calcs or of sends which an operation of that kind belongs to.
  template <bool plain>
  OpLine& line_for(OpKind kind, std::uint32_t rank, const PackedOp& op) {
    const std::size_t line =
        kind == OpKind::send ? cpus<plain>() + units_of<plain>(op) : cpu_of<plain>(op);
    return ranks_.op_lines<plain>(rank - first_)[line];
  }
  template <bool plain>
  std::uint32_t& message_line(std::uint32_t rank, std::uint32_t units) {
    return ranks_.message_lines<plain>(rank - first_)[plain ? 0 : units];
  }
  template <bool plain>
  void stand_in_line(OpKind kind, std::uint32_t rank, std::uint32_t op, const PackedOp& packed,
                     std::uint64_t sequence);
  void line_up(std::uint32_t rank);
  template <bool plain>
  void serve_messages(const QueueEntry& entry);

  // Ranks.
  bool here(std::uint32_t rank) const { return rank - first_ < count_; }
  template <bool plain = false>
  RankState& state(std::uint32_t rank) {
    return ranks_.state<plain>(rank - first_);
  }
  template <bool plain = false>
  const RankState& state(std::uint32_t rank) const {
    return ranks_.state<plain>(rank - first_);
  }
  template <bool plain>
  unsigned cpus() const {
    return plain ? 1 : cpus_;
  }
  template <bool plain>
  unsigned nics() const {
    return plain ? 1 : nics_;
  }
  template <bool plain>
  static unsigned cpu_of(const PackedOp& op) {
    return plain ? 0 : op.cpu;
  }
  template <bool plain>
  static unsigned nic_of(const PackedOp& op) {
    return plain ? 0 : op.nic;
  }
  template <bool plain>
  Units units_numbered(std::uint32_t number) const {
    return plain ? Units{0, 0} : units_[number];
  }
  template <bool plain>
  std::int64_t& cpu_free(std::uint32_t rank, unsigned cpu) {
    return ranks_.clocks<plain>(rank - first_)[cpu];
  }
  template <bool plain>
  std::int64_t& send_free(std::uint32_t rank, unsigned nic) {
    return ranks_.clocks<plain>(rank - first_)[cpus<plain>() + nic];
  }
  template <bool plain>
  std::int64_t& receive_free(std::uint32_t rank, unsigned nic) {
    return ranks_.clocks<plain>(rank - first_)[cpus<plain>() + nics<plain>() + nic];
  }
  /// When the units are free that a calc or send needs.
  template <bool plain>
  std::int64_t free_for(OpKind kind, std::uint32_t rank, const PackedOp& op) {
    const std::int64_t cpu = cpu_free<plain>(rank, cpu_of<plain>(op));
    const std::int64_t nic = send_free<plain>(rank, nic_of<plain>(op));
    return kind == OpKind::send ? std::max(cpu, nic) : cpu;
  }
  template <bool plain>
  std::int64_t free_to_handle(std::uint32_t rank, Units units) {
    return std::max(cpu_free<plain>(rank, units.cpu), receive_free<plain>(rank, units.nic));
  }
  /// How many of its receives stand in the queue.
  template <bool plain>
  std::uint32_t& queued_receives(std::uint32_t rank) {
    return ranks_.queued_receives<plain>(rank - first_);
  }
  static std::int64_t limited(std::uint32_t rank, std::int64_t time) {
    if (time > kLatest) throw_too_late(rank);
    return time;
  }

  ReplayResult result();
  template <bool plain>
  bool records() const {
    return !plain && recording_;
  }
  template <bool plain>
  bool keeps_ready_times() const {
    return !plain && !ready_.empty();
  }
  /// In what the rank begins now.
  template <bool plain>
  std::int64_t noise_in(std::uint32_t rank, std::int64_t length) const {
    return plain ? 0 : noise_.delay(rank, now_, length);
  }
  template <bool plain>
  void add_noise(std::uint32_t rank, std::int64_t noise) {
    if (!plain && noise != 0) noise_times_[rank - first_] += noise;
  }

  const Schedule& schedule_;
  const ReplayOptions& options_;
  const platform::Noise& noise_;
  const Progress& progress_;
  Carrier* const carrier_;
  bool over_links_;  ///< A message that is sent enters a network first.
  ReplayRecording recording_;
  const ReplayConfig config_;
  CostModel costs_;
  const unsigned cpus_;
  const unsigned nics_;
  const std::uint32_t first_;  ///< Of the ranks that are replayed here.
  const std::uint32_t count_;
  const std::vector<Units> units_;
  std::vector<std::uint32_t> units_of_;  ///< By cpu x nics + nic.

  RankTable ranks_;
  const PackedOp* first_op_ = nullptr;  ///< Of these ranks, as they lie in memory.
  std::uint64_t ops_ = 0;               ///< How many they have.
  WaitingCounts waiting_for_;           ///< By number of the operation.
  /// By number of the operation: when the last thing that it waited for happened. Empty with one
  /// processor: there nothing that waits for an operation can start before that has ended.
  std::vector<std::int64_t> ready_;
  std::vector<std::int64_t> noise_times_;  ///< By rank; empty without noise.
  BucketQueue queue_;
  Matcher matcher_;
  const bool posts_early_;         ///< Receives that cause nothing do not go through the queue.
  LargeVector<Posting> postings_;  ///< By entry of the matcher, of receives that were posted early.
  ChunkPool<Message> messages_;
  ChunkPool<WaitingOp> waiting_;
  SequenceHeap<Message> heaps_{messages_};
  std::vector<std::uint32_t> roots_;
  FreedOps freed_;
  FreedOps freed_at_sender_;
  std::vector<WaitingOp> early_;  ///< While starting: what is to stand in a line of the rank.
  bool starting_ = false;
  std::int64_t now_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t ended_ = 0;

  // Of a part.
  const Parts* parts_ = nullptr;
  std::size_t me_ = 0;
  const std::int64_t window_;  ///< Its length at most.
  const std::int64_t grain_;   ///< Windows end at multiples of it.
  std::int64_t window_end_ = INT64_MAX;
  EventLog log_;
  std::uint64_t log_sequence_ = 0;            ///< Of the first thing that the next event causes.
  std::vector<std::uint32_t> fresh_waiting_;  ///< Records whose sequences may be provisional.
  /// Of the matcher: receives that are posted after the window, and until then by nobody else.
  std::vector<std::uint32_t> fresh_postings_;
  std::vector<LargeVector<RemoteMessage>> outgoing_[2];  ///< By part.
  unsigned parity_ = 0;                                  ///< Of those that are complete.

  // Of a part over a packet network.
  SharedPackets* packets_ = nullptr;
  network::Pool<Voyage> voyages_;
  std::vector<Voyage*> fresh_voyages_;  ///< Those whose sequences may be provisional.

  // Of a part over a fabric.
  const SharedFabric* fabric_ = nullptr;
  ChunkPool<Flight> flights_;
  std::vector<std::uint32_t> fresh_messages_;  ///< Records whose sequences may be provisional.
  std::vector<std::vector<RemoteFlight>> outgoing_flights_[2];  ///< By part.
  std::uint64_t hops_ = 0;
  network::Crossings crossings_;
};

/// What the next few events are going to need: first the rank's state, then what that leads to, so
/// that nothing here waits for memory. Where ranks have their turns one after another the processor
/// fetches it unasked.
[[gnu::always_inline]] inline void ReplayEngine::look_ahead() const {
  constexpr std::uint32_t kFewRanks = 2048;  // They stay in a cache that is near.
  if (count_ <= kFewRanks) return;
  constexpr std::size_t kState = 3;
  constexpr std::size_t kProgram = 2;
  constexpr std::size_t kWaiting = 1;
  if (const BucketQueue::Entry* const packed = queue_.ahead(kState)) {
    const QueueEntry entry = QueueEntry::unpack(*packed);
    if (entry.rank == QueueEntry::unpack(packed[-1]).rank + 1) return;
    if (entry.kind == EntryKind::hop) {
      prefetch_whole(flights_[entry.detail]);
    } else {
      ranks_.prefetch(entry.rank - first_);
      if (entry.kind == EntryKind::message) prefetch(&messages_[entry.detail]);
    }
  }
  if (const BucketQueue::Entry* const packed = queue_.ahead(kProgram))
    prefetch_program(QueueEntry::unpack(*packed));
  if (const BucketQueue::Entry* const packed = queue_.ahead(kWaiting))
    prefetch_waiting(QueueEntry::unpack(*packed));
}

/// Its operation; of a message: the receive that it probably goes with.
[[gnu::always_inline]] inline void ReplayEngine::prefetch_program(const QueueEntry& entry) const {
  if (entry.kind == EntryKind::hop) return;
  const RankState& mine = state(entry.rank);
  if (names_op(entry.kind)) {
    prefetch(&op_of(mine, entry.detail));
  } else if (mine.posted.head != kNone) {
    prefetch(&matcher_[mine.posted.head]);
  }
}

/// What waits for the operation.
[[gnu::always_inline]] inline void ReplayEngine::prefetch_waiting(const QueueEntry& entry) const {
  if (entry.kind == EntryKind::hop) return;
  const RankState& mine = state(entry.rank);
  std::uint32_t op = entry.detail;
  if (!names_op(entry.kind)) {
    if (mine.posted.head == kNone) return;
    op = matcher_[mine.posted.head].payload;
    prefetch(&op_of(mine, op));
  }
  prefetch(waiting_for_.address_of(number_of(mine, op)));
}

}  // namespace heddle::replay
