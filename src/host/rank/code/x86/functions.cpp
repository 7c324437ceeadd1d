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

/// The difference of the first bytes that differ, made of all that were read. That those before
/// were the same is claimed.
class Difference {
 public:
  Difference(Terms terms, const Thought& size) : terms_(terms), made_of_(combined(0, size, {})) {}

  /// Whether the next ones are the same.
  bool go_on(const Thought& a, const Thought& b) {
    made_of_ = combined(0, made_of_, combined(0, a, b));
    const bool same = a.value == b.value;
    terms_.claim(Relation::equal, same, kWord, a, b);
    const Thought next =
        terms_.said(Term::Kind::first_difference, 4, {first_difference(a.value, b.value)}, a, b);
    const std::uint64_t sum = found_.value | next.value;
    found_ = terms_.said(Term::Kind::either, 4, {sum}, found_, next);
    return same;
  }
  bool known() const { return made_of_.known; }
  Thought found() const {
    Thought result = combined(found_.value, made_of_, {});
    result.term = found_.term;
    return result;
  }

 private:
  Terms terms_;
  Thought made_of_;
  Thought found_;
};

void compare(Machine& m) {
  Thought size = argument(m, 2);
  m.terms.pin(size);
  Difference difference(m.terms, size);
  bool same = true;
  for (std::uint64_t done = 0; same && done < size.value && difference.known() && !m.step.over();
       done += kWord) {
    const unsigned bytes = piece(size.value - done);
    const Thought a = m.step.load(m.terms.moved(argument(m, 0), done), bytes, 0);
    const Thought b = m.step.load(m.terms.moved(argument(m, 1), done), bytes, 1);
    same = difference.go_on(a, b);
  }
  return_with(m, difference.found());
}

/// Up to so many bytes, or the end of either.
void compare_text(Machine& m, Thought most) {
  m.terms.pin(most);
  Difference difference(m.terms, most);
  bool goes_on = true;
  for (std::uint64_t done = 0; goes_on && done < most.value && difference.known() && !m.step.over();
       ++done) {
    const Thought a = m.step.load(m.terms.moved(argument(m, 0), done), 1, 0);
    const Thought b = m.step.load(m.terms.moved(argument(m, 1), done), 1, 1);
    m.terms.claim(Relation::equal, a.value == 0, 1, a, {});
    goes_on = difference.go_on(a, b) && a.value != 0;
  }
  return_with(m, difference.found());
}
void compare_texts(Machine& m) {
  compare_text(m, {~std::uint64_t{0}});
}
void compare_beginnings(Machine& m) {
  compare_text(m, argument(m, 2));
}

void length_of_text(Machine& m) {
  Thought made_of;
  Thought all;
  std::uint64_t length = 0;
  for (; made_of.known && !m.step.over(); ++length) {
    const Thought found = m.step.load(m.terms.moved(argument(m, 0), length), 1);
    made_of = combined(0, made_of, found);
    m.terms.claim(Relation::equal, found.value == 0, 1, found, {});
    all = m.terms.said(Term::Kind::either, 1, {all.value | found.value}, all, found);
    if (found.value == 0) break;
  }
  // It is claimed, but of other places another one would come out.
  const Thought none = m.terms.said(Term::Kind::both, kWord, {}, all, {});
  Thought result = combined(length, made_of, {});
  result.term = m.terms.said(Term::Kind::sum, kWord, {length}, none, {length}).term;
  return_with(m, result);
}

/// All is read before anything is written: the two may overlap.
void copy(Machine& m) {
  Thought size = argument(m, 2);
  m.terms.pin(size);
  if (!size.known || size.value > kMostWords * kWord) return m.step.give_up();
  std::array<Thought, kMostWords> words;
  for (std::uint64_t done = 0; done < size.value; done += kWord) {
    words[done / kWord] =
        m.step.load(m.terms.moved(argument(m, 1), done), piece(size.value - done), 0);
  }
  for (std::uint64_t done = 0; done < size.value; done += kWord) {
    m.step.store(m.terms.moved(argument(m, 0), done), piece(size.value - done), words[done / kWord],
                 1);
  }
  return_with(m, argument(m, 0));
}

void fill(Machine& m) {
  Thought size = argument(m, 2);
  m.terms.pin(size);
  if (!size.known || size.value > kMostWords * kWord) return m.step.give_up();
  constexpr std::uint64_t kEach = 0x0101010101010101ULL;
  const Thought with = argument(m, 1);
  const Thought byte = m.terms.said(Term::Kind::narrow, 1, {with.value & 0xff}, with);
  const Thought word = m.terms.said(Term::Kind::product, kWord,
                                    combined(byte.value * kEach, with, {}), byte, {kEach});
  for (std::uint64_t done = 0; done < size.value; done += kWord) {
    const unsigned bytes = piece(size.value - done);
    m.step.store(m.terms.moved(argument(m, 0), done), bytes, m.terms.cut(word, bytes));
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
