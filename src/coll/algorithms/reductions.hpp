// Ways to reduce so that each rank has a part of the result.
#pragma once

#include "coll/algorithms/parts.hpp"

namespace heddle::coll {

/// How a vector is halved among a power of two of ranks until each has one part, and put together
/// again. Those that do not stay in the fold give their data away first.
class Halving {
 public:
  enum class Partners : std::uint8_t { nearest_first, farthest_first };
  /// What becomes of messages without data, where parts are empty.
  enum class Empty : std::uint8_t { left_out, sent };
  /// Parts must be as many as ranks that stay.
  Halving(const PowerFold& fold, Partners order);

  /// Reduces: each rank that stays has one part complete, the one called own(). Unless the
  /// operation commutes, the nearest partners must come first.
  void reduce(Steps& steps, const Buffer& sum, const Blocks& parts, bool commutative,
              Empty empty = Empty::left_out) const;
  int own() const { return range(rounds_).first; }
  /// All get everything, from that state.
  void allgather(Steps& steps, const Buffer& sum, const Blocks& parts) const;
  /// The first one that stays gets everything, from that state.
  void gather(Steps& steps, const Blocks& parts) const;

 private:
  struct Range {
    int first;
    int count;
  };
  void reduce_pair(Steps& steps, const Buffer& sum, const Buffer& arrived) const;
  int bit(int round) const;
  int partner(int round) const { return fold_.rank_of(fold_.number() ^ bit(round)); }
  /// The parts that a rank has after a number of rounds; those of its partner in a round.
  Range range(int rounds) const;
  Range other(int round) const;

  PowerFold fold_;
  Partners order_;
  int rounds_;
};

/// Each rank gets its part from one rank after another and reduces it into `own`. The operation
/// must commute.
void pairwise_reduce(Steps& steps, const Blocks& parts, const Buffer& own);
/// The parts go around a ring and grow where they are: rank r has part r complete in the end. The
/// operation must commute.
void ring_reduce(Steps& steps, const Blocks& parts);
/// The same in turns of at most `segment` bytes of each part.
void ring_reduce(Steps& steps, const Blocks& parts, std::int64_t segment);

/// All ranks get the whole, partners twice as far away in each round; in the order of ranks.
void doubling_reduce(Steps& steps, const Buffer& data);

}  // namespace heddle::coll
