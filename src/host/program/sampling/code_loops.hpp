// Loops in the code of a function.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/rank/code/flow.hpp"

namespace heddle::host {

/// An instruction of a function: where it stands, what comes next, and whether it may be part of a
/// loop that is wanted.
struct CodeStep {
  std::uint64_t place = 0;
  Flow flow;
  bool wanted = true;
};

/// A loop that is entered at its head only.
struct CodeLoop {
  std::uint64_t head = 0;
  std::vector<std::uint64_t> exits;  ///< Where code goes on behind it, one or several.
  bool counts = false;               ///< Has an instruction that does.
};

/// The loops of a function that consist of wanted instructions and are in no larger one that does.
/// `steps` are all instructions of the function in the order of places. A jump to where nobody
/// knows is taken to lead to all places that nothing else leads to.
std::vector<CodeLoop> wanted_loops(std::span<const CodeStep> steps);

}  // namespace heddle::host
