// What was thought of code that waits, kept for the next time that it comes there.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/address_space.hpp"
#include "host/rank/code/term.hpp"
#include "host/rank/looked_at.hpp"

namespace heddle::host {

/// The words that a processor has beside memory, when code comes to a place.
using Words = std::array<std::uint64_t, 64>;

/// What a proof is about that may be another number the next time: words of the processor, and
/// places in memory.
struct Varying {
  static constexpr std::size_t kMost = 512;
  struct Place {
    std::uint64_t address;
    std::size_t size;
    auto operator<=>(const Place&) const = default;
  };
  std::uint64_t words = 0;    ///< A bit for each.
  std::vector<Place> places;  ///< In their order.

  bool has(std::uint64_t address, std::size_t size) const;
  /// False: there are too many.
  bool add(std::uint64_t address, std::size_t size);
};

/// That code waits: it does what it did when that was thought as long as its instructions, all
/// words and places that it reads are as they were, or, of those that vary, as long as what has
/// been claimed of them holds.
class Proof {
 public:
  struct Input {
    std::uint64_t place = 0;  ///< An address; without a size, the number of a word.
    std::uint64_t value = 0;
    std::uint8_t size = 0;
    bool looked_at = false;  ///< By the code: what it waits for may be there.
    std::uint16_t term = 0;  ///< Zero: it does not vary.
  };
  struct Code {
    std::uint64_t place;
    std::size_t size;
  };

  bool empty() const { return code_.empty(); }
  void clear() { code_.clear(); }
  /// Whether there is one, and it holds for these words and this memory, which are those of the
  /// thread that runs. If it fails for something that was the same before, that varies from now on.
  bool holds(const Words& words, const AddressSpace& memory, Varying& varying);
  /// What the code looks at, after it was seen to hold.
  const LookedAt& looked_at() const { return looked_at_.found; }
  /// Instructions that it took to find it.
  std::uint32_t instructions() const { return instructions_; }

 private:
  friend class ProofWriter;
  /// Places that are compared as one where they lie side by side: what varies with what was found
  /// the last time.
  struct Places {
    LookedAt found;
    std::vector<Input> inputs;    ///< In the order of their addresses, ...
    std::vector<std::size_t> at;  ///< ... and where each is among what was found.

    void set(const std::vector<Input>& from);
  };

  void set_inputs(std::vector<Input> inputs);
  void begin_values(std::vector<Term> terms, std::size_t inputs);
  bool has_same_code() const;
  bool has_same_words(const Words& words, Varying& varying);
  bool has_same_places(Places& places, const AddressSpace& memory, Varying& varying);
  void set_value(std::uint16_t term, std::uint64_t value);
  bool claims_hold();

  std::vector<Input> words_;
  Places looked_at_;
  Places beside_;  ///< What the code only has to find as it was.
  std::vector<Term> terms_;
  std::size_t inputs_ = 0;  ///< So many of them, before all others.
  std::vector<Claim> claims_;
  /// Of each term, counted from one: its value, and whether that may be another one than when all
  /// claims were last found to hold. What was claimed of others need not be looked at again.
  std::vector<std::uint64_t> values_;
  std::vector<std::uint8_t> changed_;
  bool any_changed_ = true;
  std::vector<Code> code_;
  std::vector<std::byte> bytes_;  ///< Of the code, one piece behind the other.
  std::uint32_t instructions_ = 0;
};

}  // namespace heddle::host
