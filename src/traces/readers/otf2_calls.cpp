#include "traces/readers/otf2_calls.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "traces/readers/otf2_sizes.hpp"

namespace heddle::traces {
namespace {

using Kind = Otf2Event::Kind;

/// A communicator that each rank has of its own under this name.
std::uint64_t own_handle(std::uint32_t comm, std::uint32_t rank) {
  return (std::uint64_t{rank} + 1) << 32 | comm;
}
/// Where an archive has no communicator of all ranks.
constexpr std::uint64_t kNamelessWorld = UINT64_MAX;

/// So many numbers with this sum, as even as can be.
std::vector<std::uint64_t> even_shares(std::uint64_t sum, std::uint64_t count) {
  std::vector<std::uint64_t> shares(count, sum / count);
  for (std::uint64_t i = 0; i < sum % count; ++i) ++shares[i];
  return shares;
}

bool whole_world(const Otf2Comm& comm, std::size_t ranks) {
  if (comm.members.size() != ranks) return false;
  for (std::size_t r = 0; r < ranks; ++r) {
    if (comm.members[r] != r) return false;
  }
  return true;
}

}  // namespace

void take_back(RankTrace& trace, std::size_t call) {
  Call& taken = trace.calls.edit(call);
  Call nothing;
  nothing.kind = CallKind::see;
  nothing.line = taken.line;
  nothing.start = taken.start;
  nothing.end = taken.end;
  nothing.list = static_cast<std::uint32_t>(trace.lists.size());
  trace.lists.emplace_back();
  taken = nothing;
}

Otf2Calls::Otf2Calls(std::string file, const Otf2Definitions& definitions, std::uint32_t rank)
    : definitions_(definitions) {
  trace_.file = std::move(file);
  trace_.request_size = 1;
  add_comms(rank);
}

void Otf2Calls::fail(const Otf2Event& event, const std::string& problem) const {
  throw InputError({trace_.file, static_cast<std::uint32_t>(event.number)}, problem);
}

/// All that this rank is in, the world first.
void Otf2Calls::add_comms(std::uint32_t rank) {
  const std::size_t ranks = definitions_.locations.size();
  const auto world =
      std::find_if(definitions_.comms.begin(), definitions_.comms.end(),
                   [&](const auto& comm) { return whole_world(comm.second, ranks); });
  const auto add = [&](std::uint64_t handle, std::size_t member, std::size_t size) {
    trace_.comms.push_back(
        {handle, static_cast<std::int32_t>(member), static_cast<std::int32_t>(size)});
  };
  if (world == definitions_.comms.end()) {
    add(kNamelessWorld, rank, ranks);
  } else {
    comms_[world->first] = 0;
    add(world->first, rank, ranks);
  }
  for (const auto& [number, comm] : definitions_.comms) {
    if (comms_.contains(number)) continue;
    const auto place = std::find(comm.members.begin(), comm.members.end(), rank);
    if (!comm.self && place == comm.members.end()) continue;
    comms_[number] = static_cast<std::uint32_t>(trace_.comms.size());
    if (comm.self) {
      add(own_handle(number, rank), 0, 1);
    } else {
      add(number, static_cast<std::size_t>(place - comm.members.begin()), comm.members.size());
    }
  }
}

Otf2Calls::Meaning Otf2Calls::meaning_of(const std::string& name) {
  Meaning m;
  m.name = name;
  std::string plain = plain_name(name);
  m.of_mpi = !plain.empty();
  if (plain.ends_with("_c")) plain.resize(plain.size() - 2);
  m.initialises = plain == "init" || plain == "init_thread";
  m.function = m.of_mpi ? find_function("mpi_" + plain) : nullptr;
  const bool bookkeeping =
      m.function != nullptr &&
      (m.function->kind == CallKind::request_free ||
       m.function->mode == AllprofFunction::persistent || creates_communicator(m.function->kind));
  const bool known = m.function != nullptr &&
                     (m.function->kind <= CallKind::sendrecv || is_collective(m.function->kind));
  m.moves_data = known && !bookkeeping;
  if (m.function == nullptr && m.of_mpi) {
    m.moves_data = !m.initialises && plain != "finalize" && !is_local_function(plain);
  }
  return m;
}

const Otf2Calls::Meaning& Otf2Calls::meaning(std::uint32_t region) {
  const auto found = meanings_.find(region);
  if (found != meanings_.end()) return found->second;
  const auto name = definitions_.regions.find(region);
  return meanings_[region] =
             meaning_of(name == definitions_.regions.end() ? std::string() : name->second);
}

std::int64_t Otf2Calls::time_of(const Otf2Event& event) {
  if (!origin_) {
    origin_ = definitions_.eztrace ? event.time : std::min(event.time, definitions_.begin);
  }
  constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;
  const std::uint64_t ticks = event.time - std::min(event.time, *origin_);
  const auto ps =
      static_cast<__int128>(ticks) * kPicosecondsPerSecond / definitions_.ticks_per_second;
  if (ps > INT64_MAX / 2) fail(event, "this time is more than fifty days after the first");
  const auto time = static_cast<std::int64_t>(ps);
  if (time < latest_ || event.time < *origin_) ++trace_.backwards;
  latest_ = std::max(time, latest_);
  return latest_;
}

std::uint32_t Otf2Calls::comm_of(const Otf2Event& event) const {
  const auto found = comms_.find(event.comm);
  return found == comms_.end() ? kNoList : found->second;
}

/// What is no rank at all stands for MPI_PROC_NULL, where a writer knows such.
std::int32_t Otf2Calls::peer_of(const Otf2Event& event, std::uint32_t comm) const {
  if (event.peer > INT32_MAX) return kNoPeer;
  const std::int32_t size = trace_.comms[comm].size;
  if (event.peer >= static_cast<std::uint32_t>(size)) {
    fail(event, "'" + std::to_string(event.peer) +
                    "' is no rank of the communicator: accepted are 0 to " +
                    std::to_string(size - 1));
  }
  return static_cast<std::int32_t>(event.peer);
}

// Regions.

void Otf2Calls::add(const Otf2Event& event) {
  switch (event.kind) {
    case Kind::enter:
      return enter(event);
    case Kind::leave:
      return leave(event);
    default:
      break;
  }
  const std::int64_t now = time_of(event);
  if (open_) return take(event);
  // Of a program that was not told about its calls.
  static const Meaning nameless;
  open_ = Open{&nameless, depth_, event.number, now, trace_.calls.size()};
  take(event);
  close(now);
}

void Otf2Calls::enter(const Otf2Event& event) {
  const std::int64_t now = time_of(event);
  ++depth_;
  const Meaning& m = meaning(event.region);
  if (open_ || !m.of_mpi) return;
  open_ = Open{&m, depth_, event.number, now, trace_.calls.size()};
}

void Otf2Calls::leave(const Otf2Event& event) {
  const std::int64_t now = time_of(event);
  if (depth_ == 0) fail(event, "a region is left that was not entered");
  if (open_ && open_->depth == depth_) {
    if (open_->meaning->initialises && trace_.calls.empty()) {
      origin_ = event.time;
      latest_ = 0;
      open_.reset();
    } else {
      close(now);
    }
  }
  --depth_;
}

/// The calls of one call of MPI share its time, the last one up to its end.
void Otf2Calls::close(std::int64_t end) {
  const Meaning& m = *open_->meaning;
  CallList& calls = trace_.calls;
  const bool both_ways = m.function != nullptr && m.function->kind == CallKind::sendrecv;
  if (both_ways && calls.size() == open_->first + 2) join_sendrecv();
  if (calls.size() > open_->first && open_->complete.empty()) calls.edit_back().end = end;
  if (!open_->complete.empty()) wait_for(std::move(open_->complete), end);
  if (definitions_.eztrace) complete_unseen();
  if (calls.size() == open_->first && m.moves_data) {
    ++trace_.remarks[m.name + " without its messages in the trace, kept as time"];
  }
  open_.reset();
}

/// Makes one call of the last two, if these are the two messages of it.
void Otf2Calls::join_sendrecv() {
  CallList& calls = trace_.calls;
  const Call received = calls.back();
  const Call sent = calls[open_->first];
  if (sent.kind != CallKind::send || received.kind != CallKind::recv || sent.nonblocking ||
      received.nonblocking || sent.comm != received.comm) {
    return;
  }
  calls.pop_back();
  Call& both = calls.edit_back();
  both.kind = CallKind::sendrecv;
  both.source = received.peer;
  both.recv_tag = received.tag;
  both.recv_bytes = received.bytes;
}

// Messages.

void Otf2Calls::take(const Otf2Event& event) {
  switch (event.kind) {
    case Kind::send:
      return message(event, CallKind::send, false);
    case Kind::isend:
      return message(event, CallKind::send, true);
    case Kind::recv:
      return message(event, CallKind::recv, false);
    case Kind::irecv_request: {
      open_receives_.insert(post(call_of(event, CallKind::recv), event.request));
      return;
    }
    case Kind::irecv:
      return received(event);
    case Kind::isend_complete:
      return complete(event.request);
    case Kind::cancelled: {
      gives_up_ = true;
      Call call = call_of(event, CallKind::cancel);
      call.request = event.request;
      call.requests = 1;
      trace_.calls.push_back(call);
      return;
    }
    case Kind::collective:
      return collective(event);
    case Kind::icollective: {
      open_collectives_[post(call_of(event, CallKind::barrier), event.request)] =
          open_->meaning->name;
      return;
    }
    case Kind::icollective_end:
      return collective_done(event);
    case Kind::enter:
    case Kind::leave:
      return;
  }
}

Call Otf2Calls::call_of(const Otf2Event& event, CallKind kind) {
  Call call;
  call.kind = kind;
  call.line = static_cast<std::uint32_t>(event.number);
  call.start = trace_.calls.size() == open_->first ? open_->start : latest_;
  if (trace_.calls.size() > open_->first) trace_.calls.edit_back().end = latest_;
  call.end = latest_;
  return call;
}

void Otf2Calls::message(const Otf2Event& event, CallKind kind, bool nonblocking) {
  const std::uint32_t comm = comm_of(event);
  if (comm == kNoList) {
    ++trace_.remarks["messages on communicators that the trace does not define, kept as time"];
    return;
  }
  Call call = call_of(event, kind);
  call.comm = comm;
  call.peer = peer_of(event, comm);
  call.tag = static_cast<std::int32_t>(event.tag & INT32_MAX);
  call.bytes = event.bytes;
  if (kind == CallKind::send && open_->meaning->function != nullptr) {
    const AllprofFunction::Mode mode = open_->meaning->function->mode;
    call.synchronous =
        mode == AllprofFunction::synchronous || mode == AllprofFunction::nonblocking_synchronous;
  }
  if (nonblocking) {
    post(call, event.request);
  } else {
    trace_.calls.push_back(call);
  }
}

/// Returns where it is.
std::size_t Otf2Calls::post(Call call, std::uint64_t request) {
  // It was complete before it is used again.
  if (posted_.contains(request)) wait_for({request}, call.start);
  call.nonblocking = true;
  call.request = request;
  call.requests = 1;
  posted_[request] = trace_.calls.size();
  order_[trace_.calls.size()] = request;
  trace_.calls.push_back(call);
  return trace_.calls.size() - 1;
}

void Otf2Calls::received(const Otf2Event& event) {
  const auto posted = posted_.find(event.request);
  if (posted == posted_.end()) return message(event, CallKind::recv, false);
  const std::uint32_t comm = comm_of(event);
  if (comm == kNoList) {
    fail(event, "a message on communicator " + std::to_string(event.comm) +
                    ", which the trace does not define with this rank in it");
  }
  Call& call = trace_.calls.edit(posted->second);
  call.comm = comm;
  call.peer = peer_of(event, comm);
  call.tag = static_cast<std::int32_t>(event.tag & INT32_MAX);
  call.bytes = event.bytes;
  open_receives_.erase(posted->second);
  complete(event.request);
}

void Otf2Calls::collective(const Otf2Event& event) {
  if (kind_of(event.operation) == CallKind::finalize) return;
  if (comm_of(event) == kNoList) {
    ++trace_.remarks["collectives on communicators that the trace does not define, kept as time"];
    return;
  }
  Call call = call_of(event, kind_of(event.operation));
  fill_collective(event, call);
  trace_.calls.push_back(call);
}

void Otf2Calls::collective_done(const Otf2Event& event) {
  const auto posted = posted_.find(event.request);
  if (posted == posted_.end()) return collective(event);
  if (comm_of(event) == kNoList || kind_of(event.operation) == CallKind::finalize) return;
  fill_collective(event, trace_.calls.edit(posted->second));
  open_collectives_.erase(posted->second);
  complete(event.request);
}

void Otf2Calls::fill_collective(const Otf2Event& event, Call& call) {
  call.kind = kind_of(event.operation);
  call.comm = comm_of(event);
  const CommName& comm = trace_.comms[call.comm];
  call.peer = call.kind == CallKind::bcast || call.kind == CallKind::reduce ||
                      call.kind == CallKind::gather || call.kind == CallKind::scatter
                  ? peer_of(event, call.comm)
                  : 0;
  const auto members = static_cast<std::uint64_t>(comm.size);
  call.bytes = member_bytes({event.operation, event.bytes, event.received, members,
                             static_cast<std::uint64_t>(comm.rank), definitions_.eztrace});
  using enum Otf2Operation;
  call.per_member = only_sum(event.operation) || event.operation == gatherv ||
                    event.operation == scatterv || event.operation == allgatherv;
  if (!only_sum(event.operation)) return;
  ++trace_
        .remarks["collectives of which only the sum of all sizes is known: even shares are taken"];
  call.list = static_cast<std::uint32_t>(trace_.lists.size());
  trace_.lists.push_back(even_shares(event.bytes, members));
}

// Requests.

void Otf2Calls::complete(std::uint64_t request) {
  if (posted_.contains(request)) open_->complete.push_back(request);
}

void Otf2Calls::wait_for(std::vector<std::uint64_t> requests, std::int64_t end) {
  Call call;
  call.kind = CallKind::wait;
  call.line = static_cast<std::uint32_t>(open_->number);
  call.start = trace_.calls.size() == open_->first ? open_->start : trace_.calls.back().end;
  call.end = std::max(call.start, end);
  call.list = static_cast<std::uint32_t>(trace_.lists.size());
  for (const std::uint64_t request : requests) {
    const auto posted = posted_.find(request);
    if (posted == posted_.end()) continue;
    order_.erase(posted->second);
    posted_.erase(posted);
  }
  if (requests.size() == 1 && !gives_up_) {
    call.list = kNoList;
    call.request = requests[0];
    call.requests = 1;
  } else {
    trace_.lists.push_back(std::move(requests));
  }
  trace_.calls.push_back(call);
}

/// EZTrace does not say which requests a call has found complete: all that are under way in
/// MPI_Waitall, otherwise the one that was posted first.
void Otf2Calls::complete_unseen() {
  const Meaning& m = *open_->meaning;
  if (order_.empty() || m.function == nullptr) return;
  const CallKind kind = m.function->kind;
  if (kind != CallKind::wait && kind != CallKind::wait_any && kind != CallKind::wait_some) return;
  const bool all = plain_name(m.name) == "waitall";
  if (!all && trace_.calls.size() > open_->first) return;
  ++trace_.remarks
        ["waits that do not say for which requests: all of MPI_Waitall, else the first "
         "that is under way"];
  std::vector<std::uint64_t> requests;
  for (const auto& [call, request] : order_) {
    requests.push_back(request);
    if (!all) break;
  }
  wait_for(std::move(requests), latest_);
}

Otf2Rank Otf2Calls::finish() {
  if (open_) close(latest_);
  Call last;
  last.start = last.end = latest_;
  last.line = trace_.calls.empty() ? 0 : trace_.calls.back().line;
  trace_.calls.push_back(last);
  out_.unsaid.assign(open_receives_.begin(), open_receives_.end());
  for (const auto& [call, name] : open_collectives_) {
    ++trace_.remarks[name + " without its end in the trace, kept as time"];
    take_back(trace_, call);
  }
  return std::move(out_);
}

}  // namespace heddle::traces
