// What the tests of collective algorithms have in common: arrays of any datatype, cases, and a run.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "coll/datatype/construct.hpp"
#include "coll/datatype/datatype.hpp"
#include "coll/op/op.hpp"
#include "in_memory.hpp"
#include "sanitized.hpp"

namespace heddle::coll {

/// A rank as an index.
inline std::size_t at(int rank) {
  return static_cast<std::size_t>(rank);
}

inline const Datatype& int_type() {
  return *Datatype::predefined(0x4c000405);
}

/// Every class of datatypes: basic, contiguous, with gaps, with its bytes not in order, with bounds
/// of its own below its first byte, of different basic types, and without bytes.
inline const std::vector<DatatypeRef>& datatype_classes() {
  using Numbers64 = std::vector<std::int64_t>;
  static const std::vector<DatatypeRef> all = [] {
    const Datatype& integer = int_type();
    const Datatype& byte = byte_type();
    std::vector<DatatypeRef> types = {DatatypeRef(&integer)};
    types.push_back(make_contiguous(Form::plain, 3, integer));
    types.push_back(make_vector(Form::plain, 2, 1, 2, integer));
    types.push_back(make_indexed(Form::plain, Numbers64{1, 2}, Numbers64{4, 0}, integer));
    types.push_back(make_resized(Form::plain, *types[2], -8, 28));
    const std::vector<const Datatype*> parts = {&byte, &integer};
    types.push_back(make_contiguous(Form::plain, 0, integer));
    types.push_back(make_struct(Form::plain, Numbers64{3, 1}, Numbers64{-5, 4}, parts));
    return types;
  }();
  return all;
}

/// `count` elements of a type in memory whose every other byte is watched.
class Array {
 public:
  Array() = default;
  Array(std::int64_t count, const Datatype& type) : count_(count), type_(&type) {
    const std::int64_t last = std::max<std::int64_t>(0, (count - 1) * type.extent());
    low_ = std::min<std::int64_t>(0, type.true_bounds().lower) - kMargin;
    memory_.assign(static_cast<std::size_t>(last + type.true_bounds().upper + kMargin - low_),
                   kFree);
  }
  Buffer buffer() { return {memory_.data() - low_, count_, type_}; }
  void* address() { return buffer().address; }
  std::size_t size() { return static_cast<std::size_t>(bytes(buffer())); }
  void set(const std::vector<std::uint8_t>& packed) {
    unpack(space_, buffer(), reinterpret_cast<const std::byte*>(packed.data()),
           static_cast<std::int64_t>(packed.size()));
  }
  std::vector<std::uint8_t> get() {
    std::vector<std::uint8_t> packed(size());
    pack(space_, buffer(), reinterpret_cast<std::byte*>(packed.data()));
    return packed;
  }
  /// Whether the bytes between and around the elements are as they were.
  bool gaps_untouched() {
    const std::vector<std::uint8_t> kept = get();
    set(std::vector<std::uint8_t>(size(), static_cast<std::uint8_t>(kFree)));
    const bool same =
        std::all_of(memory_.begin(), memory_.end(), [](std::byte b) { return b == kFree; });
    set(kept);
    return same;
  }

 private:
  static constexpr std::int64_t kMargin = 16;
  static constexpr std::byte kFree{0xA5};
  std::int64_t count_ = 0;
  const Datatype* type_ = nullptr;
  std::int64_t low_ = 0;
  std::vector<std::byte> memory_;
  PlainMemory space_;
};

using Bytes8 = std::vector<std::uint8_t>;

/// Bytes that tell where they come from.
inline Bytes8 pattern(std::size_t size, int a, int b = 0) {
  Bytes8 all(size);
  std::uint32_t x = 2654435761U * static_cast<std::uint32_t>(a * 1009 + b + 1);
  for (std::uint8_t& byte : all) {
    x = x * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(x >> 24);
  }
  return all;
}

/// The circumstances of one run of an algorithm.
struct Case {
  int ranks = 1;
  const Datatype* type = nullptr;
  std::int64_t count = 0;
  int root = 0;
  bool in_place = false;
  Sending sending = Sending::eager;
  Tuning tuning = {};
  const Op* op = nullptr;
  int per_node = 3;
  bool dealt = false;

  std::string text() const {
    return fmt::format(
        "{} ranks ({} a node{}), {} x {} bytes, root {}{}, {} sends, segment {}, radix {}, {}",
        ranks, per_node, dealt ? ", dealt" : "", count, type->size(), root,
        in_place ? ", in place" : "", sending == Sending::eager ? "eager" : "late", tuning.segment,
        tuning.radix, op == nullptr || op->commutative() ? "any order" : "in order");
  }
};

/// Calls `check(case)` for 1 to 33 ranks and one large odd number, each with every type; the other
/// circumstances are drawn, in the same way on every run.
template <class Check>
void for_cases(const std::vector<DatatypeRef>& types, int large, Check check) {
  std::uint32_t state = 1;
  const auto draw = [&](std::uint32_t choices) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8) % choices;
  };
  constexpr std::int64_t kCounts[] = {0, 1, 5, 67};
  for (int ranks = 1; ranks <= 34; ++ranks) {
    if (kSanitized && ranks > 9 && ranks % 8 > 1) continue;
    for (const DatatypeRef& type : types) {
      const bool at_large = ranks == 34;
      if (at_large && type != types.back()) continue;
      Case c;
      c.ranks = at_large ? (kSanitized ? 35 : large) : ranks;
      c.type = type.get();
      c.count = at_large ? 5 : kCounts[draw(4)];
      c.root = static_cast<int>(draw(static_cast<std::uint32_t>(c.ranks)));
      c.in_place = draw(3) == 0;
      c.sending = draw(2) == 0 ? Sending::eager : Sending::late;
      c.tuning.segment = draw(4) == 0 ? 24 : 0;
      c.tuning.radix = draw(4) == 0 ? 3 : 0;
      c.per_node = static_cast<int>(1 + draw(4));
      c.dealt = draw(4) == 0;
      check(c);
    }
  }
}

/// Runs an algorithm on every rank's work; says what went wrong, or nothing.
template <class Work>
std::string attempt(std::span<const Algorithm<Work>> all, const Algorithm<Work>& algorithm,
                    const Case& c, const std::function<Work(int)>& work) {
  try {
    const Places places = places_of(c.ranks, c.per_node, c.dealt);
    run_in_memory<Work>(all, algorithm, places, c.ranks, c.op, c.sending, c.tuning, work);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// Every test fails at its first wrong case: the others say the same.
#define ASSERT_RIGHT(problem, algorithm, c) \
  ASSERT_EQ(problem, "") << (algorithm).name << " on " << (c).text()

}  // namespace heddle::coll
