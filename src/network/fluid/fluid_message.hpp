// Messages of the fluid model.
#pragma once

#include "core/prefetch.hpp"
#include "network/fluid/fluid_group.hpp"

namespace heddle::network {

/// A message under way; as an event it is the next of its steps that depends on latency alone.
struct alignas(64) FluidNetwork::Message final : public Event {
  enum class Step : std::uint8_t { entering, draining, landing, lost };

  explicit Message(FluidNetwork& network) : network(network), head(*this) {}
  void fire() override { network.advance(*this); }
  void glimpse() const override {
    if (step != Step::landing) return prefetch_lines(group, 2);
    if (awaited()) transfer.client->glimpse(transfer.cookie);
  }
  void foresee() const override {
    if (step != Step::landing) return heddle::prefetch(group->elements.data());
    if (awaited()) transfer.client->foresee(Instant::tail, transfer.cookie);
  }
  void expect() const override {
    if (step != Step::landing) return network.solver_.foresee(group->elements);
    if (awaited()) transfer.client->expect(Instant::tail, transfer.cookie);
  }
  /// Whether the client waits for the tail; one that does not may have forgotten the message.
  bool awaited() const { return transfer.wants_instant(Instant::tail); }
  void report_head() { transfer.report(Instant::head); }

  FluidNetwork& network;
  Transfer transfer;
  Group* group = nullptr;
  Time latency;  ///< With its factor.
  Step step = Step::entering;
  LinkId lost_on = kNoLink;
  MemberEvent<Message, &Message::report_head> head;
};

}  // namespace heddle::network
