// What comes after an instruction.
#pragma once

#include <cstdint>

namespace heddle::host {

struct Flow {
  enum class Kind : std::uint8_t {
    next,    ///< What stands behind it.
    jump,    ///< Its target.
    branch,  ///< One of these.
    call,    ///< What stands behind it, after its target.
    away,    ///< Something that is not known, or nothing.
  };
  Kind kind = Kind::next;
  std::uint8_t length = 0;
  bool by_word = false;  ///< `target` is where the word lies that is the target.
  bool unknown = false;  ///< Where it jumps, or what it calls, is found out when it does.
  bool others = false;   ///< It has to do with others: the system, a clock, another thread.
  bool counts = false;   ///< Adds to what `heddlecc --count` counts.
  std::uint64_t target = 0;
};

}  // namespace heddle::host
