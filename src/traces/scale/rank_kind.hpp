// Ranks of the traces, sorted by what they do: reading them is the first step of making more.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "traces/scale/law.hpp"
#include "traces/scale/loops.hpp"

namespace heddle::traces {

/// Why something cannot be fitted, and where: call `i` of a rank.
[[noreturn]] void refuse_call(const Model& model, std::size_t i, const std::string& what);

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
  std::vector<SeenValue> values() const;

 private:
  std::map<const RankGrid*, std::pair<double, std::size_t>> sums_;
};

/// What a rank computes before call `i`, in picoseconds.
double computed_before(const Model& model, std::size_t i);

/// A rank and its loops, which are those of all ranks of its kind.
struct Looped {
  Model model;
  std::vector<Loop> loops;
};

/// What calls of the same name have, over ranks of all kinds.
class AllKinds {
 public:
  void add(const Looped& rank, const std::vector<CallName>& names);
  std::vector<SeenValue> computation(const CallName& name) const {
    return computation_.at(name).values();
  }
  std::vector<SeenValue> bytes(const CallName& name) const { return bytes_.at(name).values(); }

 private:
  std::map<CallName, Means> computation_;
  std::map<CallName, Means> bytes_;
};

/// Ranks that have neighbours on the same sides: they do the same calls, in the same order.
class RankKind {
 public:
  /// Throws InputError where they do not.
  explicit RankKind(const std::vector<Model>& models);

  const std::vector<Looped>& ranks() const { return ranks_; }
  const Looped& first() const { return ranks_.front(); }
  /// Of all calls, loops counted once.
  const std::vector<CallName>& names() const { return names_; }
  void add_to(AllKinds& all) const;

  /// Calls `visit(model, call, round)` for call `c` of every round of loop `l` in all ranks.
  template <class Visit>
  void for_rounds(std::size_t l, std::size_t c, Visit visit) const {
    for (const Looped& rank : ranks_) {
      const Loop& loop = rank.loops[l];
      for (std::size_t round = 0; round < loop.rounds; ++round) {
        visit(rank.model, loop.first + round * loop.calls + c, round);
      }
    }
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

 private:
  void name_calls(const Model& guide, const std::vector<Loop>& loops);

  std::vector<Looped> ranks_;
  std::vector<CallName> names_;
};

}  // namespace heddle::traces
