// What happens in a simulation.
#pragma once

#include <cstdint>

namespace heddle {

/// Something that will happen. Owned by its component, which must outlive its being scheduled, and
/// scheduled at most once at a time; the queue allocates nothing for it.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  bool scheduled() const { return slot_ != kIdle; }

 protected:
  ~Event() = default;

 private:
  friend class EventLane;
  friend class Simulation;
  virtual void fire() = 0;
  /// It fires soon: what it is going to need may be fetched from memory. Must change nothing.
  virtual void foresee() const {}
  /// The same a few events before that: what this fetches is there when foresee() looks into it.
  virtual void glimpse() const {}
  /// The same a few events after foresee(): what that has fetched is there.
  virtual void expect() const {}

  static constexpr std::uint32_t kIdle = UINT32_MAX;
  static constexpr std::uint32_t kNext = UINT32_MAX - 1;
  static constexpr std::uint32_t kInLane = 1U << 31;
  /// Number of its entry in the queue, kNext, or kInLane + place in the lane.
  std::uint32_t slot_ = kIdle;
};

/// An event that calls a member function of its owner.
template <class Owner, void (Owner::*Handler)()>
class MemberEvent final : public Event {
 public:
  explicit MemberEvent(Owner& owner) : owner_(&owner) {}

 private:
  void fire() override { (owner_->*Handler)(); }
  Owner* owner_;
};

}  // namespace heddle
