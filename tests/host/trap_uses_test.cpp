// What traps are good for: code of a page of the test's own, which nobody runs.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "host/rank/code/trap_uses.hpp"

namespace heddle::host {
namespace {

/// A page that code might be in.
class Code {
 public:
  Code()
      : begin_(static_cast<std::byte*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE | PROT_EXEC,
                                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  void* at(std::size_t offset) const { return begin_ + offset; }
  bool has_trap_at(std::size_t offset) const { return begin_[offset] == std::byte{0xcc}; }

 private:
  static constexpr std::size_t kSize = 4096;
  std::byte* begin_;  ///< Never given back: traps are not forgotten.
};

bool copy_nothing(std::uintptr_t, std::size_t, std::uintptr_t) {
  return true;
}

// A trap that a run passes sixteen times in a row without having to wait is taken away, and not set
// again in that run; another run may set it, and counts from the beginning.
TEST(TrapUses, WhatOneRunGivesUpAnotherMayTry) {
  if (!CodeTraps::possible()) GTEST_SKIP() << "no traps on this kind of processor";
  const Code code;
  TrapUses first;
  CodeTraps::Trap* const trap = first.set(code.at(16), copy_nothing);
  ASSERT_NE(trap, nullptr);
  for (int i = 0; i < 15; ++i) first.passed(*trap);
  first.of(code.at(16)).waited();
  for (int i = 0; i < 15; ++i) first.passed(*trap);
  EXPECT_TRUE(code.has_trap_at(16));
  first.passed(*trap);
  EXPECT_FALSE(code.has_trap_at(16));
  EXPECT_EQ(first.set(code.at(16), copy_nothing), nullptr);
  EXPECT_FALSE(CodeTraps::instance().stands(code.at(16)));

  TrapUses second;
  CodeTraps::Trap* const again = second.set(code.at(16), copy_nothing);
  ASSERT_NE(again, nullptr);
  EXPECT_TRUE(CodeTraps::instance().stands(code.at(16)));
  second.passed(*again);
  EXPECT_TRUE(code.has_trap_at(16));
}

// How many instructions of code have to be looked at is what that run has seen of it.
TEST(TrapUses, EachRunLearnsByItselfWhatATrapTakes) {
  const Code code;
  TrapUses first;
  first.of(code.at(32)).needs(5000);
  first.of(code.at(32)).needs(70);
  EXPECT_EQ(first.of(code.at(32)).needed(), 5000U);
  EXPECT_EQ(TrapUses().of(code.at(32)).needed(), 0U);
}

}  // namespace
}  // namespace heddle::host
