// The calls of a rank as loops: what is repeated, and how often.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "traces/scale/grid.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

inline bool is_message(const Call& call) {
  return call.kind == CallKind::send || call.kind == CallKind::recv ||
         call.kind == CallKind::sendrecv;
}

/// A rank of one of the traces.
struct Model {
  const Trace* trace;
  const RankGrid* grid;
  std::uint32_t rank;
  const RankTrace& calls() const { return trace->ranks[rank]; }
  Call call(std::size_t i) const { return calls().calls[i]; }
  std::size_t size() const { return calls().calls.size(); }
};

/// Calls that follow each other, once or several times. In the rounds of a loop peers stay what
/// they are to the rank, or their distance doubles or halves; sizes may do the same.
struct Loop {
  std::size_t first = 0;  ///< The first call of the first round.
  std::size_t calls = 1;  ///< Of a round.
  std::size_t rounds = 1;
};

/// How sizes of a call go on from round to round.
enum class Growth : std::uint8_t { none, doubles, halves };
double factor_of(Growth growth, std::size_t round);

/// What the rounds of a loop that have been looked at allow.
class RoundRules {
 public:
  /// Of a first round.
  RoundRules(const Model& model, std::size_t first, std::size_t calls);
  /// Whether the next round is there as well; if so, it is taken.
  bool take(const Model& model);
  /// The calls of the rounds taken.
  std::size_t rounds() const { return rounds_; }
  Growth growth(std::size_t call) const { return growths_[call].front(); }

 private:
  std::size_t first_;
  std::size_t calls_;
  std::size_t rounds_ = 1;
  std::vector<std::vector<Relation>> peers_;  ///< By call: what peers may be.
  std::vector<std::vector<Growth>> growths_;  ///< By call.
};

/// Whether two calls are the same but for sizes, peers, the members of their groups and the numbers
/// of their requests, which must be as far back.
bool alike(const Model& a, std::size_t i, const Model& b, std::size_t j);

/// How far back the requests are that a wait names, the last one made being 0.
std::vector<std::uint64_t> requests_back(const RankTrace& trace, std::size_t i);

/// The loops of a rank, all calls in order; as short rounds as there are.
std::vector<Loop> find_loops(const Model& model);
/// The same loops in another rank, with as many rounds as it makes; where there is none, the call
/// at which they differ.
struct Followed {
  std::vector<Loop> loops;
  std::optional<std::size_t> differs_at = {};
  std::size_t guide_call = 0;  ///< Of the guide, there.
};
Followed follow(const Model& model, const Model& guide, const std::vector<Loop>& loops);

}  // namespace heddle::traces
