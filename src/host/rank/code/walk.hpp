// Code that is carried out in thought, to see whether it goes round in a loop that only others end.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/address_space.hpp"
#include "host/rank/code/code_traps.hpp"
#include "host/rank/code/number_index.hpp"
#include "host/rank/code/outlook.hpp"
#include "host/rank/code/proof_writer.hpp"
#include "host/rank/code/thought.hpp"
#include "host/rank/code/turns.hpp"

namespace heddle::host {

/// Two numbers that were compared, or one with zero.
struct Comparison {
  Thought a;
  Thought b;
  bool earlier = false;  ///< Before the walk began: what these are is not known.
};

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
  /// Whether these bytes, of no more than two pages, have been seen to be there: they need not be
  /// read with care.
  bool is_there(std::uint64_t place, std::size_t size) {
    const std::uint64_t end = place + size - 1;
    return page_of(place) == place / kPage && page_of(end) == end / kPage;
  }
  /// Up to a page of code; how much there is of it.
  std::size_t fetch(std::uint64_t place, void* to, std::size_t size) {
    if (!is_there(place, size)) return fetch_with_care(place, to, size);
    std::memcpy(to, reinterpret_cast<const void*>(place), size);
    CodeTraps::restore(place, to, size);
    return size;
  }

  void stop(Outlook::Kind kind);
  bool over() const { return over_; }
  const Outlook& outlook() const { return outlook_; }
  /// Rounds that it took to tell that the code waits.
  std::uint32_t rounds() const { return rounds_; }

 private:
  /// A place where something is decided, and how.
  struct Decision {
    std::uint64_t made_of;
    std::int64_t distance;  ///< Of the numbers that were compared last, ...
    std::int64_t step;      ///< ... and what it has changed by.
    std::uint32_t times;
    bool which;
    bool both_ways;
    bool varies;
  };
  /// A place where something is written, and whether that changes memory: before the code has come
  /// round, and since.
  struct Store {
    bool at_first;
    bool still;
  };
  struct Written {
    std::uint64_t address;
    std::size_t size;
    Thought what;
  };

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
  bool is_in_memory(const Written& written) const;
  void prove_as_at_first(const Registers& registers, std::uint64_t used);
  void note_strides(const Registers& registers);
  bool only_counts() const;
  void note_new_places();
  bool may_look_elsewhere() const;
  void note_read(std::uint64_t place, std::uint64_t address);
  bool read_memory(std::uint64_t address, std::size_t size, std::uint64_t& value);
  Thought part_of(const Thought& whole, std::uint64_t offset, std::size_t size);
  void note_store(std::uint64_t place, const Thought& what, const Thought& before);
  bool is_on_free_stack(std::uint64_t address) const;
  bool has_something_to_do() const;
  /// What the code has written there last, itself, perhaps with more; null: nothing, or in parts.
  Written* own(std::uint64_t address, std::size_t size, bool& partly);
  void keep(std::uint64_t address, std::size_t size, const Thought& what, Written* before,
            bool partly);

  static constexpr std::uint64_t kPage = 4096;
  std::uint64_t& page_of(std::uint64_t place) { return pages_[place / kPage % pages_.size()]; }
  std::size_t fetch_with_care(std::uint64_t place, void* to, std::size_t size);
  std::size_t fetch_from_memory(std::uint64_t place, void* to, std::size_t size);

  /// Where the simulator's own code is.
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  static const Range simulators_;

  const AddressSpace* memory_ = nullptr;
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
  Registers before_;                                 ///< As they were there the last time, ...
  std::array<std::uint64_t, kRegisters> strides_{};  ///< ... and by what they had changed.
  std::size_t places_ = 0;        ///< That it had looked at when it came there the last time.
  std::uint32_t found_late_ = 0;  ///< Of them, how many in a round after the first, ...
  std::uint32_t calm_ = 0;        ///< ... and how many rounds have found none since.
  bool even_ = false;             ///< They change by the same each time.
  bool wanders_ = false;  ///< It reads other places each time, or writes: it does more than look.
  static constexpr std::size_t kPlaces = 256;
  NumberIndex<kPlaces> decided_at_;  ///< Where what has been decided, ...
  std::array<Decision, kPlaces> decisions_;
  NumberIndex<kPlaces> read_at_;              ///< ... read, ...
  std::array<std::uint64_t, kPlaces> reads_;  ///< (this is the address)
  NumberIndex<kPlaces> stored_at_;            ///< ... and written.
  std::array<Store, kPlaces> stores_;
  NumberIndex<LookedAt::kMost> looked_;  ///< What is among what the outlook says it looks at, ...
  std::array<std::uint16_t, LookedAt::kMost> looked_terms_;  ///< ... and the terms of that.
  std::array<std::uint64_t, 32> pages_{};                    ///< That can be read.
  Turns* turns_ = nullptr;
  ProofWriter* proof_ = nullptr;
  int depth_ = 0;  ///< Calls that have not returned.
  std::array<Written, 256> written_;
  std::size_t wrote_ = 0;
  /// A bit for each word that may be among what was written.
  class Filter {
   public:
    void clear() { bits_.fill(0); }
    void add(std::uint64_t address, std::size_t size) {
      set(address);
      set(address + size - 1);
    }
    bool may_have(std::uint64_t address, std::size_t size) const {
      return has(address) || has(address + size - 1);
    }

   private:
    static std::size_t place_of(std::uint64_t address) { return (address >> 3) % 1024; }
    void set(std::uint64_t address) {
      bits_[place_of(address) / 64] |= std::uint64_t{1} << place_of(address) % 64;
    }
    bool has(std::uint64_t address) const {
      return (bits_[place_of(address) / 64] >> place_of(address) % 64 & 1) != 0;
    }
    std::array<std::uint64_t, 16> bits_{};
  };
  Filter filter_;
  /// Where each address is among what was written, one more than that, as long as no two overlap.
  std::array<std::uint16_t, 256> newest_{};
  bool overlap_ = false;
  std::uint16_t& newest(std::uint64_t address) { return newest_[(address >> 2) % newest_.size()]; }
};

}  // namespace heddle::host
