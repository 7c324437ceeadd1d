// `heddle calibrate --compute`: how fast a program's own code is, against what it counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/common.hpp"
#include "core/time.hpp"
#include "report/json.hpp"

namespace heddle::cli {

/// What to run, and how often.
struct ComputationPlan {
  std::vector<std::string> commands;  ///< Of programs that count, as shells read them.
  std::string plain;                  ///< The program that takes its time: built without counts.
  std::vector<Time> native;           ///< What the commands take elsewhere, or nothing.
  std::uint32_t ranks = 1;
  std::uint32_t repeats = 5;
};

/// One command.
struct ComputationRun {
  std::string command;
  std::uint64_t counted = 0;
  Time least;  ///< Of the repetitions: what ranks computed, together.
  Time most;
  Time native;    ///< On the machine that is calibrated; the least one unless it was told.
  Time in_place;  ///< What the program that counts takes itself.
};

struct Computation {
  std::vector<ComputationRun> runs;
  double rate = 0;    ///< Counted in a second.
  double factor = 1;  ///< Native time for time measured in the program that counts.
};

/// Runs all. Throws RunError if a program fails or counts nothing.
Computation calibrated(const ComputationPlan& plan);

std::string text_of(const Computation& found);
/// The document heddle.computation/1; `machine` is the text of its file, or "" if there is none.
report::Json json_of(const Computation& found, const ComputationPlan& plan,
                     const std::string& machine);
/// A machine's file, with what was found.
std::string machine_text_of(const Computation& found, Machine machine);

}  // namespace heddle::cli
