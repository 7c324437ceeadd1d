// Generalized requests, and statuses that programs fill.
#include <fmt/core.h>

#include "mpi/api/call.hpp"
#include "mpi/p2p/arguments.hpp"
#include "mpi/request.hpp"

namespace heddle::mpi {
namespace {

Outcome outcome_of(const MPI_Status& status) {
  const auto high = static_cast<std::uint32_t>(status.count_hi_and_cancelled);
  Outcome outcome;
  outcome.source = status.MPI_SOURCE;
  outcome.tag = status.MPI_TAG;
  outcome.error = MPI_SUCCESS;
  outcome.bytes = static_cast<std::int64_t>((std::uint64_t{high >> 1} << 32) |
                                            static_cast<std::uint32_t>(status.count_lo));
  outcome.cancelled = (high & 1) != 0;
  return outcome;
}

/// An operation of the program's own.
class GeneralizedRequest final : public Request {
 public:
  struct Functions {
    MPI_Grequest_query_function* query;
    MPI_Grequest_free_function* free;
    MPI_Grequest_cancel_function* cancel;
    void* extra;
  };
  GeneralizedRequest(Process& process, const Functions& functions)
      : Request(process), functions_(functions) {}
  void end() { finish({}); }
  void cancel() override {
    if (functions_.cancel != nullptr) {
      check(functions_.cancel(functions_.extra, static_cast<int>(complete())));
    }
  }
  void deliver(Outcome& outcome) override {
    if (functions_.query == nullptr) return;
    MPI_Status status{};
    set_status_with_error(&status, Outcome{});
    const int code = functions_.query(functions_.extra, &status);
    outcome = outcome_of(status);
    outcome.error = code;
  }
  void release() override {
    if (functions_.free != nullptr) functions_.free(functions_.extra);
    delete this;
  }
  std::string describe() const override { return "a generalized request"; }

 private:
  static void check(int code) {
    if (code != MPI_SUCCESS) {
      throw Error{code, fmt::format("the function of a generalized request answered {}", code)};
    }
  }
  Functions functions_;
};

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;

extern "C" {

int PMPI_Grequest_start(MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                        MPI_Grequest_cancel_function* cancel_fn, void* extra_state,
                        MPI_Request* request) {
  return call("MPI_Grequest_start", [&](Process& process) {
    need(request, "request");
    add_request(
        make_request<GeneralizedRequest>(
            process, GeneralizedRequest::Functions{query_fn, free_fn, cancel_fn, extra_state}),
        request);
  });
}

int PMPI_Grequest_complete(MPI_Request request) {
  return call("MPI_Grequest_complete", [&](Process& process) {
    auto* found = dynamic_cast<GeneralizedRequest*>(find_request(process, request));
    if (found == nullptr) bad_argument(MPI_ERR_REQUEST, "request", "it is no generalized request");
    found->end();
  });
}

int PMPI_Status_set_cancelled(MPI_Status* status, int flag) {
  return call("MPI_Status_set_cancelled", [&](Process&) {
    status->count_hi_and_cancelled =
        (status->count_hi_and_cancelled & ~1) | static_cast<int>(flag != 0);
  });
}

}  // extern "C"
