// What was thought of code that waits, kept for the next time that it comes there.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/address_space.hpp"
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

/// A number that is made of others, as the processor would make it.
struct Term {
  enum class Kind : std::uint8_t {
    input,
    sum,
    difference,
    both,  ///< Bits that are set in both; ...
    either,
    one,
    product,
    affine,  ///< A number times a factor, and the constant.
    left,    ///< Shifted, by a constant; ...
    right,
    right_with_sign,
    narrow,    ///< The last bytes.
    extended,  ///< Of as many bytes as the constant says, with their sign.
  };
  Kind kind = Kind::input;
  std::uint8_t size = 0;  ///< In bytes; all others are zero.
  std::uint16_t a = 0;    ///< Terms, counted from one; zero: the constant.
  std::uint16_t b = 0;
  std::uint64_t constant = 0;  ///< Of an input, which.
  std::uint64_t factor = 0;

  std::uint64_t value_of(std::uint64_t from_a, std::uint64_t from_b) const;
};

/// What two numbers are to each other.
enum class Relation : std::uint8_t {
  overflows,  ///< The difference does.
  below,
  equal,
  not_above,
  negative,  ///< The difference is.
  even_bits,
  less,  ///< With their signs.
  not_greater,
};
bool holds(Relation relation, std::uint64_t a, std::uint64_t b, unsigned size);

/// That some numbers are to each other as they were.
struct Claim {
  Relation relation = Relation::equal;
  bool holds = true;
  std::uint8_t size = 0;
  std::uint16_t a = 0;  ///< As those of a term; not both are constants.
  std::uint16_t b = 0;
  std::uint64_t constant = 0;
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

  bool empty() const { return inputs_.empty(); }
  void clear() { inputs_.clear(); }
  /// Whether there is one, and it holds for these words and this memory, which are those of the
  /// thread that runs. If it fails for something that was the same before, that varies from now on.
  bool holds(const Words& words, const AddressSpace& memory, Varying& varying);
  /// What the code looks at, after it was seen to hold.
  const LookedAt& looked_at() const { return looked_at_; }
  /// Instructions that it took to find it.
  std::uint32_t instructions() const { return instructions_; }

 private:
  friend class ProofWriter;
  /// A place that varies, and where it is among what is looked at, or nowhere.
  struct Varied {
    Input input;
    std::size_t at;
  };
  static constexpr std::size_t kNowhere = SIZE_MAX;

  void set_inputs(std::vector<Input> inputs);
  bool has_same_code() const;
  bool has_same_words(const Words& words, Varying& varying) const;
  bool has_same_places(const AddressSpace& memory, Varying& varying);
  bool read_varied(const AddressSpace& memory);
  void note_changes(const AddressSpace& memory, Varying& varying) const;
  bool claims_hold() const;

  std::vector<Input> inputs_;   ///< Places in the order of their addresses, behind the words.
  std::size_t words_ = 0;       ///< So many are these.
  std::vector<Varied> varied_;  ///< Of the places.
  LookedAt looked_at_;          ///< What varies as it was found the last time.
  LookedAt beside_;             ///< What the code only has to find as it was.
  std::vector<Term> terms_;
  std::vector<Claim> claims_;
  std::vector<Code> code_;
  std::vector<std::byte> bytes_;  ///< Of the code, one piece behind the other.
  std::uint32_t instructions_ = 0;
};

}  // namespace heddle::host
