#include "traces/convert/one_sided_ops.hpp"

#include "goal/adapters.hpp"
#include "traces/convert/tags.hpp"

namespace heddle::traces {
namespace {

/// Takes no time of the rank's.
constexpr std::uint8_t kBesides = 1;

/// Has an adapter of its own, and where no time of the rank's is taken, a processor of its own.
goal::Op one_sided_op(const OneSided& transfer, goal::OpKind kind) {
  const bool sends = kind == goal::OpKind::send;
  const bool pays = sends && transfer.costs;
  return {kind,
          transfer.bytes,
          sends ? transfer.to : transfer.from,
          Tags::one_sided(transfer.number),
          pays ? std::uint8_t{0} : kBesides,
          transfer.gets ? goal::kFetches : goal::kTransfers};
}

}  // namespace

/// What happens at the rank without its doing: transfers come, and some are answered. What it has
/// asked for comes after the question.
void OneSidedOps::add_unasked(std::span<const std::uint32_t> numbers) {
  for (const std::uint32_t number : numbers) {
    const OneSided& transfer = all_[number];
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
    if (transfer.question != OneSided::kNoCause && transfer.question != transfer.cause) {
      out_.requires_end(answer, transfers_.at(transfer.question));
    }
    transfers_[number] = answer;
  }
}

void OneSidedOps::put(std::uint32_t number) {
  const std::uint32_t op = out_.add(one_sided_op(all_[number], goal::OpKind::send));
  transfers_[number] = op;
  frontier_.hold_up(op);
  frontier_.only_start(op);
  const auto found = answers_.find(number);
  if (found == answers_.end()) return;
  const std::uint32_t answer = out_.add(one_sided_op(all_[found->second], goal::OpKind::recv));
  out_.requires_start(answer, op);
  transfers_[found->second] = answer;
}

void OneSidedOps::see(std::span<const std::uint64_t> numbers) {
  for (const std::uint64_t number : numbers) {
    frontier_.add_end(transfers_.at(static_cast<std::uint32_t>(number)));
  }
}

}  // namespace heddle::traces
