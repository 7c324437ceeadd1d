#include "host/rank/code/look_ahead.hpp"

#include <gtest/gtest.h>

#if defined(__aarch64__)

#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "host/memory/guarded_memory.hpp"
#include "host/program/crash_handler.hpp"

// Loops as compilers make them: x0 is what they look at, x1 to x5 what else they have.
asm(R"(
  .text
  .balign 4
  .global loop_plain, loop_counts_in_memory, loop_draws_numbers, loop_goes_over_eight, loop_takes_lock, loop_calls_function, loop_calls_with_frame
  .global loop_asks_again, loop_after_store, loop_counts_to_x2, loop_computes, loop_ends_by_shift, loop_searches, loop_adds_up, loop_recurses, loop_goes_over_many, loop_end_of_loops
loop_plain:
1:  ldr w9, [x0]
    cbz w9, 1b
    ret
loop_counts_in_memory:
1:  ldr x9, [x1]
    add x9, x9, 1
    str x9, [x1]
    ldr w10, [x0]
    cmp w10, 0
    b.eq 1b
    ret
loop_draws_numbers:
1:  ldr w9, [x1]
    mov w10, 20077
    movk w10, 16838, lsl 16
    mov w11, 12345
    madd w9, w9, w10, w11
    str w9, [x1]
    ubfx w9, w9, 16, 1
    ldr w10, [x0, w9, uxtw 2]
    cbz w10, 1b
    ret
loop_goes_over_eight:
1:  mov x9, 0
2:  ldar w10, [x0]
    ldr w10, [x0, x9, lsl 2]
    cbnz w10, 3f
    add x9, x9, 1
    cmp x9, 8
    b.ne 2b
    yield
    b 1b
3:  ret
loop_takes_lock:
1:  mov w9, 1
    ldxr w10, [x0]
    stxr w11, w9, [x0]
    cbnz w11, 1b
    cbnz w10, 1b
    ret
loop_calls_function:
1:  mov x9, x0
    bl 4f
    cmp w9, 0
    b.eq 1b
    ret
4:  ldr w9, [x9]
    cmp w9, 0
    cset w9, ne
    ret
loop_calls_with_frame:
1:  mov x9, x0
    bl 4f
    cmp w9, 0
    b.eq 1b
    ret
4:  stp x29, x30, [sp, -32]!
    str x9, [sp, 24]
    ldr x9, [sp, 24]
    ldr w9, [x9]
    ldp x29, x30, [sp], 32
    ret
loop_asks_again:
1:  mov w9, 1
    str w9, [x1]
    ldr w10, [x0]
    cbz w10, 1b
    ret
loop_after_store:
    mov w9, 1
    str w9, [x1]
1:  ldr w10, [x0]
    cbz w10, 1b
    ret
loop_counts_to_x2:
1:  ldr w9, [x0]
    cbnz w9, 2f
    add x1, x1, 1
    cmp x1, x2
    b.ne 1b
2:  ret
loop_computes:
1:  ldr w9, [x0]
    madd x3, x3, x4, x5
    add x1, x1, 1
    cmp x1, x2
    b.ne 1b
    ret
loop_ends_by_shift:
1:  ldr w9, [x0]
    add x1, x1, 1
    lsr x9, x1, 40
    cbz x9, 1b
    ret
loop_searches:
1:  ldr w9, [x1], 4
    cbnz w9, 2f
    cmp x1, x2
    b.ne 1b
2:  ret
loop_adds_up:
1:  ldr d0, [x0]
    fadd d1, d1, d0
    fcmp d1, d2
    b.lt 1b
    ret
loop_recurses:
    stp x29, x30, [sp, -32]!
    stp x19, x20, [sp, 16]
    mov x19, x0
1:  mov x0, 6
    mov x1, x19
    bl 4f
    cbnz w0, 6f
    mov x0, 6
    mov x1, x19
    bl 4f
    cbz w0, 1b
6:  ldp x19, x20, [sp, 16]
    ldp x29, x30, [sp], 32
    ret
4:  cbz w0, 5f
    stp x29, x30, [sp, -32]!
    sub w0, w0, 1
    mov x29, sp
    bl 4b
    str w0, [sp, 28]
    ldr w0, [sp, 28]
    ldp x29, x30, [sp], 32
    ret
5:  ldr w1, [x1]
    cmp w1, 0
    cset w0, ne
    ret
loop_goes_over_many:
1:  mov x2, 0
    mov w4, 0
2:  ldr w3, [x0, x2, lsl 2]
    cmp w3, 0
    cset w3, ne
    orr w4, w4, w3
    add x2, x2, 1
    cmp x2, 8
    b.ne 2b
    cbz w4, 1b
    ret
loop_end_of_loops:
)");
extern "C" {
extern const char loop_plain[], loop_counts_in_memory[], loop_draws_numbers[],
    loop_goes_over_eight[], loop_takes_lock[], loop_calls_function[], loop_calls_with_frame[],
    loop_asks_again[], loop_after_store[], loop_counts_to_x2[], loop_computes[],
    loop_ends_by_shift[], loop_searches[], loop_adds_up[], loop_recurses[], loop_goes_over_many[],
    loop_end_of_loops[];
}

namespace heddle::host {
namespace {

using Kind = Outlook::Kind;

/// Where the loops are is the simulator's own code: they are looked at in a copy.
class Loops : public testing::Test {
 protected:
  Loops() : code(address(loop_end_of_loops) - address(loop_plain)), stack(2048) {
    std::memcpy(code.data(), loop_plain, code.size());
  }

  Outlook look(const char* loop, std::uint64_t x1 = 0, std::uint64_t x2 = 0) {
    ucontext_t context{};
    auto& machine = context.uc_mcontext;
    machine.pc = reinterpret_cast<std::uint64_t>(code.data()) + address(loop) - address(loop_plain);
    machine.sp = reinterpret_cast<std::uint64_t>(stack.data() + 1024);
    machine.regs[0] = reinterpret_cast<std::uint64_t>(flags);
    machine.regs[1] = x1;
    machine.regs[2] = x2;
    machine.regs[4] = 6364136223846793005U;
    return outlook(&context, memory, 20'000);
  }
  static std::uint64_t address(const void* place) { return reinterpret_cast<std::uint64_t>(place); }

  CrashHandler crashes;
  GuardedMemory memory;
  std::vector<char> code;
  std::vector<std::uint64_t> stack;
  std::uint32_t flags[8] = {};
  std::uint64_t other = 7;
};

// What is read is known, and when it changes.
TEST_F(Loops, WaitForWhatTheyRead) {
  const Outlook seen = look(loop_plain);
  ASSERT_EQ(seen.kind, Kind::waits);
  EXPECT_TRUE(seen.looked_at.known());
  EXPECT_TRUE(seen.looked_at.same_in(memory));
  flags[1] = 1;
  EXPECT_TRUE(seen.looked_at.same_in(memory));
  flags[0] = 1;
  EXPECT_FALSE(seen.looked_at.same_in(memory));
  // It leaves the loop, and returns to nowhere.
  EXPECT_NE(look(loop_plain).kind, Kind::waits);
}

// They may write while they look; nothing is written in thought.
TEST_F(Loops, MayCountAndDrawNumbers) {
  EXPECT_EQ(look(loop_counts_in_memory, address(&other)).kind, Kind::waits);
  EXPECT_EQ(look(loop_draws_numbers, address(&other)).kind, Kind::waits);
  EXPECT_EQ(other, 7U);
  flags[0] = 1;
  EXPECT_NE(look(loop_counts_in_memory, address(&other)).kind, Kind::waits);
}

// The eighth of eight flags is among what is looked at.
TEST_F(Loops, MayGoOverManyPlaces) {
  const Outlook seen = look(loop_goes_over_eight);
  ASSERT_EQ(seen.kind, Kind::waits);
  flags[7] = 1;
  EXPECT_FALSE(seen.looked_at.same_in(memory));
  EXPECT_NE(look(loop_goes_over_eight).kind, Kind::waits);
}

// A lock that is taken already; and a function that answers whether there is something.
TEST_F(Loops, MayTakeLocksAndCallFunctions) {
  EXPECT_EQ(look(loop_calls_function).kind, Kind::waits);
  // Whatever is on the stack below, where the handler of the signal has been.
  EXPECT_EQ(look(loop_calls_with_frame).kind, Kind::waits);
  std::fill(stack.begin(), stack.begin() + 1024, 0x5555);
  EXPECT_EQ(look(loop_calls_with_frame).kind, Kind::waits);
  flags[0] = 1;
  const Outlook seen = look(loop_takes_lock);
  ASSERT_EQ(seen.kind, Kind::waits);
  flags[0] = 0;
  EXPECT_FALSE(seen.looked_at.same_in(memory));
}

// What others may wait for has to be written before the code is set aside: a loop that asks for
// something again and again waits when it has asked once, and code on its way to a loop not yet.
TEST_F(Loops, WaitWhenTheyHaveNothingElseToDo) {
  EXPECT_NE(look(loop_asks_again, address(&other)).kind, Kind::waits);
  EXPECT_NE(look(loop_after_store, address(&other)).kind, Kind::waits);
  other = 1;
  EXPECT_EQ(look(loop_asks_again, address(&other)).kind, Kind::waits);
  EXPECT_NE(look(loop_after_store, address(&other)).kind, Kind::waits);
}

// Thirty billion looks, as GCC's OpenMP has them for ever, are waiting; a million are not.
TEST_F(Loops, ThatCountToAFarEndWait) {
  EXPECT_EQ(look(loop_counts_to_x2, 5, 30'000'000'000).kind, Kind::waits);
  EXPECT_NE(look(loop_counts_to_x2, 5, 1'000'000).kind, Kind::waits);
}

// Code that comes to an end of its own is computing, however it knows that end.
TEST_F(Loops, ThatComputeAreLeftAlone) {
  EXPECT_NE(look(loop_computes, 0, 30'000'000'000).kind, Kind::waits);
  EXPECT_NE(look(loop_ends_by_shift).kind, Kind::waits);
  const std::vector<std::uint32_t> zeros(100'000);
  EXPECT_NE(look(loop_searches, address(zeros.data()), address(zeros.data() + zeros.size())).kind,
            Kind::waits);
  EXPECT_NE(look(loop_adds_up).kind, Kind::waits);
}

/// Loops that run, and that a timer interrupts wherever they are.
class RunningLoops : public testing::Test {
 protected:
  using Loop = void (*)(std::uint32_t* flags);

  RunningLoops() : size_(static_cast<std::size_t>(loop_end_of_loops - loop_plain)) {
    code_ = static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE | PROT_EXEC,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::memcpy(code_, loop_plain, size_);
    __builtin___clear_cache(code_, code_ + size_);
    current_ = this;
    struct sigaction action {};
    action.sa_sigaction = [](int, siginfo_t*, void* context) { current_->interrupt(context); };
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGALRM, &action, &before_);
  }
  ~RunningLoops() override {
    sigaction(SIGALRM, &before_, nullptr);
    munmap(code_, size_);
  }

  /// What is seen of it when it has run for a while. Then the flag is set for which it waits.
  Outlook run(const char* loop) {
    std::fill(std::begin(flags_), std::end(flags_), 0);
    const itimerval soon{{}, {0, 100}};
    setitimer(ITIMER_REAL, &soon, nullptr);
    reinterpret_cast<Loop>(code_ + (loop - loop_plain))(flags_);
    return seen_;
  }

 private:
  void interrupt(const void* context) {
    seen_ = outlook(context, memory_, 1000);
    flags_[0] = 1;
  }

  static inline RunningLoops* current_ = nullptr;
  CrashHandler crashes_;
  GuardedMemory memory_;
  std::size_t size_;
  char* code_ = nullptr;
  struct sigaction before_ = {};
  std::uint32_t flags_[8] = {};
  Outlook seen_;
};

// Wherever a loop is interrupted, between a comparison and what is made of it or in a function that
// calls itself six times, from two places in turn: it waits, and one round says so, of at most 150
// instructions.
TEST_F(RunningLoops, WaitWhereverTheyAre) {
  for (int i = 0; i < 200; ++i) {
    for (const char* loop :
         {loop_plain, loop_recurses, loop_goes_over_many, loop_goes_over_eight}) {
      const Outlook seen = run(loop);
      ASSERT_EQ(seen.kind, Kind::waits) << loop - loop_plain;
      EXPECT_LE(seen.instructions, 150U);
    }
  }
}

}  // namespace
}  // namespace heddle::host

#elif defined(__x86_64__)

#include <ucontext.h>

#include <bit>
#include <vector>

#include "host/memory/guarded_memory.hpp"
#include "host/program/crash_handler.hpp"

namespace heddle::host {
namespace {

// What a loop looks at is found from the registers, flags and vectors that a signal's handler is
// told of: a number that is counted up, one that is compared with xmm1, and one by the flags alone.
TEST(OutlookOfContext, KnowsRegistersFlagsAndVectors) {
  const std::vector<std::uint8_t> loop = {
      0x74,
      0x01,  // 1: je 2f
      0xc3,  // ret
      0x49,
      0x83,
      0x00,
      0x01,  // 2: add qword ptr [r8], 1
      0x66,
      0x0f,
      0x2e,
      0x0f,  // ucomisd xmm1, [rdi]
      0xeb,
      0xf3,  // jmp 1b
      // As much as the longest instruction is fetched of each.
      0x90,
      0x90,
      0x90,
      0x90,
      0x90,
      0x90,
      0x90,
      0x90,
      0x90,
      0x90,
      0x90,
      0x90,
      0x90,
      0x90,
      0x90,
  };
  double looked_at = 2.5;
  std::uint64_t counter = 0;
  _libc_fpstate vectors{};
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(looked_at);
  vectors._xmm[1].element[0] = static_cast<std::uint32_t>(bits);
  vectors._xmm[1].element[1] = static_cast<std::uint32_t>(bits >> 32);
  ucontext_t context{};
  context.uc_mcontext.fpregs = &vectors;
  auto& registers = context.uc_mcontext.gregs;
  registers[REG_RIP] = reinterpret_cast<greg_t>(loop.data());
  registers[REG_RDI] = reinterpret_cast<greg_t>(&looked_at);
  registers[REG_R8] = reinterpret_cast<greg_t>(&counter);
  registers[REG_EFL] = 0x40;
  const CrashHandler crashes;
  const GuardedMemory memory;
  const Outlook seen = outlook(&context, memory, 1000);
  ASSERT_EQ(seen.kind, Outlook::Kind::waits);
  EXPECT_TRUE(seen.looked_at.same_in(memory));
  looked_at = 3.5;
  EXPECT_FALSE(seen.looked_at.same_in(memory));
  EXPECT_NE(outlook(&context, memory, 1000).kind, Outlook::Kind::waits);
  looked_at = 2.5;
  registers[REG_EFL] = 0;
  EXPECT_NE(outlook(&context, memory, 1000).kind, Outlook::Kind::waits);
}

}  // namespace
}  // namespace heddle::host

#endif
