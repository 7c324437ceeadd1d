// What code is going to do if nobody else does anything.
#pragma once

#include <cstdint>

#include "host/rank/looked_at.hpp"

namespace heddle::host {

/// Of code in the middle of which a signal has come: whether it is in a loop that only others can
/// end, because they change what it reads. Its instructions are read and carried out in thought:
/// nothing that it would write is written.
///
/// It waits if every decision in the loop is either taken both ways, or always the same by what is
/// always the same. What else the loop does is of no interest: it may count its looks, draw random
/// numbers, look at many places. One that counts its looks to an end of its own waits, too, if that
/// would take tens of seconds and it does nothing else meanwhile.
struct Outlook {
  enum class Kind : std::uint8_t {
    unknown,  ///< The code does something that is not understood, or takes too long to tell.
    goes_on,  ///< It makes progress, or is about to make a call.
    waits,
  };
  Kind kind = Kind::unknown;
  LookedAt looked_at;              ///< What it waits for.
  std::uint32_t instructions = 0;  ///< That it took to tell.
};

}  // namespace heddle::host
