// Hardware that breaks: messages lost or damaged with a probability, cables down for a while.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"

namespace heddle::nic {

/// A cable that carries nothing from `from` until `to`: messages on it are lost.
struct Outage {
  std::string cable;  ///< A glob on link names, either direction.
  Time from;
  Time to = Time::never();
};

/// What breaks, and how often.
struct Faults {
  double drop = 0;     ///< Probability that a message between adapters is lost.
  double corrupt = 0;  ///< Probability that it arrives damaged.
  std::vector<Outage> outages;
  bool none() const { return drop == 0 && corrupt == 0 && outages.empty(); }
};

/// Adds what a user writes: "drop=0.01,corrupt=1e-3,down=n0->*@1ms-2ms", in any number and order. A
/// later probability replaces an earlier one. Throws InputError at `where` for anything else.
void add_faults(Faults& faults, std::string_view text, const SourceLocation& where);

}  // namespace heddle::nic
