// Proofs that code waits: what they hold for, and what not.
#include "host/rank/code/proof.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <random>
#include <vector>

#include "counting_memory.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/program/crash_handler.hpp"
#include "host/rank/code/proof_writer.hpp"
#include "host/rank/code/x86/code.hpp"
#include "sanitized.hpp"

namespace heddle::host::x86 {
namespace {

using Kind = Outlook::Kind;
using Bytes = std::vector<std::uint8_t>;

constexpr unsigned kRax = 0, kRbx = 3, kRsi = 6, kRdi = 7;

std::uint64_t place_in_memory(const void* place) {
  return reinterpret_cast<std::uint64_t>(place);
}

/// Numbers with zeros around them, as far as instructions for a bit of memory reach: loops that
/// nobody wrote look there.
class NumbersAlone {
 public:
  NumbersAlone()
      : all_(mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~NumbersAlone() { munmap(all_, kSize); }
  NumbersAlone(const NumbersAlone&) = delete;
  NumbersAlone& operator=(const NumbersAlone&) = delete;

  std::uint64_t* middle() const {
    return reinterpret_cast<std::uint64_t*>(static_cast<std::byte*>(all_) + kSize / 2);
  }

 private:
  static constexpr std::size_t kSize = std::size_t{1} << 30;
  void* all_;
};

/// Loops that look at `watched`, where rdi points, and work on `data`, where rsi points.
class Proved : public testing::Test {
 protected:
  Proved() : stack(1024) {
    state.numbers[kStackPointer].value = place_in_memory(stack.data() + 900);
    state.numbers[kRdi].value = place_in_memory(watched);
    state.numbers[kRsi].value = place_in_memory(data);
  }

  /// There has to be as much behind an instruction as the longest one has.
  void set_loop(const Bytes& bytes) {
    code = bytes;
    code.resize(bytes.size() + kLongest, 0x90);
    state.place = place_in_memory(code.data());
    proof.clear();
    varying = {};
  }
  void set(unsigned number, std::uint64_t value) { state.numbers[number].value = value; }

  /// What code does of which nothing is kept.
  const Outlook& think() {
    walk.begin(memory, 20'000, state.numbers[kStackPointer].value, State::kNumbers);
    Code(walk, state).follow();
    return walk.outlook();
  }
  /// Whether there is a proof now.
  bool prove() {
    State with_terms = state;
    writer.begin(words_of(state), varying);
    give_terms(with_terms, writer);
    walk.begin(memory, 20'000, state.numbers[kStackPointer].value, State::kNumbers, nullptr,
               &writer);
    Code(walk, with_terms).follow();
    return walk.outlook().kind == Kind::waits && writer.write(proof, walk.outlook().instructions);
  }
  bool holds() { return proof.holds(words_of(state), memory, varying); }
  const LookedAt& seen() const { return proof.looked_at(); }

  CrashHandler crashes;
  GuardedMemory memory;
  Walk walk;
  ProofWriter writer;
  State state;
  std::vector<std::uint64_t> stack;
  Bytes code;
  Proof proof;
  Varying varying;
  NumbersAlone alone;
  std::uint64_t* const watched = alone.middle();  ///< Four,
  std::uint64_t* const data = watched + 4;        ///< and as many.
};

const Bytes kUntilRound = {
    0x48, 0x39, 0x1f,  // 1: cmp [rdi], rbx
    0x7c, 0xfb,        // jl 1b
    0xc3,              // ret
};

// A proof holds as long as all is as it was: what is looked at is the one place that is read, with
// what is there.
TEST_F(Proved, HoldsForTheSameNumbers) {
  set_loop(kUntilRound);
  set(kRbx, 5);
  EXPECT_FALSE(holds());
  ASSERT_TRUE(prove());
  ASSERT_TRUE(holds());
  ASSERT_EQ(seen().count(), 1U);
  EXPECT_EQ(proof.instructions(), 3U);
  // Of registers that are not used any number may change.
  set(kRax, 77);
  EXPECT_TRUE(holds());
  watched[0] = 5;
  EXPECT_FALSE(holds());
}

// A number that has been another one once is known to vary. From then on the proof claims only what
// the code asks for, that the one is less than the other, and holds for all numbers of which that
// is true.
TEST_F(Proved, HoldsForOtherNumbersOfWhichTheSameIsTrue) {
  set_loop(kUntilRound);
  set(kRbx, 1);
  ASSERT_TRUE(prove());
  set(kRbx, 2);
  watched[0] = 1;
  EXPECT_FALSE(holds());
  EXPECT_EQ(varying.words, 1U << kRbx);
  EXPECT_EQ(varying.places.size(), 1U);
  ASSERT_TRUE(prove());
  for (std::uint64_t round = 3; round < 100; ++round) {
    set(kRbx, round);
    watched[0] = round - 1;
    ASSERT_TRUE(holds());
    EXPECT_EQ(seen().value(0, 8), round - 1);
    watched[0] = round;
    ASSERT_FALSE(holds());
  }
  // Less with its sign.
  set(kRbx, 0);
  watched[0] = ~std::uint64_t{0};
  EXPECT_TRUE(holds());
}

// The loop goes another way when the second place is not zero: an old proof, which knew it as zero,
// does not hold any more, nor does one by which it may vary.
TEST_F(Proved, DoesNotHoldWhereTheCodeGoesAnotherWay) {
  set_loop({
      0x48, 0x83, 0x7f, 0x08, 0x00,  // 1: cmp qword ptr [rdi + 8], 0
      0x75, 0x05,                    // jne 2f
      0x48, 0x39, 0x1f,              // cmp [rdi], rbx
      0x7c, 0xf4,                    // jl 1b
      0xc3,                          // 2: ret
  });
  set(kRbx, 5);
  ASSERT_TRUE(prove());
  watched[1] = 1;
  EXPECT_FALSE(holds());
  EXPECT_NE(think().kind, Kind::waits);
  watched[1] = 0;
  ASSERT_TRUE(prove());
  EXPECT_TRUE(holds());
  watched[1] = 9;
  EXPECT_FALSE(holds());
}

// Where it looks is said by a place in memory: for another address the proof does not hold, though
// that is known to vary.
TEST_F(Proved, DoesNotHoldForOtherAddresses) {
  set_loop({
      0x48, 0x8b, 0x06,  // 1: mov rax, [rsi]
      0x48, 0x39, 0x18,  // cmp [rax], rbx
      0x7c, 0xf8,        // jl 1b
      0xc3,              // ret
  });
  set(kRbx, 5);
  data[0] = place_in_memory(&watched[0]);
  ASSERT_TRUE(prove());
  data[0] = place_in_memory(&watched[1]);
  EXPECT_FALSE(holds());
  ASSERT_TRUE(prove());
  EXPECT_TRUE(holds());
  watched[1] = 6;
  EXPECT_FALSE(holds());
  watched[1] = 0;
  data[0] = place_in_memory(&watched[2]);
  watched[2] = 6;
  EXPECT_FALSE(holds());
}

// A look at 256 places takes a proof no more questions than one at a single place, in whatever
// order the loop reads them, and no more comparisons where they lie side by side. What varies among
// them is asked for by itself.
TEST_F(Proved, ComparesManyPlacesAtOnce) {
  constexpr std::uint64_t kPlaces = 256;
  std::vector<std::uint64_t> places(8 * kPlaces);
  const auto backwards_by = [](std::uint8_t step) -> Bytes {
    return {
        0xb9, 0x00, 0x01, 0,    0,     // 1: mov ecx, 256
        0x48, 0x83, 0xe8, step,        // 2: sub rax, step
        0x48, 0x83, 0x38, 0x00,        // cmp qword ptr [rax], 0
        0x75, 0x0f,                    // jne 3f
        0xff, 0xc9,                    // dec ecx
        0x75, 0xf2,                    // jne 2b
        0x48, 0x05, 0,    step, 0, 0,  // add rax, 256 * step
        0x48, 0x39, 0x1f,              // cmp [rdi], rbx
        0x7c, 0xe2,                    // jl 1b
        0xc3,                          // 3: ret
    };
  };
  for (const std::uint8_t step : {8, 64}) {
    set_loop(backwards_by(step));
    set(kRax, place_in_memory(places.data()) + kPlaces * step);
    std::uint64_t round = 1;
    const auto held = [&] {
      set(kRbx, round);
      watched[0] = round - 1;
      ++round;
      return holds();
    };
    EXPECT_FALSE(held());
    ASSERT_TRUE(prove());
    EXPECT_FALSE(held());
    ASSERT_TRUE(prove());
    EXPECT_EQ(seen().count(), kPlaces + 1);
    EXPECT_EQ(seen().stretches(), step == 8 ? 2 : kPlaces + 1);
    ASSERT_TRUE(held());
    const CountingMemory counting;
    EXPECT_TRUE(proof.holds(words_of(state), counting, varying));
    EXPECT_EQ(counting.asked(), 2U);
    places[255 * step / 8] = 1;
    EXPECT_FALSE(held());
    places[255 * step / 8] = 0;
    places[1] = step == 64 ? 1 : 0;
    EXPECT_TRUE(held());
    places[1] = 0;
  }
}

// Code that is another one now.
TEST_F(Proved, DoesNotHoldForOtherCode) {
  set_loop(kUntilRound);
  set(kRbx, 5);
  ASSERT_TRUE(prove());
  code[3] = 0x7f;  // jg
  EXPECT_FALSE(holds());
  code[3] = 0x7c;
  EXPECT_TRUE(holds());
}

// It counts its looks in memory: how many there were before is of no interest, but a write that the
// code has not made yet is. What is there becomes 4 at first, and stays so: others may wait for it.
TEST_F(Proved, KnowsWhatIsWrittenFirst) {
  set_loop({
      0x48, 0xff, 0x06,  // 1: inc qword ptr [rsi]
      0x48, 0x39, 0x1f,  // cmp [rdi], rbx
      0x7c, 0xf8,        // jl 1b
      0xc3,              // ret
  });
  set(kRbx, 5);
  for (const std::uint64_t count : {7, 12}) {
    data[0] = count;
    EXPECT_FALSE(holds());
    ASSERT_TRUE(prove());
  }
  data[0] = 1'000'000;
  EXPECT_TRUE(holds());
  set_loop({
      0x48, 0x83, 0x0e, 0x04,  // 1: or qword ptr [rsi], 4
      0x48, 0x39, 0x1f,        // cmp [rdi], rbx
      0x7c, 0xf7,              // jl 1b
      0xc3,                    // ret
  });
  for (const std::uint64_t bits : {4, 12}) {
    data[0] = bits;
    EXPECT_FALSE(holds());
    ASSERT_TRUE(prove());
  }
  data[0] = 20;
  EXPECT_TRUE(holds());
  data[0] = 2;
  EXPECT_FALSE(holds());
  EXPECT_NE(think().kind, Kind::waits);
}

// A place that is exchanged if it holds 5 is left alone as long as it does not: with 5 there, the
// code has something to write that others may wait for.
TEST_F(Proved, KnowsWhatIsExchanged) {
  set_loop({
      0xb8, 0x05, 0,    0,    0,  // 1: mov eax, 5
      0xb9, 0x06, 0,    0,    0,  // mov ecx, 6
      0xf0, 0x0f, 0xb1, 0x0e,     // lock cmpxchg [rsi], ecx
      0x48, 0x39, 0x1f,           // cmp [rdi], rbx
      0x7c, 0xed,                 // jl 1b
      0xc3,                       // ret
  });
  set(kRbx, 5);
  for (const std::uint64_t there : {7, 9}) {
    data[0] = there;
    EXPECT_FALSE(holds());
    ASSERT_TRUE(prove());
  }
  data[0] = 8;
  EXPECT_TRUE(holds());
  data[0] = 5;
  EXPECT_FALSE(holds());
  EXPECT_NE(think().kind, Kind::waits);
}

// A number that is tripled each time stays zero if it is, and the loop goes on for ever, whatever
// else it counts. Of others that is true for a while only: nothing is proved of those.
TEST_F(Proved, IsNotGuessedFromAFewRounds) {
  set_loop({
      0x48, 0xff, 0xc2,        // 1: inc rdx
      0x48, 0x8d, 0x04, 0x40,  // lea rax, [rax + 2 * rax]
      0x48, 0x89, 0xc1,        // mov rcx, rax
      0x48, 0xc1, 0xe9, 0x3c,  // shr rcx, 60
      0x75, 0x05,              // jne 2f
      0x48, 0x39, 0x1f,        // cmp [rdi], rbx
      0x7c, 0xeb,              // jl 1b
      0xc3,                    // 2: ret
  });
  set(kRbx, 5);
  ASSERT_TRUE(prove());
  set(kRax, 1);
  EXPECT_FALSE(holds());
  EXPECT_NE(think().kind, Kind::waits);
  set(kRax, 0);
  EXPECT_EQ(think().kind, Kind::waits);
  EXPECT_FALSE(prove());
  set(kRax, 1);
  EXPECT_FALSE(holds());
}

// Numbers that a loop draws go through a thousand instructions, of which nothing decides anything:
// whichever it comes to next, it waits.
TEST_F(Proved, LeavesOutWhatDecidesNothing) {
  Bytes loop;
  for (int i = 0; i < 500; ++i) {
    loop.insert(loop.end(), {0x48, 0x69, 0xc0, 0x6d, 0x4e, 0xc6, 0x41});  // imul rax, 1103515245
    loop.insert(loop.end(), {0x48, 0x05, 0x39, 0x30, 0x00, 0x00});        // add rax, 12345
  }
  loop.insert(loop.end(), {0x48, 0x39, 0x1f});  // cmp [rdi], rbx
  const auto back = static_cast<std::int32_t>(-(static_cast<int>(loop.size()) + 6));
  loop.insert(loop.end(), {0x0f, 0x8c});  // jl
  for (int i = 0; i < 4; ++i) loop.push_back(static_cast<std::uint8_t>(back >> 8 * i));
  loop.push_back(0xc3);
  set_loop(loop);
  set(kRbx, 5);
  set(kRax, 1);
  ASSERT_TRUE(prove());
  set(kRax, 2);
  EXPECT_FALSE(holds());
  ASSERT_TRUE(prove());
  set(kRax, 3);
  EXPECT_TRUE(holds());
  watched[0] = 5;
  EXPECT_FALSE(holds());
}

// A number that is drawn five hundred times in each look decides, too, and is another one in each
// wait: by the last one that was drawn, the code goes on or not. That is one step from the first,
// and comes out as the loop has it.
TEST_F(Proved, KnowsWhatIsDrawnAgainAndAgain) {
  Bytes loop = {0x48, 0x8b, 0x06};  // mov rax, [rsi]
  for (int i = 0; i < 500; ++i) {
    loop.insert(loop.end(), {0x48, 0x69, 0xc0, 0x6d, 0x4e, 0xc6, 0x41});  // imul rax, 1103515245
    loop.insert(loop.end(), {0x48, 0x05, 0x39, 0x30, 0x00, 0x00});        // add rax, 12345
  }
  loop.insert(loop.end(), {0x48, 0x39, 0x07});  // cmp [rdi], rax
  const auto back = static_cast<std::int32_t>(-(static_cast<int>(loop.size()) + 6));
  loop.insert(loop.end(), {0x0f, 0x85});  // jne
  for (int i = 0; i < 4; ++i) loop.push_back(static_cast<std::uint8_t>(back >> 8 * i));
  loop.push_back(0xc3);
  set_loop(loop);
  const auto drawn = [](std::uint64_t number) {
    for (int i = 0; i < 500; ++i) number = number * 1103515245 + 12345;
    return number;
  };
  for (data[0] = 1; data[0] <= 2; ++data[0]) {
    EXPECT_FALSE(holds());
    ASSERT_TRUE(prove());
  }
  watched[0] = 1;
  EXPECT_FALSE(holds());
  ASSERT_TRUE(prove());
  for (data[0] = 3; data[0] < 20; ++data[0]) {
    watched[0] = data[0];
    EXPECT_TRUE(holds());
    watched[0] = drawn(data[0]);
    EXPECT_FALSE(holds());
  }
}

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
  ASSERT_EQ(outlook.kind, Kind::waits);
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
      } else if (think().kind == Kind::waits) {
        prove();
      }
    }
  }
  EXPECT_GT(proved, 400);
  EXPECT_GT(held_for_others, 1'000);
}

}  // namespace
}  // namespace heddle::host::x86
