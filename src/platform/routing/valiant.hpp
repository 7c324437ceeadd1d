// By way of somewhere random.
#pragma once

#include "core/random.hpp"
#include "platform/routing/detours.hpp"

namespace heddle::platform {

/// Minimally to a random way-point, then minimally to the destination.
class Valiant : public Detours {
 public:
  using Detours::Detours;
  LinkId next(Hop& hop, const LoadView&) const final {
    if (may_turn(hop)) {
      const std::uint64_t pair = index(hop.from) << 32 | index(hop.to);
      hop.via = way_point(hop, RandomStream(pair).split(hop.salt).next());
    }
    return follow(hop);
  }
  bool is_settled(const Hop&) const final { return true; }

 protected:
  bool may_turn(const Hop& hop) const final { return hop.step == 0; }
  bool may_stay() const final { return false; }
};

}  // namespace heddle::platform
