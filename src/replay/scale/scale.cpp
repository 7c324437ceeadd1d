#include "replay/scale/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "replay/scale/grid.hpp"
#include "replay/scale/law.hpp"
#include "replay/scale/loops.hpp"

namespace heddle::replay {
namespace {

/// Why something cannot be fitted, and where.
[[noreturn]] void refuse(const Model& model, std::size_t i, const std::string& what) {
  const Call& call = model.call(i);
  throw InputError(model.calls().where(call),
                   fmt::format("{} of rank {} of {}, its call {}: {}", name_of(call.kind),
                               model.rank, model.trace->ranks.size(), i + 1, what));
}

/// A call as ranks of all kinds make it: what it is, its tag, and the how manyth such call it is,
/// loops counted once.
using CallName = std::tuple<CallKind, bool, std::int32_t, std::uint32_t>;

/// Means of values, by grid.
class Means {
 public:
  void add(const RankGrid& grid, double value) {
    sums_[&grid].first += value;
    ++sums_[&grid].second;
  }
  bool empty() const { return sums_.empty(); }
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

/// Ranks agree on something by messages in rounds; they become one call here, a barrier that
/// has a tag.
bool is_agreement(const Call& call) {
  return call.kind == CallKind::barrier && call.tag != 0;
}

double computed_before(const Model& model, std::size_t i) {
  const std::int64_t before = i == 0 ? 0 : model.call(i - 1).end;
  return static_cast<double>(model.call(i).start - before);
}

/// A rank and its loops, which are those of all ranks of its kind.
struct Looped {
  Model model;
  std::vector<Loop> loops;
};

/// What calls of the same name have, over ranks of all kinds.
class AllKinds {
 public:
  void add(const Looped& rank, const std::vector<CallName>& names) {
    std::size_t name = 0;
    for (const Loop& loop : rank.loops) {
      for (std::size_t c = 0; c < loop.calls; ++c, ++name) {
        const std::size_t i = loop.first + c;
        computation_[names[name]].add(*rank.model.grid, computed_before(rank.model, i));
        bytes_[names[name]].add(*rank.model.grid, static_cast<double>(rank.model.call(i).bytes));
      }
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
  RankKind(const std::vector<Model>& models, const ScaleOptions& options) : options_(options) {
    const Model& guide = *std::ranges::max_element(models, {}, &Model::size);
    const std::vector<Loop> loops = find_loops(guide);
    for (const Model& model : models) {
      Followed followed = follow(model, guide, loops);
      if (followed.differs_at) differ(model, guide, followed);
      ranks_.push_back({model, std::move(followed.loops)});
    }
    name_calls(guide, loops);
  }

  void add_to(AllKinds& all) const {
    for (const Looped& rank : ranks_) all.add(rank, names_);
  }

  /// Once all kinds are known.
  void fit(const AllKinds& all) {
    std::size_t name = 0;
    for (std::size_t l = 0; l < first().loops.size(); ++l) {
      rounds_.push_back(fit_rounds(l));
      for (std::size_t c = 0; c < first().loops[l].calls; ++c) fit_call(l, c, all, names_[name++]);
    }
  }

  /// What a rank of a larger grid does.
  RankTrace play(const RankGrid& grid, std::uint32_t rank) const {
    RankTrace trace;
    trace.comms = {{0, static_cast<std::int32_t>(rank), static_cast<std::int32_t>(grid.ranks())}};
    trace.file = fmt::format("rank {}", rank);
    trace.request_size = first().model.calls().request_size;
    Playing playing{trace, grid, rank};
    std::size_t fitted = 0;
    for (std::size_t l = 0; l < first().loops.size(); ++l) {
      const Loop& loop = first().loops[l];
      const auto rounds = static_cast<std::size_t>(std::llround(rounds_[l].value(grid)));
      for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t c = 0; c < loop.calls; ++c)
          play_call(playing, loop.first + c, fitted_[fitted + c], round);
      }
      fitted += loop.calls;
    }
    return trace;
  }

 private:
  struct Fitted {
    Law compute;
    Law again;  ///< The same in further rounds.
    Law bytes;
    Law others;
    Law member;  ///< Of lists that have something for each member.
    Growth growth = Growth::none;
    Relation peer;
    Relation source;
    std::vector<std::uint64_t> back;  ///< The requests that a wait names, as requests_back().
    std::uint32_t slice = 0;          ///< Dimensions of the group of a collective of some ranks.
  };
  /// A rank that is being made.
  struct Playing {
    RankTrace& trace;
    const RankGrid& grid;
    std::uint32_t rank;
    double clock = 0;
    std::uint64_t requests = 0;
  };

  const Looped& first() const { return ranks_.front(); }

  static std::uint64_t bytes(const Law& law, const RankGrid& grid, std::uint8_t element,
                             double factor = 1) {
    const double count = std::max(0.0, law.value(grid)) * factor / element;
    return static_cast<std::uint64_t>(std::llround(count)) * element;
  }

  void play_call(Playing& playing, std::size_t i, const Fitted& fitted, std::size_t round) const {
    const RankGrid& grid = playing.grid;
    Call call = first().model.call(i);
    const Law& compute = round == 0 ? fitted.compute : fitted.again;
    playing.clock += std::max(0.0, compute.value(grid));
    call.start = call.end = std::llround(playing.clock);
    call.bytes = bytes(fitted.bytes, grid, call.element, factor_of(fitted.growth, round));
    if (call.kind == CallKind::sendrecv) call.recv_bytes = bytes(fitted.others, grid, 1);
    if (is_collective(call.kind) && call.others != kUnsaid)
      call.others = bytes(fitted.others, grid, call.element);
    if (is_message(call) && call.peer >= 0) call.peer = peer(fitted.peer, playing, i, round);
    if (call.kind == CallKind::sendrecv) call.source = peer(fitted.source, playing, i, round);
    if (is_message(call) && call.nonblocking) call.request = ++playing.requests;
    if (is_agreement(call)) return play_agreement(playing, call);
    if (call.comm != 0) play_group(playing, call.comm - 1, fitted.slice);
    std::vector<std::vector<std::uint64_t>>& lists = playing.trace.lists;
    for (std::uint32_t Call::*list : {&Call::list, &Call::others_list}) {
      if (call.*list == kNoList) continue;
      call.*list = static_cast<std::uint32_t>(lists.size());
      lists.emplace_back();
      if (is_collective(call.kind))
        lists.back().assign(grid.ranks(), bytes(fitted.member, grid, call.element));
      for (const std::uint64_t back : fitted.back) lists.back().push_back(playing.requests - back);
    }
    playing.trace.calls.push_back(call);
  }

  /// The messages by which ranks agree on a new communicator: a dissemination.
  static void play_agreement(Playing& playing, const Call& agreement) {
    const std::uint32_t ranks = playing.grid.ranks();
    for (std::uint32_t distance = 1; distance < ranks; distance *= 2) {
      Call call = agreement;
      call.nonblocking = true;
      call.requests = 1;
      call.kind = CallKind::recv;
      call.peer = static_cast<std::int32_t>((playing.rank + ranks - distance) % ranks);
      call.request = ++playing.requests;
      playing.trace.calls.push_back(call);
      call.kind = CallKind::send;
      call.peer = static_cast<std::int32_t>((playing.rank + distance) % ranks);
      call.request = ++playing.requests;
      playing.trace.calls.push_back(call);
      Call wait;
      wait.kind = CallKind::wait;
      wait.start = wait.end = agreement.start;
      wait.list = static_cast<std::uint32_t>(playing.trace.lists.size());
      playing.trace.lists.push_back({playing.requests - 1, playing.requests});
      playing.trace.calls.push_back(wait);
    }
  }

  static void play_group(Playing& playing, std::uint32_t group, std::uint32_t slice) {
    std::vector<RankList>& groups = playing.trace.groups;
    if (groups.size() <= group) groups.resize(group + 1);
    if (groups[group].runs() == 0)
      groups[group] = RankList(playing.grid.slice(playing.rank, slice));
  }

  std::int32_t peer(const Relation& relation, const Playing& playing, std::size_t i,
                    std::size_t round) const {
    const auto found = relation.peer(playing.grid, playing.rank, round);
    if (!found) refuse(first().model, i, "there is no " + relation.text() + " in the larger grid");
    return static_cast<std::int32_t>(*found);
  }

  /// All must do the same calls, in the same order.
  [[noreturn]] static void differ(const Model& model, const Model& guide,
                                  const Followed& followed) {
    const std::size_t here = *followed.differs_at;
    if (here >= model.size()) {
      refuse(guide, std::min(followed.guide_call, guide.size() - 1),
             fmt::format("rank {} of {} has no such call: their numbers differ", model.rank,
                         model.trace->ranks.size()));
    }
    const bool ended = followed.guide_call >= guide.size();
    refuse(model, here,
           fmt::format("rank {} of {} does something else there ({})", guide.rank,
                       guide.trace->ranks.size(),
                       ended ? "nothing" : name_of(guide.call(followed.guide_call).kind)));
  }

  void name_calls(const Model& guide, const std::vector<Loop>& loops) {
    std::map<std::tuple<CallKind, bool, std::int32_t>, std::uint32_t> counts;
    for (const Loop& loop : loops) {
      for (std::size_t c = 0; c < loop.calls; ++c) {
        const Call& call = guide.call(loop.first + c);
        const std::uint32_t number = counts[{call.kind, call.nonblocking, call.tag}]++;
        names_.emplace_back(call.kind, call.nonblocking, call.tag, number);
      }
    }
  }

  /// Calls `visit(model, call, round)` for call `c` of every round of loop `l` in all ranks.
  template <class Visit>
  void for_rounds(std::size_t l, std::size_t c, Visit visit) const {
    for (const Looped& rank : ranks_) {
      const Loop& loop = rank.loops[l];
      for (std::size_t round = 0; round < loop.rounds; ++round)
        visit(rank.model, loop.first + round * loop.calls + c, round);
    }
  }

  CountLaw fit_rounds(std::size_t l) const {
    std::map<const RankGrid*, std::size_t> seen;
    std::vector<SeenValue> values;
    for (const Looped& rank : ranks_) {
      const std::size_t rounds = rank.loops[l].rounds;
      const auto [found, fresh] = seen.try_emplace(rank.model.grid, rounds);
      if (fresh) values.push_back({rank.model.grid, static_cast<double>(rounds)});
      if (found->second == rounds) continue;
      refuse(rank.model, rank.loops[l].first,
             fmt::format("{} rounds of it, but {} on another rank of the same kind", rounds,
                         found->second));
    }
    if (const std::optional<CountLaw> law = CountLaw::fit(values, doubles(l))) return *law;
    refuse(first().model, first().loops[l].first,
           "how often it is done follows no law: " + list_of(values));
  }

  /// Whether peers are twice or half as far away from round to round.
  bool doubles(std::size_t l) const {
    const Loop& loop = first().loops[l];
    for (std::size_t c = 0; c < loop.calls; ++c) {
      const Call& call = first().model.call(loop.first + c);
      if (!is_message(call) || call.peer < 0) continue;
      const Relation::Kind kind = relation(l, c, [](const Call& one) { return one.peer; }).kind;
      if (kind == Relation::Kind::flipped || kind == Relation::Kind::leap) return true;
    }
    return false;
  }

  static std::string list_of(const std::vector<SeenValue>& seen) {
    std::string values;
    for (const SeenValue& s : seen)
      values +=
          fmt::format("{}{:.6g} of {} ranks", values.empty() ? "" : ", ", s.value, s.grid->ranks());
    return values;
  }

  void fit_call(std::size_t l, std::size_t c, const AllKinds& all, const CallName& name) {
    Fitted fitted;
    const std::size_t i = first().loops[l].first + c;
    const Call& call = first().model.call(i);
    const std::vector<SeenValue> sizes = all.bytes(name);
    const Means later = means(l, c, true, computed_before);
    fitted.compute = law(i, options_.compute_tolerance, "the computation before it",
                         all.computation(name), means(l, c, false, computed_before));
    fitted.again = later.empty() ? fitted.compute
                                 : law(i, options_.compute_tolerance, "the computation before it",
                                       all.computation(name), later);
    fitted.bytes = law(
        i, options_.size_tolerance, "its size", sizes,
        means(l, c, false, [](auto& m, auto at) { return static_cast<double>(m.call(at).bytes); }));
    fitted.growth = growth(l, c);
    if (call.kind == CallKind::sendrecv || (is_collective(call.kind) && call.others != kUnsaid)) {
      fitted.others = law(i, options_.size_tolerance, "what it receives", sizes,
                          means(l, c, false, [](auto& m, auto at) {
                            const Call& one = m.call(at);
                            return static_cast<double>(
                                one.kind == CallKind::sendrecv ? one.recv_bytes : one.others);
                          }));
    }
    if (is_collective(call.kind) && (call.list != kNoList || call.others_list != kNoList)) {
      fitted.member =
          law(i, options_.size_tolerance, "the part of each member", sizes,
              means(l, c, false, [this](auto& m, auto at) { return each_member(m, at); }));
    }
    if (is_message(call) && call.peer >= 0)
      fitted.peer = relation(l, c, [](const Call& one) { return one.peer; });
    if (call.kind == CallKind::sendrecv)
      fitted.source = relation(l, c, [](const Call& one) { return one.source; });
    if (is_collective(call.kind)) check_root(l, c);
    if (call.comm != 0) fitted.slice = slice(l, c);
    fitted.back = requests_back(first().model.calls(), i);
    fitted_.push_back(fitted);
  }

  /// How sizes go on in the loop that has most rounds.
  Growth growth(std::size_t l, std::size_t c) const {
    const Looped& most = *std::ranges::max_element(
        ranks_, {}, [&](const Looped& rank) { return rank.loops[l].rounds; });
    RoundRules rules(most.model, most.loops[l].first, most.loops[l].calls);
    for (std::size_t round = 1; round < most.loops[l].rounds; ++round) rules.take(most.model);
    return rules.growth(c);
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

  /// Of a value of the first round, or of the `later` ones; by grid.
  template <class Value>
  Means means(std::size_t l, std::size_t c, bool later, Value value) const {
    Means found;
    for_rounds(l, c, [&](const Model& model, std::size_t i, std::size_t round) {
      if ((round > 0) == later) found.add(*model.grid, value(model, i));
    });
    return found;
  }

  /// The law that the mean of a value follows, over the ranks of this kind in each trace.
  Law law(std::size_t i, double tolerance, const char* what, const std::vector<SeenValue>& others,
          const Means& means) const {
    const std::vector<SeenValue> seen = means.values();
    const Law found = Law::fit(seen, others);
    if (found.error() > tolerance) {
      refuse(first().model, i, fmt::format("{} follows no law: {}", what, list_of(seen)));
    }
    return found;
  }

  /// What its peer is to a rank, in all rounds and traces.
  template <class Peer>
  Relation relation(std::size_t l, std::size_t c, Peer peer) const {
    std::vector<Relation> common;
    bool begun = false;
    for_rounds(l, c, [&](const Model& model, std::size_t i, std::size_t round) {
      const auto other = static_cast<std::uint32_t>(peer(model.call(i)));
      const std::vector<Relation> here = relations(*model.grid, model.rank, other, round);
      if (!std::exchange(begun, true)) {
        common = here;
      } else {
        std::erase_if(common,
                      [&](const Relation& r) { return std::ranges::find(here, r) == here.end(); });
      }
      if (common.empty())
        refuse(model, i,
               fmt::format("its peer {} is no neighbour in a grid of {} x {} x {}", other,
                           model.grid->side(0), model.grid->side(1), model.grid->side(2)));
    });
    return common.front();
  }

  /// In which dimensions the members of a group differ.
  std::uint32_t slice(std::size_t l, std::size_t c) const {
    const std::size_t dimensions = first().model.grid->dimensions();
    std::vector<std::uint32_t> common;
    for (std::uint32_t one = 0; one < 1U << dimensions; ++one) common.push_back(one);
    for_rounds(l, c, [&](const Model& model, std::size_t i, std::size_t round) {
      if (round > 0) return;
      const std::vector<std::uint32_t> members =
          model.calls().groups[model.call(i).comm - 1].ranks();
      std::erase_if(
          common, [&](std::uint32_t one) { return model.grid->slice(model.rank, one) != members; });
      if (common.empty())
        refuse(model, i,
               fmt::format("its {} ranks are no row or plane in a grid of {} x {} x {}",
                           members.size(), model.grid->side(0), model.grid->side(1),
                           model.grid->side(2)));
    });
    return common.front();
  }

  void check_root(std::size_t l, std::size_t c) const {
    const std::int32_t root = first().model.call(first().loops[l].first + c).peer;
    for_rounds(l, c, [&](const Model& model, std::size_t i, std::size_t) {
      if (model.call(i).peer != root)
        refuse(model, i, "its root is another one than that of fewer ranks");
    });
  }

  const ScaleOptions& options_;
  std::vector<Looped> ranks_;
  std::vector<CallName> names_;   ///< Of all calls, loops counted once.
  std::vector<CountLaw> rounds_;  ///< By loop.
  std::vector<Fitted> fitted_;    ///< By call, as the names.
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
  std::map<std::uint32_t, RankKind> kinds;
  for (const auto& [kind, models] : by_kind) kinds.emplace(kind, RankKind(models, options));
  for (const auto& [kind, ranks] : kinds) ranks.add_to(all);
  for (auto& [kind, ranks] : kinds) ranks.fit(all);
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
         trace.lists[wait.list].size() == 2 && recv.tag == send.tag && recv.bytes == send.bytes &&
         recv.peer == (rank - distance + ranks) % ranks && send.peer == (rank + distance) % ranks;
}

/// The calls that a dissemination from `i` on takes; 0 if there is none. Ranks do it to agree on
/// new communicators.
std::size_t dissemination(const RankTrace& trace, std::size_t i, std::int64_t rank,
                          std::int64_t ranks) {
  std::size_t calls = 0;
  for (std::int64_t distance = 1; distance < ranks; distance *= 2, calls += 3) {
    if (!is_round(trace, i + calls, rank, ranks, distance)) return 0;
    if (trace.calls[i].tag != trace.calls[i + calls].tag ||
        trace.calls[i].bytes != trace.calls[i + calls].bytes)
      return 0;
  }
  return calls;
}

/// Makes one call of each agreement and of each collective of some ranks, whatever messages they
/// took; the requests that are left get new numbers.
class Simplifier {
 public:
  explicit Simplifier(RankTrace& trace) : trace_(trace) {}

  void run(std::int64_t rank, std::int64_t ranks) {
    auto among = trace_.among.begin();
    for (std::size_t i = 0; i <= trace_.calls.size();) {
      if (among != trace_.among.end() && among->first == i) {
        Call call = among->call;
        call.comm = among->group + 1;
        calls_.push_back(call);
        i = (among++)->end;
      } else if (i == trace_.calls.size()) {
        break;
      } else if (const std::size_t taken = dissemination(trace_, i, rank, ranks)) {
        add_agreement(trace_.calls[i]);
        i += taken;
      } else {
        add(trace_.calls[i++]);
      }
    }
    trace_.calls = std::move(calls_);
    trace_.among.clear();
  }

 private:
  void add_agreement(const Call& message) {
    Call call;
    call.kind = CallKind::barrier;
    call.line = message.line;
    call.tag = message.tag;
    call.bytes = message.bytes;
    call.start = call.end = message.start;
    calls_.push_back(call);
  }
  void add(Call call) {
    if (is_message(call) && call.nonblocking)
      call.request = requests_.try_emplace(call.request, requests_.size() + 1).first->second;
    if (call.kind == CallKind::wait) {
      if (call.list == kNoList) {
        call.list = static_cast<std::uint32_t>(trace_.lists.size());
        trace_.lists.push_back({call.request});
      }
      for (std::uint64_t& request : trace_.lists[call.list]) request = requests_[request];
      call.request = 0;
    }
    calls_.push_back(call);
  }

  RankTrace& trace_;
  std::vector<Call> calls_;
  std::map<std::uint64_t, std::uint64_t> requests_;
};

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
      Simplifier(trace.ranks[static_cast<std::size_t>(r)]).run(r, ranks);
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
