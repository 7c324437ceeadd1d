// The variables that the tools interface shows: control variables are the parameters of MPI, and
// performance variables say where a rank's time has gone and what waits in its queues.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heddle::mpi {

class Process;

/// A parameter of MPI. It is set before the run and stays so.
struct ControlVariable {
  std::string name;  ///< "mpi.eager_limit"
  std::string meaning;
  std::size_t index;  ///< In the table of parameters.
};
const std::vector<ControlVariable>& control_variables();
/// Its value in the process's job, as text that `--set` takes.
std::string value_of(const ControlVariable& variable, const Process& process);
/// The longest value that is shown, with its end mark.
inline constexpr int kControlValueSize = 256;

/// What a rank can be asked about itself. It is always counted and cannot be set.
struct PerformanceVariable {
  using Value = std::variant<std::uint64_t, double>;
  std::string_view name;
  std::string_view meaning;
  int variable_class;  ///< MPI_T_PVAR_CLASS_...
  int datatype;        ///< MPI_UNSIGNED_LONG_LONG or MPI_DOUBLE
  Value (*read)(Process& process);
};
const std::vector<PerformanceVariable>& performance_variables();

}  // namespace heddle::mpi
