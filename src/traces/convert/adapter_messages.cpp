// What adapters send by themselves: one-sided transfers, and acknowledgements.
#include "goal/adapters.hpp"
#include "traces/convert/rank_converter.hpp"

namespace heddle::traces {
namespace {

/// Takes no time of the rank's.
constexpr std::uint8_t kAside = 1;

/// Has an adapter of its own, and where no time of the rank's is taken, a processor of its own.
goal::Op one_sided_op(const OneSided& transfer, goal::OpKind kind) {
  const bool sends = kind == goal::OpKind::send;
  const bool pays = sends && transfer.costs;
  return {kind,
          transfer.bytes,
          sends ? transfer.to : transfer.from,
          Tags::one_sided(transfer.number),
          pays ? std::uint8_t{0} : kAside,
          transfer.gets ? goal::kFetches : goal::kTransfers};
}

goal::Op acknowledgement_op(goal::OpKind kind, const Acknowledged& message) {
  return {kind,         0,
          message.rank, Tags::acknowledgement(message.number),
          kAside,       goal::kAcknowledgements};
}

}  // namespace

// Synchronous messages.

/// Of the message that was posted last.
Acknowledged RankConverter::acknowledged() const {
  if (plan_ == nullptr || plan_->acknowledged.empty()) return {};
  return plan_->acknowledged[posts_.posts.size() - 1];
}

/// What ends when the message of `send` was received.
std::uint32_t RankConverter::await_acknowledgement(std::uint32_t send) {
  const Acknowledged message = acknowledged();
  if (message.number == kNoPost) {
    context_.report.warn("synchronous sends that nobody receives: they end as others do");
    return send;
  }
  const std::uint32_t answer = out_.add(acknowledgement_op(goal::OpKind::recv, message));
  out_.requires_end(answer, send);
  return answer;
}

void RankConverter::acknowledge(std::uint32_t recv) {
  const Acknowledged message = acknowledged();
  if (message.number == kNoPost) return;
  out_.requires_end(out_.add(acknowledgement_op(goal::OpKind::send, message)), recv);
}

// One-sided transfers.

/// What happens at the rank without its doing: transfers come, and some are answered. What it has
/// asked for comes after the question.
void RankConverter::convert_one_sided() {
  if (context_.one_sided.empty()) return;
  const std::vector<OneSided>& all = context_.trace.one_sided;
  for (const std::uint32_t number : context_.one_sided[rank_]) {
    const OneSided& transfer = all[number];
    if (transfer.to == rank_) {
      if (transfer.question != OneSided::kNoCause) {
        answers_[transfer.question] = number;
      } else {
        transfers_[number] = out_.add(one_sided_op(transfer, goal::OpKind::recv));
      }
      continue;
    }
    const std::uint32_t answer = out_.add(one_sided_op(transfer, goal::OpKind::send));
    out_.requires_end(answer, transfers_.at(transfer.cause));
    if (transfer.question != OneSided::kNoCause && transfer.question != transfer.cause)
      out_.requires_end(answer, transfers_.at(transfer.question));
    transfers_[number] = answer;
  }
}

void RankConverter::convert_put(const Call& call) {
  const auto number = static_cast<std::uint32_t>(call.request);
  const std::vector<OneSided>& all = context_.trace.one_sided;
  const std::uint32_t op = out_.add(one_sided_op(all[number], goal::OpKind::send));
  transfers_[number] = op;
  after_frontier(op);
  only(op);
  std::swap(ends_, starts_);
  const auto found = answers_.find(number);
  if (found == answers_.end()) return;
  const std::uint32_t answer = out_.add(one_sided_op(all[found->second], goal::OpKind::recv));
  out_.requires_start(answer, op);
  transfers_[found->second] = answer;
}

void RankConverter::convert_see(const Call& call) {
  for (const std::uint64_t number : trace_.lists[call.list])
    ends_.push_back(transfers_.at(static_cast<std::uint32_t>(number)));
}

}  // namespace heddle::traces
