// Loops of x86-64 as they are carried out in thought, on whatever this runs on.
#include "host/rank/code/x86/code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/sanitizer.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/program/crash_handler.hpp"

namespace heddle::host::x86 {
namespace {

using Kind = Outlook::Kind;
/// Code, and memory behind it for as many bytes as the longest instruction has: so many are read
/// at once.
struct Bytes : std::vector<std::uint8_t> {
  Bytes(std::initializer_list<std::uint8_t> code) : Bytes(vector(code)) {}
  explicit Bytes(const vector& code) : vector(code) {
    resize(code.size() + 15, 0xcc);
    resize(code.size());
  }
};

// Loops as compilers make them: rdi is what they look at, rsi to r8 what else they have.
const Bytes kPlain = {
    0x8b, 0x07,  // 1: mov eax, [rdi]
    0x85, 0xc0,  // test eax, eax
    0x74, 0xfa,  // je 1b
    0xc3,        // ret
};
const Bytes kCountsInMemory = {
    0x48, 0x83, 0x06, 0x01,  // 1: add qword ptr [rsi], 1
    0x83, 0x3f, 0x00,        // cmp dword ptr [rdi], 0
    0x74, 0xf7,              // je 1b
    0xc3,                    // ret
};
const Bytes kDrawsNumbers = {
    0x69, 0x06, 0x6d, 0x4e, 0xc6, 0x41,  // 1: imul eax, [rsi], 1103515245
    0x05, 0x39, 0x30, 0x00, 0x00,        // add eax, 12345
    0x89, 0x06,                          // mov [rsi], eax
    0xc1, 0xe8, 0x10,                    // shr eax, 16
    0x83, 0xe0, 0x01,                    // and eax, 1
    0x8b, 0x04, 0x87,                    // mov eax, [rdi+rax*4]
    0x85, 0xc0,                          // test eax, eax
    0x74, 0xe6,                          // je 1b
    0xc3,                                // ret
};
const Bytes kGoesOverEight = {
    0x31, 0xc9,              // 1: xor ecx, ecx
    0x83, 0x3c, 0x8f, 0x00,  // 2: cmp dword ptr [rdi+rcx*4], 0
    0x75, 0x0b,              // jne 3f
    0xff, 0xc1,              // inc ecx
    0x83, 0xf9, 0x08,        // cmp ecx, 8
    0x75, 0xf3,              // jne 2b
    0xf3, 0x90,              // pause
    0xeb, 0xed,              // jmp 1b
    0xc3,                    // 3: ret
};
const Bytes kExchanges = {
    0xb8, 0x01, 0x00, 0x00, 0x00,  // 1: mov eax, 1
    0x87, 0x07,                    // xchg [rdi], eax
    0x85, 0xc0,                    // test eax, eax
    0x75, 0xf5,                    // jne 1b
    0xc3,                          // ret
};
const Bytes kComparesAndExchanges = {
    0x31, 0xc0,                    // 1: xor eax, eax
    0xb9, 0x01, 0x00, 0x00, 0x00,  // mov ecx, 1
    0xf0, 0x0f, 0xb1, 0x0f,        // lock cmpxchg [rdi], ecx
    0x75, 0xf3,                    // jne 1b
    0xc3,                          // ret
};
const Bytes kCallsFunction = {
    0xe8, 0x05, 0x00, 0x00, 0x00,  // 1: call 4f
    0x84, 0xc0,                    // test al, al
    0x74, 0xf7,                    // je 1b
    0xc3,                          // ret
    0xf3, 0x0f, 0x1e, 0xfa,        // 4: endbr64
    0x55,                          // push rbp
    0x48, 0x89, 0xe5,              // mov rbp, rsp
    0x48, 0x89, 0x7d, 0xf8,        // mov [rbp-8], rdi
    0x48, 0x8b, 0x45, 0xf8,        // mov rax, [rbp-8]
    0x8b, 0x00,                    // mov eax, [rax]
    0x85, 0xc0,                    // test eax, eax
    0x0f, 0x95, 0xc0,              // setne al
    0x0f, 0xb6, 0xc0,              // movzx eax, al
    0x5d,                          // pop rbp
    0xc3,                          // ret
};
const Bytes kCallsThroughMemory = {
    0xff, 0x16,  // 1: call [rsi]
    0x85, 0xc0,  // test eax, eax
    0x74, 0xfa,  // je 1b
    0xc3,        // ret
};
const Bytes kLooks = {
    0x8b, 0x07,  // mov eax, [rdi]
    0xc3,        // ret
};
const Bytes kCountsInTheSameRegister = {
    0x48, 0x8b, 0x06,  // 1: mov rax, [rsi]
    0x48, 0xff, 0xc0,  // inc rax
    0x48, 0x89, 0x06,  // mov [rsi], rax
    0x83, 0x3f, 0x00,  // cmp dword ptr [rdi], 0
    0x0f, 0x95, 0xc0,  // setne al
    0x84, 0xc0,        // test al, al
    0x74, 0xed,        // je 1b
    0xc3,              // ret
};
const Bytes kAsksAgain = {
    0xc7, 0x06, 0x01, 0x00, 0x00, 0x00,  // 1: mov dword ptr [rsi], 1
    0x8b, 0x07,                          // mov eax, [rdi]
    0x85, 0xc0,                          // test eax, eax
    0x74, 0xf4,                          // je 1b
    0xc3,                                // ret
};
const Bytes kAfterStore = {
    0xc7, 0x06, 0x01, 0x00, 0x00, 0x00,  // mov dword ptr [rsi], 1
    0x8b, 0x07,                          // 1: mov eax, [rdi]
    0x85, 0xc0,                          // test eax, eax
    0x74, 0xfa,                          // je 1b
    0xc3,                                // ret
};
const Bytes kCountsToRdx = {
    0x8b, 0x07,              // 1: mov eax, [rdi]
    0x85, 0xc0,              // test eax, eax
    0x75, 0x09,              // jne 2f
    0x48, 0x83, 0xc6, 0x01,  // add rsi, 1
    0x48, 0x39, 0xd6,        // cmp rsi, rdx
    0x75, 0xf1,              // jne 1b
    0xc3,                    // 2: ret
};
const Bytes kComputes = {
    0x8b, 0x07,              // 1: mov eax, [rdi]
    0x49, 0x0f, 0xaf, 0xc8,  // imul rcx, r8
    0x48, 0x83, 0xc6, 0x01,  // add rsi, 1
    0x48, 0x39, 0xd6,        // cmp rsi, rdx
    0x75, 0xf1,              // jne 1b
    0xc3,                    // ret
};
const Bytes kEndsByShift = {
    0x8b, 0x07,              // 1: mov eax, [rdi]
    0x48, 0x83, 0xc6, 0x01,  // add rsi, 1
    0x48, 0x89, 0xf0,        // mov rax, rsi
    0x48, 0xc1, 0xe8, 0x28,  // shr rax, 40
    0x74, 0xf1,              // je 1b
    0xc3,                    // ret
};
const Bytes kEndsByABit = {
    0x8b, 0x07,                    // 1: mov eax, [rdi]
    0x48, 0x83, 0xc6, 0x01,        // add rsi, 1
    0x48, 0x0f, 0xba, 0xe6, 0x28,  // bt rsi, 40
    0x73, 0xf3,                    // jnc 1b
    0xc3,                          // ret
};
const Bytes kSearches = {
    0x8b, 0x06,              // 1: mov eax, [rsi]
    0x48, 0x83, 0xc6, 0x04,  // add rsi, 4
    0x85, 0xc0,              // test eax, eax
    0x75, 0x05,              // jne 2f
    0x48, 0x39, 0xd6,        // cmp rsi, rdx
    0x75, 0xf1,              // jne 1b
    0xc3,                    // 2: ret
};
const Bytes kAddsUp = {
    0xf2, 0x0f, 0x58, 0x0f,  // 1: addsd xmm1, [rdi]
    0x66, 0x0f, 0x2f, 0xd1,  // comisd xmm2, xmm1
    0x77, 0xf6,              // ja 1b
    0xc3,                    // ret
};
const Bytes kLooksForADecimal = {
    0x66, 0x0f, 0xef, 0xc9,  // 1: pxor xmm1, xmm1
    0xf2, 0x0f, 0x10, 0x07,  // movsd xmm0, [rdi]
    0x66, 0x0f, 0x2e, 0xc1,  // ucomisd xmm0, xmm1
    0x7a, 0x02,              // jp 2f
    0x74, 0xf0,              // je 1b
    0xc3,                    // 2: ret
};
const Bytes kCopiesWhatItLooksAt = {
    0xf3, 0x0f, 0x6f, 0x07,        // 1: movdqu xmm0, [rdi]
    0x0f, 0x11, 0x44, 0x24, 0xe8,  // movups [rsp-24], xmm0
    0x8b, 0x44, 0x24, 0xec,        // mov eax, [rsp-20]
    0x85, 0xc0,                    // test eax, eax
    0x74, 0xef,                    // je 1b
    0xc3,                          // ret
};
const Bytes kLooksAtItsOwn = {
    0x64, 0x48, 0x8b, 0x04, 0x25, 0x08, 0x00, 0x00, 0x00,  // 1: mov rax, fs:[8]
    0x8b, 0x00,                                            // mov eax, [rax]
    0x85, 0xc0,                                            // test eax, eax
    0x74, 0xf1,                                            // je 1b
    0xc3,                                                  // ret
};
const Bytes kCallsTheSystem = {
    0xb8, 0x18, 0x00, 0x00, 0x00,  // 1: mov eax, 24
    0x0f, 0x05,                    // syscall
    0x83, 0x3f, 0x00,              // cmp dword ptr [rdi], 0
    0x74, 0xf4,                    // je 1b
    0xc3,                          // ret
};

constexpr unsigned kRcx = 1, kRdx = 2, kRsi = 6, kRdi = 7;

std::uint64_t address_of(const void* place) {
  return reinterpret_cast<std::uint64_t>(place);
}

class X86Loops : public testing::Test {
 protected:
  X86Loops() : stack(1024) {
    state.numbers[kStackPointer].value = address_of(stack.data() + 900);
    state.numbers[kRdi].value = address_of(flags);
    state.numbers[kRsi].value = address_of(&other);
    state.numbers[8].value = 6364136223846793005U;
  }

  Outlook look(const Bytes& loop, std::size_t from = 0) {
    state.place = address_of(loop.data()) + from;
    walk.begin(memory, 20'000, state.numbers[kStackPointer].value, State::kNumbers);
    Code(walk, state).follow();
    return walk.outlook();
  }
  Kind kind(const Bytes& loop, std::size_t from = 0) { return look(loop, from).kind; }
  void set(unsigned number, std::uint64_t value) { state.numbers[number].value = value; }

  CrashHandler crashes;
  GuardedMemory memory;
  Walk walk;
  State state;
  std::vector<std::uint64_t> stack;
  alignas(16) std::uint32_t flags[8] = {};
  std::uint64_t other = 7;
};

// What is read is known, and when it changes. When the first instruction is come to again, all is
// as it was, but for what the loop writes without reading it before: three instructions tell.
TEST_F(X86Loops, WaitForWhatTheyRead) {
  const Outlook seen = look(kPlain);
  ASSERT_EQ(seen.kind, Kind::waits);
  EXPECT_EQ(seen.instructions, 4U);
  EXPECT_TRUE(seen.looked_at.known());
  flags[1] = 1;
  EXPECT_TRUE(seen.looked_at.same_in(memory));
  flags[0] = 1;
  EXPECT_FALSE(seen.looked_at.same_in(memory));
  // It leaves the loop, and returns to nowhere.
  EXPECT_NE(kind(kPlain), Kind::waits);
}

/// Loops as long as a function, called with two places and a number, does not answer zero.
Bytes calls(std::uint64_t function, const void* first, const void* second, std::uint8_t number) {
  std::vector<std::uint8_t> code;
  const auto constant = [&](std::uint8_t into, std::uint64_t value) {
    code.insert(code.end(), {0x48, into});
    for (unsigned i = 0; i < 8; ++i) code.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  };
  constexpr std::uint8_t kIntoRax = 0xb8, kIntoRsi = 0xbe, kIntoRdi = 0xbf;
  constexpr std::uint8_t kIntoEdx = 0xba;
  constant(kIntoRdi, address_of(first));
  constant(kIntoRsi, address_of(second));
  code.insert(code.end(), {kIntoEdx, number, 0, 0, 0});
  constant(kIntoRax, function);
  // call rax; test eax, eax; jne to the beginning; ret
  code.insert(code.end(), {0xff, 0xd0, 0x85, 0xc0, 0x75, 0xd7, 0xc3});
  return Bytes(code);
}
template <typename Of>
std::uint64_t place_of(Of* function) {
  return reinterpret_cast<std::uint64_t>(function);
}

// Functions of the C library are carried out as a whole, whatever instructions they have: bytes and
// texts that differ in their nineteenth place, which is the last one that is looked at.
TEST_F(X86Loops, CallFunctionsThatCompare) {
#if defined(HEDDLE_ASAN) && defined(__clang__)
  GTEST_SKIP() << "its own functions of the C library are a part of the program";
#endif
  const char wanted[32] = "abcdefghijklmnopqrSt";
  const std::uint64_t functions[] = {
      place_of<int(const void*, const void*, std::size_t)>(std::memcmp),
      place_of<int(const char*, const char*)>(std::strcmp),
      place_of<int(const char*, const char*, std::size_t)>(std::strncmp)};
  for (const std::uint64_t function : functions) {
    char found[32] = "abcdefghijklmnopqrst";
    const Bytes code = calls(function, found, wanted, 19);
    const Outlook seen = look(code);
    ASSERT_EQ(seen.kind, Kind::waits);
    found[19] = wanted[19];
    found[20] = 'x';
    EXPECT_TRUE(seen.looked_at.same_in(memory));
    std::strcpy(found, wanted);
    EXPECT_FALSE(seen.looked_at.same_in(memory));
    EXPECT_NE(kind(code), Kind::waits);
  }
}

// A loop over thousands of numbers, which reads more places than most do: it is understood by the
// first round.
TEST_F(X86Loops, WaitForManyPlaces) {
  constexpr std::uint32_t kPlaces = 3000;
  const Bytes goes_over_many = {
      0x31, 0xc9,                    // 1: xor ecx, ecx
      0x8b, 0x04, 0x8e,              // 2: mov eax, [rsi + 4 * rcx]
      0x85, 0xc0,                    // test eax, eax
      0x75, 0x0c,                    // jne 3f
      0xff, 0xc1,                    // inc ecx
      0x81, 0xf9, 0xb8, 0x0b, 0, 0,  // cmp ecx, 3000
      0x75, 0xef,                    // jne 2b
      0xeb, 0xeb,                    // jmp 1b
      0xc3,                          // 3: ret
  };
  std::vector<std::uint32_t> numbers(kPlaces);
  set(kRsi, address_of(numbers.data()));
  const Outlook seen = look(goes_over_many);
  ASSERT_EQ(seen.kind, Kind::waits);
  EXPECT_EQ(seen.instructions, kPlaces * 6 + 3);
  EXPECT_EQ(seen.looked_at.count(), kPlaces);
  EXPECT_EQ(seen.looked_at.stretches(), 1U);
  numbers[kPlaces - 1] = 1;
  EXPECT_FALSE(seen.looked_at.same_in(memory));
  EXPECT_NE(kind(goes_over_many), Kind::waits);
}

// A signal may come between a comparison and what is decided by it, which is then not known to be
// made of what the next ones are made of.
TEST_F(X86Loops, AreUnderstoodFromAnyOfTheirInstructions) {
  state.flags = flags_of(kZero | kParity);
  EXPECT_EQ(kind(kPlain, 2), Kind::waits);
  EXPECT_EQ(kind(kPlain, 4), Kind::waits);
  EXPECT_EQ(kind(kCountsInMemory, 7), Kind::waits);
}

// They may write while they look; nothing is written in thought.
TEST_F(X86Loops, MayCountAndDrawNumbers) {
  EXPECT_EQ(kind(kCountsInMemory), Kind::waits);
  EXPECT_EQ(kind(kDrawsNumbers), Kind::waits);
  EXPECT_EQ(kind(kCountsInTheSameRegister), Kind::waits);
  EXPECT_EQ(other, 7U);
  flags[0] = 1;
  EXPECT_NE(kind(kCountsInMemory), Kind::waits);
  EXPECT_NE(kind(kCountsInTheSameRegister), Kind::waits);
}

// The eighth of eight flags is among what is looked at.
TEST_F(X86Loops, MayGoOverManyPlaces) {
  const Outlook seen = look(kGoesOverEight);
  ASSERT_EQ(seen.kind, Kind::waits);
  flags[7] = 1;
  EXPECT_FALSE(seen.looked_at.same_in(memory));
  EXPECT_NE(kind(kGoesOverEight), Kind::waits);
}

// One flag in each round, by turns: the code waits for all eight, also for the one that it has just
// turned away from, wherever it is seen.
TEST_F(X86Loops, MayLookByTurns) {
  const Bytes by_turns = {
      0x83, 0xc2, 0x01,        // 1: add edx, 1
      0x83, 0xe2, 0x07,        // and edx, 7
      0x83, 0x3c, 0x97, 0x00,  // cmp dword ptr [rdi + 4 * rdx], 0
      0x74, 0xf4,              // je 1b
      0xc3,                    // ret
  };
  for (std::uint64_t turn = 0; turn < 8; ++turn) {
    set(kRdx, turn);
    const Outlook seen = look(by_turns);
    ASSERT_EQ(seen.kind, Kind::waits);
    EXPECT_EQ(seen.looked_at.count(), 8U);
  }
  flags[7] = 1;
  for (std::uint64_t turn = 0; turn < 8; ++turn) {
    set(kRdx, turn);
    EXPECT_NE(kind(by_turns), Kind::waits) << turn;
  }
}

// A loop that counts to five in another one before it looks: wherever it is seen, in the inner loop
// or not, the places to which each round of the whole comes once are found, and no other.
TEST_F(X86Loops, HaveRoundsAroundThoseOfInnerLoops) {
  const Bytes loop = {
      0xb9, 0x05, 0,    0, 0,  // 1: mov ecx, 5
      0x48, 0xff, 0x06,        // 2: inc qword ptr [rsi]
      0xff, 0xc9,              // dec ecx
      0x75, 0xf9,              // jne 2b
      0x83, 0x3f, 0x00,        // cmp dword ptr [rdi], 0
      0x74, 0xef,              // je 1b
      0xc3,                    // ret
  };
  const std::uint64_t begin = address_of(loop.data());
  for (const std::size_t from : {0, 5, 8, 10, 12, 15}) {
    Turns turns;
    set(kRcx, 3);
    state.flags = flags_of(kZero);
    state.place = begin + from;
    walk.begin(memory, 20'000, state.numbers[kStackPointer].value, State::kNumbers, &turns);
    Code(walk, state).follow();
    ASSERT_EQ(walk.outlook().kind, Kind::waits) << from;
    const Turns::Places places = turns.once_in_each(walk.rounds());
    EXPECT_EQ(places, (Turns::Places{begin, begin + 12, begin + 15})) << from;
  }
}

// Locks that are taken already.
TEST_F(X86Loops, MayTakeLocks) {
  for (const Bytes* loop : {&kExchanges, &kComparesAndExchanges}) {
    flags[0] = 1;
    const Outlook seen = look(*loop);
    ASSERT_EQ(seen.kind, Kind::waits);
    flags[0] = 0;
    EXPECT_FALSE(seen.looked_at.same_in(memory));
    EXPECT_NE(kind(*loop), Kind::waits);
  }
}

// The function uses stack that whoever asks may have used meanwhile: whatever is there is of no
// interest to others.
TEST_F(X86Loops, MayCallFunctions) {
  EXPECT_EQ(kind(kCallsFunction), Kind::waits);
  std::fill(stack.begin(), stack.begin() + 900, 0x5555);
  EXPECT_EQ(kind(kCallsFunction), Kind::waits);
  other = address_of(kLooks.data());
  EXPECT_EQ(kind(kCallsThroughMemory), Kind::waits);
  flags[0] = 1;
  EXPECT_NE(kind(kCallsFunction), Kind::waits);
  EXPECT_NE(kind(kCallsThroughMemory), Kind::waits);
}

// What others may wait for has to be written before the code is set aside: a loop that asks for
// something again and again waits when it has asked once, and code on its way to a loop not yet.
TEST_F(X86Loops, WaitWhenTheyHaveNothingElseToDo) {
  EXPECT_NE(kind(kAsksAgain), Kind::waits);
  EXPECT_NE(kind(kAfterStore), Kind::waits);
  other = 1;
  EXPECT_EQ(kind(kAsksAgain), Kind::waits);
  EXPECT_NE(kind(kAfterStore), Kind::waits);
}

// Thirty billion looks, as GCC's OpenMP has them for ever, are waiting; a million are not.
TEST_F(X86Loops, ThatCountToAFarEndWait) {
  set(kRsi, 5);
  set(kRdx, 30'000'000'000);
  EXPECT_EQ(kind(kCountsToRdx), Kind::waits);
  set(kRdx, 1'000'000);
  EXPECT_NE(kind(kCountsToRdx), Kind::waits);
}

// Code that comes to an end of its own is computing, however it knows that end.
TEST_F(X86Loops, ThatComputeAreLeftAlone) {
  const std::vector<std::uint32_t> zeros(100'000);
  set(kRsi, address_of(zeros.data()));
  set(kRdx, address_of(zeros.data() + zeros.size()));
  EXPECT_NE(kind(kSearches), Kind::waits);
  set(kRsi, 0);
  set(kRdx, 30'000'000'000);
  EXPECT_NE(kind(kComputes), Kind::waits);
  EXPECT_NE(kind(kEndsByShift), Kind::waits);
  EXPECT_NE(kind(kEndsByABit), Kind::waits);
  EXPECT_NE(kind(kAddsUp), Kind::waits);
}

// A decimal number that is zero until somebody writes it, and four numbers that are copied at once,
// the second of which is waited for.
TEST_F(X86Loops, MayMoveVectors) {
  const Outlook seen = look(kLooksForADecimal);
  ASSERT_EQ(seen.kind, Kind::waits);
  EXPECT_EQ(kind(kCopiesWhatItLooksAt), Kind::waits);
  flags[1] = 0x3ff00000;
  EXPECT_FALSE(seen.looked_at.same_in(memory));
  EXPECT_NE(kind(kLooksForADecimal), Kind::waits);
  EXPECT_NE(kind(kCopiesWhatItLooksAt), Kind::waits);
}

// Its own variables are where the thread pointer says.
TEST_F(X86Loops, KnowTheirThread) {
  const std::uint64_t own[2] = {0, address_of(flags)};
  state.thread_pointer = address_of(own);
  EXPECT_EQ(kind(kLooksAtItsOwn), Kind::waits);
  flags[0] = 1;
  EXPECT_NE(kind(kLooksAtItsOwn), Kind::waits);
}

// A call of the system takes simulated time, or may.
TEST_F(X86Loops, ThatCallTheSystemGoOn) {
  EXPECT_EQ(kind(kCallsTheSystem), Kind::goes_on);
}

// What is not known ends it: floating-point numbers of old, time, and half an instruction before
// memory that is not there.
TEST_F(X86Loops, AreNotGuessedAt) {
  EXPECT_EQ(kind({0xd9, 0xe8, 0xeb, 0xfc}), Kind::unknown);  // fld1; jmp
  EXPECT_EQ(kind({0x0f, 0x31, 0xeb, 0xfc}), Kind::unknown);  // rdtsc; jmp
  state.place = 16;
  walk.begin(memory, 1000, 0);
  Code(walk, state).follow();
  EXPECT_EQ(walk.outlook().kind, Kind::unknown);
}

// Single instructions, with what they do to registers and flags.
class X86Instructions : public X86Loops {
 protected:
  State after(const Bytes& bytes) {
    state.place = address_of(bytes.data());
    walk.begin(memory, 10, 0);
    Code code(walk, state);
    code.step();
    EXPECT_FALSE(walk.over());
    EXPECT_EQ(code.state().place, address_of(bytes.data() + bytes.size()));
    return code.state();
  }
};

// Half of a register, a quarter, and the second byte; the first makes the rest zero.
TEST_F(X86Instructions, WritePartsOfRegisters) {
  set(0, 0x1111222233334444);
  set(1, 0xaaaabbbbccccdd99);
  EXPECT_EQ(after({0x89, 0xc8}).numbers[0].value, 0xccccdd99U);                      // mov eax, ecx
  EXPECT_EQ(after({0x66, 0x89, 0xc8}).numbers[0].value, 0x111122223333dd99U);        // mov ax, cx
  EXPECT_EQ(after({0x88, 0xc8}).numbers[0].value, 0x1111222233334499U);              // mov al, cl
  EXPECT_EQ(after({0x88, 0xcc}).numbers[0].value, 0x1111222233339944U);              // mov ah, cl
  EXPECT_EQ(after({0x40, 0x88, 0xcc}).numbers[4].value & 0xff, 0x99U);               // mov spl, cl
  EXPECT_EQ(after({0x48, 0x0f, 0xbe, 0xc1}).numbers[0].value, 0xffffffffffffff99U);  // movsx
}

// 0x7f + 1 is too much with a sign, 0xff + 1 is without; incrementing leaves the carry as it was.
TEST_F(X86Instructions, SetFlags) {
  set(0, 0x7f);
  EXPECT_EQ(bits_of(after({0x04, 0x01}).flags), kSign | kOverflow);  // add al, 1
  set(0, 0xff);
  EXPECT_EQ(bits_of(after({0x04, 0x01}).flags), kCarry | kZero | kParity);
  EXPECT_EQ(bits_of(after({0xfe, 0xc0}).flags), kZero | kParity);  // inc al
  state.flags = flags_of(kCarry);
  EXPECT_EQ(bits_of(after({0xfe, 0xc0}).flags), kCarry | kZero | kParity);
  EXPECT_EQ(after({0x18, 0xc0}).numbers[0].value, 0xffU);  // sbb al, al
}

// Of three instructions around the lowest bit that is set, two carry if there is none, and the one
// that leaves it alone if there is one. Of 12, with edx: 8, 7 and 4.
TEST_F(X86Instructions, FindTheLowestBit) {
  const auto code = [](std::uint8_t field) { return Bytes{0xc4, 0xe2, 0x68, 0xf3, field}; };
  set(1, 12);
  EXPECT_EQ(after(code(0xc9)).numbers[kRdx].value, 8U);  // blsr edx, ecx
  EXPECT_EQ(after(code(0xd1)).numbers[kRdx].value, 7U);  // blsmsk
  EXPECT_EQ(after(code(0xd9)).numbers[kRdx].value, 4U);  // blsi
  EXPECT_FALSE(after(code(0xc9)).flags.carry);
  EXPECT_TRUE(after(code(0xd9)).flags.carry);
  set(1, 0);
  EXPECT_TRUE(after(code(0xc9)).flags.carry);
  EXPECT_TRUE(after(code(0xd1)).flags.carry);
  EXPECT_FALSE(after(code(0xd9)).flags.carry);
}

// Addresses count from the next instruction, with constants behind them: 0x10 beyond its end.
TEST_F(X86Instructions, ReadAddressesBesideTheCode) {
  const Bytes lea = {0x48, 0x8d, 0x05, 0x10, 0x00, 0x00, 0x00};
  EXPECT_EQ(after(lea).numbers[0].value, address_of(lea.data() + lea.size()) + 0x10);
  Bytes compare = {0x83, 0x3d, 0x00, 0x00, 0x00, 0x00, 0x05, 0x05, 0x00, 0x00, 0x00};
  state.place = address_of(compare.data());  // cmp dword ptr [rip], 5
  walk.begin(memory, 10, 0);
  Code code(walk, state);
  code.step();
  EXPECT_TRUE(code.state().flags.zero);
}

}  // namespace
}  // namespace heddle::host::x86
