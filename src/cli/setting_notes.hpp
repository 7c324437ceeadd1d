// What users should know of the parameters they set: how a machine differs from its description,
// and what has no effect.
#pragma once

#include <string>
#include <vector>

#include "core/params.hpp"
#include "platform/machine.hpp"

namespace heddle::cli {

/// "link.latency=50ns, ...": what is different afterwards among the parameters of machines, and
/// those that were set before. "" if nothing is.
std::string changes_between(const Settings& before, const Settings& after);

/// What a command looks at besides the fabric of its machine.
struct Uses {
  std::string command = {};        ///< As the user calls it: "traffic".
  bool machine = true;             ///< Whether there is a machine.
  std::vector<std::string> names;  ///< Sections ("traffic") and single parameters ("nic.gap").
  std::vector<std::string> left_out = {};  ///< Parameters of those sections that it passes over.
  std::string pattern = {};                ///< Of a schedule, if one is generated.
};

/// What `heddle COMMAND` looks at: run, traffic, replay, or replay of traces ("replay traces")
/// or of schedules by MPI ("replay by mpi").
Uses uses_of(const std::string& command);

/// Sets what LogGOPSim assumes: what is in force in a replay without a machine.
void assume_loggopsim(Settings& settings);

/// Why the parameter "section.name" has no effect in a run; "" if it may have one.
std::string idle_reason(const Settings& settings, const platform::MachineDescription& machine,
                        const Uses& uses, const std::string& full_name);

/// A sentence for each option of the command line that sets nothing but what has no effect.
std::vector<std::string> idle_options(const Settings& settings,
                                      const platform::MachineDescription& machine,
                                      const Uses& uses);

/// The same for the parameters of the pattern of a schedule alone.
std::vector<std::string> idle_of_pattern(const Settings& settings, const std::string& pattern);

}  // namespace heddle::cli
