#include "mpi/tools/variables.hpp"

#include <mpi.h>

#include "mpi/config.hpp"
#include "mpi/process.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {
namespace {

template <Time host::RankTimes::*kMember>
PerformanceVariable::Value seconds(Process& process) {
  return (process.rank().account().times().*kMember).seconds();
}

PerformanceVariable timer(std::string_view name, std::string_view meaning,
                          PerformanceVariable::Value (*read)(Process&)) {
  return {name, meaning, MPI_T_PVAR_CLASS_TIMER, MPI_DOUBLE, read};
}

}  // namespace

const std::vector<ControlVariable>& control_variables() {
  static const std::vector<ControlVariable> variables = [] {
    std::vector<ControlVariable> result;
    const auto& table = mpi_table();
    for (std::size_t i = 0; i < table.params().size(); ++i) {
      const ParamInfo& param = table.params()[i];
      result.push_back({table.section() + "." + param.name, param.meaning, i});
    }
    return result;
  }();
  return variables;
}

std::string value_of(const ControlVariable& variable, const Process& process) {
  return mpi_table().get(process.world().config(), variable.index).substr(0, kControlValueSize - 1);
}

const std::vector<PerformanceVariable>& performance_variables() {
  using Times = host::RankTimes;
  static const std::vector<PerformanceVariable> variables = {
      timer("time_computing", "simulated seconds that the rank has computed",
            seconds<&Times::computing>),
      timer("time_waiting", "simulated seconds that the rank has waited in calls, polls included",
            seconds<&Times::waiting>),
      timer("time_polling", "simulated seconds that the rank has polled in vain",
            seconds<&Times::polling>),
      {"messages_sent", "messages that the rank has sent, those of collectives included",
       MPI_T_PVAR_CLASS_COUNTER, MPI_UNSIGNED_LONG_LONG,
       [](Process& process) -> PerformanceVariable::Value { return process.counters.messages; }},
      timer("time_sleeping", "simulated seconds that the rank has slept by its own wish",
            seconds<&Times::sleeping>),
  };
  return variables;
}

}  // namespace heddle::mpi
