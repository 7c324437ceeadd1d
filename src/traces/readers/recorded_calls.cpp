#include "traces/readers/recorded_calls.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace heddle::traces {
namespace {

constexpr std::int64_t kPicosecondsPerNanosecond = 1000;

/// MPI_COMM_SELF has one name on all ranks, but is another communicator on each.
std::uint64_t self_of(std::uint32_t rank) {
  return (std::uint64_t{rank} + 1) << 32 | UINT32_MAX;
}

[[noreturn]] void fail_at(const std::string& file, const RecordedCall& record,
                          const std::string& function, std::string_view problem) {
  throw InputError({file, record.number}, fmt::format("MPI_{}: {}", function, problem));
}

/// The bytes of one call, of its counts and datatypes.
class RecordedSizes {
 public:
  /// `function` is its name without _c; lists are kept in `trace`.
  RecordedSizes(const RecordedCall& record, const std::string& function, RankTrace& trace)
      : record_(record), function_(function), trace_(trace) {}

  void set(Call& call) {
    set_sizes(call);
    set_others(call);
  }

 private:
  void set_sizes(Call& call) {
    call.buffer = record_.buffer;
    call.recv_buffer = record_.recv_buffer;
    const bool in_place = record_.buffer == kRecordedInPlace;
    switch (call.kind) {
      case CallKind::scatter:
        call.bytes = taken();
        break;
      case CallKind::allgather:
        call.bytes = !in_place ? sent()
                     : !call.per_member
                         ? taken()
                         : product(own_count(call), static_cast<std::int64_t>(record_.recv_size));
        break;
      case CallKind::alltoall:
        if (!call.per_member) {
          call.bytes = in_place ? taken() : sent();
        } else {
          call.list = in_place ? list(record_.recv_counts, record_.recv_size, record_.recv_sizes)
                               : list(record_.counts, record_.size, record_.sizes);
        }
        break;
      case CallKind::reduce_scatter:
        call.bytes = sent();
        if (!record_.recv_counts.empty()) call.list = list(record_.recv_counts, record_.size, {});
        break;
      case CallKind::sendrecv:
        call.bytes = call.recv_bytes = sent();
        if (function_ == "Sendrecv") {
          call.recv_bytes = taken();
        } else {
          call.recv_buffer = call.buffer;
        }
        break;
      default:
        call.bytes = sent();
    }
  }

  /// The other side. MPI gives that of a gather or scatter no meaning except at the root.
  void set_others(Call& call) {
    const bool rooted = call.kind == CallKind::gather || call.kind == CallKind::scatter;
    if (!rooted && call.kind != CallKind::allgather && call.kind != CallKind::alltoall) return;
    if (rooted && call.peer != trace_.comms[call.comm].rank) return;
    const bool sends = call.kind == CallKind::scatter;
    if (!call.per_member) {
      call.others = sends ? sent() : taken();
    } else if (sends) {
      call.others_list = list(record_.counts, record_.size, record_.sizes);
    } else {
      call.others_list = list(record_.recv_counts, record_.recv_size, record_.recv_sizes);
    }
  }

  std::uint64_t product(std::int64_t count, std::int64_t size) const {
    std::int64_t bytes = 0;
    if (count < 0 || size < 0 || __builtin_mul_overflow(count, size, &bytes)) {
      fail(fmt::format("{} elements of {} bytes is no size", count, size));
    }
    return static_cast<std::uint64_t>(bytes);
  }
  std::uint64_t sent() const {
    return product(record_.count, static_cast<std::int64_t>(record_.size));
  }
  std::uint64_t taken() const {
    return product(record_.recv_count, static_cast<std::int64_t>(record_.recv_size));
  }
  /// One size for all, or one each.
  std::uint32_t list(const std::vector<std::int64_t>& counts, std::uint64_t size,
                     const std::vector<std::int64_t>& sizes) {
    if (!sizes.empty() && sizes.size() != counts.size()) {
      fail("counts and datatypes differ in number");
    }
    std::vector<std::uint64_t> bytes;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      bytes.push_back(
          product(counts[i], sizes.empty() ? static_cast<std::int64_t>(size) : sizes[i]));
    }
    trace_.lists.push_back(std::move(bytes));
    return static_cast<std::uint32_t>(trace_.lists.size() - 1);
  }

  std::int64_t own_count(const Call& call) const {
    const auto rank = static_cast<std::size_t>(trace_.comms[call.comm].rank);
    if (rank >= record_.recv_counts.size()) fail("fewer counts than members");
    return record_.recv_counts[rank];
  }

  [[noreturn]] void fail(std::string_view problem) const {
    fail_at(trace_.file, record_, function_, problem);
  }

  const RecordedCall& record_;
  const std::string& function_;
  RankTrace& trace_;
};

/// What came takes the place of what was asked for.
void take_received(const RecordedStatus& status, Call& call) {
  const bool both = call.kind == CallKind::sendrecv;
  if (!both && call.kind != CallKind::recv) return;
  std::int32_t& source = both ? call.source : call.peer;
  if (source == kNoPeer || status.source < 0) return;
  source = static_cast<std::int32_t>(status.source);
  if (status.tag >= 0) (both ? call.recv_tag : call.tag) = static_cast<std::int32_t>(status.tag);
  (both ? call.recv_bytes : call.bytes) = status.bytes;
}

}  // namespace

RecordedCalls::RecordedCalls(std::string file, const std::vector<RecordableFunction>& functions,
                             std::uint32_t rank, std::uint32_t ranks)
    : ranks_(ranks) {
  trace_.file = std::move(file);
  trace_.request_size = 1;
  for (const RecordableFunction& f : functions) meanings_.push_back(meaning(f));
  add_comm(kRecordedWorld,
           {kRecordedWorld, static_cast<std::int32_t>(rank), static_cast<std::int32_t>(ranks)});
  add_comm(kRecordedSelf, {self_of(rank), 0, 1});
}

RankTrace RecordedCalls::finish() {
  if (!finalized_) {
    throw InputError(
        {trace_.file},
        "it ends before MPI_Finalize: the program was stopped, so messages are missing");
  }
  return std::move(trace_);
}

RecordedCalls::Meaning RecordedCalls::meaning(const RecordableFunction& recordable) {
  Meaning m;
  m.recorded = m.name = recordable.name;
  if (m.name.ends_with("_c")) m.name.resize(m.name.size() - 2);
  m.initialises = m.name == "Init" || m.name == "Init_thread";
  m.failed = m.name == "(failed)";
  m.finalizes = m.name == "Finalize";
  m.receives_matched = m.name == "Mrecv" || m.name == "Imrecv";
  m.function = find_function(m.name == "Mrecv"    ? "MPI_Recv"
                             : m.name == "Imrecv" ? "MPI_Irecv"
                                                  : "MPI_" + m.name);
  m.moves_data = recordable.moves_data;
  m.per_member = m.name.ends_with('v') || m.name.ends_with('w');
  return m;
}

void RecordedCalls::fail(const RecordedCall& record, std::string_view problem) const {
  fail_at(trace_.file, record, meanings_[record.function].recorded, problem);
}

void RecordedCalls::add(const RecordedCall& record) {
  if (finalized_) fail(record, "nothing is expected after MPI_Finalize");
  const Meaning& m = meanings_[record.function];
  if (m.initialises) {
    origin_ = latest_ = record.end;
    return;
  }
  if (m.failed) return leave_out(meanings_[record.failed].name + " that failed");
  if (record.made && record.made->id != kRecordedUnknown) return make_comm(record);
  if (m.finalizes) return finalize(record);
  if (!m.function || creates_communicator(m.function->kind)) {
    if (m.moves_data) leave_out(m.name);
    return;
  }
  if (takes_requests(m.function->kind)) return add_requests(record, m);
  if (record.comm == kRecordedUnknown) return leave_out(m.name + " between groups");
  add_communication(record, m);
}

// Communicators.

void RecordedCalls::add_comm(std::uint64_t id, const CommName& name) {
  comms_[id] = static_cast<std::uint32_t>(trace_.comms.size());
  trace_.comms.push_back(name);
}

void RecordedCalls::make_comm(const RecordedCall& record) {
  const RecordedComm& made = *record.made;
  if (made.size > ranks_) fail(record, "more members than there are ranks");
  if (comms_.contains(made.id)) fail(record, "a communicator of this name was made before");
  add_comm(made.id,
           {made.id, static_cast<std::int32_t>(made.rank), static_cast<std::int32_t>(made.size)});
}

std::uint32_t RecordedCalls::comm_of(const RecordedCall& record) const {
  const auto found = comms_.find(record.comm);
  if (found == comms_.end()) fail(record, "the communicator was not made before");
  return found->second;
}

// Calls.

Call RecordedCalls::timed(const RecordedCall& record, CallKind kind) {
  Call call;
  call.kind = kind;
  call.line = record.number;
  if (record.start < latest_) ++trace_.backwards;
  call.start = (std::max(record.start, latest_) - origin_) * kPicosecondsPerNanosecond;
  latest_ = std::max(record.end, latest_);
  call.end = (latest_ - origin_) * kPicosecondsPerNanosecond;
  return call;
}

void RecordedCalls::finalize(const RecordedCall& record) {
  Call call = timed(record, CallKind::finalize);
  call.end = call.start;
  trace_.calls.push_back(call);
  finalized_ = true;
}

void RecordedCalls::add_communication(const RecordedCall& record, const Meaning& m) {
  using F = AllprofFunction;
  const F::Mode mode = m.function->mode;
  Call call = timed(record, m.function->kind);
  call.synchronous = mode == F::synchronous || mode == F::nonblocking_synchronous;
  call.nonblocking = mode != F::plain && mode != F::synchronous;
  call.per_member = m.per_member;
  call.comm = comm_of(record);
  call.request = record.request;
  call.requests = call.nonblocking ? 1 : 0;
  set_peers(record, m, call);
  RecordedSizes(record, m.name, trace_).set(call);
  if (record.buffer == kRecordedInPlace) call.buffer = call.recv_buffer;
  if (mode == F::persistent) {
    persistent_[record.request] = call;
    return;
  }
  if (record.status) take_received(*record.status, call);
  add_call(call);
}

void RecordedCalls::add_call(const Call& call) {
  if (call.nonblocking) posted_[call.request] = trace_.calls.size();
  trace_.calls.push_back(call);
}

std::int32_t RecordedCalls::rank32(const RecordedCall& record, std::int64_t rank) const {
  if (rank < kNoPeer || rank >= ranks_) {
    fail(record, fmt::format("'{}' is no rank: accepted are 0 to {}, -1 for any and -2 for none",
                             rank, ranks_ - 1));
  }
  return static_cast<std::int32_t>(rank);
}

std::int32_t RecordedCalls::tag32(const RecordedCall& record, std::int64_t tag) const {
  if (tag < -1 || tag > INT32_MAX) fail(record, fmt::format("'{}' is no tag", tag));
  return static_cast<std::int32_t>(tag);
}

void RecordedCalls::set_peers(const RecordedCall& record, const Meaning& m, Call& call) const {
  call.peer = rank32(record, call.kind == CallKind::recv ? record.source : record.peer);
  call.source = rank32(record, record.source);
  call.tag = tag32(record, record.tag);
  call.recv_tag = tag32(record, record.recv_tag);
  if (m.receives_matched) call.peer = call.tag = kAnyPeer;
}

// Requests.

void RecordedCalls::add_requests(const RecordedCall& record, const Meaning& m) {
  switch (m.function->kind) {
    case CallKind::start:
      return start(record);
    case CallKind::request_free:
    case CallKind::cancel: {
      gives_up_ = true;
      Call call = timed(record, m.function->kind);
      if (record.requests.size() != 1) fail(record, "one request is expected");
      call.request = record.requests[0];
      call.requests = 1;
      return add_call(call);
    }
    default:
      return wait(record);
  }
}

/// The first request takes the time of the call.
void RecordedCalls::start(const RecordedCall& record) {
  Call times = timed(record, CallKind::start);
  for (const std::uint64_t request : record.requests) {
    const auto made = persistent_.find(request);
    if (made == persistent_.end()) {
      leave_out("Start of requests that no call has made");
      continue;
    }
    Call call = made->second;
    call.line = times.line;
    call.start = times.start;
    call.end = times.end;
    add_call(call);
    times.start = times.end;
  }
}

/// For the requests that were complete at the end; a test that found none only takes time.
void RecordedCalls::wait(const RecordedCall& record) {
  std::vector<std::uint64_t> complete;
  for (const RecordedCompletion& completion : record.completed) {
    const std::uint64_t request = record.requests[completion.position];
    const auto posted = posted_.find(request);
    if (posted == posted_.end()) continue;
    if (completion.status) take_received(*completion.status, trace_.calls.edit(posted->second));
    posted_.erase(posted);
    complete.push_back(request);
  }
  if (complete.empty()) return;
  Call call = timed(record, CallKind::wait);
  if (complete.size() == 1 && !gives_up_) {
    call.request = complete[0];
    call.requests = 1;
  } else {
    call.list = static_cast<std::uint32_t>(trace_.lists.size());
    trace_.lists.push_back(std::move(complete));
  }
  trace_.calls.push_back(call);
}

}  // namespace heddle::traces
