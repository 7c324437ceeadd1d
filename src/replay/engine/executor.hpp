// What the events of a replay do; the functions are in executor_impl.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/engine/engine_state.hpp"
#include "replay/engine/freed_ops.hpp"
#include "replay/engine/queue_entry.hpp"

namespace heddle::replay {

/// Executes entries of the queue: operations of ranks, and messages that arrive. What waits for a
/// busy processor or adapter is not entered again and again until they are free, but set aside in
/// the rank's line for them; only the first of each line stands in the queue.
template <class Ends, class Wire>
class Executor {
 public:
  explicit Executor(const EngineInput& input) : state_(input) {}

  EngineState<Ends, Wire>& state() { return state_; }
  const EngineState<Ends, Wire>& state() const { return state_; }

  /// Starts what waits for nothing, by kind, else as it was given; its sequences are `first` and
  /// on.
  void start_rank(RankId rank, std::uint64_t first);
  void execute(const QueueEntry& entry);

 private:
  // Operations.
  void start(RankOp op, std::uint64_t sequence);
  void work(goal::OpKind kind, const QueueEntry& entry);
  void calc(RankOp op);
  void send(RankOp op, Time since);
  void receive(RankOp op);

  // Messages.
  void arrive(RankId rank, MessageId number);
  void serve_messages(const QueueEntry& entry);
  void handle(RankId rank, MessageId number);
  PostingId find_posted(RankId rank, const Message& message);
  void complete_send(RankId receiver, RankOp op);

  // What becomes free.
  [[gnu::always_inline]] void op_started(RankOp op) {
    if (op.packed.start_awaited()) set_free(op, true, state_.events.now(), freed_);
  }
  [[gnu::always_inline]] void op_ended(RankOp op, Time when, FreedOps& freed) {
    state_.programs.count_end();
    set_free(op, false, when, freed);
  }
  void set_free(RankOp op, bool started, Time when, FreedOps& freed);
  [[gnu::always_inline]] void release(RankId rank, FreedOps& freed) {
    if (!freed.empty()) release_all(rank, freed);
  }
  void release_all(RankId rank, FreedOps& freed);
  void release_after(RankId receiver, RankId sender, bool rendezvous);
  void schedule_receive(RankOp op);
  bool post_early(RankOp op, Time when, std::uint64_t sequence);
  void schedule_work(goal::OpKind kind, RankOp op);
  void stand_in_line(goal::OpKind kind, RankOp op, std::uint64_t sequence);

  FreedOps freed_;
  FreedOps freed_at_sender_;
  // While a rank starts.
  bool starting_ = false;
  std::vector<OpId> roots_;
  std::vector<WaitingOp> early_;  ///< What is to stand in a line of the rank.
  EngineState<Ends, Wire> state_;
};

}  // namespace heddle::replay
