#include "host/program/sampling/code_state.hpp"

#include <ucontext.h>

#include <algorithm>
#include <cstring>

namespace heddle::host {
namespace {

/// Frames of functions that have loops seldom have more words than these that are no arrays.
constexpr std::size_t kMostFrameWords = 256;

std::size_t words_within(std::uint64_t from, std::span<const std::byte> stack) {
  const auto begin = reinterpret_cast<std::uint64_t>(stack.data());
  const std::uint64_t end = begin + stack.size();
  // Code that has put its stack elsewhere keeps what is nearest.
  constexpr std::size_t kNearest = 2 * CodeState::kBelow / sizeof(std::uint64_t);
  if (from < begin || from >= end) return kNearest;
  return std::min<std::size_t>(kMostFrameWords, (end - from) / sizeof(std::uint64_t));
}

}  // namespace

#if defined(__x86_64__)
namespace {

/// What the kernel appends to registers of floating point where there are longer vectors.
constexpr std::size_t kNote = 464;
constexpr std::uint32_t kMagic = 0x46505853;
constexpr std::size_t kHeader = 512;
constexpr std::size_t kUpperHalves = 576;
constexpr std::uint64_t kHasVectors = 2;
constexpr std::uint64_t kHasUpperHalves = 4;
constexpr std::size_t kHalf = CodeState::kVectorBytes / 2;

struct Vectors {
  explicit Vectors(const ucontext_t& context)
      : registers(reinterpret_cast<std::byte*>(context.uc_mcontext.fpregs)) {
    std::uint32_t magic = 0;
    std::memcpy(&magic, registers + kNote, sizeof magic);
    std::memcpy(&possible, registers + kNote + 8, sizeof possible);
    if (magic != kMagic) possible = 0;
    if (possible != 0) std::memcpy(&used, registers + kHeader, sizeof used);
  }
  bool can_be_longer() const { return (possible & kHasUpperHalves) != 0; }
  std::byte* lower() const { return registers + offsetof(_libc_fpstate, _xmm); }
  std::byte* upper() const { return registers + kUpperHalves; }

  std::byte* registers;
  std::uint64_t possible = 0;
  std::uint64_t used = kHasVectors;
};

}  // namespace

CodeState state_of(const void* context, std::span<const std::byte> stack) {
  const auto& from = *static_cast<const ucontext_t*>(context);
  CodeState state;
  for (std::size_t i = 0; i < CodeState::kNumbers; ++i) {
    state.numbers[i] = static_cast<std::uint64_t>(from.uc_mcontext.gregs[i]);
  }
  state.flags = static_cast<std::uint64_t>(from.uc_mcontext.gregs[REG_EFL]);
  state.stack_pointer = static_cast<std::uint64_t>(from.uc_mcontext.gregs[REG_RSP]);
  const Vectors vectors(from);
  if ((vectors.used & kHasVectors) != 0) std::memcpy(state.vectors.data(), vectors.lower(), kHalf);
  if (vectors.can_be_longer() && (vectors.used & kHasUpperHalves) != 0) {
    std::memcpy(state.vectors.data() + kHalf, vectors.upper(), kHalf);
  }
  const std::uint64_t words = state.stack_pointer - CodeState::kBelow;
  state.words.resize(words_within(words, stack));
  std::memcpy(state.words.data(), reinterpret_cast<const void*>(words),
              state.words.size() * sizeof(std::uint64_t));
  return state;
}

void go_on_with(const CodeState& state, std::uint64_t place, void* context) {
  auto& to = *static_cast<ucontext_t*>(context);
  for (std::size_t i = 0; i < CodeState::kNumbers; ++i) {
    to.uc_mcontext.gregs[i] = static_cast<greg_t>(state.numbers[i]);
  }
  to.uc_mcontext.gregs[REG_EFL] = static_cast<greg_t>(state.flags);
  to.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(place);
  Vectors vectors(to);
  std::memcpy(vectors.lower(), state.vectors.data(), kHalf);
  vectors.used |= kHasVectors;
  if (vectors.can_be_longer()) {
    std::memcpy(vectors.upper(), state.vectors.data() + kHalf, kHalf);
    vectors.used |= kHasUpperHalves;
  }
  if (vectors.possible != 0) {
    std::memcpy(vectors.registers + kHeader, &vectors.used, sizeof vectors.used);
  }
  std::memcpy(reinterpret_cast<void*>(state.stack_pointer - CodeState::kBelow), state.words.data(),
              state.words.size() * sizeof(std::uint64_t));
}

std::size_t counting_number() {
  return REG_R11;
}
#else
CodeState state_of(const void*, std::span<const std::byte>) {
  return {};
}

void go_on_with(const CodeState&, std::uint64_t, void*) {}

std::size_t counting_number() {
  return CodeState::kNumbers;
}
#endif

}  // namespace heddle::host
