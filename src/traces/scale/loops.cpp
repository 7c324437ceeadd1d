#include "traces/scale/loops.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::traces {
namespace {

/// Of a round: a longer one is taken for calls that are not repeated.
constexpr std::size_t kLongestRound = 32;

constexpr Growth kGrowths[] = {Growth::none, Growth::doubles, Growth::halves};

/// Parts are cut at whole elements.
bool near(double value, double expected) {
  constexpr double kTolerance = 0.02;
  constexpr double kElement = 8;
  return std::abs(value - expected) <= std::max(kElement, kTolerance * expected);
}

std::vector<Relation> relations_of(const Model& model, std::size_t i, std::size_t round) {
  const Call& call = model.call(i);
  if (!is_message(call) || call.peer < 0) return {Relation{}};
  return relations(*model.grid, model.rank, static_cast<std::uint32_t>(call.peer), round);
}

/// Request numbers count the messages that do not block, from 1; those made before call `i`.
std::uint64_t requests_before(const RankTrace& trace, std::size_t i) {
  for (; i > 0; --i) {
    const Call& call = trace.calls[i - 1];
    if (is_message(call) && call.nonblocking) return call.request;
  }
  return 0;
}

}  // namespace

double factor_of(Growth growth, std::size_t round) {
  const auto steps = static_cast<int>(round);
  if (growth == Growth::none) return 1;
  return std::ldexp(1.0, growth == Growth::doubles ? steps : -steps);
}

std::vector<std::uint64_t> requests_back(const RankTrace& trace, std::size_t i) {
  const Call& call = trace.calls[i];
  std::vector<std::uint64_t> back;
  if (call.kind != CallKind::wait || call.list == kNoList) return back;
  const std::uint64_t made = requests_before(trace, i);
  for (const std::uint64_t request : trace.lists[call.list]) back.push_back(made - request);
  return back;
}

bool alike(const Model& a, std::size_t i, const Model& b, std::size_t j) {
  const Call& x = a.call(i);
  const Call& y = b.call(j);
  if (x.kind != y.kind || x.nonblocking != y.nonblocking || x.tag != y.tag || x.comm != y.comm ||
      x.synchronous != y.synchronous || x.buffered != y.buffered ||
      (x.list == kNoList) != (y.list == kNoList)) {
    return false;
  }
  return requests_back(a.calls(), i) == requests_back(b.calls(), j);
}

RoundRules::RoundRules(const Model& model, std::size_t first, std::size_t calls)
    : first_(first), calls_(calls), growths_(calls, {std::begin(kGrowths), std::end(kGrowths)}) {
  for (std::size_t c = 0; c < calls; ++c) peers_.push_back(relations_of(model, first + c, 0));
}

bool RoundRules::take(const Model& model) {
  const std::size_t next = first_ + rounds_ * calls_;
  if (next + calls_ > model.size()) return false;
  auto peers = peers_;
  auto growths = growths_;
  for (std::size_t c = 0; c < calls_; ++c) {
    if (!alike(model, first_ + c, model, next + c)) return false;
    const std::vector<Relation> here = relations_of(model, next + c, rounds_);
    std::erase_if(peers[c],
                  [&](const Relation& r) { return std::ranges::find(here, r) == here.end(); });
    const auto first = static_cast<double>(model.call(first_ + c).bytes);
    const auto bytes = static_cast<double>(model.call(next + c).bytes);
    std::erase_if(growths[c],
                  [&](Growth g) { return !near(bytes, first * factor_of(g, rounds_)); });
    if (peers[c].empty() || growths[c].empty()) return false;
  }
  peers_ = std::move(peers);
  growths_ = std::move(growths);
  ++rounds_;
  return true;
}

namespace {

/// By call: where the shortest two rounds end that begin there; the largest number if none do.
std::vector<std::size_t> ends_of_repetitions(const Model& model) {
  std::vector<std::size_t> ends(model.size(), SIZE_MAX);
  for (std::size_t i = 0; i < model.size(); ++i) {
    for (std::size_t calls = 1; calls <= kLongestRound && ends[i] == SIZE_MAX; ++calls) {
      if (i + 2 * calls > model.size()) break;
      if (RoundRules(model, i, calls).take(model)) ends[i] = i + 2 * calls;
    }
  }
  return ends;
}

}  // namespace

std::vector<Loop> find_loops(const Model& model) {
  const std::vector<std::size_t> repeated = ends_of_repetitions(model);
  // Loops within a round may have other numbers of rounds in other traces.
  const auto has_loop = [&](std::size_t first, std::size_t calls) {
    for (std::size_t i = first; i < first + calls; ++i) {
      if (repeated[i] <= first + calls) return true;
    }
    return false;
  };
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < model.size();) {
    Loop found{i, 1, 1};
    for (std::size_t calls = 1; calls <= kLongestRound && found.rounds == 1; ++calls) {
      if (i + 2 * calls > model.size() || has_loop(i, calls)) break;
      RoundRules rules(model, i, calls);
      while (rules.take(model)) {
      }
      if (rules.rounds() > 1) found = {i, calls, rules.rounds()};
    }
    loops.push_back(found);
    i += found.calls * found.rounds;
  }
  return loops;
}

Followed follow(const Model& model, const Model& guide, const std::vector<Loop>& loops) {
  Followed result;
  std::size_t at = 0;
  for (const Loop& loop : loops) {
    for (std::size_t c = 0; c < loop.calls; ++c) {
      if (at + c < model.size() && alike(model, at + c, guide, loop.first + c)) continue;
      result.differs_at = at + c;
      result.guide_call = loop.first + c;
      return result;
    }
    RoundRules rules(model, at, loop.calls);
    while (loop.rounds > 1 && rules.take(model)) {
    }
    result.loops.push_back({at, loop.calls, rules.rounds()});
    at += loop.calls * rules.rounds();
  }
  if (at < model.size()) {
    result.differs_at = at;
    result.guide_call = guide.size();
  }
  return result;
}

}  // namespace heddle::traces
