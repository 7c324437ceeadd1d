#include "goal/untimed_run.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace heddle::goal {

UntimedRun::UntimedRun(const Schedule& schedule, std::vector<bool> generous, OnPair on_pair)
    : schedule_(schedule),
      generous_(std::move(generous)),
      on_pair_(std::move(on_pair)),
      dependencies_(schedule, false),
      ranks_(schedule.ranks()) {}

bool UntimedRun::run() {
  for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
    dependencies_.roots(r, freed_);
    release(r);
    // Rank by rank, so that no more is ready at once than need be.
    while (!ready_.empty()) {
      const OpRef next = ready_.front();
      ready_.pop_front();
      execute(next);
    }
  }
  return dependencies_.ended() == schedule_.ops();
}

void UntimedRun::execute(OpRef ref) {
  const PackedOp op = schedule_.rank(ref.rank).packed(ref.op);
  dependencies_.started(ref.rank, ref.op, 0, freed_);
  release(ref.rank);
  if (op.kind() == OpKind::recv) return receive(ref, op);
  end(ref);
  if (op.kind() == OpKind::send) send(ref, op);
}

void UntimedRun::send(OpRef ref, const PackedOp& op) {
  if (op.peer >= schedule_.ranks() || generous_[op.peer]) return;
  Rank& receiver = ranks_[op.peer];
  const std::uint32_t entry = matcher_.find(receiver.posted, ref.rank, op.tag);
  if (entry == kNone) return matcher_.append(receiver.unexpected, ref.rank, op.tag, ref.op), void();
  pair(ref, {op.peer, matcher_.remove(receiver.posted, entry)});
}

void UntimedRun::receive(OpRef ref, const PackedOp& op) {
  if (generous_[ref.rank]) return end(ref);
  Rank& receiver = ranks_[ref.rank];
  const std::uint32_t entry = matcher_.find(receiver.unexpected, op.peer, op.tag);
  if (entry == kNone) return matcher_.append(receiver.posted, op.peer, op.tag, ref.op), void();
  const std::uint32_t source = matcher_[entry].source;
  pair({source, matcher_.remove(receiver.unexpected, entry)}, ref);
}

void UntimedRun::pair(OpRef send, OpRef receive) {
  if (on_pair_) on_pair_(send, receive);
  end(receive);
}

void UntimedRun::end(OpRef ref) {
  dependencies_.ended(ref.rank, ref.op, 0, freed_);
  release(ref.rank);
}

void UntimedRun::release(std::uint32_t rank) {
  dependencies_.sort_by_kind(rank, freed_);
  for (const std::uint32_t op : freed_) ready_.push_back({rank, op});
  freed_.clear();
}

std::vector<OpRef> UntimedRun::cycle() const {
  Blame blame(schedule_.ops(), kNone);
  blame_predecessors(blame);
  blame_senders(blame);
  // Going back from one to the next leads into a cycle: one of them is where a walker that rests at
  // ever longer distances meets another that does not.
  std::optional<OpRef> resting = first_left(blame);
  if (!resting) return {};
  std::optional<OpRef> walking = awaited(blame, *resting);
  for (std::uint64_t steps = 1, rest = 1; walking && *walking != *resting; ++steps) {
    if (steps == rest) {
      resting = walking;
      rest *= 2;
      steps = 0;
    }
    walking = awaited(blame, *walking);
  }
  std::vector<OpRef> found;
  if (!walking) return found;
  do {
    found.push_back(*walking);
    walking = awaited(blame, *walking);
  } while (*walking != *resting);
  return found;
}

void UntimedRun::blame_predecessors(Blame& blame) const {
  for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
    const RankView rank = schedule_.rank(r);
    const std::uint64_t first = schedule_.first_op(r);
    const auto blame_of = [&](std::uint32_t i, bool started) {
      for (const Edge edge : rank.successors(i)) {
        if (!(started && edge.from_start)) blame[first + edge.target] = i;
      }
    };
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      if (dependencies_.waits(r, i)) blame_of(i, false);
    }
    for (std::uint32_t e = ranks_[r].posted.head; e != kNone; e = matcher_[e].next) {
      blame_of(matcher_[e].payload, true);
    }
  }
}

void UntimedRun::blame_senders(Blame& blame) const {
  struct Wanted {
    std::uint32_t source;
    std::uint32_t tag;
    OpRef receive;
  };
  std::vector<Wanted> wanted;
  for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
    for (std::uint32_t e = ranks_[r].posted.head; e != kNone; e = matcher_[e].next) {
      wanted.push_back({matcher_[e].source, matcher_[e].tag, {r, matcher_[e].payload}});
    }
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const Wanted& a, const Wanted& b) { return a.source < b.source; });
  std::unordered_map<std::uint64_t, std::uint32_t> sends;  // The first left, by target and tag.
  std::uint32_t source = kNone;
  for (const Wanted& w : wanted) {
    if (w.source >= schedule_.ranks()) break;  // Any, or one that does not exist.
    if (w.source != source) {
      source = w.source;
      sends.clear();
      const RankView rank = schedule_.rank(source);
      for (std::uint32_t i = 0; i < rank.size(); ++i) {
        const PackedOp& op = rank.packed(i);
        if (op.kind() == OpKind::send && dependencies_.waits(source, i)) {
          sends.try_emplace(std::uint64_t{op.peer} << 32 | op.tag, i);
        }
      }
    }
    const auto found = sends.find(std::uint64_t{w.receive.rank} << 32 | w.tag);
    if (found != sends.end()) {
      blame[schedule_.first_op(w.receive.rank) + w.receive.op] = found->second;
    }
  }
}

std::optional<OpRef> UntimedRun::awaited(const Blame& blame, OpRef ref) const {
  const std::uint32_t op = blame[schedule_.first_op(ref.rank) + ref.op];
  if (op == kNone) return std::nullopt;
  if (dependencies_.waits(ref.rank, ref.op)) return OpRef{ref.rank, op};
  return OpRef{schedule_.rank(ref.rank).packed(ref.op).peer, op};
}

std::optional<OpRef> UntimedRun::first_left(const Blame& blame) const {
  for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
    for (std::uint32_t i = 0; i < schedule_.rank(r).size(); ++i) {
      if (blame[schedule_.first_op(r) + i] != kNone) return OpRef{r, i};
    }
  }
  return std::nullopt;
}

}  // namespace heddle::goal
