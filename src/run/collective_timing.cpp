#include "run/collective_timing.hpp"

#include <memory>

#include "core/error.hpp"

namespace heddle::run {
namespace {

using coll::Collective;
using traces::Call;
using traces::CallKind;

std::optional<CallKind> timed_kind(Collective collective) {
  switch (collective) {
    case Collective::barrier:
      return CallKind::barrier;
    case Collective::bcast:
      return CallKind::bcast;
    case Collective::reduce:
      return CallKind::reduce;
    case Collective::allreduce:
      return CallKind::allreduce;
    case Collective::gather:
      return CallKind::gather;
    case Collective::scatter:
      return CallKind::scatter;
    case Collective::allgather:
      return CallKind::allgather;
    case Collective::alltoall:
      return CallKind::alltoall;
    case Collective::scan:
      return CallKind::scan;
    case Collective::exscan:
      return CallKind::exscan;
    case Collective::reduce_scatter:
      return CallKind::reduce_scatter;
    default:
      return std::nullopt;
  }
}

/// The largest element that the data are a whole number of.
std::uint8_t element_of(Bytes bytes) {
  if (bytes.count() % 8 == 0) return 8;
  return bytes.count() % 4 == 0 ? 4 : 1;
}

/// Thrown to end a run that takes too long.
class TooLate : public RunError {
 public:
  TooLate() : RunError("the operation takes longer than is of interest") {}
};

/// Ends the simulation at its time if ranks still run.
class Limit final : public Event {
 public:
  explicit Limit(ProgramRun& run) : run_(run), source_(run.simulation().new_source()) {}
  void set(Time when) { run_.simulation().schedule(*this, when, source_); }

 private:
  void fire() override {
    host::Job& job = run_.worlds().front().job();
    for (std::uint32_t r = 0; r < job.size(); ++r) {
      if (!job.rank(host::RankId{r}).fiber().finished()) throw TooLate();
    }
  }

  ProgramRun& run_;
  EventSource source_;
};

}  // namespace

bool can_time(Collective collective) {
  return timed_kind(collective).has_value();
}

traces::Trace calls_of(const CollectiveCase& operation, bool with_operation) {
  traces::RankTrace rank;
  Call barrier;
  barrier.kind = CallKind::barrier;
  rank.calls.push_back(barrier);
  if (with_operation) {
    Call call;
    call.kind = *timed_kind(operation.collective);
    call.bytes = static_cast<std::uint64_t>(operation.bytes.count());
    call.element = element_of(operation.bytes);
    if (call.kind == CallKind::reduce_scatter) {
      // Its data are cut into as many parts as there are ranks.
      call.per_member = true;
      call.list = 0;
      rank.lists.emplace_back(operation.ranks, call.bytes / operation.ranks);
      call.element = element_of(Bytes(static_cast<std::int64_t>(rank.lists[0][0])));
    }
    rank.calls.push_back(call);
  }
  traces::Trace trace;
  trace.source = "a collective operation";
  trace.ranks.assign(operation.ranks, rank);
  return trace;
}

std::optional<Time> end_of_calls(const platform::Platform& platform, const Settings& settings,
                                 const RunConfig& placement, const traces::Trace& calls,
                                 Time limit) {
  RunConfig config = placement;
  config.programs = {{"", {}, static_cast<std::uint32_t>(calls.ranks.size())}};
  config.played = &calls;
  auto run = std::make_unique<ProgramRun>(platform, settings, config);
  const auto end = std::make_unique<Limit>(*run);
  if (limit < Time::never()) end->set(limit);
  try {
    run->run();
  } catch (const TooLate&) {
    // Its ranks are inside calls that nothing can end well.
    static_cast<void>(run.release());
    return std::nullopt;
  }
  return run->end();
}

}  // namespace heddle::run
