// Loops of random instructions: whenever a proof holds that they wait, they do.
#include <gtest/gtest.h>

#include <initializer_list>
#include <iterator>
#include <random>
#include <string>

#include "proved_code.hpp"
#include "sanitized.hpp"

namespace heddle::host::x86 {
namespace {

/// Loops of random instructions with registers rax to rbx and the data, which end by asking what is
/// watched.
class RandomLoops : public Proved {
 protected:
  std::uint64_t below(std::uint64_t limit) { return random() % limit; }
  std::uint8_t byte_below(unsigned limit) { return static_cast<std::uint8_t>(below(limit)); }
  bool once_in(unsigned times) { return below(times) == 0; }
  std::uint64_t number() {
    constexpr std::uint64_t kOften[] = {0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x7fffffff, ~0ULL};
    return once_in(4) ? random() : kOften[below(std::size(kOften))];
  }

  void add(std::initializer_list<std::uint8_t> bytes) { loop.insert(loop.end(), bytes); }
  /// A register and a register or memory; what is watched is only read.
  void add_operands(unsigned field, bool writes) {
    const std::uint8_t middle = static_cast<std::uint8_t>(field << 3);
    if (once_in(2)) return add({static_cast<std::uint8_t>(0xc0 | middle | below(4))});
    const unsigned base = !writes && once_in(2) ? kRdi : kRsi;
    add({static_cast<std::uint8_t>(0x40 | middle | base), static_cast<std::uint8_t>(8 * below(4))});
  }
  void add_size() {
    const std::uint64_t form = below(3);
    if (form == 0) add({0x66});
    if (form == 1) add({0x48});
    short_operand = form == 0;
  }
  void add_constant() {
    const std::uint64_t value = number();
    const int size = short_operand ? 2 : 4;
    for (int i = 0; i < size; ++i) loop.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  }
  void add_instruction();
  void add_extra_instruction();
  void add_seldom_instruction();
  void write_loop();
  void change_numbers();
  void draw_numbers();
  void expect_right();

  std::mt19937_64 random{1};
  Bytes loop;
  bool short_operand = false;
  int proved = 0;
  int held_for_others = 0;
};

void RandomLoops::add_instruction() {
  const unsigned field = static_cast<unsigned>(below(4));
  const auto kind = static_cast<std::uint8_t>(8 * below(8));
  const bool compares = kind == 0x38;
  switch (below(12)) {
    case 0:  // Sums and the like, into memory or a register, ...
      add_size();
      add({static_cast<std::uint8_t>(kind | 1)});
      return add_operands(field, !compares);
    case 1:
      add_size();
      add({static_cast<std::uint8_t>(kind | 3)});
      return add_operands(field, false);
    case 2:  // ... of bytes, ...
      add({kind});
      return add_operands(static_cast<unsigned>(below(8)), !compares);
    case 3:  // ... with constants.
      add_size();
      add({0x83});
      add_operands(kind >> 3, !compares);
      return add({byte_below(256)});
    case 4:
      add_size();
      add({0x81});
      add_operands(kind >> 3, !compares);
      return add_constant();
    case 5:
      add_size();
      add({0x89});
      return add_operands(field, true);
    case 6:
      add_size();
      add({0x8b});
      return add_operands(field, false);
    case 7:
      add({static_cast<std::uint8_t>(0x88 | 2 * below(2))});
      return add_operands(static_cast<unsigned>(below(8)), true);
    default:
      return add_extra_instruction();
  }
}

void RandomLoops::add_extra_instruction() {
  const unsigned field = static_cast<unsigned>(below(4));
  constexpr std::uint8_t kLonger[] = {0xb6, 0xb7, 0xbe, 0xbf};
  constexpr std::uint8_t kShifts[] = {0, 1, 4, 5, 7};
  if (once_in(4)) return add_seldom_instruction();
  if (!once_in(4)) add_size();
  switch (below(14)) {
    case 12:
      add({0x6b});
      add_operands(field, false);
      return add({byte_below(256)});
    case 0:
      add({0x0f, kLonger[below(4)]});
      return add_operands(field, false);
    case 1:
      add({0xc1});
      add_operands(kShifts[below(5)], true);
      return add({byte_below(40)});
    case 2:
      add({0xd3});
      return add_operands(kShifts[below(5)], true);
    case 3:
      add({0x0f, 0xaf});
      return add_operands(field, false);
    case 4:
      add({0xff});
      return add_operands(static_cast<unsigned>(below(2)), true);
    case 5:
      add({0xf7});
      return add_operands(static_cast<unsigned>(2 + below(2)), true);
    case 6:
      add({0x8d, static_cast<std::uint8_t>(0x44 | field << 3),
           static_cast<std::uint8_t>(below(4) << 6 | below(4) << 3 | below(4)), byte_below(256)});
      return;
    case 7:
      add({0x0f, static_cast<std::uint8_t>(0x90 | below(16))});
      return add_operands(0, true);
    case 8:
      add({0x0f, static_cast<std::uint8_t>(0x40 | below(16))});
      return add_operands(field, false);
    case 9:
      add({0x85});
      return add_operands(field, false);
    case 10:
      add({0x87});
      return add_operands(field, true);
    case 11:
      add({0x0f, static_cast<std::uint8_t>(once_in(2) ? 0xa3 : 0xbc)});
      return add_operands(field, false);
    default:
      add({0x0f, static_cast<std::uint8_t>(once_in(2) ? 0xb1 : 0xc1)});
      return add_operands(field, true);
  }
}

void RandomLoops::add_seldom_instruction() {
  const unsigned field = static_cast<unsigned>(below(4));
  constexpr std::uint8_t kCounts[] = {0xb8, 0xbc, 0xbd};
  switch (below(8)) {
    case 0:  // Products and quotients, ...
    case 1:
      if (once_in(2)) add({0x31, 0xd2});  // xor edx, edx
      if (once_in(4)) add({0x99});        // cdq
      add_size();
      add({0xf7});
      return add_operands(static_cast<unsigned>(4 + below(4)), false);
    case 2:  // ... bits, ...
      add_size();
      add({0x0f, 0xba});
      add_operands(static_cast<unsigned>(4 + below(4)), true);
      return add({byte_below(70)});
    case 3:
      add({0xf3});
      if (once_in(2)) add({0x48});
      add({0x0f, kCounts[below(3)]});
      return add_operands(field, false);
    case 4:
      add({0x0f, 0xbd});
      return add_operands(field, false);
    case 5:  // ... and what turns numbers.
      add_size();
      add({0xc1});
      add_operands(static_cast<unsigned>(below(2)), true);
      return add({byte_below(70)});
    case 6:
      if (once_in(2)) add({0x48});
      return add({0x0f, static_cast<std::uint8_t>(0xc8 | below(4))});
    default:
      if (once_in(2)) add({0x48});
      add({0x0f, static_cast<std::uint8_t>(once_in(2) ? 0xa4 : 0xac)});
      add_operands(field, true);
      return add({byte_below(70)});
  }
}

void RandomLoops::write_loop() {
  loop.clear();
  short_operand = false;
  for (std::uint64_t i = below(8); i > 0; --i) {
    if (once_in(5)) {
      // A jump over the next one.
      add({static_cast<std::uint8_t>(0x70 | below(16)), 0});
      const std::size_t from = loop.size();
      add_instruction();
      loop[from - 1] = static_cast<std::uint8_t>(loop.size() - from);
    } else {
      add_instruction();
    }
  }
  add({0x48});
  if (once_in(2)) {
    add({0x39, static_cast<std::uint8_t>(0x47 | below(4) << 3), 0});
  } else {
    add({0x83, 0x7f, 0, byte_below(4)});
  }
  const auto back = static_cast<std::uint8_t>(-(static_cast<int>(loop.size()) + 2));
  add({static_cast<std::uint8_t>(0x70 | below(16)), back, 0xc3});
  set_loop(loop);
}

void RandomLoops::draw_numbers() {
  for (unsigned i = 0; i < 4; ++i) {
    set(i, number());
    watched[i] = number();
    data[i] = number();
  }
  state.flags = flags_of(random() & (kCarry | kParity | kZero | kSign | kOverflow));
}

/// Mostly of what is watched, as others write there.
void RandomLoops::change_numbers() {
  for (std::uint64_t i = 1 + below(3); i > 0; --i) {
    const auto which = static_cast<unsigned>(below(4));
    if (once_in(2)) {
      watched[once_in(2) ? 0 : which] = number();
    } else if (once_in(2)) {
      data[which] = number();
    } else {
      set(which, number());
    }
  }
}

/// If the proof holds, the code waits, and looks at no place that the proof does not know.
void RandomLoops::expect_right() {
  const Outlook& outlook = think();
  ASSERT_EQ(outlook.kind, Outlook::Kind::waits);
  ASSERT_LE(outlook.looked_at.count(), seen().count());
  ASSERT_TRUE(seen().same_in(memory));
}

// Whatever a loop computes and whatever changes: if a proof holds, to think of the code anew would
// have told the same. It does hold for many numbers for which it was not made.
TEST_F(RandomLoops, WaitWhenTheirProofsHold) {
  if (kSanitized) GTEST_SKIP() << "reads beside its memory, as loops that nobody wrote do";
  for (int i = 0; i < 4'000; ++i) {
    draw_numbers();
    write_loop();
    if (!prove()) continue;
    ++proved;
    for (int change = 0; change < 12; ++change) {
      change_numbers();
      if (holds()) {
        ++held_for_others;
        expect_right();
        if (HasFatalFailure()) {
          std::string text;
          for (const std::uint8_t byte : loop) text += " " + std::to_string(byte);
          FAIL() << "loop " << i << ":" << text;
        }
      } else if (think().kind == Outlook::Kind::waits) {
        prove();
      }
    }
  }
  EXPECT_GT(proved, 400);
  EXPECT_GT(held_for_others, 1'000);
}

}  // namespace
}  // namespace heddle::host::x86
