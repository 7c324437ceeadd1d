// The replay engine: events of all ranks in their exact order, what waits for a busy unit set
// aside.
#pragma once

#include <vector>

#include "core/bucket_queue.hpp"
#include "replay/dependencies.hpp"
#include "replay/engine/queue_entry.hpp"
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

 private:
  /// A message under way, waiting for its receiver's units, or unexpected.
  struct Message {
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
  /// A cpu and a nic that are used together.
  struct Units {
    std::uint8_t cpu;
    std::uint8_t nic;
  };
  struct Rank {
    MatchList posted;
    MatchList unexpected;
    RankTimes times;
  };

  // Set-up.
  void find_units();
  std::uint32_t units_of(const PackedOp& op) const {
    return units_of_[std::size_t{op.cpu} * nics_ + op.nic];
  }

  // The queue.
  void push(std::int64_t time, std::uint64_t sequence, EntryKind kind, std::uint32_t rank,
            std::uint32_t detail) {
    QueueEntry{time, sequence, kind, rank, detail}.push_to(queue_);
  }
  bool next_entry(BucketQueue::Entry& entry);
  void execute(const QueueEntry& entry);
  void prefetch() const;
  void report_progress();

  // Operations and messages.
  void start(std::uint32_t rank, std::uint32_t op, std::uint64_t sequence);
  void work(const QueueEntry& entry);
  void calc(std::uint32_t rank, std::uint32_t op);
  void send(std::uint32_t rank, std::uint32_t op, std::int64_t since);
  void launch(std::uint32_t rank, std::uint32_t op, const PackedOp& packed, std::uint64_t size,
              std::int64_t arrival);
  void receive(std::uint32_t rank, std::uint32_t op);
  void depart(std::uint32_t rank, std::uint32_t message);
  void transfer_reached(network::Instant instant, std::uint64_t message) override;
  void arrive(std::uint32_t rank, std::uint32_t message);
  void handle(std::uint32_t rank, std::uint32_t message);
  void complete_send(std::uint32_t receiver, std::uint32_t sender, std::uint32_t op);

  // What becomes free.
  void release(std::uint32_t rank, std::vector<std::uint32_t>& freed);
  void release_both(std::uint32_t receiver, std::uint32_t sender);
  void schedule_op(std::uint32_t rank, std::uint32_t op);

  // Lines.
  OpLine& calc_line(std::uint32_t rank, const PackedOp& op) {
    return op_lines_[std::size_t{rank} * op_lines_per_rank_ + op.cpu];
  }
  OpLine& send_line(std::uint32_t rank, const PackedOp& op) {
    return op_lines_[std::size_t{rank} * op_lines_per_rank_ + cpus_ + units_of(op)];
  }
  std::uint32_t& message_line(std::uint32_t rank, std::uint32_t units) {
    return message_lines_[std::size_t{rank} * units_.size() + units];
  }
  void stand_in_line(OpLine& line, std::uint32_t rank, std::uint32_t op, std::int64_t free,
                     std::uint64_t sequence);
  void line_up(std::uint32_t rank);
  void serve_messages(const QueueEntry& entry);

  // Clocks, by rank.
  std::int64_t* clocks(std::uint32_t rank) {
    return clocks_.data() + std::size_t{rank} * clocks_per_rank_;
  }
  const std::int64_t* clocks(std::uint32_t rank) const {
    return clocks_.data() + std::size_t{rank} * clocks_per_rank_;
  }
  std::int64_t& cpu_free(std::uint32_t rank, unsigned cpu) { return clocks(rank)[cpu]; }
  std::int64_t& send_free(std::uint32_t rank, unsigned nic) { return clocks(rank)[cpus_ + nic]; }
  std::int64_t& receive_free(std::uint32_t rank, unsigned nic) {
    return clocks(rank)[cpus_ + nics_ + nic];
  }
  std::int64_t free_to_send(std::uint32_t rank, const PackedOp& op) const {
    const std::int64_t* clock = clocks(rank);
    return std::max(clock[op.cpu], clock[cpus_ + op.nic]);
  }
  std::int64_t free_to_handle(std::uint32_t rank, Units units) const {
    const std::int64_t* clock = clocks(rank);
    return std::max(clock[units.cpu], clock[cpus_ + nics_ + units.nic]);
  }
  static std::int64_t limited(std::uint32_t rank, std::int64_t time) {
    if (time > kLatest) throw_too_late(rank);
    return time;
  }

  ReplayResult result();
  Leftovers leftovers() const;

  const Schedule& schedule_;
  const ReplayOptions& options_;
  const platform::Noise& noise_;
  const Progress& progress_;
  Carrier* const carrier_;
  const ReplayConfig config_;
  CostModel costs_;
  const unsigned cpus_;
  const unsigned nics_;
  const unsigned clocks_per_rank_;
  std::vector<Units> units_;
  std::vector<std::uint32_t> units_of_;  ///< By cpu x nics + nic.
  std::uint32_t op_lines_per_rank_ = 0;

  Dependencies dependencies_;
  BucketQueue queue_;
  Matcher matcher_;
  ChunkPool<Message> messages_;
  ChunkPool<WaitingOp> waiting_;
  SequenceHeap<Message> heaps_{messages_};
  std::vector<const PackedOp*> ops_;  ///< By rank.
  std::vector<Rank> ranks_;
  std::vector<std::int64_t> clocks_;
  std::vector<OpLine> op_lines_;              ///< By rank: of its cpus, then of pairs of units.
  std::vector<std::uint32_t> message_lines_;  ///< By rank and pair of units: heaps.
  std::vector<std::uint32_t> freed_;
  std::vector<std::uint32_t> freed_at_sender_;
  std::vector<WaitingOp> early_;  ///< While starting: what is to stand in a line of the rank.
  bool starting_ = false;
  std::int64_t now_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace heddle::replay
