// Sizes that do not fit are refused, and those that just do are right.
#include <gtest/gtest.h>
#include <mpi.h>

#include <climits>

#include "coll/datatype/construct.hpp"
#include "coll/datatype/sizes.hpp"
#include "coll/op/op.hpp"
#include "predefined.hpp"

namespace heddle::coll {
namespace {

/// The error class of what `action` throws, or 0.
template <class Action>
int class_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code;
  }
  return 0;
}

// 2^31 - 1 ints, twice nested, are 4 * (2^31 - 1)^2 bytes, 2^64 - 2^34 + 4: more than 2^62 - 1.
TEST(DatatypeSizes, NestedCountsThatOverflowAreRefused) {
  const DatatypeRef once = make_contiguous(Form::plain, INT_MAX, type_of(MPI_INT));
  EXPECT_EQ(once->size(), std::int64_t{4} * INT_MAX);
  EXPECT_EQ(class_of([&] { make_contiguous(Form::plain, INT_MAX, *once); }), MPI_ERR_COUNT);
}

// Of bytes that is 2^62 - 2^32 + 1, which fits; another level does not.
TEST(DatatypeSizes, TheLargestThatFitIsRight) {
  const DatatypeRef once = make_contiguous(Form::plain, INT_MAX, type_of(MPI_BYTE));
  const DatatypeRef twice = make_contiguous(Form::plain, INT_MAX, *once);
  EXPECT_EQ(twice->size(), std::int64_t{INT_MAX} * INT_MAX);
  EXPECT_EQ(twice->extent(), twice->size());
  EXPECT_EQ(twice->signature().elements, twice->size());
  EXPECT_EQ(class_of([&] { make_contiguous(Form::plain, 2, *twice); }), MPI_ERR_COUNT);
}

TEST(DatatypeSizes, StridesAndDisplacementsThatOverflowAreRefused) {
  const std::int64_t large = std::int64_t{1} << 61;
  const Datatype& type = type_of(MPI_DOUBLE);
  EXPECT_EQ(class_of([&] { make_vector(Form::large, 2, 1, large, type); }), MPI_ERR_ARG)
      << "8 * 2^61 bytes from one block to the next";
  EXPECT_EQ(class_of([&] { make_vector(Form::large, 1, 1, large, type); }), 0)
      << "of a single block a stride says nothing";
  EXPECT_EQ(class_of([&] { make_hvector(Form::large, 4, 1, large, type); }), MPI_ERR_COUNT)
      << "the last block begins at 3 * 2^61";
  const std::int64_t lengths[] = {1};
  const std::int64_t far[] = {INT64_MAX};
  EXPECT_EQ(class_of([&] { make_indexed(Form::large, lengths, far, type); }), MPI_ERR_ARG);
  EXPECT_EQ(class_of([&] { make_hindexed(Form::large, lengths, far, type); }), MPI_ERR_ARG);
  EXPECT_EQ(class_of([&] { make_resized(Form::large, type, INT64_MAX, 1); }), MPI_ERR_ARG);
  EXPECT_EQ(class_of([&] { make_resized(Form::large, type, 0, INT64_MIN); }), MPI_ERR_ARG);
  const Subarray box{{large, 8}, {1, 1}, {0, 0}, MPI_ORDER_C};
  EXPECT_EQ(class_of([&] { make_subarray(Form::large, box, type); }), MPI_ERR_ARG)
      << "an array of 8 * 8 * 2^61 bytes";
}

// 2^59 doubles are 2^62 bytes, one more than fits.
TEST(DatatypeSizes, CountsOfBuffersAreChecked) {
  const auto check = [](std::int64_t count) {
    return class_of([&] { check_elements(count, type_of(MPI_DOUBLE), "count"); });
  };
  EXPECT_EQ(check(std::int64_t{1} << 61), MPI_ERR_COUNT);
  EXPECT_EQ(check(std::int64_t{1} << 59), MPI_ERR_COUNT);
  EXPECT_EQ(check((std::int64_t{1} << 59) - 1), 0);
  EXPECT_EQ(check(0), 0);
  const DatatypeRef apart = make_resized(Form::large, type_of(MPI_BYTE), 0, std::int64_t{1} << 60);
  EXPECT_EQ(class_of([&] { check_elements(4, *apart, "count"); }), 0);
  EXPECT_EQ(class_of([&] { check_elements(5, *apart, "count"); }), MPI_ERR_COUNT);
}

}  // namespace
}  // namespace heddle::coll
