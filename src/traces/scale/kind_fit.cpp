#include "traces/scale/kind_fit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace heddle::traces {
namespace {

class KindFit {
 public:
  KindFit(const RankKind& kind, const ScaleOptions& options) : kind_(kind), options_(options) {}

  FittedKind run(const AllKinds& all) {
    std::vector<CountLaw> rounds;
    std::size_t name = 0;
    for (std::size_t l = 0; l < kind_.first().loops.size(); ++l) {
      rounds.push_back(fit_rounds(l));
      for (std::size_t c = 0; c < kind_.first().loops[l].calls; ++c) {
        fit_call(l, c, all, kind_.names()[name++]);
      }
    }
    choose_destinations();
    choose_sources();
    return {kind_.first(), std::move(rounds), std::move(fitted_)};
  }

 private:
  CountLaw fit_rounds(std::size_t l) const {
    std::map<const RankGrid*, std::size_t> seen;
    std::vector<SeenValue> values;
    for (const Looped& rank : kind_.ranks()) {
      const std::size_t rounds = rank.loops[l].rounds;
      const auto [found, fresh] = seen.try_emplace(rank.model.grid, rounds);
      if (fresh) values.push_back({rank.model.grid, static_cast<double>(rounds)});
      if (found->second == rounds) continue;
      refuse_call(rank.model, rank.loops[l].first,
                  fmt::format("{} rounds of it, but {} on another rank of the same kind", rounds,
                              found->second));
    }
    if (const std::optional<CountLaw> law = CountLaw::fit(values, doubles(l))) return *law;
    refuse_call(kind_.first().model, kind_.first().loops[l].first,
                "how often it is done follows no law: " + list_of(values));
  }

  /// Whether peers are twice or half as far away from round to round.
  bool doubles(std::size_t l) const {
    const Loop& loop = kind_.first().loops[l];
    for (std::size_t c = 0; c < loop.calls; ++c) {
      const Call& call = kind_.first().model.call(loop.first + c);
      if (!is_message(call) || call.peer < 0) continue;
      const Relation::Kind kind =
          relations_of_all(l, c, [](const Call& one) { return one.peer; }).front().kind;
      if (kind == Relation::Kind::flipped || kind == Relation::Kind::leap) return true;
    }
    return false;
  }

  static std::string list_of(const std::vector<SeenValue>& seen) {
    std::string values;
    for (const SeenValue& s : seen) {
      values +=
          fmt::format("{}{:.6g} of {} ranks", values.empty() ? "" : ", ", s.value, s.grid->ranks());
    }
    return values;
  }

  void fit_call(std::size_t l, std::size_t c, const AllKinds& all, const CallName& name) {
    FittedCall fitted;
    const std::size_t i = kind_.first().loops[l].first + c;
    const Call& call = kind_.first().model.call(i);
    const std::vector<SeenValue> sizes = all.bytes(name);
    const Means later = kind_.means(l, c, true, computed_before);
    fitted.compute = law(i, options_.compute_tolerance, "the computation before it",
                         all.computation(name), kind_.means(l, c, false, computed_before));
    fitted.again = later.empty() ? fitted.compute
                                 : law(i, options_.compute_tolerance, "the computation before it",
                                       all.computation(name), later);
    fitted.bytes = law(i, options_.size_tolerance, "its size", sizes,
                       kind_.means(l, c, false, [](auto& m, auto at) {
                         return static_cast<double>(m.call(at).bytes);
                       }));
    fitted.growth = growth(l, c);
    if (call.kind == CallKind::sendrecv || (is_collective(call.kind) && call.others != kUnsaid)) {
      fitted.others = law(i, options_.size_tolerance, "what it receives", sizes,
                          kind_.means(l, c, false, [](auto& m, auto at) {
                            const Call& one = m.call(at);
                            return static_cast<double>(
                                one.kind == CallKind::sendrecv ? one.recv_bytes : one.others);
                          }));
    }
    if (is_collective(call.kind) && (call.list != kNoList || call.others_list != kNoList)) {
      fitted.member =
          law(i, options_.size_tolerance, "the part of each member", sizes,
              kind_.means(l, c, false, [this](auto& m, auto at) { return each_member(m, at); }));
    }
    if (is_message(call) && call.peer >= 0) {
      fitted.peers = relations_of_all(l, c, [](const Call& one) { return one.peer; });
      fitted.peer = fitted.peers.front();
    }
    if (call.kind == CallKind::sendrecv) {
      fitted.source = relations_of_all(l, c, [](const Call& one) { return one.source; }).front();
    }
    if (is_collective(call.kind)) check_root(l, c);
    if (call.comm != 0) fitted.slice = slice(l, c);
    fitted.back = requests_back(kind_.first().model.calls(), i);
    fitted_.push_back(fitted);
  }

  /// How sizes go on in the loop that has most rounds.
  Growth growth(std::size_t l, std::size_t c) const {
    const Looped& most = *std::ranges::max_element(
        kind_.ranks(), {}, [&](const Looped& rank) { return rank.loops[l].rounds; });
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
    if (most - least > options_.compute_tolerance * std::max(mean, 1.0)) {
      refuse_call(model, i,
                  fmt::format("its members' parts differ, from {} to {} bytes", least, most));
    }
    return mean;
  }

  /// The law that the mean of a value follows, over the ranks of this kind in each trace.
  Law law(std::size_t i, double tolerance, const char* what, const std::vector<SeenValue>& others,
          const Means& means) const {
    const std::vector<SeenValue> seen = means.values();
    const Law found = Law::fit(seen, others);
    if (found.error() > tolerance) {
      refuse_call(kind_.first().model, i,
                  fmt::format("{} follows no law: {}", what, list_of(seen)));
    }
    return found;
  }

  // Where sides are too short in all traces to tell neighbours apart, there is a choice. It does
  // not matter which is called which, but that the sends of a round go to different ones and that
  // receives expect what is sent.

  /// Calls `visit(call, fitted)` for the messages of loop `l`, whose calls begin at `at`.
  template <class Visit>
  void for_messages(std::size_t l, std::size_t at, CallKind kind, Visit visit) {
    for (std::size_t c = 0; c < kind_.first().loops[l].calls; ++c) {
      const Call& call = kind_.first().model.call(kind_.first().loops[l].first + c);
      if (call.kind == kind && !fitted_[at + c].peers.empty()) visit(call, fitted_[at + c]);
    }
  }
  void choose_destinations() {
    std::size_t at = 0;
    for (std::size_t l = 0; l < kind_.first().loops.size(); at += kind_.first().loops[l++].calls) {
      std::vector<Relation> taken;
      for_messages(l, at, CallKind::send, [&](const Call&, FittedCall& fitted) {
        const auto open = std::ranges::find_if(fitted.peers, [&](const Relation& one) {
          return one.kind == Relation::Kind::step && std::ranges::find(taken, one) == taken.end();
        });
        if (fitted.peer.kind == Relation::Kind::step && open != fitted.peers.end()) {
          fitted.peer = *open;
        }
        taken.push_back(fitted.peer);
      });
    }
  }
  void choose_sources() {
    std::map<std::int32_t, std::vector<Relation>> sent;  // By tag, in order.
    std::map<std::int32_t, std::size_t> received;
    std::size_t at = 0;
    for (std::size_t l = 0; l < kind_.first().loops.size(); at += kind_.first().loops[l++].calls) {
      for_messages(l, at, CallKind::send, [&](const Call& call, const FittedCall& fitted) {
        sent[call.tag].push_back(fitted.peer);
      });
    }
    at = 0;
    for (std::size_t l = 0; l < kind_.first().loops.size(); at += kind_.first().loops[l++].calls) {
      for_messages(l, at, CallKind::recv, [&](const Call& call, FittedCall& fitted) {
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
    kind_.for_rounds(l, c, [&](const Model& model, std::size_t i, std::size_t round) {
      const auto other = static_cast<std::uint32_t>(peer(model.call(i)));
      const std::vector<Relation> here = relations(*model.grid, model.rank, other, round);
      if (!std::exchange(begun, true)) {
        common = here;
      } else {
        std::erase_if(common,
                      [&](const Relation& r) { return std::ranges::find(here, r) == here.end(); });
      }
      if (common.empty()) {
        refuse_call(model, i,
                    fmt::format("its peer {} is no neighbour in a grid of {} x {} x {}", other,
                                model.grid->side(0), model.grid->side(1), model.grid->side(2)));
      }
    });
    return common;
  }

  /// In which dimensions the members of a group differ.
  std::uint32_t slice(std::size_t l, std::size_t c) const {
    const std::size_t dimensions = kind_.first().model.grid->dimensions();
    std::vector<std::uint32_t> common;
    for (std::uint32_t one = 0; one < 1U << dimensions; ++one) common.push_back(one);
    kind_.for_rounds(l, c, [&](const Model& model, std::size_t i, std::size_t round) {
      if (round > 0) return;
      const std::vector<std::uint32_t> members =
          model.calls().groups[model.call(i).comm - 1].ranks();
      std::erase_if(
          common, [&](std::uint32_t one) { return model.grid->slice(model.rank, one) != members; });
      if (common.empty()) {
        refuse_call(model, i,
                    fmt::format("its {} ranks are no row or plane in a grid of {} x {} x {}",
                                members.size(), model.grid->side(0), model.grid->side(1),
                                model.grid->side(2)));
      }
    });
    return common.front();
  }

  void check_root(std::size_t l, std::size_t c) const {
    const std::int32_t root = kind_.first().model.call(kind_.first().loops[l].first + c).peer;
    kind_.for_rounds(l, c, [&](const Model& model, std::size_t i, std::size_t) {
      if (model.call(i).peer != root) {
        refuse_call(model, i, "its root is another one than that of fewer ranks");
      }
    });
  }

  const RankKind& kind_;
  const ScaleOptions& options_;
  std::vector<FittedCall> fitted_;
};

}  // namespace

FittedKind fit_kind(const RankKind& kind, const AllKinds& all, const ScaleOptions& options) {
  return KindFit(kind, options).run(all);
}

}  // namespace heddle::traces
