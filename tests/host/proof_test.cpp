// Proofs that code waits: what they hold for, and what not.
#include "host/rank/code/proof.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "counting_memory.hpp"
#include "proved_code.hpp"
#include "sanitized.hpp"

namespace heddle::host::x86 {
namespace {

using Kind = Outlook::Kind;

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
// order the loop reads them, and no more comparisons where they lie side by side, whether one among
// them varies or not.
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
    EXPECT_EQ(counting.asked(), 1U);
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

// Where each of 256 places is another number in its turn, a proof asks for all of them at once, as
// where nothing varies: only what has changed since the last time is looked at again.
TEST_F(Proved, AsksAtOnceForPlacesThatVary) {
  constexpr std::uint64_t kPlaces = 256;
  std::vector<std::uint64_t> places(kPlaces);
  set_loop({
      0xb9, 0x00, 0x01, 0,    0,     // 1: mov ecx, 256
      0x48, 0x83, 0xe8, 0x08,        // 2: sub rax, 8
      0x48, 0x39, 0x18,              // cmp [rax], rbx
      0x74, 0x0c,                    // je 3f
      0xff, 0xc9,                    // dec ecx
      0x75, 0xf3,                    // jne 2b
      0x48, 0x05, 0,    0x08, 0, 0,  // add rax, 256 * 8
      0xeb, 0xe6,                    // jmp 1b
      0xc3,                          // 3: ret
  });
  set(kRax, place_in_memory(places.data() + kPlaces));
  std::uint64_t round = 1;
  for (; round <= 3 * kPlaces; ++round) {
    set(kRbx, round + 1);
    places[round % kPlaces] = round;
    const bool proved = holds() || prove();
    ASSERT_TRUE(proved) << round;
  }
  for (; round <= 5 * kPlaces; ++round) {
    set(kRbx, round + 1);
    places[round % kPlaces] = round;
    const CountingMemory counting;
    EXPECT_TRUE(proof.holds(words_of(state), counting, varying)) << round;
    EXPECT_EQ(counting.asked(), 1U);
    EXPECT_TRUE(seen().same_in(memory));
    // What has arrived is seen, also when it is looked at once more; and not for ever.
    places[17] = round + 1;
    EXPECT_FALSE(holds());
    EXPECT_FALSE(holds());
    places[17] = 0;
    EXPECT_TRUE(holds());
  }
}

// Of a number that is another one each time a single bit decides. For all in which it is as it was
// the proof holds.
TEST_F(Proved, KnowsSingleBits) {
  set_loop({
      0x48, 0x8b, 0x06,              // 1: mov rax, [rsi]
      0x48, 0x0f, 0xba, 0xe0, 0x05,  // bt rax, 5
      0x72, 0x05,                    // jc 2f
      0x48, 0x39, 0x1f,              // cmp [rdi], rbx
      0x7c, 0xf1,                    // jl 1b
      0xc3,                          // 2: ret
  });
  set(kRbx, 5);
  for (const std::uint64_t number : {7, 12}) {
    data[0] = number;
    EXPECT_FALSE(holds());
    ASSERT_TRUE(prove());
  }
  for (std::uint64_t number = 0; number < 200; ++number) {
    data[0] = number;
    EXPECT_EQ(holds(), (number >> 5 & 1) == 0) << number;
  }
}

// A loop goes on while a number, divided by another, is less than 10. Where that is zero there is
// no quotient, and no proof holds.
TEST_F(Proved, KnowsQuotients) {
  for (const std::uint8_t kind : {0xf3, 0xfb}) {  // div rbx, idiv rbx
    set_loop({
        0x48, 0x8b, 0x06,        // 1: mov rax, [rsi]
        0x48, 0x99,              // cqo
        0x48, 0xf7, kind,        //
        0x48, 0x83, 0xf8, 0x0a,  // cmp rax, 10
        0x7d, 0x06,              // jge 2f
        0x48, 0x83, 0x3f, 0x00,  // cmp qword ptr [rdi], 0
        0x74, 0xec,              // je 1b
        0xc3,                    // 2: ret
    });
    for (const std::uint64_t number : {25, 27}) {
      data[0] = number;
      set(kRbx, number - 20);
      EXPECT_FALSE(holds());
      ASSERT_TRUE(prove());
    }
    for (std::uint64_t number = 0; number < 500; ++number) {
      data[0] = number;
      set(kRbx, 7);
      EXPECT_EQ(holds(), number / 7 < 10) << number;
      set(kRbx, 0);
      EXPECT_FALSE(holds());
    }
  }
}

// Two texts of 20 bytes are compared by a function until they are the same. Whatever the numbers in
// the second one are, as long as they differ at the same place, it waits.
TEST_F(Proved, KnowsWhatFunctionsCompare) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer has functions of its own";
  std::vector<std::uint64_t> wanted = {1, 2, 3};
  const std::uint64_t function = place_in_memory(reinterpret_cast<const void*>(
      static_cast<int (*)(const void*, const void*, std::size_t)>(std::memcmp)));
  Bytes loop = {
      0x48, 0x89, 0xdf,        // 1: mov rdi, rbx
      0x4c, 0x89, 0xe6,        // mov rsi, r12
      0xba, 0x14, 0,    0, 0,  // mov edx, 20
      0x48, 0xb8,              // mov rax, the function
  };
  for (int i = 0; i < 8; ++i) loop.push_back(static_cast<std::uint8_t>(function >> 8 * i));
  const Bytes rest = {
      0xff, 0xd0,  // call rax
      0x85, 0xc0,  // test eax, eax
      0x75, 0xe5,  // jne 1b
      0xc3,
  };
  loop.insert(loop.end(), rest.begin(), rest.end());
  set_loop(loop);
  set(kRbx, place_in_memory(wanted.data()));
  set(12, place_in_memory(data));
  std::copy(wanted.begin(), wanted.end(), data);
  for (const std::uint64_t number : {7, 9}) {
    data[2] = number;
    EXPECT_FALSE(holds());
    ASSERT_TRUE(prove());
  }
  for (std::uint64_t number = 0; number < 20; ++number) {
    data[2] = number;
    EXPECT_EQ(holds(), number != 3) << number;
  }
  // Of its last word four bytes are compared.
  data[2] = 3 + (std::uint64_t{1} << 40);
  EXPECT_FALSE(holds());
  data[2] = 4;
  EXPECT_TRUE(holds());
  data[0] = 5;
  EXPECT_FALSE(holds());
}

// A number with a fraction is waited for to become more than another: the proof holds for all that
// are not more, and not for what is no number, by which the loop would end.
TEST_F(Proved, KnowsFractions) {
  set_loop({
      0xf2, 0x0f, 0x10, 0x06,        // 1: movsd xmm0, [rsi]
      0x66, 0x0f, 0x2e, 0x46, 0x08,  // ucomisd xmm0, [rsi + 8]
      0x7a, 0x04,                    // jp 2f
      0x73, 0x02,                    // jae 2f
      0xeb, 0xf1,                    // jmp 1b
      0xc3,                          // 2: ret
  });
  const auto put = [&](std::size_t at, double number) { std::memcpy(data + at, &number, 8); };
  for (const double number : {1.5, 2.5}) {
    put(0, number);
    put(1, number + 1);
    EXPECT_FALSE(holds());
    ASSERT_TRUE(prove());
  }
  put(1, 10.25);
  for (int i = -20; i < 60; ++i) {
    put(0, i * 0.25);
    EXPECT_EQ(holds(), i * 0.25 < 10.25) << i;
  }
  put(0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(holds());
}

}  // namespace
}  // namespace heddle::host::x86
