// Code that is carried out in thought, to see whether it goes round in a loop that only others end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/address_space.hpp"
#include "host/outlook.hpp"

namespace heddle::host {

/// What a register or a place in memory holds in thought.
struct Thought {
  std::uint64_t value = 0;
  /// What a value was made of that may say less than that did; zero: it stands for itself.
  std::uint64_t origin = 0;
  bool known = true;

  static Thought unknown() { return {0, 0, false}; }
  std::uint64_t made_of() const { return origin == 0 ? value : origin; }
};

/// Made of another in a way from which that could be told, such as by adding a constant.
Thought changed(std::uint64_t value, const Thought& from);
/// The sum of two others, or what they differ by: it varies as they do.
Thought summed(std::uint64_t value, const Thought& a, const Thought& b);
/// Made of two others, and perhaps less than they were.
Thought combined(std::uint64_t value, const Thought& a, const Thought& b);

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

  /// Of `most` instructions. What is written below `stack` only the code itself reads again.
  void begin(const AddressSpace& memory, std::uint32_t most, std::uint64_t stack);

  /// The next instruction is at `place`. False when the walk is over.
  bool arrive(std::uint64_t place, const Registers& registers);
  /// Goes one way or the other by a comparison; unless it is known which, the walk is over.
  void decide(std::uint64_t place, bool which, const Comparison& by);
  Thought load(std::uint64_t place, const Thought& address, std::size_t size);
  void store(std::uint64_t place, const Thought& address, std::size_t size, const Thought& what);
  /// Up to a page of code; how much there is of it.
  std::size_t fetch(std::uint64_t place, void* to, std::size_t size);

  void stop(Outlook::Kind kind);
  bool over() const { return over_; }
  const Outlook& outlook() const { return outlook_; }

 private:
  /// A place where something is decided, and how.
  struct Decision {
    std::uint64_t place;
    std::uint64_t made_of;
    std::int64_t distance;  ///< Of the numbers that were compared last, ...
    std::int64_t step;      ///< ... and what it has changed by.
    std::uint32_t times;
    bool which;
    bool both_ways;
    bool varies;
  };
  struct Read {
    std::uint64_t place;
    std::uint64_t address;
  };
  /// A place where something is written, and whether that changes memory: before the code has come
  /// round, and since.
  struct Store {
    std::uint64_t place;
    bool at_first;
    bool still;
  };
  struct Written {
    std::uint64_t address;
    std::size_t size;
    Thought what;
  };

  void come_round(const Registers& registers);
  void note_strides(const Registers& registers);
  bool only_counts() const;
  void note_read(std::uint64_t place, std::uint64_t address);
  void note_store(std::uint64_t place, bool changes);
  bool is_on_free_stack(std::uint64_t address) const;
  bool has_something_to_do() const;
  /// What the code has written there last, itself, perhaps with more; null: nothing, or in parts.
  const Written* own(std::uint64_t address, std::size_t size, bool& partly) const;

  const AddressSpace* memory_ = nullptr;
  Outlook outlook_;
  bool over_ = false;
  std::uint32_t steps_ = 0;
  std::uint32_t most_ = 0;
  std::uint64_t stack_ = 0;
  std::uint64_t begin_ = 0;   ///< Where the code is: in the loop, if that is come to again.
  std::uint32_t rounds_ = 0;  ///< How often it was.
  Registers before_;          ///< As they were there the last time, ...
  std::array<std::uint64_t, kRegisters> strides_{};  ///< ... and by what they had changed.
  bool even_ = false;                                ///< They change by the same each time.
  bool wanders_ = false;  ///< It reads other places each time, or writes: it does more than look.
  std::array<Decision, 64> decisions_;
  std::size_t decided_ = 0;
  std::array<Read, 64> reads_;
  std::size_t read_ = 0;
  std::array<Store, 64> stores_;
  std::size_t stored_ = 0;
  std::uint64_t code_end_ = 0;  ///< Of a page that can be read.
  std::array<Written, 256> written_;
  std::size_t wrote_ = 0;
};

}  // namespace heddle::host
