#include "traces/convert/acknowledgements.hpp"

#include "goal/adapters.hpp"
#include "traces/convert/tags.hpp"

namespace heddle::traces {
namespace {

/// Takes no time of the rank's.
constexpr std::uint8_t kAside = 1;

goal::Op acknowledgement_op(goal::OpKind kind, const Acknowledged& message) {
  return {kind,         0,
          message.rank, Tags::acknowledgement(message.number),
          kAside,       goal::kAcknowledgements};
}

}  // namespace

Acknowledged Acknowledgements::of(std::size_t post) const {
  if (plan_ == nullptr || plan_->acknowledged.empty()) return {};
  return plan_->acknowledged[post];
}

std::uint32_t Acknowledgements::await(std::uint32_t send, std::size_t post) {
  const Acknowledged message = of(post);
  if (message.number == kNoPost) {
    report_.warn("synchronous sends that nobody receives: they end as others do");
    return send;
  }
  const std::uint32_t answer = out_.add(acknowledgement_op(goal::OpKind::recv, message));
  out_.requires_end(answer, send);
  return answer;
}

void Acknowledgements::answer(std::uint32_t recv, std::size_t post) {
  const Acknowledged message = of(post);
  if (message.number == kNoPost) return;
  out_.requires_end(out_.add(acknowledgement_op(goal::OpKind::send, message)), recv);
}

}  // namespace heddle::traces
