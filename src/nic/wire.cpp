#include "nic/wire.hpp"

#include <optional>

#include "core/prefetch.hpp"
#include "nic/adapter_ends.hpp"
#include "nic/observing.hpp"

namespace heddle::nic {

using network::Instant;

namespace {

/// What the software is told of when a message arrives, if anything.
std::optional<Report> call_of(const Message& message) {
  if (message.kind == MessageKind::request) return Report::arrive;
  if (message.kind == MessageKind::answer_ack) return std::nullopt;
  return Report::completed;
}

}  // namespace

void Wire::start(Message& message, network::Transfer& transfer) {
  message.start = clock_.now();
  message.size = transfer.size;
  const FaultInjector::Hits hits = message.shortcut ? FaultInjector::Hits() : faults_.draw();
  message.drop = hits.drop;
  message.corrupt = hits.damage;
  message.to_memory = transfer.destination.port == platform::Port::stream;
  clock_.causes().keep(&message.start);
  transfer.wants |= static_cast<std::uint8_t>(Instant::lost);
  transfer.client = this;
  transfer.cookie = reinterpret_cast<std::uint64_t>(&message);
  network_.start(transfer);
}

void Wire::transfer_reached(Instant instant, std::uint64_t cookie) {
  Message& message = *reinterpret_cast<Message*>(cookie);
  if (instant == Instant::injected) return injected(message);
  if (instant == Instant::lost) message.drop = true;
  arrived(message);
}

void Wire::injected(Message& message) {
  clock_.causes().within([&] { return observe_injection(message); }, [&] { on_the_wire(message); });
}

void Wire::arrived(Message& message) {
  const bool lost = message.drop || cut(message);
  clock_.causes().within([&] { return observe_arrival(message, lost || message.corrupt); },
                         [&] { hand_over(message, lost); });
}

void Wire::hand_over(Message& message, bool lost) {
  if (message.holds_engine) on_the_wire(message);
  if (!lost) return delivered(message);
  ++statistics_of_sender(message).dropped;
  nic::lost(message);
}

bool Wire::cut(const Message& message) const {
  return faults_.cuts_cables() && !message.shortcut &&
         faults_.cut(message.source(), message.destination(), message.start, clock_.now());
}

void Wire::glimpse(std::uint64_t cookie) const {
  const Message& message = *reinterpret_cast<const Message*>(cookie);
  prefetch(&message);
  prefetch(&message.kind);
}

void Wire::foresee(Instant instant, std::uint64_t cookie) const {
  const Message& message = *reinterpret_cast<const Message*>(cookie);
  message.exchange->fetch();
  if (instant == Instant::injected) return nic::foresee_sending(message);
  nic::foresee_receiving(message);
  if (const auto call = call_of(message)) software_.foresee(*call, message.cookie, message.end);
}

void Wire::expect(Instant instant, std::uint64_t cookie) const {
  const Message& message = *reinterpret_cast<const Message*>(cookie);
  if (instant == Instant::injected) return expect_next(message);
  expect_receiving(message);
  if (const auto call = call_of(message)) software_.expect(*call, message.cookie, message.end);
}

Cause Wire::observe_arrival(const Message& message, bool failed) {
  Causes& causes = clock_.causes();
  const ActivityRecord record = activity_on_wire(causes, message, clock_.now(), failed);
  causes.forget(&message.start);
  return causes.tell(record);
}

Cause Wire::observe_injection(const Message& message) {
  Causes& causes = clock_.causes();
  const ActivityRecord record = activity_on_wire(causes, message, clock_.now(), false);
  return Causes::after(causes.observer()->injected(record), record);
}

}  // namespace heddle::nic
