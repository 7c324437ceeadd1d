// One instruction of x86-64 in a walk.
#pragma once

#include <cstdint>

#include "host/rank/code/decisions.hpp"
#include "host/rank/code/outlook.hpp"
#include "host/rank/code/thought.hpp"
#include "host/rank/code/walk.hpp"

namespace heddle::host::x86 {

/// Where an instruction is, and where the code goes on behind it: all that it reads, writes and
/// decides, it does there.
class Step {
 public:
  /// Before the one at `place`.
  Step(Walk& walk, std::uint64_t place) : walk_(walk), next_(place) {}

  /// The next one begins, of so many bytes: behind them the code goes on unless it says otherwise.
  /// A function that is carried out as if it were one has none, and says where.
  void begin(unsigned length) {
    place_ = next_;
    next_ += length;
  }
  std::uint64_t place() const { return place_; }
  std::uint64_t next() const { return next_; }
  void go_on_at(std::uint64_t place) { next_ = place; }
  void go_on_at(const Thought& place) {
    if (!place.known) return give_up();
    if (place.term != 0) walk_.proof()->pin(place);
    go_on_at(place.value);
  }

  /// Of up to eight bytes. Parts of one instruction that are apart have numbers of their own.
  Thought load(const Thought& address, unsigned size, unsigned part = 0) {
    return walk_.load(place_ + part, address, size);
  }
  void store(const Thought& address, unsigned size, const Thought& what, unsigned part = 0) {
    walk_.store(place_ + part, address, size, what);
  }
  void decide(bool which, const Comparison& by) { walk_.decide(place_, which, by); }

  /// It is not known what it does.
  void give_up() { walk_.stop(Outlook::Kind::unknown); }
  void make_call() { walk_.stop(Outlook::Kind::goes_on); }
  bool over() const { return walk_.over(); }

 private:
  Walk& walk_;
  std::uint64_t place_ = 0;
  std::uint64_t next_;
};

}  // namespace heddle::host::x86
