#include "network/resending_network.hpp"

#include <utility>

#include "core/units.hpp"

namespace heddle::network {

/// A message until it has arrived; as an event, its next attempt.
struct ResendingNetwork::Attempt final : public Event {
  explicit Attempt(ResendingNetwork& network) : network(network) {}
  void fire() override { network.send_again(*this); }

  ResendingNetwork& network;
  Transfer transfer;          ///< As its client wants it.
  std::uint8_t reported = 0;  ///< Instants.
  std::int64_t sent_again = 0;
};

ResendingNetwork::ResendingNetwork(std::unique_ptr<Network> model, Simulation& simulation,
                                   const platform::Platform& platform)
    : model_(std::move(model)),
      simulation_(simulation),
      platform_(platform),
      source_(simulation.new_source()) {}

ResendingNetwork::~ResendingNetwork() = default;

void ResendingNetwork::start(const Transfer& transfer) {
  if (transfer.wants_instant(Instant::lost)) return model_->start(transfer);
  Attempt& attempt = attempts_.take(*this);
  attempt.transfer = transfer;
  attempt.reported = 0;
  attempt.sent_again = 0;
  begin(attempt);
}

void ResendingNetwork::begin(Attempt& attempt) {
  Transfer transfer = attempt.transfer;
  transfer.client = this;
  transfer.cookie = reinterpret_cast<std::uintptr_t>(&attempt);
  transfer.wants |=
      static_cast<std::uint8_t>(Instant::tail) | static_cast<std::uint8_t>(Instant::lost);
  model_->start(transfer);
}

void ResendingNetwork::send_again(Attempt& attempt) {
  ++attempt.sent_again;
  ++resent_;
  begin(attempt);
}

void ResendingNetwork::lost(Attempt& attempt) {
  const platform::FailuresConfig& rules = platform_.failures();
  if (attempt.sent_again == rules.resends) {
    fail_lost(platform_, attempt.transfer, model_->lost_on(), 1 + attempt.sent_again,
              simulation_.now());
  }
  simulation_.schedule_in(attempt, rules.resend_after, source_);
}

void ResendingNetwork::transfer_reached(Instant instant, std::uint64_t cookie) {
  Attempt& attempt = *reinterpret_cast<Attempt*>(static_cast<std::uintptr_t>(cookie));
  if (instant == Instant::lost) return lost(attempt);
  const auto bit = static_cast<std::uint8_t>(instant);
  const bool is_new = (attempt.reported & bit) == 0;
  attempt.reported |= bit;
  if (instant != Instant::tail) {
    if (is_new) attempt.transfer.report(instant);
    return;
  }
  // The client may start transfers from within the report: the record is free for them by then.
  const Transfer transfer = attempt.transfer;
  attempts_.give_back(attempt);
  transfer.report(Instant::tail);
}

void fail_lost(const platform::Platform& platform, const Transfer& transfer, LinkId link,
               std::int64_t times, Time now) {
  const auto node = [&](const platform::Endpoint& end) {
    return platform.topology().name(static_cast<VertexId>(end.node));
  };
  std::string text = node(transfer.source) + " could not reach " + node(transfer.destination) +
                     ": a message of " + std::to_string(transfer.size.count()) + " bytes was lost";
  if (times > 1) text += " " + std::to_string(times) + " times, the last";
  if (link != kNoLink) text += " on " + platform.links().name(link);
  text += " at " + format_time(now);
  throw RunError(text +
                 "; failures.resends, failures.resend_after and failures.rerouting say what "
                 "is done about that");
}

}  // namespace heddle::network
