// Instructions of x86-64 in thought and as the processor carries them out.
#include <gtest/gtest.h>

#if defined(__x86_64__)

#include <cpuid.h>
#include <sys/mman.h>

#include <bit>
#include <cstring>
#include <random>
#include <vector>

#include "host/memory/guarded_memory.hpp"
#include "host/program/crash_handler.hpp"
#include "host/rank/code/x86/code.hpp"

// Loads all registers but the stack pointer from rdi, has the code at rsi run, which jumps back to
// the second label, and stores them there.
asm(R"(
  .intel_syntax noprefix
  .text
  .global x86_run_natively, x86_ran_natively
x86_run_natively:
  push rbx; push rbp; push r12; push r13; push r14; push r15
  mov [rip + x86_native_registers], rdi
  mov [rip + x86_native_code], rsi
  movups xmm0, [rdi + 136]; movups xmm1, [rdi + 152]; movups xmm2, [rdi + 168]; movups xmm3, [rdi + 184]
  push qword ptr [rdi + 128]
  popfq
  mov rax, [rdi]; mov rcx, [rdi + 8]; mov rdx, [rdi + 16]; mov rbx, [rdi + 24]
  mov rbp, [rdi + 40]; mov rsi, [rdi + 48]
  mov r8, [rdi + 64]; mov r9, [rdi + 72]; mov r10, [rdi + 80]; mov r11, [rdi + 88]
  mov r12, [rdi + 96]; mov r13, [rdi + 104]; mov r14, [rdi + 112]; mov r15, [rdi + 120]
  mov rdi, [rdi + 56]
  jmp [rip + x86_native_code]
x86_ran_natively:
  mov [rip + x86_native_code], rdi
  mov rdi, [rip + x86_native_registers]
  mov [rdi], rax; mov [rdi + 8], rcx; mov [rdi + 16], rdx; mov [rdi + 24], rbx
  mov [rdi + 40], rbp; mov [rdi + 48], rsi
  mov [rdi + 64], r8; mov [rdi + 72], r9; mov [rdi + 80], r10; mov [rdi + 88], r11
  mov [rdi + 96], r12; mov [rdi + 104], r13; mov [rdi + 112], r14; mov [rdi + 120], r15
  mov rax, [rip + x86_native_code]
  mov [rdi + 56], rax
  pushfq
  pop qword ptr [rdi + 128]
  movups [rdi + 136], xmm0; movups [rdi + 152], xmm1; movups [rdi + 168], xmm2; movups [rdi + 184], xmm3
  cld
  pop r15; pop r14; pop r13; pop r12; pop rbp; pop rbx
  ret
  .local x86_native_registers, x86_native_code
  .comm x86_native_registers, 8, 8
  .comm x86_native_code, 8, 8
  .att_syntax prefix
)");

namespace heddle::host::x86 {
namespace {

/// By its own word: not all compilers know the name of this feature.
bool has_lzcnt() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_LZCNT) != 0;
}

constexpr unsigned kVectors = 4;

struct NativeRegisters {
  std::uint64_t numbers[16];
  std::uint64_t flags;
  std::uint64_t vectors[kVectors][2];
};
extern "C" void x86_run_natively(NativeRegisters* registers, const void* code);
extern "C" const char x86_ran_natively[];

/// What the processor's manuals leave open.
constexpr std::uint64_t kAllFlags = kCarry | kParity | kZero | kSign | kOverflow;

/// Instructions that are encoded alike.
struct Pattern {
  enum Operands { registers_only, memory_only, any };
  std::vector<std::uint8_t> opcode;  ///< With what must stand in front.
  int field = -1;                    ///< If that is a part of what it does.
  unsigned constant = 0;             ///< Bytes of it; 9: four, or two for short numbers.
  std::uint64_t flags = kAllFlags;   ///< That have a meaning afterwards.
  Operands operands = any;
  bool sizes = true;     ///< Has forms for 16 and 64 bits.
  bool modrm = true;     ///< Has operands of that kind.
  bool vectors = false;  ///< In the operands.
};

class NativeBed {
 public:
  NativeBed() {
    void* const pages =
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(pages, MAP_FAILED);
    code_ = static_cast<std::uint8_t*>(pages);
  }
  ~NativeBed() { munmap(code_, 4096); }

  /// `times` random ones. How many were not understood.
  unsigned compare(const Pattern& pattern, unsigned times);

 private:
  static constexpr std::size_t kData = 64;

  std::uint64_t number();
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  void draw_registers();
  void write(const Pattern& pattern);
  void write_modrm(const Pattern& pattern);
  bool think();
  void execute();
  void expect_same(const Pattern& pattern) const;

  CrashHandler crashes_;
  GuardedMemory memory_;
  std::mt19937_64 random_{4711};
  std::uint8_t* code_;
  std::vector<std::uint8_t> bytes_;
  unsigned size_ = 4;
  alignas(64) std::uint8_t data_[kData] = {};
  std::uint8_t thought_data_[kData] = {};
  NativeRegisters registers_{};
  NativeRegisters thought_{};
};

/// Small ones, large ones, and those at the ends.
std::uint64_t NativeBed::number() {
  const std::uint64_t any = random_();
  switch (below(6)) {
    case 0:
      return below(70);
    case 1:
      return 0 - std::uint64_t{below(70)};
    case 2:
      return std::uint64_t{1} << below(64);
    case 3:
      return (std::uint64_t{1} << below(64)) - 1;
    default:
      return any;
  }
}

/// Four registers point to data, and one is an index of it.
void NativeBed::draw_registers() {
  for (std::uint64_t& each : registers_.numbers) each = number();
  for (auto& vector : registers_.vectors) {
    for (std::uint64_t& half : vector) {
      half = below(2) == 0 ? number() : std::bit_cast<std::uint64_t>(1.0 * below(3));
    }
  }
  for (std::uint8_t& byte : data_) byte = static_cast<std::uint8_t>(number());
  for (const unsigned pointer : {6, 7, 12, 13}) {
    registers_.numbers[pointer] = reinterpret_cast<std::uint64_t>(data_ + 16);
  }
  registers_.numbers[9] = below(2);
  registers_.flags = (random_() & kAllFlags) | 2;
}

void NativeBed::write_modrm(const Pattern& pattern) {
  constexpr std::uint8_t kPointers[] = {6, 7, 4, 5};
  const bool in_memory = pattern.operands == Pattern::memory_only ||
                         (pattern.operands == Pattern::any && below(2) == 0);
  const unsigned limit = pattern.vectors ? kVectors : 8;
  unsigned field = pattern.field >= 0 ? static_cast<unsigned>(pattern.field) : below(limit);
  // The stack pointer, unless it means something else.
  while (field == 4 && pattern.field < 0) field = below(limit);
  if (!in_memory) {
    unsigned rm = below(limit);
    while (rm == 4) rm = below(limit);
    return bytes_.push_back(static_cast<std::uint8_t>(0xc0 | field << 3 | rm));
  }
  const unsigned base = below(4);
  const bool has_index = below(2) == 0 || base == 2;
  bytes_.push_back(
      static_cast<std::uint8_t>(0x40 | field << 3 | (has_index ? 4 : kPointers[base])));
  if (has_index) {
    bytes_.push_back(static_cast<std::uint8_t>(below(4) << 6 | 1 << 3 | kPointers[base]));
  }
  bytes_.push_back(static_cast<std::uint8_t>(below(16)));
}

/// REX has r9 as an index, and makes rsi and rdi what they are or r12 and r13 of rsp and rbp.
void NativeBed::write(const Pattern& pattern) {
  bytes_.clear();
  const unsigned form = pattern.sizes ? below(3) : 0;
  size_ = form == 0 ? 4 : form == 1 ? 2 : 8;
  std::vector<std::uint8_t> rest = pattern.opcode;
  while (rest.front() == 0x66 || rest.front() == 0xf2 || rest.front() == 0xf3 ||
         rest.front() == 0xf0) {
    bytes_.push_back(rest.front());
    rest.erase(rest.begin());
  }
  if (form == 1) bytes_.insert(bytes_.begin(), 0x66);
  const std::size_t rex_place = bytes_.size();
  bytes_.insert(bytes_.end(), rest.begin(), rest.end());
  const std::size_t modrm = bytes_.size();
  if (pattern.modrm) write_modrm(pattern);
  unsigned rex = form == 2 ? 0x48 : 0;
  if (pattern.modrm && bytes_[modrm] < 0xc0) {
    rex |= 0x42;
    const unsigned rm = bytes_[modrm] & 7;
    const unsigned base = rm == 4 ? bytes_[modrm + 1] & 7 : rm;
    if (base == 4 || base == 5) rex |= 1;
  }
  const bool vex = rest.front() == 0xc4;
  if (rex != 0 && !vex) bytes_.insert(bytes_.begin() + rex_place, static_cast<std::uint8_t>(rex));
  if (rex != 0 && vex) {
    bytes_[rex_place + 1] &= static_cast<std::uint8_t>(~((rex & 3) << 5));
    bytes_[rex_place + 2] |= (rex & 8) << 4;
  }
  unsigned constant = pattern.constant == 9 ? (size_ == 2 ? 2 : 4) : pattern.constant;
  for (; constant > 0; --constant) bytes_.push_back(static_cast<std::uint8_t>(number()));
}

/// Whether it was understood, with all that it does.
bool NativeBed::think() {
  Walk walk;
  walk.begin(memory_, 10, 0);
  State state;
  for (unsigned i = 0; i < 16; ++i) state.numbers[i].value = registers_.numbers[i];
  for (unsigned i = 0; i < kVectors; ++i) {
    state.vectors[i][0].value = registers_.vectors[i][0];
    state.vectors[i][1].value = registers_.vectors[i][1];
  }
  state.flags = flags_of(registers_.flags);
  state.place = reinterpret_cast<std::uint64_t>(code_);
  Code code(walk, state);
  code.step();
  if (walk.over()) return false;
  const State& after = code.state();
  EXPECT_EQ(after.place, reinterpret_cast<std::uint64_t>(code_ + bytes_.size()));
  thought_ = registers_;
  bool all_known = true;
  for (unsigned i = 0; i < 16; ++i) {
    thought_.numbers[i] = after.numbers[i].value;
    all_known = all_known && after.numbers[i].known;
  }
  for (unsigned i = 0; i < kVectors; ++i) {
    for (unsigned half = 0; half < 2; ++half) {
      thought_.vectors[i][half] = after.vectors[i][half].value;
      all_known = all_known && after.vectors[i][half].known;
    }
  }
  thought_.flags = bits_of(after.flags);
  for (unsigned i = 0; i < kData; ++i) {
    thought_data_[i] = static_cast<std::uint8_t>(
        walk.load(i, {reinterpret_cast<std::uint64_t>(data_ + i)}, 1).value);
  }
  return all_known;
}

void NativeBed::execute() {
  std::vector<std::uint8_t> jump = {0xff, 0x25, 0, 0, 0, 0};
  const auto back = reinterpret_cast<std::uint64_t>(x86_ran_natively);
  std::memcpy(code_ + bytes_.size(), jump.data(), jump.size());
  std::memcpy(code_ + bytes_.size() + jump.size(), &back, sizeof back);
  const std::uint64_t stack = registers_.numbers[kStackPointer];
  x86_run_natively(&registers_, code_);
  registers_.numbers[kStackPointer] = stack;
}

void NativeBed::expect_same(const Pattern& pattern) const {
  std::string text;
  for (const std::uint8_t byte : bytes_) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += {' ', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  const std::uint64_t mask = pattern.flags;
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(thought_.numbers[i], registers_.numbers[i]) << i << " after" << text;
  }
  for (unsigned i = 0; i < kVectors; ++i) {
    EXPECT_EQ(thought_.vectors[i][0], registers_.vectors[i][0]) << i << " after" << text;
    EXPECT_EQ(thought_.vectors[i][1], registers_.vectors[i][1]) << i << " after" << text;
  }
  EXPECT_EQ(thought_.flags & mask, registers_.flags & mask) << text;
  EXPECT_EQ(std::memcmp(thought_data_, data_, kData), 0) << text;
}

unsigned NativeBed::compare(const Pattern& pattern, unsigned times) {
  unsigned given_up = 0;
  for (unsigned i = 0; i < times && !testing::Test::HasFailure(); ++i) {
    draw_registers();
    write(pattern);
    std::memcpy(code_, bytes_.data(), bytes_.size());
    if (!think()) {
      ++given_up;
      continue;
    }
    execute();
    expect_same(pattern);
  }
  return given_up;
}

constexpr unsigned kTimes = 200;

void expect_alike(const std::vector<Pattern>& patterns) {
  NativeBed bed;
  for (const Pattern& pattern : patterns) {
    EXPECT_EQ(bed.compare(pattern, kTimes), 0U) << std::hex << +pattern.opcode.back();
  }
}

std::vector<Pattern> each(std::uint8_t first, std::uint8_t last, Pattern like,
                          bool of_two = false) {
  std::vector<Pattern> all;
  for (unsigned i = first; i <= last; ++i) {
    all.push_back(like);
    all.back().opcode = {static_cast<std::uint8_t>(i)};
    if (of_two) all.back().opcode.insert(all.back().opcode.begin(), 0x0f);
  }
  return all;
}

TEST(X86Native, SumsAndComparisons) {
  for (unsigned kind = 0; kind < 8; ++kind) {
    const auto first = static_cast<std::uint8_t>(8 * kind);
    const int field = static_cast<int>(kind);
    expect_alike({{{first}, -1, 0, kAllFlags, Pattern::any, false}});
    expect_alike(each(first + 1, first + 1, {}));
    expect_alike({{{static_cast<std::uint8_t>(first + 2)}, -1, 0, kAllFlags, Pattern::any, false}});
    expect_alike(each(first + 3, first + 3, {}));
    expect_alike(
        {{{static_cast<std::uint8_t>(first + 4)}, -1, 1, kAllFlags, Pattern::any, false, false},
         {{static_cast<std::uint8_t>(first + 5)}, -1, 9, kAllFlags, Pattern::any, true, false},
         {{0x80}, field, 1, kAllFlags, Pattern::any, false},
         {{0x81}, field, 9},
         {{0x83}, field, 1}});
  }
  expect_alike({{{0x84}, -1, 0, kAllFlags, Pattern::any, false},
                {{0x85}},
                {{0xa8}, -1, 1, kAllFlags, Pattern::any, false, false},
                {{0xa9}, -1, 9, kAllFlags, Pattern::any, true, false},
                {{0xf6}, 0, 1, kAllFlags, Pattern::any, false},
                {{0xf7}, 0, 9},
                {{0xf6}, 2, 0, kAllFlags, Pattern::any, false},
                {{0xf6}, 3, 0, kAllFlags, Pattern::any, false},
                {{0xf7}, 2},
                {{0xf7}, 3},
                {{0xfe}, 0, 0, kAllFlags, Pattern::any, false},
                {{0xfe}, 1, 0, kAllFlags, Pattern::any, false},
                {{0xff}, 0},
                {{0xff}, 1}});
}

// After products two flags have a meaning, and after quotients none. A quotient that does not fit
// is not computed.
TEST(X86Native, ProductsAndQuotients) {
  constexpr std::uint64_t kMeant = kCarry | kOverflow;
  expect_alike({{{0xf6}, 4, 0, kMeant, Pattern::any, false},
                {{0xf7}, 4, 0, kMeant},
                {{0xf6}, 5, 0, kMeant, Pattern::any, false},
                {{0xf7}, 5, 0, kMeant},
                {{0x69}, -1, 9, kMeant},
                {{0x6b}, -1, 1, kMeant},
                {{0x0f, 0xaf}, -1, 0, kMeant}});
  NativeBed bed;
  for (const int field : {6, 7}) {
    EXPECT_LT(bed.compare({{0xf6}, field, 0, 0, Pattern::any, false}, 2000), 1990U);
    EXPECT_LT(bed.compare({{0xf7}, field, 0, 0}, 2000), 1990U);
  }
}

// Of a count of more than one, the overflow has no meaning; nor has the carry of a short number
// that is shifted away.
TEST(X86Native, Shifts) {
  for (const int field : {0, 1, 4, 5, 7}) {
    constexpr std::uint64_t kMeant = kParity | kZero | kSign;
    expect_alike({{{0xd0}, field, 0, kAllFlags, Pattern::any, false},
                  {{0xd1}, field},
                  {{0xc0}, field, 1, kMeant, Pattern::any, false},
                  {{0xd2}, field, 0, kMeant, Pattern::any, false},
                  {{0xc1}, field, 1, kMeant},
                  {{0xd3}, field, 0, kMeant}});
    // Of 32 bits.
    expect_alike({{{0xc1}, field, 1, kMeant | kCarry, Pattern::any, false},
                  {{0xd3}, field, 0, kMeant | kCarry, Pattern::any, false}});
  }
  constexpr std::uint64_t kMeant = kCarry | kParity | kZero | kSign;
  expect_alike({{{0x0f, 0xa4}, -1, 1, kMeant, Pattern::any, false},
                {{0x0f, 0xac}, -1, 1, kMeant, Pattern::any, false},
                {{0x0f, 0xa5}, -1, 0, kMeant, Pattern::any, false},
                {{0x0f, 0xad}, -1, 0, kMeant, Pattern::any, false}});
}

TEST(X86Native, Bits) {
  constexpr std::uint64_t kMeant = kCarry | kZero;
  for (const int field : {4, 5, 6, 7}) expect_alike({{{0x0f, 0xba}, field, 1, kMeant}});
  for (const std::uint8_t opcode : {0xa3, 0xab, 0xb3, 0xbb}) {
    expect_alike({{{0x0f, opcode}, -1, 0, kMeant, Pattern::registers_only}});
  }
  // Where the first one is of a number that has none is left open.
  NativeBed bed;
  for (const std::uint8_t opcode : {0xbc, 0xbd}) {
    EXPECT_LT(bed.compare({{0x0f, opcode}, -1, 0, kZero}, kTimes), kTimes / 5);
  }
  expect_alike({{{0x0f, 0xc8}, -1, 0, kAllFlags, Pattern::any, false, false},
                {{0x0f, 0xcb}, -1, 0, kAllFlags, Pattern::any, false, false}});
  if (__builtin_cpu_supports("popcnt") != 0) expect_alike({{{0xf3, 0x0f, 0xb8}}});
  if (__builtin_cpu_supports("bmi") != 0 && has_lzcnt()) {
    expect_alike({{{0xf3, 0x0f, 0xbc}, -1, 0, kMeant}, {{0xf3, 0x0f, 0xbd}, -1, 0, kMeant}});
  }
}

// They have three operands, the third of which is edx here. The carry of those around the lowest
// bit is not compared: emulators have it wrong.
TEST(X86Native, BitsWithThreeOperands) {
  if (__builtin_cpu_supports("bmi") == 0 || __builtin_cpu_supports("bmi2") == 0) GTEST_SKIP();
  constexpr std::uint64_t kMeant = kCarry | kZero | kSign | kOverflow;
  constexpr std::uint64_t kLowest = kMeant & ~kCarry;
  for (const std::uint8_t wide : {0x00, 0x80}) {
    const auto last = [&](unsigned prefix) {
      return static_cast<std::uint8_t>(wide | 0x68 | prefix);
    };
    expect_alike({{{0xc4, 0xe2, last(0), 0xf2}, -1, 0, kMeant, Pattern::any, false},
                  {{0xc4, 0xe2, last(0), 0xf3}, 1, 0, kLowest, Pattern::any, false},
                  {{0xc4, 0xe2, last(0), 0xf3}, 2, 0, kLowest, Pattern::any, false},
                  {{0xc4, 0xe2, last(0), 0xf3}, 3, 0, kLowest, Pattern::any, false},
                  {{0xc4, 0xe2, last(1), 0xf7}, -1, 0, kAllFlags, Pattern::any, false},
                  {{0xc4, 0xe2, last(2), 0xf7}, -1, 0, kAllFlags, Pattern::any, false},
                  {{0xc4, 0xe2, last(3), 0xf7}, -1, 0, kAllFlags, Pattern::any, false}});
    const auto without = static_cast<std::uint8_t>(wide | 0x7b);
    expect_alike({{{0xc4, 0xe3, without, 0xf0}, -1, 1, kAllFlags, Pattern::any, false}});
  }
}

TEST(X86Native, Moves) {
  expect_alike({{{0x88}, -1, 0, kAllFlags, Pattern::any, false},
                {{0x89}},
                {{0x8a}, -1, 0, kAllFlags, Pattern::any, false},
                {{0x8b}},
                {{0x8d}, -1, 0, kAllFlags, Pattern::memory_only},
                {{0x63}},
                {{0x86}, -1, 0, kAllFlags, Pattern::any, false},
                {{0x87}},
                {{0x98}, -1, 0, kAllFlags, Pattern::any, true, false},
                {{0x99}, -1, 0, kAllFlags, Pattern::any, true, false},
                {{0x90}, -1, 0, kAllFlags, Pattern::any, true, false},
                {{0x93}, -1, 0, kAllFlags, Pattern::any, true, false},
                {{0xb3}, -1, 1, kAllFlags, Pattern::any, false, false},
                {{0xbb}, -1, 4, kAllFlags, Pattern::any, false, false},
                {{0x48, 0xbb}, -1, 8, kAllFlags, Pattern::any, false, false},
                {{0xc6}, 0, 1, kAllFlags, Pattern::any, false},
                {{0xc7}, 0, 9},
                {{0x0f, 0xb6}},
                {{0x0f, 0xb7}},
                {{0x0f, 0xbe}},
                {{0x0f, 0xbf}},
                {{0x0f, 0x1f}},
                {{0xf3, 0x90}, -1, 0, kAllFlags, Pattern::any, false, false},
                {{0xaa}, -1, 0, kAllFlags, Pattern::any, false, false},
                {{0xab}, -1, 0, kAllFlags, Pattern::any, true, false},
                {{0xa4}, -1, 0, kAllFlags, Pattern::any, false, false}});
  expect_alike(each(0x40, 0x4f, {}, true));
  Pattern byte;
  byte.sizes = false;
  byte.field = 0;
  expect_alike(each(0x90, 0x9f, byte, true));
}

TEST(X86Native, ReadAndWriteAtOnce) {
  expect_alike({{{0xf0, 0x0f, 0xb0}, -1, 0, kAllFlags, Pattern::memory_only, false},
                {{0xf0, 0x0f, 0xb1}, -1, 0, kAllFlags, Pattern::memory_only},
                {{0x0f, 0xc0}, -1, 0, kAllFlags, Pattern::any, false},
                {{0xf0, 0x0f, 0xc1}, -1, 0, kAllFlags, Pattern::memory_only},
                {{0x0f, 0xc1}},
                {{0xf0, 0x01}, -1, 0, kAllFlags, Pattern::memory_only}});
}

TEST(X86Native, Vectors) {
  std::vector<Pattern> all;
  const auto add = [&](std::vector<std::uint8_t> opcode, Pattern::Operands where = Pattern::any) {
    all.push_back({std::move(opcode), -1, 0, kAllFlags, where, false, true, true});
  };
  for (const std::uint8_t opcode : {0x10, 0x11}) {
    add({0x0f, opcode});
    for (const std::uint8_t prefix : {0x66, 0xf2, 0xf3}) add({prefix, 0x0f, opcode});
  }
  for (const std::uint8_t opcode : {0x54, 0x55, 0x56, 0x57, 0x28, 0x29}) {
    add({0x0f, opcode}, Pattern::registers_only);
  }
  for (const std::uint8_t opcode : {0xdb, 0xdf, 0xeb, 0xef, 0x6c, 0x6d}) {
    add({0x66, 0x0f, opcode}, Pattern::registers_only);
  }
  for (const std::uint8_t opcode : {0x6f, 0x7f}) add({0xf3, 0x0f, opcode});
  for (const std::uint8_t opcode : {0x12, 0x16}) add({0x0f, opcode});
  for (const std::uint8_t opcode : {0x13, 0x17}) add({0x0f, opcode}, Pattern::memory_only);
  for (const std::uint8_t opcode : {0x2e, 0x2f}) {
    add({0x0f, opcode});
    add({0x66, 0x0f, opcode});
  }
  add({0xf3, 0x0f, 0x7e});
  add({0x66, 0x0f, 0xd6});
  add({0x66, 0x0f, 0x6e});
  add({0x66, 0x0f, 0x7e});
  add({0x66, 0x48, 0x0f, 0x6e}, Pattern::registers_only);
  add({0x66, 0x48, 0x0f, 0x7e}, Pattern::registers_only);
  expect_alike(all);
}

}  // namespace
}  // namespace heddle::host::x86

#endif
