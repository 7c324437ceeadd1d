// Messages of the fluid model.
#pragma once

#include "core/prefetch.hpp"
#include "network/fluid/fluid_group.hpp"

namespace heddle::network {

/// Takes messages on their way, and knows what the first message of a group will load.
class FluidMessageOwner {
 public:
  virtual void advance(FluidMessage& message) = 0;
  virtual void expect(const FluidGroup& group) const = 0;

 protected:
  ~FluidMessageOwner() = default;
};

/// A message under way; as an event it is the next of its steps that depends on latency alone.
struct alignas(64) FluidMessage final : public Event {
  enum class Step : std::uint8_t { entering, draining, landing, lost };

  explicit FluidMessage(FluidMessageOwner& owner) : owner(owner), head(*this) {}
  void fire() override { owner.advance(*this); }
  void glimpse() const override {
    if (step != Step::landing) return prefetch_lines(group, 2);
    if (awaited()) transfer.client->glimpse(transfer.cookie);
  }
  void foresee() const override {
    if (step != Step::landing) return heddle::prefetch(group->elements.data());
    if (awaited()) transfer.client->foresee(Instant::tail, transfer.cookie);
  }
  void expect() const override {
    if (step != Step::landing) return owner.expect(*group);
    if (awaited()) transfer.client->expect(Instant::tail, transfer.cookie);
  }
  /// Whether the client waits for the tail; one that does not may have forgotten the message.
  bool awaited() const { return transfer.wants_instant(Instant::tail); }
  void report_head() { transfer.report(Instant::head); }

  FluidMessageOwner& owner;
  Transfer transfer;
  FluidGroup* group = nullptr;
  Time latency;  ///< With its factor.
  Step step = Step::entering;
  LinkId lost_on = kNoLink;
  MemberEvent<FluidMessage, &FluidMessage::report_head> head;
};

}  // namespace heddle::network
