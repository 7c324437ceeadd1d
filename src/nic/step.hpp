// Something that goes on later: at an instant of its own, or when a crossing of the bus ends.
#pragma once

#include "core/simulation.hpp"

namespace heddle::nic {

class Step : public Event {
 public:
  virtual void run() = 0;

 protected:
  ~Step() = default;

 private:
  void fire() final { run(); }
};

/// A step that calls a member function of its owner.
template <class Owner, void (Owner::*Handler)()>
class MemberStep final : public Step {
 public:
  explicit MemberStep(Owner& owner) : owner_(owner) {}
  void run() override { (owner_.*Handler)(); }

 private:
  Owner& owner_;
};

}  // namespace heddle::nic
