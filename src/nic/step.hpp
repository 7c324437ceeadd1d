// Something that goes on later: at an instant of its own, or when a crossing of the bus ends.
#pragma once

#include "core/simulation.hpp"

namespace heddle::nic {

class Step : public Event {
 public:
  void run() { fire(); }
  /// It runs soon: what it is going to need may be fetched from memory, in three steps each of
  /// which looks into what the one before has fetched.
  void glimpse() const override {}
  void foresee() const override {}
  void expect() const override {}

 protected:
  ~Step() = default;

 private:
  void fire() override = 0;
};

/// A step that calls a member function of its owner, which may foresee() it.
template <class Owner, void (Owner::*Handler)()>
class MemberStep final : public Step {
 public:
  explicit MemberStep(Owner& owner) : owner_(owner) {}

 private:
  void fire() override { (owner_.*Handler)(); }
  void glimpse() const override {
    if constexpr (requires { owner_.glimpse(); }) owner_.glimpse();
  }
  void foresee() const override {
    if constexpr (requires { owner_.foresee(); }) owner_.foresee();
  }
  void expect() const override {
    if constexpr (requires { owner_.expect(); }) owner_.expect();
  }
  Owner& owner_;
};

}  // namespace heddle::nic
