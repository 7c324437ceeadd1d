#include "host/rank/code/x86/functions.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace heddle::host::x86 {
namespace {

constexpr unsigned kWord = 8;
/// Words that are copied or filled at once: a walk keeps no more.
constexpr std::size_t kMostWords = 256;

/// Arguments in the order of calls: rdi, rsi, rdx.
Thought argument(Machine& m, unsigned which) {
  constexpr unsigned kNumbers[] = {7, 6, 2};
  return m.registers.number(kNumbers[which]);
}
Thought moved(const Thought& address, std::uint64_t by) {
  return changed(address.value + by, address);
}
unsigned piece(std::uint64_t left) {
  return static_cast<unsigned>(std::min<std::uint64_t>(left, kWord));
}

/// A function returns, and leaves of registers and flags what any may.
void return_with(Machine& m, const Thought& answer) {
  m.registers.forget_what_calls_change();
  m.conditions.forget_all();
  m.registers.set_number(kAccumulator, answer);
  m.stack.return_from_call();
}

/// The difference of the first bytes that differ: it is made of all that were read.
Thought difference(const Thought& a, const Thought& b, const Thought& made_of) {
  const int shift = __builtin_ctzll(a.value ^ b.value) / 8 * 8;
  const int less =
      static_cast<int>(a.value >> shift & 0xff) - static_cast<int>(b.value >> shift & 0xff);
  return combined(static_cast<std::uint32_t>(less), made_of, {});
}

void compare(Machine& m) {
  Thought size = argument(m, 2);
  m.terms.pin(size);
  Thought made_of = combined(0, size, {});
  for (std::uint64_t done = 0; done < size.value && made_of.known && !m.step.over();
       done += kWord) {
    const unsigned bytes = piece(size.value - done);
    const Thought a = m.step.load(moved(argument(m, 0), done), bytes, 0);
    const Thought b = m.step.load(moved(argument(m, 1), done), bytes, 1);
    made_of = combined(0, made_of, combined(0, a, b));
    if (a.value != b.value) return return_with(m, difference(a, b, made_of));
  }
  return_with(m, combined(0, made_of, {}));
}

/// Up to so many bytes, or the end of either.
void compare_text(Machine& m, Thought most) {
  m.terms.pin(most);
  Thought made_of = combined(0, most, {});
  for (std::uint64_t done = 0; done < most.value && made_of.known && !m.step.over(); ++done) {
    const Thought a = m.step.load(moved(argument(m, 0), done), 1, 0);
    const Thought b = m.step.load(moved(argument(m, 1), done), 1, 1);
    made_of = combined(0, made_of, combined(0, a, b));
    if (a.value != b.value) return return_with(m, difference(a, b, made_of));
    if (a.value == 0) break;
  }
  return_with(m, combined(0, made_of, {}));
}
void compare_texts(Machine& m) {
  compare_text(m, {~std::uint64_t{0}});
}
void compare_beginnings(Machine& m) {
  compare_text(m, argument(m, 2));
}

void length_of_text(Machine& m) {
  Thought made_of;
  std::uint64_t length = 0;
  for (; made_of.known && !m.step.over(); ++length) {
    const Thought found = m.step.load(moved(argument(m, 0), length), 1);
    made_of = combined(0, made_of, found);
    if (found.value == 0) break;
  }
  return_with(m, combined(length, made_of, {}));
}

/// All is read before anything is written: the two may overlap.
void copy(Machine& m) {
  Thought size = argument(m, 2);
  m.terms.pin(size);
  if (!size.known || size.value > kMostWords * kWord) return m.step.give_up();
  std::array<Thought, kMostWords> words;
  for (std::uint64_t done = 0; done < size.value; done += kWord) {
    words[done / kWord] = m.step.load(moved(argument(m, 1), done), piece(size.value - done), 0);
  }
  for (std::uint64_t done = 0; done < size.value; done += kWord) {
    m.step.store(moved(argument(m, 0), done), piece(size.value - done), words[done / kWord], 1);
  }
  return_with(m, argument(m, 0));
}

void fill(Machine& m) {
  Thought size = argument(m, 2);
  m.terms.pin(size);
  if (!size.known || size.value > kMostWords * kWord) return m.step.give_up();
  const Thought with = argument(m, 1);
  const std::uint64_t word = (with.value & 0xff) * 0x0101010101010101ULL;
  for (std::uint64_t done = 0; done < size.value; done += kWord) {
    const unsigned bytes = piece(size.value - done);
    m.step.store(moved(argument(m, 0), done), bytes, combined(word & ones(8 * bytes), with, {}));
  }
  return_with(m, argument(m, 0));
}

struct Known {
  std::uint64_t place;
  Function function;
};

template <typename Of>
std::uint64_t place_of(Of* function) {
  return reinterpret_cast<std::uint64_t>(function);
}

/// Where the C library has them for this processor.
const std::array<Known, 7> functions = {{
    {place_of<int(const void*, const void*, std::size_t)>(std::memcmp), compare},
    {place_of<int(const char*, const char*)>(std::strcmp), compare_texts},
    {place_of<int(const char*, const char*, std::size_t)>(std::strncmp), compare_beginnings},
    {place_of<std::size_t(const char*)>(std::strlen), length_of_text},
    {place_of<void*(void*, const void*, std::size_t)>(std::memcpy), copy},
    {place_of<void*(void*, const void*, std::size_t)>(std::memmove), copy},
    {place_of<void*(void*, int, std::size_t)>(std::memset), fill},
}};
const auto [first, last] =
    std::minmax_element(functions.begin(), functions.end(),
                        [](const Known& a, const Known& b) { return a.place < b.place; });

}  // namespace

Function function_at(std::uint64_t place) {
  if (place < first->place || place > last->place) return nullptr;
  const auto* const found = std::find_if(functions.begin(), functions.end(),
                                         [&](const Known& known) { return known.place == place; });
  return found == functions.end() ? nullptr : found->function;
}

}  // namespace heddle::host::x86
