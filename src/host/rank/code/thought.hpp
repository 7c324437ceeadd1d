// Values of code that is carried out in thought.
#pragma once

#include <cstdint>

#include "host/rank/registers.hpp"

namespace heddle::host {

/// What a register or a place in memory holds in thought. Small enough for two registers of the
/// processor that thinks.
struct Thought {
  std::uint64_t value = 0;
  /// What a value was made of that may say less than that did; zero: it stands for itself.
  std::uint64_t origin : 47 = 0;
  bool known : 1 = true;
  /// Of the proof that is written meanwhile (ProofWriter), which says how this is made of what may
  /// be another number the next time; zero: it will be the same.
  std::uint16_t term : 16 = 0;
  /// It may be another one the next time, but it is not said how it is made.
  static constexpr std::uint16_t kUnsaid = 0xffff;

  static Thought unknown() { return {0, 0, false}; }
  std::uint64_t made_of() const { return origin == 0 ? value : origin; }
};
static_assert(sizeof(Thought) == 16);

/// The term of what is made of these, until it is said.
inline std::uint16_t unsaid_of(const Thought& a, const Thought& b) {
  return (a.term | b.term) != 0 ? Thought::kUnsaid : std::uint16_t{0};
}

/// Made of two others, and perhaps less than they were.
inline Thought combined(std::uint64_t value, const Thought& a, const Thought& b) {
  const std::uint64_t origin = mixed(mixed(1, a.made_of()), b.made_of()) >> 17 | 1;
  return {value, origin, a.known && b.known, unsaid_of(a, b)};
}
/// Made of another in a way from which that could be told, such as by adding a constant.
inline Thought changed(std::uint64_t value, const Thought& from) {
  const std::uint64_t origin = from.origin == 0 ? 0 : mixed(from.origin, value) >> 17 | 1;
  return {value, origin, from.known, unsaid_of(from, {})};
}
/// The sum of two others, or what they differ by: it varies as they do.
inline Thought summed(std::uint64_t value, const Thought& a, const Thought& b) {
  if (a.origin != 0 || b.origin != 0) return combined(value, a, b);
  return {value, 0, a.known && b.known, unsaid_of(a, b)};
}

}  // namespace heddle::host
