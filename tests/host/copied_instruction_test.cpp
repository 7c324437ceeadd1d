#include "host/rank/code/x86/copied_instruction.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace heddle::host::x86 {
namespace {

using Code = std::vector<std::uint8_t>;

struct Copied {
  bool possible;
  std::array<std::uint8_t, 32> bytes{};
  std::uintptr_t place;
  std::uintptr_t copy;
};

/// Program and copies are as near to each other as those of a process are.
Copied copied(const Code& code) {
  static std::array<std::uint8_t, 64> program;
  static std::array<std::uint8_t, 32> copy;
  std::copy(code.begin(), code.end(), program.begin());
  Copied result{false,
                {},
                reinterpret_cast<std::uintptr_t>(program.data()),
                reinterpret_cast<std::uintptr_t>(copy.data())};
  result.possible = copy_instruction(result.place, code.size(), result.copy);
  result.bytes = copy;
  return result;
}

template <typename Number>
Number number_at(const Copied& copied, std::size_t at) {
  Number number{};
  std::memcpy(&number, copied.bytes.data() + at, sizeof number);
  return number;
}

/// Where it jumps behind an instruction of so many bytes: jmp [rip], and the place.
std::uintptr_t goes_on(const Copied& copied, std::size_t length) {
  EXPECT_EQ(number_at<std::uint16_t>(copied, length), 0x25ff);
  EXPECT_EQ(number_at<std::int32_t>(copied, length + 2), 0);
  return number_at<std::uintptr_t>(copied, length + 6);
}

// cmp [rdi + 8], rbx: as it is, and then on to what stands behind it.
TEST(CopiedInstruction, IsTheSameAndGoesOnBehindTheOriginal) {
  const Code code = {0x48, 0x39, 0x5f, 0x08};
  const Copied c = copied(code);
  ASSERT_TRUE(c.possible);
  EXPECT_TRUE(std::equal(code.begin(), code.end(), c.bytes.begin()));
  EXPECT_EQ(goes_on(c, 4), c.place + 4);
}

// What is named by its distance from the next instruction is as far from there as before from here:
// mov rax, [rip + 16]; cmp dword [rip - 256], 100000, whose constant comes after the distance;
// ucomisd xmm1, [rip + 3].
TEST(CopiedInstruction, FindsWhatIsNamedByItsDistance) {
  struct Case {
    Code code;
    std::size_t distance_at;
    std::int32_t distance;
  };
  for (const Case& c : {Case{{0x48, 0x8b, 0x05, 0x10, 0, 0, 0}, 3, 16},
                        {{0x81, 0x3d, 0x00, 0xff, 0xff, 0xff, 0xa0, 0x86, 0x01, 0x00}, 2, -256},
                        {{0x66, 0x0f, 0x2e, 0x0d, 0x03, 0, 0, 0}, 4, 3}}) {
    const Copied moved = copied(c.code);
    ASSERT_TRUE(moved.possible);
    const std::size_t length = c.code.size();
    const auto distance =
        static_cast<std::uintptr_t>(std::int64_t{number_at<std::int32_t>(moved, c.distance_at)});
    EXPECT_EQ(moved.copy + length + distance,
              moved.place + length + static_cast<std::uintptr_t>(std::int64_t{c.distance}));
    EXPECT_EQ(goes_on(moved, length), moved.place + length);
  }
}

// jmp to itself and 256 bytes on: what stands at the copy is a jump to there.
TEST(CopiedInstruction, JumpsToWhereTheOriginalDoes) {
  const Copied near = copied({0xeb, 0xfe});
  ASSERT_TRUE(near.possible);
  EXPECT_EQ(goes_on(near, 0), near.place);
  const Copied far = copied({0xe9, 0x00, 0x01, 0, 0});
  ASSERT_TRUE(far.possible);
  EXPECT_EQ(goes_on(far, 0), far.place + 5 + 256);
}

// jl 16 bytes back, the long jne 256 bytes on, jrcxz 16 bytes on: if so, over the jump to what
// stands behind the original, and on to where that jumps.
TEST(CopiedInstruction, DecidesAsTheOriginalDoes) {
  struct Case {
    Code code;
    std::uint8_t condition;
    std::int64_t jump;
  };
  for (const Case& c : {Case{{0x7c, 0xf0}, 0x7c, -16},
                        {{0x0f, 0x85, 0x00, 0x01, 0, 0}, 0x75, 256},
                        {{0xe3, 0x10}, 0xe3, 16}}) {
    const Copied moved = copied(c.code);
    ASSERT_TRUE(moved.possible);
    EXPECT_EQ(moved.bytes[0], c.condition);
    EXPECT_EQ(moved.bytes[1], 14);
    const std::uintptr_t next = moved.place + c.code.size();
    EXPECT_EQ(goes_on(moved, 2), next);
    EXPECT_EQ(goes_on(moved, 16), next + static_cast<std::uintptr_t>(c.jump));
  }
}

// call 32 bytes on: the function returns to what stands behind the original. push takes the lower
// half, mov [rsp + 4] the upper one.
TEST(CopiedInstruction, CallsAndHasTheCallReturnToTheOriginal) {
  const Copied call = copied({0xe8, 0x20, 0, 0, 0});
  ASSERT_TRUE(call.possible);
  const std::uint64_t next = call.place + 5;
  EXPECT_EQ(call.bytes[0], 0x68);
  EXPECT_EQ(number_at<std::uint32_t>(call, 1), static_cast<std::uint32_t>(next));
  EXPECT_EQ(number_at<std::uint32_t>(call, 5), 0x042444c7U);
  EXPECT_EQ(number_at<std::uint32_t>(call, 9), static_cast<std::uint32_t>(next >> 32));
  EXPECT_EQ(goes_on(call, 13), next + 32);
}

// call [rax] notes where it stands; syscall has the kernel do so.
TEST(CopiedInstruction, IsNoneThatSaysWhereItStands) {
  for (const Code& code : {Code{0xff, 0x10}, {0x0f, 0x05}}) {
    EXPECT_FALSE(copied(code).possible) << int{code.front()};
  }
}

// Half a mov, a trap, and what no processor knows.
TEST(CopiedInstruction, IsNoneThatIsNotKnown) {
  for (const Code& code : {Code{0x48, 0x8b}, {0xcc}, {0x0f, 0x0b}}) {
    EXPECT_FALSE(copied(code).possible) << int{code.front()};
  }
}

}  // namespace
}  // namespace heddle::host::x86
