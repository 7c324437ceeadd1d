// Loops of x86-64 that look at memory, and proofs that they wait.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/memory/guarded_memory.hpp"
#include "host/program/crash_handler.hpp"
#include "host/rank/code/proof.hpp"
#include "host/rank/code/proof_writer.hpp"
#include "host/rank/code/x86/code.hpp"

namespace heddle::host::x86 {

using Bytes = std::vector<std::uint8_t>;

inline std::uint64_t place_in_memory(const void* place) {
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
  static constexpr unsigned kRax = 0, kRdx = 2, kRbx = 3, kRsi = 6, kRdi = 7;

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
    return walk.outlook().kind == Outlook::Kind::waits &&
           writer.write(proof, walk.outlook().instructions);
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

}  // namespace heddle::host::x86
