#include "host/program/sampling/code_loops.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "host/rank/code/x86/flow.hpp"

namespace heddle::host {
namespace {

using FlowKind = Flow::Kind;

/// A function of instructions of one byte at 100, 101, ...: all go on behind them but those that
/// are said.
class Function {
 public:
  explicit Function(std::size_t length) : steps_(length) {
    for (std::size_t i = 0; i < length; ++i) {
      steps_[i].place = 100 + i;
      steps_[i].flow.length = 1;
    }
    steps_.back().flow.kind = FlowKind::away;
  }
  Function& at(std::size_t i, FlowKind kind, std::uint64_t target = 0) {
    steps_[i - 100].flow.kind = kind;
    steps_[i - 100].flow.target = target;
    return *this;
  }
  Function& unknown_jump(std::size_t i) {
    steps_[i - 100].flow.unknown = true;
    return at(i, FlowKind::away);
  }
  Function& unwanted(std::size_t i) {
    steps_[i - 100].wanted = false;
    return *this;
  }
  std::vector<CodeLoop> loops() const { return wanted_loops(steps_); }

 private:
  std::vector<CodeStep> steps_;
};

std::set<std::uint64_t> heads(const Function& function) {
  std::set<std::uint64_t> heads;
  for (const CodeLoop& loop : function.loops()) heads.insert(loop.head);
  return heads;
}

// 102 to 107 go round, 104 and 105 within: the outer loop is wanted, and left to 108.
TEST(CodeLoops, AreTheLargestOnes) {
  Function function(10);
  function.at(105, FlowKind::branch, 104).at(107, FlowKind::branch, 102);
  const std::vector<CodeLoop> loops = function.loops();
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0].head, 102U);
  EXPECT_EQ(loops[0].exits, std::vector<std::uint64_t>{108});
}

// The same where the outer one does something at 106 that no loop is to do.
TEST(CodeLoops, AreThoseInsideOfOneThatIsNotWanted) {
  Function function(10);
  function.at(105, FlowKind::branch, 104).at(107, FlowKind::branch, 102).unwanted(106);
  EXPECT_EQ(heads(function), std::set<std::uint64_t>{104});
}

// 103 leaves the loop for 108 as well, its end goes on at 106.
TEST(CodeLoops, MayEndInSeveralPlaces) {
  Function function(10);
  function.at(103, FlowKind::branch, 108).at(105, FlowKind::branch, 102);
  const std::vector<CodeLoop> loops = function.loops();
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0].exits, (std::vector<std::uint64_t>{106, 108}));
}

// What goes round can be entered at 103 and at 105: it has no head.
TEST(CodeLoops, AreEnteredAtOnePlace) {
  Function function(10);
  function.at(100, FlowKind::branch, 105).at(107, FlowKind::branch, 103);
  EXPECT_TRUE(function.loops().empty());
}

// One that nothing leaves goes on for ever.
TEST(CodeLoops, HaveAnEnd) {
  Function function(6);
  function.at(104, FlowKind::jump, 102);
  EXPECT_TRUE(function.loops().empty());
}

// A table leads from 103 to 104 and 106, which both go on at 108 and round.
TEST(CodeLoops, MayHaveJumpsByTables) {
  Function function(12);
  function.unknown_jump(103).at(105, FlowKind::jump, 108).at(107, FlowKind::jump, 108);
  function.at(109, FlowKind::branch, 102);
  EXPECT_EQ(heads(function), std::set<std::uint64_t>{102});
}

Flow flow(std::vector<std::uint8_t> bytes) {
  bytes.resize(bytes.size() + 8);
  return x86::read_flow(bytes.data(), bytes.size(), 0x1000);
}

TEST(X86Flow, LeadsWhereTheManualsSay) {
  const Flow branch = flow({0x75, 0xf0});  // jne, 16 back from behind it
  EXPECT_EQ(branch.kind, FlowKind::branch);
  EXPECT_EQ(branch.target, 0x1000U + 2 - 16);
  const Flow far = flow({0x0f, 0x8e, 0x00, 0x01, 0x00, 0x00});
  EXPECT_EQ(far.kind, FlowKind::branch);
  EXPECT_EQ(far.target, 0x1000U + 6 + 0x100);
  EXPECT_EQ(flow({0xe8, 0x10, 0, 0, 0}).kind, FlowKind::call);
  EXPECT_EQ(flow({0xe9, 0x10, 0, 0, 0}).target, 0x1015U);
  EXPECT_EQ(flow({0xc3}).kind, FlowKind::away);
  const Flow word = flow({0xff, 0x25, 0x10, 0, 0, 0});  // jmp *16(%rip)
  EXPECT_TRUE(word.kind == FlowKind::jump && word.by_word);
  EXPECT_EQ(word.target, 0x1016U);
  EXPECT_TRUE(flow({0xff, 0xd0}).unknown);  // call *%rax
}

TEST(X86Flow, KnowsHowLongInstructionsAre) {
  EXPECT_EQ(flow({0xf2, 0x0f, 0x58, 0x44, 0x24, 0x08}).length, 6);              // addsd
  EXPECT_EQ(flow({0xc5, 0xfd, 0x58, 0xc1}).length, 4);                          // vaddpd ymm
  EXPECT_EQ(flow({0x62, 0xf1, 0xfd, 0x48, 0x58, 0x44, 0x24, 0x01}).length, 8);  // vaddpd zmm
  EXPECT_EQ(flow({0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}).length, 10);             // movabs
  EXPECT_EQ(flow({0xf7, 0xc0, 1, 0, 0, 0}).length, 6);                          // test
  EXPECT_EQ(flow({0xf7, 0xd8}).length, 2);                                      // neg
}

TEST(X86Flow, KnowsWhatConcernsOthers) {
  EXPECT_TRUE(flow({0x0f, 0x05}).others);                    // syscall
  EXPECT_TRUE(flow({0x0f, 0x31}).others);                    // rdtsc
  EXPECT_TRUE(flow({0xf3, 0x90}).others);                    // pause
  EXPECT_TRUE(flow({0xf0, 0x48, 0x0f, 0xb1, 0x0f}).others);  // lock cmpxchg
  EXPECT_TRUE(flow({0x87, 0x07}).others);                    // xchg with memory
  EXPECT_FALSE(flow({0x87, 0xc8}).others);                   // between registers
  EXPECT_FALSE(flow({0x90}).others);
}

// lea 5(%r11), %r11 is what `heddlecc --count` puts into each block.
TEST(X86Flow, KnowsWhatCounts) {
  EXPECT_TRUE(flow({0x4d, 0x8d, 0x5b, 0x05}).counts);
  EXPECT_FALSE(flow({0x4d, 0x8d, 0x52, 0x05}).counts);  // lea 5(%r10), %r10
}

}  // namespace
}  // namespace heddle::host
