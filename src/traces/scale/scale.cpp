#include "traces/scale/scale.hpp"

#include <fmt/core.h>

#include <map>
#include <set>

#include "traces/scale/kind_player.hpp"
#include "traces/scale/simplify.hpp"

namespace heddle::traces {
namespace {

/// A number that messages sent add to and messages received take away from: 0 if each send has its
/// receive, and hardly ever otherwise.
std::uint64_t unmatched(const Trace& trace) {
  const auto number = [](std::uint64_t from, std::uint64_t to, std::uint64_t tag) {
    std::uint64_t mixed = from << 32 ^ to;
    for (const std::uint64_t more : {tag, std::uint64_t{0}}) {
      mixed = (mixed ^ more) * 0x9e3779b97f4a7c15U;
      mixed ^= mixed >> 29;
    }
    return mixed;
  };
  std::uint64_t sum = 0;
  for (std::uint32_t r = 0; r < trace.ranks.size(); ++r) {
    for (const Call& call : trace.ranks[r].calls) {
      const auto tag = static_cast<std::uint64_t>(call.tag);
      const auto peer = static_cast<std::uint64_t>(call.peer);
      if (call.kind == CallKind::send) sum += number(r, peer, tag);
      if (call.kind == CallKind::recv) sum -= number(peer, r, tag);
    }
  }
  return sum;
}

/// How ranks may stand.
struct Layout {
  std::size_t dimensions;
  RankGrid::Order order;
  bool edges;  ///< Ranks at the rim are of other kinds than those within.
};

std::vector<Layout> layouts() {
  std::vector<Layout> all = {{0, RankGrid::Order::longest_first, false}};
  for (std::size_t dimensions = 1; dimensions <= RankGrid::kMost; ++dimensions) {
    for (const auto order : {RankGrid::Order::longest_first, RankGrid::Order::shortest_first}) {
      if (dimensions == 1 && order == RankGrid::Order::shortest_first) continue;
      for (const bool edges : {false, true}) all.push_back({dimensions, order, edges});
    }
  }
  return all;
}

/// Tries one layout.
Scaled scale_in(const std::vector<Trace>& traces, const ScaleOptions& options,
                const Layout& layout) {
  const auto kind_of = [&](const RankGrid& grid, std::uint32_t rank) {
    return layout.edges ? grid.kind(rank) : 0;
  };
  std::vector<RankGrid> grids;
  grids.reserve(traces.size());
  std::map<std::uint32_t, std::vector<Model>> by_kind;
  for (const Trace& trace : traces) {
    const auto ranks = static_cast<std::uint32_t>(trace.ranks.size());
    grids.emplace_back(ranks, layout.dimensions, layout.order);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      by_kind[kind_of(grids.back(), r)].push_back({&trace, &grids.back(), r});
    }
  }
  AllKinds all;
  std::map<std::uint32_t, RankKind> seen;
  for (const auto& [kind, models] : by_kind) seen.emplace(kind, RankKind(models));
  for (const auto& [kind, ranks] : seen) ranks.add_to(all);
  std::map<std::uint32_t, FittedKind> kinds;
  for (const auto& [kind, ranks] : seen) kinds.emplace(kind, fit_kind(ranks, all, options));
  const RankGrid large(options.ranks, layout.dimensions, layout.order);
  Scaled result;
  result.trace.agreed_handles = true;
  result.trace.source = traces.front().source;
  for (std::uint32_t r = 0; r < options.ranks; ++r) {
    const auto kind = kinds.find(kind_of(large, r));
    if (kind == kinds.end()) {
      throw InputError({traces.back().source},
                       fmt::format("no trace has a rank with as many neighbours as rank {} of the "
                                   "grid of {} x {} x {}: traces of more ranks are needed",
                                   r, large.side(0), large.side(1), large.side(2)));
    }
    result.trace.ranks.push_back(play_kind(kind->second, large, r));
  }
  if (unmatched(result.trace) != 0) {
    throw InputError(
        {traces.back().source},
        fmt::format("what ranks of the grid of {} x {} x {} send and receive does not "
                    "match: the traces do not tell its neighbours apart, and traces of "
                    "more ranks are needed",
                    large.side(0), large.side(1), large.side(2)));
  }
  result.found.push_back(fmt::format("{} kinds of ranks in {} dimensions, {} x {} x {} of them",
                                     kinds.size(), layout.dimensions, large.side(0), large.side(1),
                                     large.side(2)));
  return result;
}

void check_traces(const std::vector<Trace>& traces) {
  std::set<std::size_t> sizes;
  for (const Trace& trace : traces) {
    if (!sizes.insert(trace.ranks.size()).second) {
      throw InputError({trace.source}, fmt::format("there is another trace of {} ranks: accepted "
                                                   "are traces of different numbers of ranks",
                                                   trace.ranks.size()));
    }
    for (const RankTrace& rank : trace.ranks) {
      for (const Call& call : rank.calls) {
        if (call.comm != 0 || creates_communicator(call.kind)) {
          throw InputError(rank.where(call),
                           "a communicator other than that of all ranks: accepted "
                           "are time-independent traces");
        }
      }
    }
  }
  constexpr std::size_t kFewest = 2;
  if (traces.size() < kFewest) {
    throw InputError({}, "accepted are traces of two or more numbers of ranks");
  }
}

}  // namespace

Scaled scale(const std::vector<Trace>& given, const ScaleOptions& options) {
  check_traces(given);
  std::vector<Trace> traces = given;
  for (Trace& trace : traces) {
    const auto ranks = static_cast<std::int64_t>(trace.ranks.size());
    for (std::int64_t r = 0; r < ranks; ++r) {
      simplify(trace.ranks[static_cast<std::size_t>(r)], r, ranks);
    }
  }
  std::exception_ptr reason;
  for (const Layout& layout : layouts()) {
    try {
      return scale_in(traces, options, layout);
    } catch (const InputError&) {
      // The plane is where most programs live: what is wrong there says most.
      const bool plane =
          layout.dimensions == 2 && layout.edges && layout.order == RankGrid::Order::longest_first;
      if (reason == nullptr || plane) reason = std::current_exception();
    }
  }
  std::rethrow_exception(reason);
}

}  // namespace heddle::traces
