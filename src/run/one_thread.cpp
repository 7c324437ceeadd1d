#include "run/one_thread.hpp"

#include "core/sanitizer.hpp"

namespace heddle::run {

std::string one_thread_for(const RunConfig& config, const host::HostParams& params) {
#ifdef HEDDLE_ASAN
  return "a sanitizer looks at them";
#endif
  if (!host::TurnStubs::possible()) return "threads beside it are known for x86-64 only";
  if (config.played != nullptr || config.schedule != nullptr || config.functions != nullptr) {
    return "no program runs";
  }
  if (config.recorder != nullptr || config.recorded || config.trace != nullptr) {
    return "what they do is recorded";
  }
  if (config.check_mpi) return "their use of MPI is checked";
  if (!config.sampled.empty()) return "functions are sampled";
  if (config.sampled_loops) return "loops are sampled";
  if (config.share_pages == host::SharePages::all) return "their memory is compared";
  if (config.debug_rank) return "a debugger is to look at them";
  if (!config.fidelity.levels.empty()) return "messages travel by several transports";
  if (params.compute == host::ComputeModel::count) return "they count in one place what they do";
  return "";
}

std::string one_thread_for(const std::deque<World>& worlds, const host::TurnStubs& stubs) {
  for (const World& world : worlds) {
    if (world.has_processes()) return "they are processes";
    for (const auto& program : world.programs()) {
      if (program->privatization() != host::Privatization::copies) {
        return "their globals are not in memory of their own all the time (as with copies)";
      }
      if (program->waits_by_itself()) return "they use OpenMP";
      if (program->reads_counter()) return "they may read the processor's counter";
      if (program->opens_libraries()) return "they may open libraries";
    }
  }
  const std::string& variable = stubs.shared_variable();
  return variable.empty() ? "" : "they share a variable of a library, " + variable;
}

}  // namespace heddle::run
