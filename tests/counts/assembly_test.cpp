// Counting, in assembly as GCC writes it.
#include "counts/assembly.hpp"

#include <gmock/gmock.h>

#include "counts/lines.hpp"

namespace heddle::counts {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The lines of `text` that have `part` in them.
int lines_with(const std::string& text, std::string_view part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// What stands between two texts.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

std::string function(const std::string& body, const std::string& sign) {
  return "\t.text\n\t.type\tf, " + sign + "function\nf:\n" + body + "\t.size\tf, .-f\n";
}
std::string arm(const std::string& body) {
  return counted(function(body, "%"), Machine::aarch64);
}
std::string x86(const std::string& body) {
  return counted(function(body, "@"), Machine::x86_64);
}

// What no compiler wrote is left alone, and the machine is what the text is for.
TEST(Assembly, KnowsWhatItIsFor) {
  EXPECT_FALSE(machine_of("\tmov\tx15, 1\n\tret\n"));
  EXPECT_EQ(machine_of("\t.arch armv8-a\n\t.ident\t\"GCC: 12\"\n"), Machine::aarch64);
  EXPECT_EQ(machine_of("\t.file\t\"a.c\"\n\t.ident\t\"GCC: 12\"\n"), Machine::x86_64);
}

// A function of three instructions, the return among them, counts for three, and adds them to
// memory before it returns.
TEST(Assembly, CountsTheInstructionsOfAFunction) {
  const std::string text = arm("\tadd\tx0, x0, 1\n\tmul\tx0, x0, x0\n\tret\n");
  EXPECT_THAT(text, HasSubstr("f:\n\tmov\tx15, 3\n\tadd\tx0, x0, 1\n"));
  EXPECT_THAT(between(text, "mul\tx0, x0, x0\n", "\tret\n"), HasSubstr("str\tx13, [x14]"));
  const std::string other = x86("\tleaq\t1(%rdi), %rax\n\timulq\t%rax, %rax\n\tret\n");
  EXPECT_THAT(other, HasSubstr("f:\n\tmovl\t$3, %r11d\n\tleaq\t1(%rdi), %rax\n"));
  EXPECT_THAT(between(other, "imulq\t%rax, %rax\n", "\tret\n"), HasSubstr("addq\t%r11, (%r10)"));
}

// A loop of two instructions counts them in each round, at its label; what is behind the branch
// counts by itself.
TEST(Assembly, CountsEachRoundOfALoop) {
  const std::string text =
      arm("\tmov\tx1, 9\n.L2:\n\tsubs\tx1, x1, 1\n\tbne\t.L2\n\tmov\tx0, 0\n\tret\n");
  EXPECT_THAT(text, HasSubstr("f:\n\tmov\tx15, 1\n\tmov\tx1, 9\n"));
  EXPECT_THAT(
      text,
      HasSubstr(".L2:\n\tadd\tx15, x15, 2\n\tsubs\tx1, x1, 1\n\tbne\t.L2\n\tadd\tx15, x15, 2\n"));
  const std::string other = x86("\tmovl\t$9, %eax\n.L2:\n\tsubl\t$1, %eax\n\tjne\t.L2\n\tret\n");
  EXPECT_THAT(other, HasSubstr(".L2:\n\tleaq\t2(%r11), %r11\n\tsubl\t$1, %eax\n"));
}

// Neither adds to the flags that the program's own instructions leave: the count before a branch is
// at the head of its stretch, and what grows a register there leaves flags alone.
TEST(Assembly, LeavesFlagsAlone) {
  const std::string text = arm("\tcmp\tx0, x1\n\tbeq\t.L3\n.L3:\n\tret\n");
  EXPECT_THAT(text, HasSubstr("\tcmp\tx0, x1\n\tbeq\t.L3\n"));
  EXPECT_THAT(text, Not(HasSubstr("adds\t")));
}

// Before a call the count goes to memory, and behind it begins anew; a call of memcpy() counts a
// sixteenth of its bytes, one of exp() 40.
TEST(Assembly, CallsEndAStretch) {
  const std::string text = arm("\tbl\tg\n\tmov\tx0, 0\n\tret\n");
  EXPECT_THAT(between(text, "f:\n", "\tbl\tg\n"), HasSubstr("str\tx13, [x14]"));
  EXPECT_THAT(text, HasSubstr("\tbl\tg\n\tmov\tx15, 2\n"));
  EXPECT_THAT(arm("\tbl\tmemcpy\n\tret\n"), HasSubstr("add\tx15, x15, x2, lsr 4"));
  EXPECT_THAT(x86("\tcall\tmemcpy@PLT\n\tret\n"), HasSubstr("movq\t%rdx, %r10\n\tshrq\t$4, %r10"));
  EXPECT_THAT(arm("\tbl\texp\n\tret\n"), HasSubstr("f:\n\tmov\tx15, 41\n"));
  EXPECT_THAT(arm("\tfdiv\td0, d0, d1\n\tret\n"), HasSubstr("f:\n\tmov\tx15, 11\n"));
}

// Finding a variable of the thread's is a call, and none that ends a stretch: on AArch64 it changes
// no register, on x86-64 linkers must find it whole.
TEST(Assembly, ThreadsVariablesAreFoundInPeace) {
  const std::string text = arm("\tldr\tx1, [x0]\n\t.tlsdesccall\tv\n\tblr\tx1\n\tret\n");
  EXPECT_THAT(text, HasSubstr("\t.tlsdesccall\tv\n\tblr\tx1\n"));
  EXPECT_EQ(lines_with(text, "str\tx13"), 1) << "before the return alone";
  const std::string other =
      x86("\tdata16\tleaq\tv@tlsgd(%rip), "
          "%rdi\n\t.value\t0x6666\n\trex64\n\tcall\t__tls_get_addr@PLT\n\tret\n");
  EXPECT_THAT(other,
              HasSubstr("\tdata16\tleaq\tv@tlsgd(%rip), %rdi\n\t.value\t0x6666\n\trex64\n\tcall\t"
                        "__tls_get_addr@PLT\n\tmovl\t$1, %r11d\n"));
}

// A handler of exceptions begins with nothing: what unwound the stack left anything in the
// register.
TEST(Assembly, HandlersOfExceptionsBeginAnew) {
  const std::string text = counted(function("\tbl\tg\n\tret\n.L5:\n\tmov\tx0, 0\n\tret\n", "%") +
                                       "\t.section\t.gcc_except_table\n\t.uleb128 .L5-.LFB1\n",
                                   Machine::aarch64);
  EXPECT_THAT(text, HasSubstr(".L5:\n\tmov\tx15, 2\n"));
}

// Tables of jumps are data in the middle of a function, and marks of valid targets come first.
TEST(Assembly, WhatIsNoCodeStaysAsItIs) {
  const std::string text =
      x86("\tendbr64\n\tjmp\t*%rax\n\t.section\t.rodata\n.L4:\n\t.long\t.L3-.L4\n\t.text\n.L3:"
          "\n\tret\n");
  EXPECT_THAT(text, HasSubstr("f:\n\tendbr64\n\tmovl\t$1, %r11d\n"));
  EXPECT_THAT(text, HasSubstr(".L4:\n\t.long\t.L3-.L4\n"));
  EXPECT_THAT(text, HasSubstr(".L3:\n\tleaq\t1(%r11), %r11\n"));
}

// Large frames are touched page by page in a loop that needs the register: counting begins behind
// it.
TEST(Assembly, BeginsBehindWhatNeedsTheRegister) {
  const std::string text =
      x86("\tleaq\t-299008(%rsp), %r11\n.LPSRL0:\n\tsubq\t$4096, %rsp\n\torq\t$0, (%rsp)\n"
          "\tcmpq\t%r11, %rsp\n\tjne\t.LPSRL0\n\tmovl\t$1, %eax\n\tret\n");
  EXPECT_THAT(text, HasSubstr("f:\n\tleaq\t-299008(%rsp), %r11\n"));
  EXPECT_THAT(text, HasSubstr("\tcmpq\t%r11, %rsp\n\tjne\t.LPSRL0\n\tmovl\t$2, %r11d\n\tmovl\t$1"));
}

// A test of a bit reaches 32 KiB, which counting may exceed in long files: there it jumps over a
// branch.
TEST(Assembly, BranchesReachFarInLongFiles) {
  std::string body = "\ttbz\tx0, 3, .L9\n";
  for (int i = 0; i < 6000; ++i) body += "\tnop\n";
  const std::string text = arm(body + ".L9:\n\tret\n");
  EXPECT_THAT(text, HasSubstr("\ttbnz\tx0, 3, . + 8\n\tb\t.L9\n"));
  EXPECT_THAT(text, HasSubstr("\tadd\tx15, x15, 1, lsl 12\n\tadd\tx15, x15, 1904\n"));
}

}  // namespace
}  // namespace heddle::counts
