#include "run/trace_recorder.hpp"

#include <algorithm>
#include <utility>

#include "host/rank/job.hpp"
#include "mpi/comm/communicator.hpp"
#include "mpi/engine/engine.hpp"
#include "mpi/process.hpp"

namespace heddle::run {
namespace {

using coll::Collective;
using traces::Call;
using traces::CallKind;
using traces::RankTrace;

/// MPI_COMM_WORLD or another with the same members in the same order.
bool has_all_ranks(const mpi::Communicator& communicator, std::uint32_t ranks) {
  if (communicator.inter() || static_cast<std::uint32_t>(communicator.size()) != ranks) {
    return false;
  }
  for (std::uint32_t r = 0; r < ranks; ++r) {
    if (communicator.group().process(static_cast<int>(r)) != r) return false;
  }
  return true;
}

/// The kind of call that a trace has for a collective; finalize if it has none.
CallKind kind_of(Collective collective) {
  switch (collective) {
    case Collective::barrier:
      return CallKind::barrier;
    case Collective::bcast:
      return CallKind::bcast;
    case Collective::gather:
    case Collective::gatherv:
      return CallKind::gather;
    case Collective::scatter:
    case Collective::scatterv:
      return CallKind::scatter;
    case Collective::allgather:
    case Collective::allgatherv:
      return CallKind::allgather;
    case Collective::alltoall:
    case Collective::alltoallv:
      return CallKind::alltoall;
    case Collective::reduce:
      return CallKind::reduce;
    case Collective::allreduce:
      return CallKind::allreduce;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return CallKind::reduce_scatter;
    case Collective::scan:
      return CallKind::scan;
    case Collective::exscan:
      return CallKind::exscan;
    default:
      return CallKind::finalize;
  }
}

/// Whether it waits for its receiver, but its sender does not: it has a copy of the data.
bool stays_behind(const mpi::Message& message) {
  return message.mode == mpi::SendMode::buffered &&
         message.transport->protocol(message.bytes, mpi::SendMode::standard) ==
             mpi::Protocol::rendezvous;
}

bool is_per_member(Collective collective) {
  return collective == Collective::gatherv || collective == Collective::scatterv ||
         collective == Collective::allgatherv || collective == Collective::alltoallv ||
         collective == Collective::reduce_scatter || collective == Collective::reduce_scatter_block;
}

/// The number of a list among those of a rank.
std::uint32_t keep_list(RankTrace& trace, const std::vector<std::int64_t>& list) {
  if (list.empty()) return traces::kNoList;
  trace.lists.emplace_back(list.begin(), list.end());
  return static_cast<std::uint32_t>(trace.lists.size() - 1);
}

void describe_collective(Call& call, Collective collective, const mpi::CollectiveAmounts& amounts) {
  call.peer = amounts.root;
  call.element =
      static_cast<std::uint8_t>(amounts.element == 4 || amounts.element == 8 ? amounts.element : 1);
  call.bytes = static_cast<std::uint64_t>(amounts.sent);
  call.others = static_cast<std::uint64_t>(amounts.received);
  call.per_member = is_per_member(collective);
}

/// Takes out what was posted and never met a message: it is not worth a line.
void drop_unmet(RankTrace& trace) {
  const auto unmet = [](const Call& call) {
    return call.kind == CallKind::recv && call.peer == traces::kNoPeer;
  };
  std::size_t at = 0;
  std::size_t dropped = 0;
  const auto place = [&](std::size_t call) {
    for (; at < call; ++at) dropped += unmet(trace.calls[at]) ? 1 : 0;
    return call - dropped;
  };
  for (traces::Among& among : trace.among) {
    among.first = place(among.first);
    among.end = place(among.end);
  }
  traces::CallList met;
  for (const Call& call : trace.calls) {
    if (!unmet(call)) met.push_back(call);
  }
  trace.calls = std::move(met);
}

}  // namespace

TraceRecorder::TraceRecorder(host::Job& job, Recorded recorded)
    : job_(job),
      recorded_(recorded),
      ranks_(job.size()),
      inside_(job.size()),
      stayed_(job.size()),
      polled_(job.size()),
      requests_(job.size()),
      unseen_(job.size()) {
  const auto size = static_cast<std::int32_t>(job.size());
  for (std::int32_t r = 0; r < size; ++r) {
    RankTrace& trace = ranks_[static_cast<std::size_t>(r)];
    trace.file = "rank " + std::to_string(r);
    trace.comms = {{0, r, size}};
    trace.request_size = 1;
  }
}

/// What the rank has computed, slept and waited for files so far, in picoseconds.
std::int64_t TraceRecorder::computed(std::uint32_t rank) const {
  const host::RankTimes& times = job_.rank(host::RankId{rank}).account().times();
  return (times.computing + times.sleeping + stayed_[rank]).ps();
}

/// What polls in vain have taken since the last time.
Time TraceRecorder::take_polls(std::uint32_t rank) {
  const Time all = job_.rank(host::RankId{rank}).account().times().polling;
  return all - std::exchange(polled_[rank], all);
}

/// Polls in vain are time that passes, unless they were for what comes next.
Call& TraceRecorder::add(std::uint32_t rank, CallKind kind) {
  const Time polls = take_polls(rank);
  if (kind != CallKind::recv && kind != CallKind::wait && kind != CallKind::see) {
    stayed_[rank] += polls;
  }
  Call& call = ranks_[rank].calls.emplace_back();
  call.kind = kind;
  call.start = call.end = computed(rank);
  return call;
}

void TraceRecorder::open(std::uint32_t rank, const mpi::Completion& completion, bool may_block) {
  RankTrace& trace = ranks_[rank];
  Call& call = trace.calls.edit_back();
  call.nonblocking = true;
  call.requests = 1;
  call.request = ++requests_[rank];
  open_.insert(
      {&completion, {rank, static_cast<std::uint32_t>(trace.calls.size() - 1), may_block}});
}

void TraceRecorder::sends(const mpi::Message& message, mpi::SendCall how) {
  const std::uint32_t rank = message.sender->id();
  if (inside_[rank].leaves_out(message.key.context, message.key.tag)) return;
  Call& call = add(rank, CallKind::send);
  call.peer = static_cast<std::int32_t>(message.key.receiver);
  call.tag = tags_.of(message.key.context, message.key.tag);
  call.bytes = static_cast<std::uint64_t>(message.bytes);
  call.synchronous = message.mode == mpi::SendMode::synchronous;
  if (!stays_behind(message)) return open(rank, *message.sent, how == mpi::SendCall::blocking);
  call.nonblocking = call.detached = true;
  call.buffered = how == mpi::SendCall::blocking;
  call.requests = 1;
  call.request = ++requests_[rank];
}

void TraceRecorder::receives(mpi::Process& process, const mpi::MatchKey& key,
                             const mpi::Buffer& /*buffer*/, const mpi::Completion& completion) {
  if (inside_[process.id()].leaves_out(key.context, key.tag)) return;
  add(process.id(), CallKind::recv).peer = traces::kNoPeer;
  open(process.id(), completion, true);
}

void TraceRecorder::receives_extracted(const mpi::Message& message,
                                       const mpi::Completion& completion) {
  receives(*message.receiver, message.key, message.buffer, completion);
}

void TraceRecorder::meets(mpi::Message& message, const mpi::Buffer& /*buffer*/,
                          const mpi::Completion& completion) {
  const auto [begin, end] = open_.equal_range(&completion);
  for (auto it = begin; it != end; ++it) {
    Call& call = ranks_[it->second.rank].calls.edit(it->second.call);
    if (call.kind != CallKind::recv || call.peer != traces::kNoPeer) continue;
    call.peer = static_cast<std::int32_t>(message.sender->id());
    call.tag = tags_.of(message.key.context, message.key.tag);
    call.bytes = static_cast<std::uint64_t>(message.bytes);
    return;
  }
}

void TraceRecorder::cancelled(mpi::Process&, const mpi::Completion& completion) {
  open_.erase(&completion);
}

/// Whether nothing has happened since the message began. What MPI_Isend costs is another matter.
bool TraceRecorder::was_blocking(std::uint32_t rank, const Open& message) const {
  const traces::CallList& calls = ranks_[rank].calls;
  return message.may_block && message.call + 1 == calls.size() &&
         calls.back().start == computed(rank);
}

void TraceRecorder::sees_end(mpi::Process& process, const mpi::Completion& completion) {
  const std::uint32_t rank = process.id();
  const auto [begin, end] = open_.equal_range(&completion);
  if (begin == end) return;
  take_polls(rank);
  std::vector<Open> messages;
  for (auto it = begin; it != end; ++it) messages.push_back(it->second);
  open_.erase(begin, end);
  std::ranges::sort(messages, {}, &Open::call);
  for (const Open& message : messages) {
    if (was_blocking(rank, message)) {
      ranks_[rank].calls.edit(message.call).nonblocking = false;
    } else {
      add_wait(rank, ranks_[rank].calls[message.call].request);
    }
  }
}

/// Requests that are waited for one after another are waited for together.
void TraceRecorder::add_wait(std::uint32_t rank, std::uint64_t request) {
  RankTrace& trace = ranks_[rank];
  if (!trace.calls.empty() && trace.calls.back().kind == CallKind::wait &&
      trace.calls.back().start == computed(rank)) {
    trace.lists[trace.calls.back().list].push_back(request);
    return;
  }
  add(rank, CallKind::wait).list = static_cast<std::uint32_t>(trace.lists.size());
  trace.lists.push_back({request});
}

void TraceRecorder::stays(mpi::Process& process, Time duration) {
  stayed_[process.id()] += duration;
}

void TraceRecorder::carries(const void* parcel, mpi::Process& from, mpi::Process& to,
                            std::int64_t bytes, const mpi::ParcelTraits& traits) {
  const bool called = cause_ == traces::OneSided::kNoCause;
  if (called) stayed_[from.id()] += take_polls(from.id());
  if (recorded_ == Recorded::calls) {
    if (called) ++left_out_[from.call];
    return;
  }
  if (&from == &to && !(called && traits.costs)) {
    if (!called && traits.tells_target) unseen_[to.id()][traits.news].push_back(cause_);
    return;
  }
  const auto number = static_cast<std::uint32_t>(one_sided_.size());
  traces::OneSided& transfer = one_sided_.emplace_back();
  transfer = {from.id(),
              to.id(),
              static_cast<std::uint64_t>(bytes),
              numbers_[{from.id(), to.id()}]++,
              cause_,
              called && traits.costs,
              traits.gets && &from != &to};
  if (transfer.gets && !called) transfer.question = carried_.at(parcel).number;
  carried_[parcel] = {number, traits, false};
  if (called) add(from.id(), CallKind::put).request = number;
}

void TraceRecorder::arrives(const void* parcel) {
  if (recorded_ == Recorded::calls) cause_ = 0;
  const auto found = carried_.find(parcel);
  if (found == carried_.end()) return;
  Carried& carried = found->second;
  cause_ = carried.number;
  if (std::exchange(carried.there, true)) return;
  const traces::OneSided& transfer = one_sided_[carried.number];
  if (carried.traits.tells_target) {
    unseen_[transfer.to][carried.traits.news].push_back(carried.number);
  }
  if (carried.traits.tells_origin) {
    unseen_[transfer.from][carried.traits.news].push_back(carried.number);
  }
}

void TraceRecorder::looks(mpi::Process& process, mpi::News news) {
  take_polls(process.id());
  std::vector<std::uint64_t>& unseen = unseen_[process.id()][news];
  if (unseen.empty()) return;
  RankTrace& trace = ranks_[process.id()];
  add(process.id(), CallKind::see).list = static_cast<std::uint32_t>(trace.lists.size());
  trace.lists.push_back(std::exchange(unseen, {}));
}

void TraceRecorder::begins(const mpi::Communicator& communicator, int tag) {
  inside_[communicator.process().id()] = {
      &communicator, communicator.channel(mpi::Traffic::collective).context, tag};
}

void TraceRecorder::ends(mpi::Process& process) {
  RankTrace& trace = ranks_[process.id()];
  if (inside_[process.id()].among) trace.among.back().end = trace.calls.size();
  inside_[process.id()] = {};
}

/// The members of the communicator that the rank is in; kNobody where they are too irregular to be
/// told in a few words.
std::uint32_t TraceRecorder::group_of(std::uint32_t rank) {
  constexpr std::size_t kMostRuns = 64;
  const Inside& inside = inside_[rank];
  const auto [found, fresh] = groups_.try_emplace({rank, inside.context}, kNobody);
  if (!fresh) return found->second;
  std::vector<std::uint32_t> members;
  for (int r = 0; r < inside.communicator->size(); ++r) {
    members.push_back(inside.communicator->group().process(r));
  }
  traces::RankList list(members);
  if (list.runs() > kMostRuns) return kNobody;
  ranks_[rank].groups.push_back(std::move(list));
  return found->second = static_cast<std::uint32_t>(ranks_[rank].groups.size() - 1);
}

void TraceRecorder::add_among(std::uint32_t rank, const Call& call) {
  const std::uint32_t group = group_of(rank);
  if (group == kNobody) return;
  RankTrace& trace = ranks_[rank];
  trace.among.push_back({call, group, trace.calls.size(), trace.calls.size()});
  inside_[rank].among = true;
}

void TraceRecorder::says(mpi::Process& process, Collective collective,
                         const mpi::CollectiveAmounts& amounts) {
  Inside& inside = inside_[process.id()];
  const CallKind kind = kind_of(collective);
  if (recorded_ == Recorded::messages || inside.communicator == nullptr || !amounts.known ||
      kind == CallKind::finalize || inside.communicator->inter()) {
    return;
  }
  if (!has_all_ranks(*inside.communicator, job_.size())) {
    if (is_per_member(collective)) return;
    Call call;
    call.kind = kind;
    call.start = call.end = computed(process.id());
    describe_collective(call, collective, amounts);
    return add_among(process.id(), call);
  }
  inside.told = true;
  Call& call = add(process.id(), kind);
  RankTrace& trace = ranks_[process.id()];
  describe_collective(call, collective, amounts);
  const bool scatters = kind == CallKind::scatter;
  call.list = scatters ? traces::kNoList : keep_list(trace, amounts.sent_to);
  call.others_list = keep_list(trace, scatters ? amounts.sent_to : amounts.received_from);
}

traces::Trace TraceRecorder::finish() {
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    drop_unmet(ranks_[r]);
    add(r, CallKind::finalize);
  }
  open_.clear();
  return {std::move(ranks_), "the run", true, std::move(one_sided_)};
}

}  // namespace heddle::run
