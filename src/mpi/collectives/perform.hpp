// Carrying out a collective call: at once, in the background, or whenever it is started.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

#include "coll/algorithms/run.hpp"
#include "coll/rules/selector.hpp"
#include "mpi/call_log.hpp"
#include "mpi/check/check.hpp"
#include "mpi/collectives/amounts.hpp"
#include "mpi/collectives/coll_request.hpp"
#include "mpi/collectives/direct_steps.hpp"
#include "mpi/transport/fidelity.hpp"

namespace heddle::mpi::collectives {

/// How a call wants its operation: the first form of MPI_Bcast, MPI_Ibcast, MPI_Bcast_init.
struct How {
  enum class Mode : std::uint8_t { blocking, nonblocking, persistent };
  Mode mode = Mode::blocking;
  MPI_Request* request = nullptr;  ///< Unless it blocks.
};

/// What an operation uses beyond the call that names it.
struct Uses {
  std::array<const Datatype*, 2> types = {};
  const Op* op = nullptr;
  std::array<const std::vector<const Datatype*>*, 2> more_types = {};
  CommonTerms common = {};  ///< Where all must say the same.
};

inline void keep(CollRequest& request, const Uses& uses) {
  for (const Datatype* type : uses.types) {
    if (type != nullptr) request.keep(*type);
  }
  for (const auto* list : uses.more_types) {
    if (list == nullptr) continue;
    for (const Datatype* type : *list) request.keep(*type);
  }
  if (uses.op != nullptr) request.keep(*uses.op);
}

/// Tells who records, or chooses transports, that a blocking collective goes on, for as long as it
/// lives.
class LoggedCall {
 public:
  explicit LoggedCall(const Context& context)
      : process_(context.process()), log_(process_.world().call_log()) {
    if (log_ != nullptr) log_->begins(context.communicator(), context.tag());
    if (Fidelity* fidelity = process_.world().find_part<Fidelity>()) {
      fidelity->collective(context.communicator());
    }
  }
  ~LoggedCall() {
    if (log_ != nullptr) log_->ends(process_);
  }
  LoggedCall(const LoggedCall&) = delete;
  LoggedCall& operator=(const LoggedCall&) = delete;

 private:
  Process& process_;
  CallLog* log_;
};

/// Lets `body(steps)` say what the rank does for a collective on `communicator`.
template <class Body>
void perform(Communicator& communicator, Collective collective, const How& how, const Uses& uses,
             const Body& body) {
  Context context(communicator, collective);
  context.set_operation(uses.op);
  Check* const check = check_of(context.process());
  if (check != nullptr) context.tell(check->collectives(), uses.common);
  if (how.mode == How::Mode::blocking) {
    {
      const LoggedCall logged(context);
      const Process::LastWait last(context.process());
      DirectSteps steps(context);
      body(steps);
      steps.finish();
    }
    if (check != nullptr) context.tell_end(check->collectives());
    return;
  }
  const bool persistent = how.mode == How::Mode::persistent;
  NewRequest<CollRequest> made = make_request<CollRequest>(context, persistent);
  keep(*made, uses);
  Recorder recorder(made->schedule(), context.rank(), context.size(), context.places(),
                    &collectives_of(context.process()).selector());
  body(recorder);
  recorder.wait();
  CollRequest& request = add_request(std::move(made), how.request);
  if (!persistent) request.begin_once();
}

/// Runs the algorithm that is chosen, and tells who records what is done.
template <class Work>
void run_chosen(Steps& steps, Process& process, Collective collective,
                std::span<const Algorithm<Work>> all, const Work& work, std::int64_t bytes = 0) {
  if (CallLog* log = process.world().call_log()) {
    log->says(process, collective, amounts(work, collective, steps));
  }
  run_as_chosen(steps, collective, all, work, bytes);
}

}  // namespace heddle::mpi::collectives
