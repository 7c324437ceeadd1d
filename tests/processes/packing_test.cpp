// Arguments of calls as bytes, from the process to the simulator and back.
#include "processes/packing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::processes {
namespace {

/// What the functions below were called with.
struct Heard {
  int number = 0;
  std::string text;
  void* address = nullptr;
};
Heard heard;

std::uint32_t hear(int number, const char* text, void* address) {
  heard = {number, text == nullptr ? "nothing" : text, address};
  return 77;
}

void double_all(int* values, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) values[i] *= 2;
}

class PackingTest : public testing::Test {
 protected:
  Room room() { return {bytes_.data(), bytes_.size()}; }
  template <class... Arguments>
  bool packed(const Arguments&... arguments) {
    Room place = room();
    return (pack(place, arguments) && ...);
  }
  alignas(16) std::array<std::byte, 256> bytes_{};
  std::uint64_t answer_ = 0;
};

// Numbers and addresses go as they are, text with all its characters: the function hears 5, "five"
// and the address, and its answer 77 comes back.
TEST_F(PackingTest, HandsArgumentsToAFunctionAndItsAnswerBack) {
  const std::string text = "five";
  ASSERT_TRUE(
      packed(5, Array<const char>{text.c_str(), text.size() + 1}, static_cast<void*>(this)));
  EXPECT_TRUE(call_packed(hear, room(), answer_));
  EXPECT_EQ(heard.number, 5);
  EXPECT_EQ(heard.text, "five");
  EXPECT_EQ(heard.address, this);
  EXPECT_EQ(answer_, 77U);
}

TEST_F(PackingTest, KeepsNullPointersNull) {
  ASSERT_TRUE(packed(5, Array<const char>{nullptr, 10}, static_cast<void*>(nullptr)));
  EXPECT_TRUE(call_packed(hear, room(), answer_));
  EXPECT_EQ(heard.text, "nothing");
  EXPECT_EQ(heard.address, nullptr);
}

// What a function writes through a pointer comes back to where it was taken from: 1 2 3 as 2 4 6.
TEST_F(PackingTest, BringsBackWhatWasChanged) {
  std::array<int, 3> values{1, 2, 3};
  const Array<int> array{values.data(), values.size()};
  ASSERT_TRUE(packed(array, std::uint64_t{3}));
  EXPECT_TRUE(call_packed(double_all, room(), answer_));
  Room place = room();
  unpack(place, array);
  EXPECT_EQ(values, (std::array<int, 3>{2, 4, 6}));
}

// 300 bytes do not fit into 256.
TEST_F(PackingTest, RefusesWhatDoesNotFit) {
  const std::vector<char> much(300);
  EXPECT_FALSE(packed(Array<const char>{much.data(), much.size()}));
}

// A process that says that its text has a million bytes has none of ours read, and nothing called.
TEST_F(PackingTest, DoesNotTrustLengths) {
  ASSERT_TRUE(packed(5, std::uint64_t{1'000'000}));
  heard = {};
  EXPECT_FALSE(call_packed(hear, room(), answer_));
  EXPECT_EQ(heard.number, 0);
}

}  // namespace
}  // namespace heddle::processes
