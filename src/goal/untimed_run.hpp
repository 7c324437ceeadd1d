// A schedule carried out without time, to see whether it can end.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "goal/dependencies.hpp"
#include "goal/matching.hpp"

namespace heddle::goal {

/// Operations happen when what they wait for has, messages arrive as they are sent, and receives
/// take them as in a replay. Where the receives of a rank name source and tag, those of the same
/// two wait for one another and so do the sends, every order gives the same: then a schedule that
/// stalls here always does. What is sent to ranks that do not exist is lost. Time and memory grow
/// with the operations and their dependencies.
class UntimedRun {
 public:
  /// Told of every message and the receive that gets it.
  using OnPair = std::function<void(OpRef send, OpRef receive)>;

  /// Receives of the ranks marked in `generous` end at once, whatever is sent to them.
  UntimedRun(const Schedule& schedule, std::vector<bool> generous, OnPair on_pair = {});

  /// Whether all operations end.
  bool run();

  /// After a stall: operations of which each waits for the next, and the last for the first; empty
  /// if there are none.
  std::vector<OpRef> cycle() const;

 private:
  struct Rank {
    MatchList posted;
    MatchList unexpected;
  };
  /// Of every operation that has not ended the one it waits for: of the same rank, or for a posted
  /// receive the send, of its peer.
  using Blame = std::vector<std::uint32_t>;

  void execute(OpRef ref);
  void send(OpRef ref, const PackedOp& op);
  void receive(OpRef ref, const PackedOp& op);
  void pair(OpRef send, OpRef receive);
  void end(OpRef ref);
  void release(std::uint32_t rank);

  void blame_predecessors(Blame& blame) const;
  void blame_senders(Blame& blame) const;
  std::optional<OpRef> awaited(const Blame& blame, OpRef ref) const;
  std::optional<OpRef> first_left(const Blame& blame) const;

  const Schedule& schedule_;
  std::vector<bool> generous_;
  OnPair on_pair_;
  Dependencies dependencies_;
  Matcher matcher_;
  std::vector<Rank> ranks_;
  std::deque<OpRef> ready_;
  std::vector<std::uint32_t> freed_;
};

}  // namespace heddle::goal
