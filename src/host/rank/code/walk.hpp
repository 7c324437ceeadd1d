// Code that is carried out in thought, to see whether it goes round in a loop that only others end.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/address_space.hpp"
#include "host/rank/code/checked_memory.hpp"
#include "host/rank/code/decisions.hpp"
#include "host/rank/code/number_index.hpp"
#include "host/rank/code/outlook.hpp"
#include "host/rank/code/own_writes.hpp"
#include "host/rank/code/proof_writer.hpp"
#include "host/rank/code/stores.hpp"
#include "host/rank/code/strides.hpp"
#include "host/rank/code/thought.hpp"
#include "host/rank/code/turns.hpp"

namespace heddle::host {

/// A walk through code, one instruction after the other. What the code would write is kept apart.
class Walk {
 public:
  static constexpr std::size_t kRegisters = 32;
  using Registers = std::array<Thought, kRegisters>;

  /// Of `most` instructions. What is written below `stack` only the code itself reads again. Of
  /// the registers so many are the processor's; what is behind them says more of those. Where it
  /// has been goes to `turns`, and what it depends on to `proof`, unless that is null.
  void begin(const AddressSpace& memory, std::uint32_t most, std::uint64_t stack,
             std::size_t registers = kRegisters, Turns* turns = nullptr,
             ProofWriter* proof = nullptr);
  /// Null: none is written. Then nothing has a term.
  ProofWriter* proof() { return proof_; }

  /// The next instruction is at `place`. False when the walk is over. `rest` answers a number for
  /// all else that decides what the code does from here on, its memory apart. `used` has a bit for
  /// each register of which the code has used what was in it at first.
  template <typename Rest>
  bool arrive(std::uint64_t place, const Registers& registers, const Rest& rest,
              std::uint64_t used = ~std::uint64_t{0}) {
    if (!goes_on_at(place)) return false;
    if (steps_++ == 0) {
      begin_at(place, registers, rest());
    } else if (place == begin_) {
      come_round(registers, rest(), used);
    }
    if (turns_ != nullptr && !over_) turns_->add(place, depth_);
    return !over_;
  }
  /// Goes one way or the other by a comparison; unless it is known which, the walk is over.
  void decide(std::uint64_t place, bool which, const Comparison& by);
  /// The code calls a function with its stack pointer there. Who calls keeps nothing below it:
  /// where the interrupted function does, or one that it has called, all of that is free.
  void call(std::uint64_t stack) {
    if (stack <= top_) stack_ = std::max(stack_, stack);
    ++depth_;
  }
  /// A function returns.
  void come_back() { --depth_; }
  Thought load(std::uint64_t place, const Thought& address, std::size_t size);
  void store(std::uint64_t place, const Thought& address, std::size_t size, const Thought& what);
  /// What it reads, and the code.
  CheckedMemory& memory() { return memory_; }

  void stop(Outlook::Kind kind);
  bool over() const { return over_; }
  const Outlook& outlook() const { return outlook_; }
  /// Rounds that it took to tell that the code waits: of the whole loop, though the walk may have
  /// begun in one inside of that.
  std::uint32_t rounds() const { return rounds_; }

 private:
  bool goes_on_at(std::uint64_t place) {
    if (over_) return false;
    // A call of ours, or of what stands in front of the C library: it goes on there.
    if (place >= simulators_.begin && place < simulators_.end) stop(Outlook::Kind::goes_on);
    if (steps_ == most_) stop(Outlook::Kind::unknown);
    return !over_;
  }
  void begin_at(std::uint64_t place, const Registers& registers, std::uint64_t rest);
  void come_round(const Registers& registers, std::uint64_t rest, std::uint64_t used);
  bool is_as_at_first(const Registers& registers, std::uint64_t rest, std::uint64_t used) const;
  void prove_as_at_first(const Registers& registers, std::uint64_t used);
  /// Whether it looks at the same places and does nothing else but to count that, to a number far
  /// away.
  bool only_counts() const { return strides_.even() && decisions_.end_far_away(rounds_); }
  void note_new_places();
  bool may_look_elsewhere() const;
  Thought part_of(const Thought& whole, std::uint64_t offset, std::size_t size);
  void note_store(std::uint64_t place, const Thought& what, const Thought& before);
  bool is_on_free_stack(std::uint64_t address) const;

  /// Where the simulator's own code is.
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  static const Range simulators_;

  CheckedMemory memory_;
  Outlook outlook_;
  bool over_ = false;
  std::uint32_t steps_ = 0;
  std::uint32_t most_ = 0;
  std::uint64_t top_ = 0;    ///< The stack pointer at first.
  std::uint64_t stack_ = 0;  ///< What is below is free.
  std::size_t registers_ = kRegisters;
  std::uint64_t begin_ = 0;   ///< Where the code is: in the loop, if that is come to again.
  std::uint32_t rounds_ = 0;  ///< How often it was.
  Registers first_;           ///< As they were there at first, ...
  std::uint64_t rest_ = 0;    ///< ... and what else decides.
  /// It has read what somebody else has left on the stack: it need not do the same again, even if
  /// all is as it was.
  bool reads_leftovers_ = false;
  std::size_t places_ = 0;        ///< That it had looked at when it came there the last time.
  std::uint32_t found_late_ = 0;  ///< Of them, how many in a round after the first, ...
  std::uint32_t calm_ = 0;        ///< ... and how many rounds have found none since.
  Decisions decisions_;
  Strides<kRegisters> strides_;
  Stores stores_;
  OwnWrites own_;
  NumberIndex<LookedAt::kMost> looked_;  ///< What is among what the outlook says it looks at, ...
  std::array<Thought, LookedAt::kMost> found_;  ///< ... and what was there.
  Turns* turns_ = nullptr;
  ProofWriter* proof_ = nullptr;
  int depth_ = 0;  ///< Calls that have not returned.
};

}  // namespace heddle::host
