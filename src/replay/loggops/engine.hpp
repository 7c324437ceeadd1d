// The replay engine: events of all ranks in their exact order, what waits for a busy unit set
// aside.
#pragma once

#include <vector>

#include "replay/bucket_queue.hpp"
#include "replay/dependencies.hpp"
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
class LogGopsEngine final : private network::TransferClient {
 public:
  LogGopsEngine(const Schedule& schedule, const ReplayOptions& options, Carrier* carrier = nullptr);
  ReplayResult run();

 private:
  /// What an entry of the queue is.
  enum class What : std::uint8_t { message, receive, delayed, line };

  /// A message under way or unexpected, or something set aside in a line.
  struct Node {
    std::uint64_t sequence;
    std::uint64_t size;    ///< Of a message.
    std::int64_t since;    ///< Released or arrived; of an unexpected message: when it was handled.
    std::uint32_t op;      ///< Of a message: the sender's operation.
    std::uint32_t source;  ///< Of a message.
    std::uint32_t tag;     ///< Of a message.
    std::uint32_t units;   ///< The pair of cpu and nic it needs.
    std::uint32_t child;   ///< In a line: a heap by sequence.
    std::uint32_t next;
    bool departing;  ///< A message that its network has not been given yet.
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
  void push(std::int64_t time, std::uint64_t sequence, What what, std::uint32_t rank,
            std::uint32_t detail) {
    queue_.push(
        {time, sequence,
         static_cast<std::uint64_t>(what) << 62 | static_cast<std::uint64_t>(rank) << 31 | detail});
  }
  bool next_entry(BucketQueue::Entry& entry);
  void execute(const BucketQueue::Entry& entry);
  void prefetch() const;
  void report_progress();

  // Operations and messages.
  void start(std::uint32_t rank, std::uint32_t op, std::uint64_t sequence, std::int64_t since);
  void calc(std::uint32_t rank, std::uint32_t op);
  void send(std::uint32_t rank, std::uint32_t op, std::int64_t since);
  void launch(std::uint32_t rank, std::uint32_t op, const PackedOp& packed, std::uint64_t size,
              std::int64_t arrival);
  void receive(std::uint32_t rank, std::uint32_t op);
  void depart(std::uint32_t rank, std::uint32_t node);
  void transfer_reached(network::Instant instant, std::uint64_t node) override;
  void arrive(std::uint32_t rank, std::uint32_t node);
  void handle(std::uint32_t rank, std::uint32_t node);
  void complete_send(std::uint32_t receiver, const Node& message);

  // What becomes free.
  void release(std::uint32_t rank, std::vector<std::uint32_t>& freed);
  void release_both(std::uint32_t receiver, std::uint32_t sender);
  void schedule_op(std::uint32_t rank, std::uint32_t op);

  // Lines.
  std::uint32_t send_line(std::uint32_t units) const { return cpus_ + units; }
  std::uint32_t message_line(std::uint32_t units) const {
    return cpus_ + static_cast<std::uint32_t>(units_.size()) + units;
  }
  std::uint32_t& line(std::uint32_t rank, std::uint32_t number) {
    return lines_[std::size_t{rank} * lines_per_rank_ + number];
  }
  void stand_in_line(std::uint32_t rank, std::uint32_t number, std::uint32_t node);
  void serve_line(std::uint32_t rank, std::uint32_t number, std::uint64_t sequence);
  std::int64_t free_at(std::uint32_t rank, std::uint32_t number) const;
  std::uint32_t meld(std::uint32_t a, std::uint32_t b);
  std::uint32_t without_first(std::uint32_t root);
  std::uint32_t new_node(std::uint32_t op, std::uint64_t sequence, std::int64_t since,
                         std::uint32_t units);

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
  static std::int64_t limited(std::uint32_t rank, std::int64_t time) {
    if (time > kLatest) throw_too_late(rank);
    return time;
  }

  ReplayResult result();
  Leftovers leftovers() const;

  const Schedule& schedule_;
  const Noise& noise_;
  const Progress& progress_;
  Carrier* const carrier_;
  const ReplayConfig config_;
  CostModel costs_;
  const unsigned cpus_;
  const unsigned nics_;
  const unsigned clocks_per_rank_;
  std::vector<Units> units_;
  std::vector<std::uint32_t> units_of_;  ///< By cpu x nics + nic.
  std::uint32_t lines_per_rank_ = 0;

  Dependencies dependencies_;
  BucketQueue queue_;
  Matcher matcher_;
  ChunkPool<Node> nodes_;
  std::vector<Rank> ranks_;
  std::vector<std::int64_t> clocks_;
  std::vector<std::uint32_t> lines_;  ///< Roots of the heaps.
  std::vector<std::uint32_t> freed_;
  std::vector<std::uint32_t> freed_at_sender_;
  std::vector<std::uint32_t> siblings_;  ///< Scratch.
  std::int64_t now_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace heddle::replay
