#include "replay/scale/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "replay/scale/grid.hpp"
#include "replay/scale/law.hpp"

namespace heddle::replay {
namespace {

bool is_message(const Call& call) {
  return call.kind == CallKind::send || call.kind == CallKind::recv ||
         call.kind == CallKind::sendrecv;
}

/// A rank of one of the traces.
struct Model {
  const Trace* trace;
  const RankGrid* grid;
  std::uint32_t rank;
  const RankTrace& calls() const { return trace->ranks[rank]; }
  const Call& call(std::size_t i) const { return calls().calls[i]; }
};

/// Why something cannot be fitted, and where.
[[noreturn]] void refuse(const Model& model, std::size_t i, const std::string& what) {
  const Call& call = model.call(i);
  throw InputError(model.calls().where(call),
                   fmt::format("{} of rank {} of {}, its call {}: {}", name_of(call.kind),
                               model.rank, model.trace->ranks.size(), i + 1, what));
}

/// A call as ranks of all kinds make it: what it is, its tag, and the how manyth such call it is.
using CallName = std::tuple<CallKind, bool, std::int32_t, std::uint32_t>;

/// The names of a rank's calls, in their order.
std::vector<CallName> names_of(const RankTrace& trace) {
  std::map<std::tuple<CallKind, bool, std::int32_t>, std::uint32_t> counts;
  std::vector<CallName> names;
  for (const Call& call : trace.calls) {
    const std::uint32_t number = counts[{call.kind, call.nonblocking, call.tag}]++;
    names.emplace_back(call.kind, call.nonblocking, call.tag, number);
  }
  return names;
}

/// Means of values, by grid.
class Means {
 public:
  void add(const RankGrid& grid, double value) {
    sums_[&grid].first += value;
    ++sums_[&grid].second;
  }
  /// From few ranks to many.
  std::vector<SeenValue> values() const {
    std::vector<SeenValue> seen;
    for (const auto& [grid, sum] : sums_)
      seen.push_back({grid, sum.first / static_cast<double>(sum.second)});
    std::ranges::sort(seen, {}, [](const SeenValue& s) { return s.grid->ranks(); });
    return seen;
  }

 private:
  std::map<const RankGrid*, std::pair<double, std::size_t>> sums_;
};

double computed_before(const Model& model, std::size_t i) {
  const std::int64_t before = i == 0 ? 0 : model.call(i - 1).end;
  return static_cast<double>(model.call(i).start - before);
}

/// What calls of the same name have, over ranks of all kinds.
class AllKinds {
 public:
  void add(const Model& model) {
    const std::vector<CallName> names = names_of(model.calls());
    for (std::size_t i = 0; i < names.size(); ++i) {
      computation_[names[i]].add(*model.grid, computed_before(model, i));
      bytes_[names[i]].add(*model.grid, static_cast<double>(model.call(i).bytes));
    }
  }
  std::vector<SeenValue> computation(const CallName& name) const {
    return computation_.at(name).values();
  }
  std::vector<SeenValue> bytes(const CallName& name) const { return bytes_.at(name).values(); }

 private:
  std::map<CallName, Means> computation_;
  std::map<CallName, Means> bytes_;
};

/// Ranks that have neighbours on the same sides: what all of them do.
class RankKind {
 public:
  RankKind(std::vector<Model> models, const AllKinds& all, const ScaleOptions& options)
      : models_(std::move(models)), options_(options) {
    compare();
    const std::vector<CallName> names = names_of(models_.front().calls());
    for (std::size_t i = 0; i < size(); ++i) fit(i, all, names[i]);
  }

  std::size_t size() const { return models_.front().calls().calls.size(); }

  /// What a rank of a larger grid does.
  RankTrace play(const RankGrid& grid, std::uint32_t rank) const {
    RankTrace trace = models_.front().calls();
    trace.comms = {{0, static_cast<std::int32_t>(rank), static_cast<std::int32_t>(grid.ranks())}};
    trace.file = fmt::format("rank {}", rank);
    double clock = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      Call& call = trace.calls[i];
      const Fitted& fitted = fitted_[i];
      clock += std::max(0.0, fitted.compute.value(grid));
      call.start = call.end = std::llround(clock);
      call.bytes = bytes(fitted.bytes, grid, call.element);
      if (call.kind == CallKind::sendrecv) call.recv_bytes = bytes(fitted.others, grid, 1);
      if (is_collective(call.kind) && call.others != kUnsaid)
        call.others = bytes(fitted.others, grid, call.element);
      if (is_message(call) && call.peer >= 0) call.peer = peer(fitted.peer, grid, rank, i);
      if (call.kind == CallKind::sendrecv) call.source = peer(fitted.source, grid, rank, i);
      for (const std::uint32_t list : {call.list, call.others_list}) {
        if (is_collective(call.kind) && list != kNoList)
          trace.lists[list].assign(grid.ranks(), bytes(fitted.member, grid, call.element));
      }
    }
    return trace;
  }

 private:
  struct Fitted {
    Law compute;
    Law bytes;
    Law others;
    Law member;  ///< Of lists that have something for each member.
    Relation peer;
    Relation source;
  };

  static std::uint64_t bytes(const Law& law, const RankGrid& grid, std::uint8_t element) {
    const double count = std::max(0.0, law.value(grid)) / element;
    return static_cast<std::uint64_t>(std::llround(count)) * element;
  }

  std::int32_t peer(const Relation& relation, const RankGrid& grid, std::uint32_t rank,
                    std::size_t i) const {
    const auto found = relation.peer(grid, rank);
    if (!found)
      refuse(models_.front(), i, "there is no " + relation.text() + " in the larger grid");
    return static_cast<std::int32_t>(*found);
  }

  /// All must do the same calls, in the same order.
  void compare() const {
    const Model& first = models_.front();
    for (const Model& model : models_) {
      for (std::size_t i = 0; i < std::min(size(), model.calls().calls.size()); ++i) {
        if (alike(first, model, i)) continue;
        refuse(model, i,
               fmt::format("rank {} of {} does something else there ({})", first.rank,
                           first.trace->ranks.size(), name_of(first.call(i).kind)));
      }
      if (model.calls().calls.size() == size()) continue;
      const bool longer = model.calls().calls.size() > size();
      const Model& one = longer ? model : first;
      refuse(
          one, std::min(size(), model.calls().calls.size()),
          fmt::format("rank {} of {} has no such call: their numbers differ",
                      (longer ? first : model).rank, (longer ? first : model).trace->ranks.size()));
    }
  }

  static bool alike(const Model& a, const Model& b, std::size_t i) {
    const Call& x = a.call(i);
    const Call& y = b.call(i);
    if (x.kind != y.kind || x.nonblocking != y.nonblocking || x.tag != y.tag ||
        (x.list == kNoList) != (y.list == kNoList) || x.request != y.request)
      return false;
    if (!takes_requests(x.kind) || x.list == kNoList) return true;
    return a.calls().lists[x.list] == b.calls().lists[y.list];
  }

  void fit(std::size_t i, const AllKinds& all, const CallName& name) {
    Fitted fitted;
    const Call& call = models_.front().call(i);
    const std::vector<SeenValue> sizes = all.bytes(name);
    fitted.compute =
        law(i, options_.compute_tolerance, "the computation before it", all.computation(name),
            [&](const Model& m) { return computed_before(m, i); });
    fitted.bytes = law(i, options_.size_tolerance, "its size", sizes,
                       [&](const Model& m) { return static_cast<double>(m.call(i).bytes); });
    if (call.kind == CallKind::sendrecv || (is_collective(call.kind) && call.others != kUnsaid)) {
      fitted.others =
          law(i, options_.size_tolerance, "what it receives", sizes, [&](const Model& m) {
            return static_cast<double>(call.kind == CallKind::sendrecv ? m.call(i).recv_bytes
                                                                       : m.call(i).others);
          });
    }
    if (is_collective(call.kind) && (call.list != kNoList || call.others_list != kNoList)) {
      fitted.member = law(i, options_.size_tolerance, "the part of each member", sizes,
                          [&](const Model& m) { return each_member(m, i); });
    }
    if (is_message(call) && call.peer >= 0)
      fitted.peer = relation(i, [](const Call& c) { return c.peer; });
    if (call.kind == CallKind::sendrecv)
      fitted.source = relation(i, [](const Call& c) { return c.source; });
    if (is_collective(call.kind)) check_root(i);
    fitted_.push_back(fitted);
  }

  /// What lists have for each member, where that is the same.
  double each_member(const Model& model, std::size_t i) const {
    const Call& call = model.call(i);
    double sum = 0;
    double least = INFINITY;
    double most = 0;
    std::size_t count = 0;
    for (const std::uint32_t list : {call.list, call.others_list}) {
      if (list == kNoList) continue;
      for (const std::uint64_t bytes : model.calls().lists[list]) {
        const auto value = static_cast<double>(bytes);
        sum += value;
        least = std::min(least, value);
        most = std::max(most, value);
        ++count;
      }
    }
    const double mean = sum / static_cast<double>(count);
    if (most - least > options_.compute_tolerance * std::max(mean, 1.0))
      refuse(model, i, fmt::format("its members' parts differ, from {} to {} bytes", least, most));
    return mean;
  }

  /// The law that the mean of a value follows, over the ranks of this kind in each trace.
  template <class Value>
  Law law(std::size_t i, double tolerance, const char* what, const std::vector<SeenValue>& others,
          Value value) const {
    Means means;
    for (const Model& model : models_) means.add(*model.grid, value(model));
    const std::vector<SeenValue> seen = means.values();
    const Law found = Law::fit(seen, others);
    if (found.error() > tolerance) {
      std::string values;
      for (const SeenValue& s : seen)
        values += fmt::format("{}{:.6g} of {} ranks", values.empty() ? "" : ", ", s.value,
                              s.grid->ranks());
      refuse(models_.front(), i, fmt::format("{} follows no law: {}", what, values));
    }
    return found;
  }

  /// What its peer is to a rank, in all traces.
  template <class Peer>
  Relation relation(std::size_t i, Peer peer) const {
    std::vector<Relation> common;
    for (const Model& model : models_) {
      const auto other = static_cast<std::uint32_t>(peer(model.call(i)));
      const std::vector<Relation> here = relations(*model.grid, model.rank, other);
      if (&model == &models_.front()) {
        common = here;
      } else {
        std::erase_if(common,
                      [&](const Relation& r) { return std::ranges::find(here, r) == here.end(); });
      }
      if (common.empty())
        refuse(model, i,
               fmt::format("its peer {} is no neighbour in a grid of {} x {} x {}", other,
                           model.grid->side(0), model.grid->side(1), model.grid->side(2)));
    }
    return common.front();
  }

  void check_root(std::size_t i) const {
    for (const Model& model : models_) {
      if (model.call(i).peer != models_.front().call(i).peer)
        refuse(model, i, "its root is another one than that of fewer ranks");
    }
  }

  std::vector<Model> models_;
  const ScaleOptions& options_;
  std::vector<Fitted> fitted_;
};

/// Tries one number of dimensions.
Scaled scale_in(const std::vector<Trace>& traces, const ScaleOptions& options,
                std::size_t dimensions, bool edges) {
  const auto kind_of = [&](const RankGrid& grid, std::uint32_t rank) {
    return edges ? grid.kind(rank) : 0;
  };
  std::vector<RankGrid> grids;
  grids.reserve(traces.size());
  std::map<std::uint32_t, std::vector<Model>> by_kind;
  for (const Trace& trace : traces) {
    const auto ranks = static_cast<std::uint32_t>(trace.ranks.size());
    grids.emplace_back(ranks, dimensions);
    for (std::uint32_t r = 0; r < ranks; ++r)
      by_kind[kind_of(grids.back(), r)].push_back({&trace, &grids.back(), r});
  }
  AllKinds all;
  for (const auto& [kind, models] : by_kind) {
    for (const Model& model : models) all.add(model);
  }
  std::map<std::uint32_t, RankKind> kinds;
  for (auto& [kind, models] : by_kind)
    kinds.emplace(kind, RankKind(std::move(models), all, options));
  const RankGrid large(options.ranks, dimensions);
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
    result.trace.ranks.push_back(kind->second.play(large, r));
  }
  result.found.push_back(fmt::format("{} kinds of ranks in {} dimensions, {} x {} x {} of them",
                                     kinds.size(), dimensions, large.side(0), large.side(1),
                                     large.side(2)));
  return result;
}

/// Whether the calls from `i` on are one round of a dissemination among all ranks: a receive from
/// the rank so far below, a send to the one as far above, and the wait for both.
bool is_round(const RankTrace& trace, std::size_t i, std::int64_t rank, std::int64_t ranks,
              std::int64_t distance) {
  if (i + 2 >= trace.calls.size()) return false;
  const Call& recv = trace.calls[i];
  const Call& send = trace.calls[i + 1];
  const Call& wait = trace.calls[i + 2];
  return recv.kind == CallKind::recv && send.kind == CallKind::send && recv.nonblocking &&
         send.nonblocking && wait.kind == CallKind::wait && wait.list != kNoList &&
         trace.lists[wait.list].size() == 2 && recv.tag == send.tag &&
         recv.peer == (rank - distance + ranks) % ranks && send.peer == (rank + distance) % ranks;
}

/// The calls that a dissemination from `i` on takes; 0 if there is none. Ranks do it to agree on
/// new communicators.
std::size_t dissemination(const RankTrace& trace, std::size_t i, std::int64_t rank,
                          std::int64_t ranks) {
  std::size_t calls = 0;
  for (std::int64_t distance = 1; distance < ranks; distance *= 2, calls += 3) {
    if (!is_round(trace, i + calls, rank, ranks, distance)) return 0;
    if (trace.calls[i].tag != trace.calls[i + calls].tag) return 0;
  }
  return calls;
}

/// Disseminations become barriers, for they take more rounds on more ranks; requests get new
/// numbers.
void simplify(RankTrace& trace, std::int64_t rank, std::int64_t ranks) {
  std::vector<Call> calls;
  std::map<std::uint64_t, std::uint64_t> requests;
  for (std::size_t i = 0; i < trace.calls.size(); ++i) {
    Call call = trace.calls[i];
    if (const std::size_t taken = dissemination(trace, i, rank, ranks)) {
      Call barrier;
      barrier.kind = CallKind::barrier;
      barrier.line = call.line;
      barrier.start = barrier.end = call.start;
      calls.push_back(barrier);
      i += taken - 1;
      continue;
    }
    if (is_message(call) && call.nonblocking)
      call.request = requests.try_emplace(call.request, requests.size() + 1).first->second;
    if (call.kind == CallKind::wait) {
      if (call.list == kNoList) {
        call.list = static_cast<std::uint32_t>(trace.lists.size());
        trace.lists.push_back({call.request});
      }
      for (std::uint64_t& request : trace.lists[call.list]) request = requests[request];
      call.request = 0;
    }
    calls.push_back(call);
  }
  trace.calls = std::move(calls);
}

void check_traces(const std::vector<Trace>& traces) {
  std::set<std::size_t> sizes;
  for (const Trace& trace : traces) {
    if (!sizes.insert(trace.ranks.size()).second)
      throw InputError({trace.source}, fmt::format("there is another trace of {} ranks: accepted "
                                                   "are traces of different numbers of ranks",
                                                   trace.ranks.size()));
    for (const RankTrace& rank : trace.ranks) {
      for (const Call& call : rank.calls) {
        if (call.comm != 0 || creates_communicator(call.kind))
          throw InputError(rank.where(call),
                           "a communicator other than that of all ranks: accepted "
                           "are time-independent traces");
      }
    }
  }
  constexpr std::size_t kFewest = 2;
  if (traces.size() < kFewest)
    throw InputError({}, "accepted are traces of two or more numbers of ranks");
}

}  // namespace

Scaled scale(const std::vector<Trace>& given, const ScaleOptions& options) {
  check_traces(given);
  std::vector<Trace> traces = given;
  for (Trace& trace : traces) {
    const auto ranks = static_cast<std::int64_t>(trace.ranks.size());
    for (std::int64_t r = 0; r < ranks; ++r)
      simplify(trace.ranks[static_cast<std::size_t>(r)], r, ranks);
  }
  std::exception_ptr reason;
  for (std::size_t dimensions = 0; dimensions <= RankGrid::kMost; ++dimensions) {
    for (const bool edges : {false, true}) {
      if (edges && dimensions == 0) continue;
      try {
        return scale_in(traces, options, dimensions, edges);
      } catch (const InputError&) {
        // The plane is where most programs live: what is wrong there says most.
        if (reason == nullptr || (dimensions == 2 && edges)) reason = std::current_exception();
      }
    }
  }
  std::rethrow_exception(reason);
}

}  // namespace heddle::replay
