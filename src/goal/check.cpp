#include "goal/check.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "goal/shown_text.hpp"
#include "goal/untimed_run.hpp"

namespace heddle::goal {
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
  Checker(const Schedule& schedule, const CheckOptions& options)
      : schedule_(schedule),
        limit_(options.most),
        limits_(options.limits),
        sends_(schedule),
        open_ranks_(schedule.ranks()) {}

  std::vector<Finding> run() {
    for (std::uint32_t r = 0; r < schedule_.ranks() && findings_.size() < limit_; ++r) {
      check_operations(r);
      check_cycles(r);
      check_messages(r);
    }
    if (findings_.size() > limit_) findings_.resize(limit_);
    return std::move(findings_);
  }
  /// Those where not every message is known to go to one receive.
  std::vector<bool> open_ranks() { return std::move(open_ranks_); }

 private:
  void report(std::uint32_t rank, std::uint32_t op, std::string_view text) {
    findings_.push_back({rank, op, fmt::format("{}: {}", schedule_.describe(rank, op), text)});
  }

  void check_operations(std::uint32_t r) {
    const RankView rank = schedule_.rank(r);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const PackedOp& op = rank.packed(i);
      const bool any = op.kind() == OpKind::recv && op.peer == kAnySource;
      if (op.kind() != OpKind::calc && !any && op.peer >= schedule_.ranks()) {
        report(r, i, fmt::format("rank {} does not exist", op.peer));
      }
      const std::string problem = beyond(op, rank.value(i), limits_);
      if (!problem.empty()) report(r, i, problem);
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
    std::string path = shown_text(rank.label(at));
    std::uint32_t i = at;
    for (int shown = 0; (i = predecessor[i]) != at && shown < 10; ++shown) {
      path += " after " + shown_text(rank.label(i));
    }
    path += " after " + (i == at ? shown_text(rank.label(at)) : "...");
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
      const PackedOp op = schedule_.rank(send.rank).packed(send.op);
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
    open_ranks_[r] = open_ != 0;
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
  const ValueLimits limits_;
  const SendsByTarget sends_;
  std::vector<bool> open_ranks_;
  std::vector<Finding> findings_;
  // Of the rank being checked:
  std::vector<End> sent_;
  std::vector<End> received_;
  std::size_t open_ = 0;
};

/// "rank 1, b (app.goal:7)"
std::string short_name(const Schedule& schedule, OpRef ref) {
  const RankView rank = schedule.rank(ref.rank);
  const std::uint32_t line = rank.place(ref.op).line;
  return fmt::format("rank {}, {}", ref.rank, shown_text(rank.label(ref.op))) +
         (line == 0 ? "" : fmt::format(" ({}:{})", schedule.source(), line));
}

Finding cycle_finding(const Schedule& schedule, const std::vector<OpRef>& cycle) {
  constexpr std::size_t kShown = 12;
  std::string path = short_name(schedule, cycle.front());
  for (std::size_t i = 1; i <= cycle.size(); ++i) {
    const OpRef next = cycle[i % cycle.size()];
    // From one rank to another it is a message that is waited for; to itself it may be.
    const bool message = next.rank != cycle[i - 1].rank;
    path += i <= kShown
                ? (message ? " after the message of " : " after ") + short_name(schedule, next)
                : " after ...";
    if (i > kShown) break;
  }
  return {cycle.front().rank, cycle.front().op,
          fmt::format("{}: is in a cycle over ranks: {}",
                      schedule.describe(cycle.front().rank, cycle.front().op), path)};
}

/// Messages that are larger than the receive that gets them.
class Truncations {
 public:
  explicit Truncations(const Schedule& schedule) : schedule_(schedule) {}
  void look_at(OpRef send, OpRef receive) {
    const std::uint64_t room = schedule_.rank(receive.rank).value(receive.op);
    if (schedule_.rank(send.rank).value(send.op) <= room || count_++ != 0) return;
    first_ = fmt::format("{}, received by {}", schedule_.describe(send.rank, send.op),
                         schedule_.describe(receive.rank, receive.op));
  }
  void warn(CheckReport& report) const {
    if (count_ == 0) return;
    report.warnings["messages larger than the receive that gets them (the first: " + first_ + ")"] =
        count_;
  }

 private:
  const Schedule& schedule_;
  std::uint64_t count_ = 0;
  std::string first_;
};

/// Carries the schedule out to find cycles over ranks; first so that open receives are no reason.
void examine_run(const Schedule& schedule, const std::vector<bool>& open_ranks,
                 CheckReport& report) {
  Truncations truncations(schedule);
  {
    UntimedRun run(schedule, open_ranks,
                   [&](OpRef send, OpRef receive) { truncations.look_at(send, receive); });
    const bool ends = run.run();
    truncations.warn(report);
    if (!ends) {
      const std::vector<OpRef> cycle = run.cycle();
      if (!cycle.empty()) report.findings.push_back(cycle_finding(schedule, cycle));
      return;
    }
  }
  const auto opened = std::count(open_ranks.begin(), open_ranks.end(), true);
  if (opened == 0) return;
  UntimedRun run(schedule, std::vector<bool>(schedule.ranks(), false));
  if (run.run()) return;
  ++report.warnings[fmt::format(
      "a stall if messages are taken in the order tried; whether it is one in another depends on "
      "the receives from any rank or of any tag, which {} rank{}",
      opened, opened == 1 ? " has" : "s have")];
}

}  // namespace

CheckReport examine(const Schedule& schedule, const CheckOptions& options) {
  CheckReport report;
  std::vector<bool> open_ranks;
  {
    Checker checker(schedule, options);
    report.findings = checker.run();
    open_ranks = checker.open_ranks();
  }
  if (report.findings.empty()) examine_run(schedule, open_ranks, report);
  return report;
}

std::vector<Finding> check(const Schedule& schedule, const CheckOptions& options) {
  return examine(schedule, options).findings;
}

}  // namespace heddle::goal
