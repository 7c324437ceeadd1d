#include "goal/custom/flow_proof.hpp"

#include <vector>

#include <fmt/core.h>

#include "core/error.hpp"
#include "goal/check.hpp"
#include "goal/untimed_run.hpp"

namespace heddle::goal {
namespace {

/// Sets of GPUs by number.
class GpuSets {
 public:
  GpuSets(std::uint64_t sets, std::uint32_t gpus)
      : words_((gpus + kWord - 1) / kWord), bits_(sets * words_) {}

  void add(std::uint64_t set, std::uint32_t gpu) {
    bits_[set * words_ + gpu / kWord] |= std::uint64_t{1} << gpu % kWord;
  }
  void add_all(std::uint64_t set, const GpuSets& others, std::uint64_t other) {
    for (std::size_t w = 0; w < words_; ++w) {
      bits_[set * words_ + w] |= others.bits_[other * words_ + w];
    }
  }
  bool has(std::uint64_t set, std::uint32_t gpu) const {
    return (bits_[set * words_ + gpu / kWord] >> gpu % kWord & 1) != 0;
  }

 private:
  static constexpr std::size_t kWord = 64;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

class FlowProof {
 public:
  FlowProof(const Schedule& schedule, CollectiveKind kind, const std::string& file)
      : schedule_(schedule),
        kind_(kind),
        file_(file),
        known_(schedule.ops(), schedule.ranks()),
        partners_(schedule.ops()),
        missing_(schedule.ops()) {}

  void require_messages() const {
    for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
      const RankView rank = schedule_.rank(r);
      for (std::uint32_t i = 0; i < rank.size(); ++i) {
        const PackedOp& op = rank.packed(i);
        if (op.kind() != OpKind::recv || (op.peer != kAnySource && op.tag != kAnyTag)) continue;
        fail(
            fmt::format("{} takes a message from any GPU or with any tag, so that what it gets is "
                        "not known",
                        schedule_.describe(r, i)));
      }
    }
    const CheckReport report = examine(schedule_);
    if (!report.findings.empty()) fail(report.findings.front().text);
    if (!report.warnings.empty()) fail(report.warnings.begin()->first);
  }

  void require_dependence() {
    pair_up();
    follow();
    for (std::uint32_t to = 0; to < schedule_.ranks(); ++to) require_all_at(to);
  }

  void require_bytes(std::uint64_t bytes) const {
    const LeastTraffic least = least_traffic(kind_, schedule_.ranks(), bytes);
    for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
      std::uint64_t sent = 0;
      std::uint64_t received = 0;
      const RankView rank = schedule_.rank(r);
      for (std::uint32_t i = 0; i < rank.size(); ++i) {
        const OpKind kind = rank.packed(i).kind();
        if (kind == OpKind::send) sent += rank.value(i);
        if (kind == OpKind::recv) received += rank.value(i);
      }
      constexpr const char* kTooFew =
          "GPU {} {} {} bytes in all, and of a buffer of {} bytes it has to {} at least {}";
      if (sent < least.sent) {
        fail(fmt::format(kTooFew, r, "sends", sent, bytes, "send", least.sent));
      }
      if (received < least.received) {
        fail(fmt::format(kTooFew, r, "receives", received, bytes, "receive", least.received));
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError({file_}, fmt::format("this is no {}: {}", name_of(kind_), problem));
  }
  std::uint64_t place(OpRef ref) const { return schedule_.first_op(ref.rank) + ref.op; }

  void pair_up() {
    UntimedRun(schedule_, std::vector<bool>(schedule_.ranks()), [this](OpRef send, OpRef receive) {
      partners_[place(send)] = receive;
      partners_[place(receive)] = send;
    }).run();
  }

  /// In an order in which each comes behind what it waits for, messages included.
  void follow() {
    std::vector<OpRef> ready;
    for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
      const RankView rank = schedule_.rank(r);
      const std::vector<std::uint32_t> degrees = rank.in_degrees();
      for (std::uint32_t i = 0; i < rank.size(); ++i) {
        const std::uint64_t at = place({r, i});
        known_.add(at, r);
        missing_[at] = degrees[i] + (rank.packed(i).kind() == OpKind::recv ? 1 : 0);
        if (missing_[at] == 0) ready.push_back({r, i});
      }
    }
    while (!ready.empty()) {
      const OpRef op = ready.back();
      ready.pop_back();
      hand_on(op, ready);
    }
  }
  /// What is known before an operation is known before all that waits for it; what a message brings
  /// is known to those that wait for its receive to end.
  void hand_on(OpRef op, std::vector<OpRef>& ready) {
    const RankView rank = schedule_.rank(op.rank);
    const std::uint64_t at = place(op);
    const OpKind kind = rank.packed(op.op).kind();
    const auto count = [&](OpRef later) {
      if (--missing_[place(later)] == 0) ready.push_back(later);
    };
    for (const Edge edge : rank.successors(op.op)) {
      const OpRef later{op.rank, edge.target};
      known_.add_all(place(later), known_, at);
      if (kind == OpKind::recv && !edge.from_start) {
        known_.add_all(place(later), known_, place(partners_[at]));
      }
      count(later);
    }
    if (kind == OpKind::send) count(partners_[at]);
  }

  void require_all_at(std::uint32_t to) const {
    GpuSets in_the_end(1, schedule_.ranks());
    in_the_end.add(0, to);
    const RankView rank = schedule_.rank(to);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const std::uint64_t at = place({to, i});
      in_the_end.add_all(0, known_, at);
      if (rank.packed(i).kind() == OpKind::recv) {
        in_the_end.add_all(0, known_, place(partners_[at]));
      }
    }
    for (std::uint32_t from = 0; from < schedule_.ranks(); ++from) {
      if (in_the_end.has(0, from)) continue;
      fail(fmt::format("no chain of messages leads from GPU {} to GPU {}, which needs its data",
                       from, to));
    }
  }

  const Schedule& schedule_;
  CollectiveKind kind_;
  const std::string& file_;
  GpuSets known_;                       ///< By operation: on whose data what it does can depend.
  std::vector<OpRef> partners_;         ///< The other ends of messages.
  std::vector<std::uint32_t> missing_;  ///< What each still waits for.
};

}  // namespace

LeastTraffic least_traffic(CollectiveKind kind, std::uint32_t gpus, std::uint64_t bytes) {
  if (gpus < 2) return {0, 0};
  const std::uint64_t share = bytes / gpus;
  const std::uint64_t of_others = share * (gpus - 1);
  switch (kind) {
    case CollectiveKind::allreduce:
      return {bytes, bytes};
    case CollectiveKind::allgather:
      return {share, of_others};
    case CollectiveKind::reduce_scatter:
      return {of_others, share};
    case CollectiveKind::alltoall:
      return {of_others, of_others};
  }
  return {0, 0};
}

void prove_flow(const Schedule& schedule, CollectiveKind kind, std::optional<std::uint64_t> bytes,
                const std::string& file) {
  FlowProof proof(schedule, kind, file);
  proof.require_messages();
  proof.require_dependence();
  if (bytes) proof.require_bytes(*bytes);
}

}  // namespace heddle::goal
