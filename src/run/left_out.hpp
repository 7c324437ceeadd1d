// Whether what ranks compute is missing in the simulated time, and what is said of it then.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/time.hpp"
#include "host/rank/host_params.hpp"
#include "host/rank/processor_use.hpp"

namespace heddle::run {

/// What ranks have computed here, beside what has passed on the simulated machine.
struct Computation {
  host::ComputeModel model = host::ComputeModel::none;
  host::ProcessorUse::Totals here;
  std::uint32_t ranks = 0;
  Time simulated;  ///< When the last rank ended.
  Time charged;    ///< Simulated time that ranks computed for, of all of them.
  Time spent;      ///< Processor time of the simulator, with ranks that are not processes.
};

/// Whether computation is free and would have mattered: a rank has taken more processor time here
/// than a tenth of the simulated time, and all together more than a fifth of the run's, for calls
/// begin and end with some instructions of the program's, and ten times what they were charged for:
/// a program that declares its computation means another processor than this one. That rank
/// is the busiest, if it was seen for 50 ms, or else a mean one, if all were seen for so long and
/// the mean for 1 ms, which is more than a program takes to begin: times here are sampled.
bool is_left_out(const Computation& computation);

/// For the table of a run. `advice` says what a user can do so that it is not.
std::string left_out_line(const Computation& computation, std::string_view advice);
/// The same as a sentence of its own, for verdicts.
std::string left_out_sentence(const Computation& computation, std::string_view advice);

}  // namespace heddle::run
