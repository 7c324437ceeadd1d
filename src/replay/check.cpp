#include "replay/check.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::replay {
namespace {

struct Send {
  std::uint32_t rank;
  std::uint32_t op;
};

/// All sends, by the rank they go to.
class SendsByTarget {
 public:
  explicit SendsByTarget(const Schedule& schedule) : begins_(schedule.ranks() + std::size_t{1}) {
    visit(schedule, [this](std::uint32_t to, Send) { ++begins_[to + std::size_t{1}]; });
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    sends_.resize(begins_.back());
    std::vector<std::uint64_t> cursors = begins_;
    visit(schedule, [&](std::uint32_t to, Send send) { sends_[cursors[to]++] = send; });
  }
  std::span<const Send> to(std::uint32_t rank) const {
    return {sends_.data() + begins_[rank], begins_[rank + std::size_t{1}] - begins_[rank]};
  }

 private:
  template <class Visitor>
  static void visit(const Schedule& schedule, Visitor visitor) {
    for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
      const RankView rank = schedule.rank(r);
      for (std::uint32_t i = 0; i < rank.size(); ++i) {
        const PackedOp& op = rank.packed(i);
        if (op.kind() == OpKind::send && op.peer < schedule.ranks()) visitor(op.peer, {r, i});
      }
    }
  }

  std::vector<std::uint64_t> begins_;
  std::vector<Send> sends_;
};

/// One end of a message: the sender's operation or the receiver's.
struct End {
  std::uint32_t source;
  std::uint32_t tag;
  std::uint32_t rank;
  std::uint32_t op;
  bool same_message(const End& other) const { return source == other.source && tag == other.tag; }
  bool operator<(const End& other) const {
    return source != other.source ? source < other.source : tag < other.tag;
  }
  bool open() const { return source == kAnySource || tag == kAnyTag; }
};

class Checker {
 public:
  Checker(const Schedule& schedule, std::size_t limit)
      : schedule_(schedule), limit_(limit), sends_(schedule) {}

  std::vector<Finding> run() {
    for (std::uint32_t r = 0; r < schedule_.ranks() && findings_.size() < limit_; ++r) {
      check_peers(r);
      check_cycles(r);
      check_messages(r);
    }
    if (findings_.size() > limit_) findings_.resize(limit_);
    return std::move(findings_);
  }

 private:
  void report(std::uint32_t rank, std::uint32_t op, std::string_view text) {
    findings_.push_back({rank, op, fmt::format("{}: {}", schedule_.describe(rank, op), text)});
  }

  void check_peers(std::uint32_t r) {
    const RankView rank = schedule_.rank(r);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const PackedOp& op = rank.packed(i);
      const bool any = op.kind() == OpKind::recv && op.peer == kAnySource;
      if (op.kind() != OpKind::calc && !any && op.peer >= schedule_.ranks())
        report(r, i, fmt::format("rank {} does not exist", op.peer));
    }
  }

  /// Takes away operations that wait for nothing until none is left, or only cycles are.
  void check_cycles(std::uint32_t r) {
    const RankView rank = schedule_.rank(r);
    std::vector<std::uint32_t> waiting = rank.in_degrees();
    std::vector<std::uint32_t> free;
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      if (waiting[i] == 0) free.push_back(i);
    }
    std::uint32_t done = 0;
    for (; !free.empty(); ++done) {
      const std::uint32_t op = free.back();
      free.pop_back();
      for (const Edge edge : rank.successors(op)) {
        if (--waiting[edge.target] == 0) free.push_back(edge.target);
      }
    }
    if (done != rank.size()) report_cycle(r, rank, waiting);
  }

  /// Every operation left waits for another one left: going back long enough leads into a cycle.
  void report_cycle(std::uint32_t r, const RankView& rank,
                    const std::vector<std::uint32_t>& waiting) {
    std::vector<std::uint32_t> predecessor(rank.size(), UINT32_MAX);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      if (waiting[i] == 0) continue;
      for (const Edge edge : rank.successors(i)) predecessor[edge.target] = i;
    }
    auto at = static_cast<std::uint32_t>(
        std::find_if(waiting.begin(), waiting.end(), [](std::uint32_t n) { return n != 0; }) -
        waiting.begin());
    for (std::uint32_t step = 0; step < rank.size(); ++step) at = predecessor[at];
    std::string path = rank.label(at);
    std::uint32_t i = at;
    for (int shown = 0; (i = predecessor[i]) != at && shown < 10; ++shown)
      path += " after " + rank.label(i);
    path += i == at ? " after " + rank.label(at) : std::string(" after ...");
    report(r, at, "is in a cycle: " + path);
  }

  void check_messages(std::uint32_t r) {
    gather(r);
    std::stable_sort(sent_.begin(), sent_.end());
    std::stable_sort(received_.begin(), received_.end());
    std::size_t s = 0;
    std::size_t t = 0;
    std::vector<End> lone_sends;
    std::vector<End> lone_receives;
    while (s < sent_.size() || t < received_.size()) {
      if (t == received_.size() || (s < sent_.size() && sent_[s] < received_[t])) {
        lone_sends.push_back(sent_[s++]);
      } else if (s == sent_.size() || received_[t] < sent_[s]) {
        lone_receives.push_back(received_[t++]);
      } else {
        ++s;
        ++t;
      }
    }
    report_lone(r, lone_sends, lone_receives);
  }

  void gather(std::uint32_t r) {
    sent_.clear();
    received_.clear();
    open_ = 0;
    for (const Send& send : sends_.to(r)) {
      const PackedOp& op = schedule_.rank(send.rank).packed(send.op);
      sent_.push_back({send.rank, op.tag, send.rank, send.op});
    }
    const RankView rank = schedule_.rank(r);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const PackedOp& op = rank.packed(i);
      if (op.kind() != OpKind::recv) continue;
      received_.push_back({op.peer, op.tag, r, i});
    }
    for (const auto* ends : {&sent_, &received_}) {
      for (const End& end : *ends) open_ += end.open();
    }
  }

  void report_lone(std::uint32_t r, const std::vector<End>& sends,
                   const std::vector<End>& receives) {
    if (open_ == 0) {
      for (const End& end : sends) report(end.rank, end.op, "no receive matches it");
      for (const End& end : receives) report(end.rank, end.op, "no send matches it");
    } else if (sends.size() > receives.size()) {
      report(
          sends.back().rank, sends.back().op,
          fmt::format("it or another of {} messages to rank {} has no receive", sends.size(), r));
    } else if (receives.size() > sends.size()) {
      report(r, receives.back().op,
             fmt::format("it or another of {} receives gets no message", receives.size()));
    }
  }

  const Schedule& schedule_;
  const std::size_t limit_;
  const SendsByTarget sends_;
  std::vector<Finding> findings_;
  // Of the rank being checked:
  std::vector<End> sent_;
  std::vector<End> received_;
  std::size_t open_ = 0;
};

}  // namespace

std::vector<Finding> check(const Schedule& schedule, std::size_t limit) {
  return Checker(schedule, limit).run();
}

}  // namespace heddle::replay
