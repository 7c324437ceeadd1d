#include "host/program/loading/main_function.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::host {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::vector<std::byte> words_of(std::initializer_list<std::uint32_t> values) {
  std::vector<std::byte> bytes;
  for (const std::uint32_t value : values) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(value >> 8 * i));
  }
  return bytes;
}

// The instruction `lea -0x1644(%rip), %rdi` at 0x28bd is seven bytes long, so it means 0x28c4 -
// 0x1644 = 0x1280. Before it, others put addresses into %r8 and %rcx.
TEST(MainFunction, IsWhatX86HandsOver) {
  const auto code =
      bytes_of({0x4c, 0x8d, 0x05, 0xba, 0x09, 0x00, 0x00, 0x48, 0x8d, 0x0d, 0x53, 0x09,
                0x00, 0x00, 0x48, 0x8d, 0x3d, 0xbc, 0xe9, 0xff, 0xff, 0xff, 0x15});
  const auto found = find_main(code, 0x28af, EM_X86_64);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->address, 0x1280U);
  EXPECT_FALSE(found->indirect);
}

// `mov 0x2ff0(%rip), %rdi` at 0x1000 reads the word at 0x1007 + 0x2ff0 = 0x3ff7.
TEST(MainFunction, MayBeInAWordOfX86) {
  const auto code = bytes_of({0x48, 0x8b, 0x3d, 0xf0, 0x2f, 0x00, 0x00});
  const auto found = find_main(code, 0x1000, EM_X86_64);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->address, 0x3ff7U);
  EXPECT_TRUE(found->indirect);
}

// At 0x5a18, `adrp x0` one page back means 0x4000, `add x0, x0, #0x754` the function at 0x4754;
// sixteen pages on, `ldr x0, [x0, #0xff0]` the word at 0x15000 + 0xff0.
TEST(MainFunction, IsWhatArmHandsOver) {
  const auto direct = find_main(words_of({0xd503245f, 0xf0ffffe0, 0x911d5000}), 0x5a14, EM_AARCH64);
  ASSERT_TRUE(direct);
  EXPECT_EQ(direct->address, 0x4754U);
  EXPECT_FALSE(direct->indirect);
  const auto word = find_main(words_of({0x90000080, 0xf947f800}), 0x5a18, EM_AARCH64);
  ASSERT_TRUE(word);
  EXPECT_EQ(word->address, 0x15ff0U);
  EXPECT_TRUE(word->indirect);
}

TEST(MainFunction, IsNotInOtherCode) {
  EXPECT_FALSE(find_main(bytes_of({0x31, 0xed, 0x48, 0x8d}), 0x1000, EM_X86_64));
  EXPECT_FALSE(find_main(words_of({0xd503245f, 0x911d5000}), 0x1000, EM_AARCH64));
}

}  // namespace
}  // namespace heddle::host
