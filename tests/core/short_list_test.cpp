#include "core/containers/short_list.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace heddle {
namespace {

// From five to one and back to four: the list is right where it moves in and out.
TEST(ShortList, ShrinksAndGrowsAgain) {
  ShortList<int, 2> list;
  for (int i = 0; i < 5; ++i) list.insert(list.size(), i);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(list[0], i);
    list.erase(0);
  }
  for (int i = 5; i < 8; ++i) list.insert(list.size(), i);
  EXPECT_EQ(std::vector<int>(list.begin(), list.end()), (std::vector<int>{4, 5, 6, 7}));
}

// Put in front of the list one after another, 0 to 9 are there in reverse; the last, the first and
// one in the middle taken away leave 8 to 1 without 5.
TEST(ShortList, KeepsWhatIsPutInAndTakenAwayAnywhere) {
  ShortList<int, 2> list;
  for (int i = 0; i < 10; ++i) list.insert(0, i);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(list[i], 9 - static_cast<int>(i));
  list.erase(9);
  list.erase(0);
  list.erase(3);
  ASSERT_EQ(list.size(), 7U);
  const int left[] = {8, 7, 6, 4, 3, 2, 1};
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(list[i], left[i]);
}

// What is pushed comes last, also behind those that lie elsewhere, and what is popped was the last;
// a list that was cleared begins anew.
TEST(ShortList, IsPushedToAndPoppedAtItsEnd) {
  ShortList<int, 3> list;
  for (const int value : {10, 20, 30, 40, 50}) list.push_back(value);
  *list.begin() = 7;
  list.pop_back();
  list.pop_back();
  EXPECT_EQ(std::vector<int>(list.begin(), list.end()), (std::vector<int>{7, 20, 30}));
  list.push_back(60);
  EXPECT_EQ(list.data()[3], 60);
  list.clear();
  EXPECT_TRUE(list.empty());
  list.push_back(1);
  EXPECT_EQ(list.front(), 1);
  EXPECT_EQ(list.size(), 1U);
}

// Two of three values lie within, then five elsewhere, then one within again, to which others can
// be pushed until they lie elsewhere.
TEST(ShortList, HoldsWhatItIsGiven) {
  ShortList<int, 3> list;
  for (const std::vector<int>& values :
       {std::vector<int>{1, 2}, {3, 4, 5, 6, 7}, {}, {8, 9, 10, 11, 12, 13, 14, 15}, {16}}) {
    list.assign(values);
    EXPECT_EQ(std::vector<int>(list.begin(), list.end()), values);
  }
  for (const int value : {17, 18, 19, 20}) list.push_back(value);
  EXPECT_EQ(std::vector<int>(list.begin(), list.end()), (std::vector<int>{16, 17, 18, 19, 20}));
}

}  // namespace
}  // namespace heddle
