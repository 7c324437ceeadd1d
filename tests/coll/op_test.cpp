// Predefined operations on predefined types.
#include "coll/op/op.hpp"
#include "coll/datatype/construct.hpp"
#include "coll/datatype/datatype.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <complex>

#include "predefined.hpp"

namespace heddle::coll {
namespace {

const Op& op_of(int handle) {
  return *Op::predefined(handle);
}
/// What `in op inout` makes of two values.
template <class T>
T combined(int op, int type, T in, T inout) {
  op_of(op).apply(&in, &inout, 1, type_of(type));
  return inout;
}

TEST(OpTest, CombinesNumbers) {
  EXPECT_EQ(combined(MPI_MAX, MPI_INT, 3, -5), 3);
  EXPECT_EQ(combined(MPI_MIN, MPI_UNSIGNED, 3U, 0xfffffffbU), 3U);
  EXPECT_EQ(combined(MPI_SUM, MPI_DOUBLE, 0.5, 0.25), 0.75);
  EXPECT_EQ(combined(MPI_PROD, MPI_LONG_DOUBLE, 3.0L, 4.0L), 12.0L);
  EXPECT_EQ(combined<short>(MPI_SUM, MPI_SHORT, 30000, 30000), -5536) << "wraps as the type does";
  EXPECT_EQ(combined(MPI_SUM, MPI_AINT, 1L << 40, 1L), (1L << 40) + 1);
}

TEST(OpTest, CombinesComplexNumbers) {
  using Complex = std::complex<double>;
  const Complex a{1, 2};
  const Complex b{3, -1};
  EXPECT_EQ(combined(MPI_SUM, MPI_C_DOUBLE_COMPLEX, a, b), Complex(4, 1));
  // (1 + 2i)(3 - i) = 3 - i + 6i + 2 = 5 + 5i
  EXPECT_EQ(combined(MPI_PROD, MPI_DOUBLE_COMPLEX, a, b), Complex(5, 5));
}

TEST(OpTest, CombinesTruthAndBits) {
  EXPECT_EQ(combined(MPI_LAND, MPI_INT, 5, 2), 1) << "any value but zero is true";
  EXPECT_EQ(combined(MPI_LXOR, MPI_LOGICAL, 7, 1), 0);
  EXPECT_EQ(combined(MPI_LOR, MPI_C_BOOL, false, true), true);
  EXPECT_EQ(combined(MPI_BAND, MPI_BYTE, std::uint8_t{0xf0}, std::uint8_t{0x3c}), 0x30);
  EXPECT_EQ(combined(MPI_BXOR, MPI_UINT64_T, std::uint64_t{6}, std::uint64_t{3}), 5U);
}

struct DoubleInt {
  double value;
  int index;
};
TEST(OpTest, FindsPlaces) {
  const DoubleInt greater = combined(MPI_MAXLOC, MPI_DOUBLE_INT, DoubleInt{2, 7}, DoubleInt{1, 3});
  EXPECT_EQ(greater.value, 2);
  EXPECT_EQ(greater.index, 7);
  const DoubleInt equal = combined(MPI_MINLOC, MPI_DOUBLE_INT, DoubleInt{1, 7}, DoubleInt{1, 3});
  EXPECT_EQ(equal.index, 3) << "of equal values the lower index counts";
  const auto reals =
      combined(MPI_MINLOC, MPI_2REAL, std::array{1.0F, 9.0F}, std::array{2.0F, 4.0F});
  EXPECT_EQ(reals[1], 9.0F);
}

TEST(OpTest, ReplacesAndKeeps) {
  EXPECT_EQ(combined(MPI_REPLACE, MPI_INT, 1, 2), 1);
  EXPECT_EQ(combined(MPI_NO_OP, MPI_INT, 1, 2), 2);
  EXPECT_FALSE(op_of(MPI_REPLACE).commutative());
  EXPECT_TRUE(op_of(MPI_SUM).commutative());
}

// The standard's table of what is allowed on what.
TEST(OpTest, RefusesWhatHasNoMeaning) {
  EXPECT_FALSE(op_of(MPI_BAND).accepts(type_of(MPI_DOUBLE)));
  EXPECT_FALSE(op_of(MPI_MAX).accepts(type_of(MPI_C_DOUBLE_COMPLEX)));
  EXPECT_FALSE(op_of(MPI_SUM).accepts(type_of(MPI_BYTE)));
  EXPECT_FALSE(op_of(MPI_SUM).accepts(type_of(MPI_LOGICAL)));
  EXPECT_FALSE(op_of(MPI_SUM).accepts(type_of(MPI_2INT)));
  EXPECT_FALSE(op_of(MPI_MINLOC).accepts(type_of(MPI_INT)));
  EXPECT_FALSE(op_of(MPI_SUM).accepts(type_of(MPI_PACKED)));
  EXPECT_TRUE(op_of(MPI_SUM).accepts(type_of(MPI_C_DOUBLE_COMPLEX)));
  EXPECT_TRUE(op_of(MPI_MINLOC).accepts(type_of(MPI_2INT)));
  EXPECT_EQ(Op::predefined(MPI_OP_NULL), nullptr);
}

}  // namespace
}  // namespace heddle::coll
