// Calls of one-sided communication.
#include <algorithm>
#include <string>

#include "mpi/api/call.hpp"
#include "mpi/api/one_sided.hpp"
#include "mpi/call_log.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/datatypes.hpp"
#include "mpi/op/op_table.hpp"
#include "mpi/request.hpp"
#include "mpi/rma/operation.hpp"
#include "mpi/rma/window_observer.hpp"

namespace heddle::mpi::one_sided {
namespace {

/// The end of one operation, as a request.
class RmaRequest final : public Request, public Completion {
 public:
  RmaRequest(Process& process, const Window& window, int target, std::uint64_t number = 0)
      : Request(process),
        call_(process.call),
        window_(window.label()),
        handle_(window.handle),
        target_(target),
        number_(number) {}
  void completed(const Outcome& outcome) override { finish(outcome); }
  void deliver(Outcome&) override {
    if (CallLog* log = process().world().call_log()) log->looks(process(), News::operations);
    WindowObserver* const observer = observer_of(process());
    Window* const window = observer == nullptr ? nullptr : find_window(process(), handle_);
    if (window != nullptr) observer->sees_end(*window, number_);
  }
  std::string describe() const override {
    return std::string(call_) + " on " + window_ + ", target " + std::to_string(target_);
  }

 private:
  const char* call_;
  std::string window_;
  int handle_;
  int target_;
  std::uint64_t number_;  ///< For a check.
};

void check_rank(const Window& window, int rank) {
  if (rank >= 0 && rank < window.size()) return;
  bad_argument(MPI_ERR_RANK, "target_rank",
               std::to_string(rank) + " is not a rank of " + window.label() +
                   ": accepted are 0 to " + std::to_string(window.size() - 1) + ", MPI_PROC_NULL");
}

/// Whether the bytes from `first` to `last` (not included) are in memory that may be reached, be it
/// attached in several pieces.
bool within(const WindowMember& member, const std::byte* first, const std::byte* last,
            bool dynamic) {
  const Region& whole = member.memory;
  if (!dynamic) return first >= whole.base && last <= whole.base + whole.size;
  while (first < last) {
    const auto found = std::ranges::find_if(member.attached, [&](const Region& region) {
      return first >= region.base && first < region.base + region.size;
    });
    if (found == member.attached.end()) return false;
    first = found->base + found->size;
  }
  return true;
}

/// What a displacement means in the target's memory.
Buffer remote_buffer(Process& process, Window& window, const RemoteSide& side) {
  check_rank(window, side.rank);
  const Datatype& type = committed(process, side.type, "target_datatype");
  if (side.count < 0) {
    bad_argument(MPI_ERR_COUNT, "target_count",
                 std::to_string(side.count) + ": accepted are 0 and more");
  }
  const bool dynamic = window.data().flavor == MPI_WIN_FLAVOR_DYNAMIC;
  if (side.displacement < 0 && !dynamic) {
    bad_argument(MPI_ERR_DISP, "target_disp",
                 std::to_string(side.displacement) + ": accepted are 0 and more");
  }
  const WindowMember& member = window.member(side.rank);
  std::byte* base = dynamic ? nullptr : member.memory.base;
  check_elements(side.count, type, "target_count");
  const Wide place =
      reinterpret_cast<std::intptr_t>(base) + Wide{side.displacement} * (dynamic ? 1 : member.unit);
  auto* address = reinterpret_cast<std::byte*>(checked_size(place, MPI_ERR_DISP));
  const Buffer buffer{address, side.count, &type};
  if (bytes(buffer) == 0) return buffer;
  const std::int64_t last = (side.count - 1) * type.extent();
  const Wide low = place + std::min<std::int64_t>(last, 0) + type.true_bounds().lower;
  const Wide high = place + std::max<std::int64_t>(last, 0) + type.true_bounds().upper;
  const auto* first = reinterpret_cast<std::byte*>(checked_size(low, MPI_ERR_DISP));
  const auto* end = reinterpret_cast<std::byte*>(checked_size(high, MPI_ERR_DISP));
  if (!within(member, first, end, dynamic)) {
    bad_argument(MPI_ERR_RMA_RANGE, "target_disp",
                 std::to_string(side.displacement) + " reaches beyond " + window.label() +
                     " of rank " + std::to_string(side.rank));
  }
  return buffer;
}

void check_sizes(const Buffer& local, const Buffer& remote) {
  if (bytes(local) == bytes(remote)) return;
  bad_argument(MPI_ERR_ARG, "origin_count",
               std::to_string(bytes(local)) + " bytes here and " + std::to_string(bytes(remote)) +
                   " at the target: they must be as many");
}

const Op& accumulating(Process& process, MPI_Op handle, const Buffer& remote) {
  const Op& op = operation(process, handle);
  if (!op.is_predefined()) {
    bad_argument(MPI_ERR_OP, "op", "is not predefined, as operations on windows must be");
  }
  if (op.operation() == Operation::replace || op.operation() == Operation::no_op) return op;
  const Datatype* unit = remote.type->unit();
  if (unit == nullptr && bytes(remote) > 0) {
    bad_argument(MPI_ERR_TYPE, "target_datatype", "is made of more than one predefined datatype");
  }
  return unit == nullptr ? op : operation(process, handle, *unit);
}

/// Starts an operation; as a request if `request` is not null.
void begin(Window& window, const RmaCall& call, MPI_Request* request) {
  Process& process = window.process();
  window.epochs().access(call.target);
  WindowObserver* const observer = observer_of(process);
  const std::uint64_t number = observer == nullptr ? 0 : observer->issued(window, call);
  RmaRequest* ends = nullptr;
  if (request != nullptr) {
    ends = &add_request(make_request<RmaRequest>(process, window, call.target, number), request);
  }
  rma_of(process).operations.take().begin(window, call, ends, number);
}
/// Nothing is done for MPI_PROC_NULL; the request is complete.
void begin_nothing(Window& window, MPI_Request* request) {
  if (request == nullptr) return;
  add_request(make_request<RmaRequest>(window.process(), window, MPI_PROC_NULL), request)
      .completed({MPI_PROC_NULL, MPI_ANY_TAG, 0, 0, false});
}

}  // namespace

int put(const char* name, const Side& origin, const RemoteSide& target, MPI_Win win,
        MPI_Request* request) {
  return call(name, on_win(win), [&](Process& process) {
    Window& on = window(process, win);
    RmaCall operation;
    operation.kind = RmaKind::put;
    operation.target = target.rank;
    operation.origin = buffer(process, origin.address, origin.count, origin.type, "origin_addr");
    if (target.rank == MPI_PROC_NULL) return begin_nothing(on, request);
    operation.remote = remote_buffer(process, on, target);
    check_sizes(operation.origin, operation.remote);
    begin(on, operation, request);
  });
}

int get(const char* name, const Side& origin, const RemoteSide& target, MPI_Win win,
        MPI_Request* request) {
  return call(name, on_win(win), [&](Process& process) {
    Window& on = window(process, win);
    RmaCall operation;
    operation.kind = RmaKind::get;
    operation.target = target.rank;
    operation.result = buffer(process, origin.address, origin.count, origin.type, "origin_addr");
    if (target.rank == MPI_PROC_NULL) return begin_nothing(on, request);
    operation.remote = remote_buffer(process, on, target);
    check_sizes(operation.result, operation.remote);
    begin(on, operation, request);
  });
}

int accumulate(const char* name, const Side& origin, const RemoteSide& target, MPI_Op op,
               MPI_Win win, MPI_Request* request) {
  return call(name, on_win(win), [&](Process& process) {
    Window& on = window(process, win);
    RmaCall operation;
    operation.kind = RmaKind::accumulate;
    operation.target = target.rank;
    operation.origin = buffer(process, origin.address, origin.count, origin.type, "origin_addr");
    if (target.rank == MPI_PROC_NULL) return begin_nothing(on, request);
    operation.remote = remote_buffer(process, on, target);
    operation.op = &accumulating(process, op, operation.remote);
    check_sizes(operation.origin, operation.remote);
    begin(on, operation, request);
  });
}

int get_accumulate(const char* name, const Side& origin, const Side& result,
                   const RemoteSide& target, MPI_Op op, MPI_Win win, MPI_Request* request) {
  return call(name, on_win(win), [&](Process& process) {
    Window& on = window(process, win);
    RmaCall operation;
    operation.kind = RmaKind::get_accumulate;
    operation.target = target.rank;
    operation.result = buffer(process, result.address, result.count, result.type, "result_addr");
    if (target.rank == MPI_PROC_NULL) return begin_nothing(on, request);
    operation.remote = remote_buffer(process, on, target);
    operation.op = &accumulating(process, op, operation.remote);
    if (operation.op->operation() == Operation::no_op) {
      operation.kind = RmaKind::get;  // What comes from the origin means nothing.
    } else {
      operation.origin = buffer(process, origin.address, origin.count, origin.type, "origin_addr");
      check_sizes(operation.origin, operation.remote);
    }
    check_sizes(operation.result, operation.remote);
    begin(on, operation, request);
  });
}

namespace {

int compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type,
                     int rank, MPI_Aint displacement, MPI_Win win) {
  return call("MPI_Compare_and_swap", on_win(win), [&](Process& process) {
    Window& on = window(process, win);
    const Datatype& element = datatype(process, type);
    const Basic* basic = element.basic();
    if (basic == nullptr || basic->pair || basic->kind == Kind::real ||
        basic->kind == Kind::complex) {
      bad_argument(MPI_ERR_TYPE, "datatype", "is not one of integers, logical values or MPI_BYTE");
    }
    RmaCall operation;
    operation.kind = RmaKind::compare_and_swap;
    operation.target = rank;
    operation.origin = buffer(process, origin, 1, type, "origin_addr");
    operation.result = buffer(process, result, 1, type, "result_addr");
    operation.compare = buffer(process, compare, 1, type, "compare_addr").address;
    if (rank == MPI_PROC_NULL) return;
    operation.remote = remote_buffer(process, on, {rank, displacement, 1, type});
    begin(on, operation, nullptr);
  });
}

}  // namespace
}  // namespace heddle::mpi::one_sided

namespace mpi = heddle::mpi;

extern "C" {

int PMPI_Fetch_and_op(const void* origin_addr, void* result_addr, MPI_Datatype type,
                      int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  return mpi::one_sided::get_accumulate("MPI_Fetch_and_op", {origin_addr, 1, type},
                                        {result_addr, 1, type}, {target_rank, target_disp, 1, type},
                                        op, win);
}
int PMPI_Compare_and_swap(const void* origin_addr, const void* compare_addr, void* result_addr,
                          MPI_Datatype type, int target_rank, MPI_Aint target_disp, MPI_Win win) {
  return mpi::one_sided::compare_and_swap(origin_addr, compare_addr, result_addr, type, target_rank,
                                          target_disp, win);
}

}  // extern "C"
