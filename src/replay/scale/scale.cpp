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
#include "replay/scale/simplify.hpp"

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
    choose_destinations();
    choose_sources();
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
    std::vector<Relation> peers;  ///< What the peer may be, the likeliest first.
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
      const Relation::Kind kind =
          relations_of_all(l, c, [](const Call& one) { return one.peer; }).front().kind;
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
    if (is_message(call) && call.peer >= 0) {
      fitted.peers = relations_of_all(l, c, [](const Call& one) { return one.peer; });
      fitted.peer = fitted.peers.front();
    }
    if (call.kind == CallKind::sendrecv)
      fitted.source = relations_of_all(l, c, [](const Call& one) { return one.source; }).front();
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

  // Where sides are too short in all traces to tell neighbours apart, there is a choice. It does
  // not matter which is called which, but that the sends of a round go to different ones and that
  // receives expect what is sent.

  /// Calls `visit(call, fitted)` for the messages of loop `l`, whose calls begin at `at`.
  template <class Visit>
  void for_messages(std::size_t l, std::size_t at, CallKind kind, Visit visit) {
    for (std::size_t c = 0; c < first().loops[l].calls; ++c) {
      const Call& call = first().model.call(first().loops[l].first + c);
      if (call.kind == kind && !fitted_[at + c].peers.empty()) visit(call, fitted_[at + c]);
    }
  }
  void choose_destinations() {
    std::size_t at = 0;
    for (std::size_t l = 0; l < first().loops.size(); at += first().loops[l++].calls) {
      std::vector<Relation> taken;
      for_messages(l, at, CallKind::send, [&](const Call&, Fitted& fitted) {
        const auto open = std::ranges::find_if(fitted.peers, [&](const Relation& one) {
          return one.kind == Relation::Kind::step && std::ranges::find(taken, one) == taken.end();
        });
        if (fitted.peer.kind == Relation::Kind::step && open != fitted.peers.end())
          fitted.peer = *open;
        taken.push_back(fitted.peer);
      });
    }
  }
  void choose_sources() {
    std::map<std::int32_t, std::vector<Relation>> sent;  // By tag, in order.
    std::map<std::int32_t, std::size_t> received;
    std::size_t at = 0;
    for (std::size_t l = 0; l < first().loops.size(); at += first().loops[l++].calls) {
      for_messages(l, at, CallKind::send, [&](const Call& call, const Fitted& fitted) {
        sent[call.tag].push_back(fitted.peer);
      });
    }
    at = 0;
    for (std::size_t l = 0; l < first().loops.size(); at += first().loops[l++].calls) {
      for_messages(l, at, CallKind::recv, [&](const Call& call, Fitted& fitted) {
        const std::vector<Relation>& sends = sent[call.tag];
        const std::size_t number = received[call.tag]++;
        if (number >= sends.size() || sends[number].kind != Relation::Kind::step) return;
        const auto back = std::ranges::find(fitted.peers, sends[number].back());
        if (back != fitted.peers.end()) fitted.peer = *back;
      });
    }
  }

  /// What its peer may be to a rank, in all rounds and traces.
  template <class Peer>
  std::vector<Relation> relations_of_all(std::size_t l, std::size_t c, Peer peer) const {
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
    return common;
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
  if (unmatched(result.trace) != 0) {
    throw InputError(
        {traces.back().source},
        fmt::format("what ranks of the grid of {} x {} x {} send and receive does not "
                    "match: the traces do not tell its neighbours apart, and traces of "
                    "more ranks are needed",
                    large.side(0), large.side(1), large.side(2)));
  }
  result.found.push_back(fmt::format("{} kinds of ranks in {} dimensions, {} x {} x {} of them",
                                     kinds.size(), dimensions, large.side(0), large.side(1),
                                     large.side(2)));
  return result;
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
