#include "run/spelled_out.hpp"

#include <mpi.h>

#include <algorithm>
#include <numeric>

#include "coll/rules/selector.hpp"
#include "coll/steps/schedule.hpp"

namespace heddle::run {
namespace {

using coll::Blocks;
using coll::Buffer;
using coll::Collective;
using coll::Datatype;
using coll::Schedule;
using traces::Call;
using traces::CallKind;
using traces::RankTrace;

/// Above the tags of programs, and of what recorders write.
constexpr std::int32_t kSpelledTag = 1'000'000;

const Datatype& datatype_of(const Call& call) {
  const MPI_Datatype type = call.element == 8 ? MPI_DOUBLE : call.element == 4 ? MPI_INT : MPI_BYTE;
  return *Datatype::predefined(type);
}

/// What one member does for one collective.
class MemberSteps {
 public:
  MemberSteps(const RankTrace& trace, const Call& call, int member, int members,
              const coll::Selector& selector)
      : trace_(trace),
        call_(call),
        type_(datatype_of(call)),
        places_(members, own_place, own_place),
        steps_(schedule_, member, members, places_, &selector) {}

  const Schedule& made() {
    if (call_.per_member) {
      uneven();
    } else {
      even();
    }
    steps_.wait();
    return schedule_;
  }

 private:
  /// Every rank has a node and a switch of its own.
  static std::uint64_t own_place(int rank) { return static_cast<std::uint64_t>(rank); }

  // Memory that nobody looks at: steps are told apart by their peers and sizes.
  static void* memory() {
    static std::byte somewhere[1];
    return somewhere;
  }
  std::int64_t elements(std::uint64_t bytes) const {
    return static_cast<std::int64_t>(bytes) / type_.size();
  }
  Buffer buffer(std::uint64_t bytes) const { return {memory(), elements(bytes), &type_}; }
  Blocks equal(std::uint64_t bytes) const {
    return Blocks::equal(memory(), elements(bytes), type_);
  }
  /// Of lists that only some members have: nothing for anybody.
  Blocks listed(std::uint32_t list) const {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(steps_.size()));
    for (std::size_t i = 0; list != traces::kNoList && i < counts.size(); ++i) {
      counts[i] = elements(trace_.lists[list][i]);
    }
    return Blocks::packed(memory(), counts, type_);
  }

  template <class Work>
  void run(Collective collective, std::span<const coll::Algorithm<Work>> all, const Work& work,
           std::int64_t bytes) {
    run_as_chosen(steps_, collective, all, work, bytes);
  }

  void even() {
    const auto bytes = static_cast<std::int64_t>(call_.bytes);
    const std::uint64_t others = call_.others == traces::kUnsaid ? call_.bytes : call_.others;
    const Buffer own = buffer(call_.bytes);
    const int root = call_.peer;
    switch (call_.kind) {
      case CallKind::barrier:
        return run(Collective::barrier, coll::barrier_algorithms(), coll::Barrier{}, 0);
      case CallKind::bcast:
        return run(Collective::bcast, coll::bcast_algorithms(), coll::Bcast{own, root}, bytes);
      case CallKind::reduce:
        return run(Collective::reduce, coll::reduce_algorithms(), coll::Reduce{own, own, root},
                   bytes);
      case CallKind::allreduce:
        return run(Collective::allreduce, coll::allreduce_algorithms(), coll::Allreduce{own},
                   bytes);
      case CallKind::scan:
      case CallKind::exscan: {
        const bool exclusive = call_.kind == CallKind::exscan;
        return run(exclusive ? Collective::exscan : Collective::scan, coll::scan_algorithms(),
                   coll::Scan{own, exclusive}, bytes);
      }
      case CallKind::gather:
        return run(Collective::gather, coll::gather_algorithms(),
                   coll::Gather{own, equal(call_.bytes), root}, bytes);
      case CallKind::scatter:
        return run(Collective::scatter, coll::scatter_algorithms(),
                   coll::Scatter{equal(call_.bytes), own, root}, bytes);
      case CallKind::allgather:
        return run(Collective::allgather, coll::allgather_algorithms(),
                   coll::Allgather{equal(call_.bytes)}, bytes);
      default:
        return run(Collective::alltoall, coll::alltoall_algorithms(),
                   coll::Alltoall{equal(call_.bytes), equal(others)},
                   static_cast<std::int64_t>(others));
    }
  }

  void uneven() {
    const Buffer own = buffer(call_.bytes);
    const int root = call_.peer;
    const Blocks mine = listed(call_.list);
    const Blocks others = listed(call_.others_list);
    switch (call_.kind) {
      case CallKind::gather:
        return run(Collective::gatherv, coll::gatherv_algorithms(), coll::Gather{own, others, root},
                   0);
      case CallKind::scatter:
        return run(Collective::scatterv, coll::scatterv_algorithms(),
                   coll::Scatter{others, own, root}, 0);
      case CallKind::allgather:
        return run(Collective::allgatherv, coll::allgather_algorithms(), coll::Allgather{others},
                   bytes(others.range(0, steps_.size())) / steps_.size());
      case CallKind::reduce_scatter:
        return run(Collective::reduce_scatter, coll::reduce_scatter_algorithms(),
                   coll::ReduceScatter{mine, mine[steps_.rank()]},
                   bytes(mine.range(0, steps_.size())));
      default:
        return run(Collective::alltoallv, coll::alltoallv_algorithms(),
                   coll::Alltoall{mine, others}, 0);
    }
  }

  const RankTrace& trace_;
  const Call& call_;
  const Datatype& type_;
  coll::Places places_;
  Schedule schedule_;
  coll::Recorder steps_;
};

/// The calls of a rank, with messages for collectives.
class RankSpeller {
 public:
  RankSpeller(RankTrace& trace, std::uint32_t rank, const coll::Selector& selector)
      : trace_(trace), rank_(rank), selector_(selector) {
    for (const Call& call : trace.calls) requests_ = std::max(requests_, call.request);
  }

  void spell(Spelled which, std::span<const std::uint32_t> all) {
    for (const Call& call : trace_.calls) {
      if (!is_collective(call.kind) || (which == Spelled::some_ranks && call.comm == 0)) {
        calls_.push_back(call);
      } else if (call.comm == 0) {
        spell(call, all);
      } else {
        spell(call, trace_.groups[call.comm - 1].ranks());
      }
    }
    trace_.calls = std::move(calls_);
  }

 private:
  void spell(const Call& call, std::span<const std::uint32_t> members) {
    const auto own = std::ranges::find(members, rank_) - members.begin();
    MemberSteps steps(trace_, call, static_cast<int>(own), static_cast<int>(members.size()),
                      selector_);
    const Schedule& schedule = steps.made();
    const std::uint64_t before = requests_;
    std::vector<bool> ended(schedule.messages);
    for (const Schedule::Instruction& one : schedule.instructions) {
      switch (one.kind) {
        case Schedule::Kind::send:
        case Schedule::Kind::receive:
          add_message(call, one, members[static_cast<std::size_t>(one.number)]);
          break;
        case Schedule::Kind::wait_for:
          wait(call, ended, before, static_cast<std::size_t>(one.number), 1);
          break;
        case Schedule::Kind::wait:
          wait(call, ended, before, 0, static_cast<std::size_t>(requests_ - before));
          break;
        default:
          break;
      }
    }
  }

  void add_message(const Call& collective, const Schedule::Instruction& one, std::uint32_t peer) {
    Call call;
    call.kind = one.kind == Schedule::Kind::send ? CallKind::send : CallKind::recv;
    call.line = collective.line;
    call.start = call.end = collective.start;
    call.peer = static_cast<std::int32_t>(peer);
    call.tag = kSpelledTag;
    call.bytes = static_cast<std::uint64_t>(bytes(one.buffer));
    call.nonblocking = true;
    call.requests = 1;
    call.request = ++requests_;
    calls_.push_back(call);
  }

  /// For the messages from `first` on that have not been waited for. A receive that is waited for
  /// at once blocks; waits that follow each other are one.
  void wait(const Call& collective, std::vector<bool>& ended, std::uint64_t before,
            std::size_t first, std::size_t count) {
    std::vector<std::uint64_t> requests;
    for (std::size_t i = first; i < first + count; ++i) {
      if (!ended[i]) requests.push_back(before + i + 1);
      ended[i] = true;
    }
    if (requests.empty()) return;
    Call& last = calls_.edit_back();
    if (requests.size() == 1 && last.kind == CallKind::recv && last.request == requests.front()) {
      last.nonblocking = false;
      return;
    }
    if (last.kind == CallKind::wait && last.tag == kSpelledTag) {
      std::vector<std::uint64_t>& list = trace_.lists[last.list];
      list.insert(list.end(), requests.begin(), requests.end());
      return;
    }
    Call call;
    call.kind = CallKind::wait;
    call.line = collective.line;
    call.start = call.end = collective.start;
    call.tag = kSpelledTag;
    call.list = static_cast<std::uint32_t>(trace_.lists.size());
    trace_.lists.push_back(std::move(requests));
    calls_.push_back(call);
  }

  RankTrace& trace_;
  std::uint32_t rank_;
  const coll::Selector& selector_;
  traces::CallList calls_;
  std::uint64_t requests_ = 0;  ///< The highest number that has been given.
};

}  // namespace

void spell_out(traces::Trace& trace, const coll::CollConfig& config, Spelled which) {
  const coll::Selector selector(config);
  std::vector<std::uint32_t> all(trace.ranks.size());
  std::iota(all.begin(), all.end(), 0);
  for (std::uint32_t r = 0; r < trace.ranks.size(); ++r) {
    RankSpeller(trace.ranks[r], r, selector).spell(which, all);
  }
}

}  // namespace heddle::run
