// Datatypes with known layouts, and what becomes of them elsewhere.
#include "coll/datatype/datatype.hpp"
#include "coll/datatype/construct.hpp"
#include "coll/op/op.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include "coll/datatype/external32.hpp"
#include "predefined.hpp"

namespace heddle::coll {
namespace {

std::size_t loops(const DatatypeRef& type) {
  return type->layout().loops().size();
}

TEST(DatatypeTest, KnowsThePredefinedTypes) {
  EXPECT_EQ(type_of(MPI_DOUBLE).size(), 8);
  EXPECT_EQ(type_of(MPI_DOUBLE_INT).size(), 12) << "a double and an int, without the gap";
  EXPECT_EQ(type_of(MPI_DOUBLE_INT).extent(), 16);
  EXPECT_EQ(type_of(MPI_LONG_DOUBLE_INT).extent(), 32);
  EXPECT_EQ(type_of(MPI_SHORT_INT).true_bounds().extent(), 8) << "the int is at its alignment, 4";
  EXPECT_FALSE(type_of(MPI_DOUBLE_INT).contiguous());
  EXPECT_TRUE(type_of(MPI_2INT).contiguous());
  EXPECT_EQ(type_of(MPI_2INT).signature().elements, 2);
  EXPECT_EQ(Datatype::predefined(MPI_DATATYPE_NULL), nullptr);
}

// What lies side by side is one run, whatever it was made of.
TEST(DatatypeTest, MergesRuns) {
  const DatatypeRef rows = make_contiguous(Form::plain, 100, type_of(MPI_INT));
  EXPECT_TRUE(rows->contiguous());
  const DatatypeRef dense = make_vector(Form::plain, 10, 4, 4, type_of(MPI_INT));
  EXPECT_TRUE(dense->contiguous());
  const std::vector<std::int64_t> lengths = {1, 1};
  const std::vector<std::int64_t> at = {0, 8};
  const Datatype* members[] = {&type_of(MPI_DOUBLE), &type_of(MPI_INT)};
  const DatatypeRef structure = make_struct(Form::plain, lengths, at, members);
  EXPECT_EQ(loops(structure), 1U) << "12 bytes in one run";
  EXPECT_EQ(structure->extent(), 16) << "padded to the alignment of double";
  EXPECT_EQ(structure->typed_layout().loops().size(), 2U);
}

// Equal blocks at equal distances are one loop, given one by one or not.
TEST(DatatypeTest, FindsRegularBlocks) {
  std::vector<std::int64_t> at;
  for (std::int64_t i = 0; i < 1000; ++i) at.push_back(3 * i);
  const DatatypeRef blocks = make_indexed_block(Form::plain, 2, at, type_of(MPI_INT));
  ASSERT_EQ(loops(blocks), 1U);
  EXPECT_EQ(blocks->layout().loops()[0].count, 1000);
  EXPECT_EQ(blocks->layout().loops()[0].stride, 12);
}

// A face of a cube of 64 x 64 x 64 is one loop of runs, not 64.
TEST(DatatypeTest, KeepsArraysSmall) {
  const Subarray face{{64, 64, 64}, {64, 64, 1}, {0, 0, 5}, MPI_ORDER_C};
  const DatatypeRef type = make_subarray(Form::plain, face, type_of(MPI_DOUBLE));
  EXPECT_EQ(type->size(), 64 * 64 * 8);
  EXPECT_EQ(type->extent(), 64 * 64 * 64 * 8);
  ASSERT_EQ(loops(type), 1U);
  EXPECT_EQ(type->layout().loops()[0].count, 64 * 64);
}

// All processes together own every element of a distributed array once.
TEST(DatatypeTest, DistributesArrays) {
  for (const int distribution : {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}) {
    for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN}) {
      std::vector<int> owners(7 * 11, 0);
      for (int rank = 0; rank < 6; ++rank) {
        const DistributedArray array{6,
                                     rank,
                                     {7, 11},
                                     {distribution, MPI_DISTRIBUTE_CYCLIC},
                                     {MPI_DISTRIBUTE_DFLT_DARG, 2},
                                     {2, 3},
                                     order};
        const DatatypeRef type = make_distributed_array(Form::plain, array, type_of(MPI_INT));
        EXPECT_EQ(type->extent(), 7 * 11 * 4);
        auto mark = [&](const Runs& runs) {
          for (std::int64_t i = 0; i < runs.count; ++i) {
            for (std::int64_t j = 0; j < runs.length / 4; ++j) {
              ++owners[static_cast<std::size_t>((runs.offset + i * runs.stride) / 4 + j)];
            }
          }
        };
        LayoutWalk<decltype(mark)>(type->layout(), mark).repeated(1, 0, 0, type->size());
      }
      EXPECT_EQ(owners, std::vector<int>(7 * 11, 1));
    }
  }
}

// Markers of MPI 1 and resized bounds hold through further constructors.
TEST(DatatypeTest, KeepsGivenBounds) {
  const std::vector<std::int64_t> lengths = {1, 1, 1};
  const std::vector<std::int64_t> at = {-4, 0, 20};
  const Datatype* members[] = {&type_of(MPI_LB), &type_of(MPI_INT), &type_of(MPI_UB)};
  const DatatypeRef marked = make_struct(Form::plain, lengths, at, members);
  EXPECT_EQ(marked->bounds().lower, -4);
  EXPECT_EQ(marked->extent(), 24);
  EXPECT_EQ(marked->true_bounds().extent(), 4);
  EXPECT_EQ(marked->size(), 4);
  const DatatypeRef twice = make_contiguous(Form::plain, 2, *marked);
  EXPECT_EQ(twice->bounds().lower, -4);
  EXPECT_EQ(twice->extent(), 48);
}

TEST(DatatypeTest, SpeaksExternal32) {
  EXPECT_EQ(external_size(type_of(MPI_LONG)), 4) << "as the standard's table says";
  EXPECT_EQ(external_size(type_of(MPI_LONG_DOUBLE)), 16);
  EXPECT_EQ(external_size(type_of(MPI_DOUBLE_INT)), 12);
  const long value = -2;
  std::byte external[16];
  encode_external(type_of(MPI_LONG), 1, reinterpret_cast<const std::byte*>(&value), external);
  EXPECT_EQ(external[0], std::byte{0xff});
  EXPECT_EQ(external[3], std::byte{0xfe}) << "the last byte is the least";
  long back = 0;
  decode_external(type_of(MPI_LONG), 1, external, reinterpret_cast<std::byte*>(&back));
  EXPECT_EQ(back, -2) << "the sign is kept";
  const long double real = -1.5L;
  encode_external(type_of(MPI_LONG_DOUBLE), 1, reinterpret_cast<const std::byte*>(&real), external);
  // IEEE quad: sign 1, exponent 0x3fff, fraction 1000...
  EXPECT_EQ(external[0], std::byte{0xbf});
  EXPECT_EQ(external[1], std::byte{0xff});
  EXPECT_EQ(external[2], std::byte{0x80});
  long double again = 0;
  decode_external(type_of(MPI_LONG_DOUBLE), 1, external, reinterpret_cast<std::byte*>(&again));
  EXPECT_EQ(again, -1.5L);
}

// 3 ints and a double: 20 bytes are 4 elements, 8 bytes are 2.
TEST(DatatypeTest, CountsElements) {
  const std::vector<std::int64_t> lengths = {3, 1};
  const std::vector<std::int64_t> at = {0, 16};
  const Datatype* members[] = {&type_of(MPI_INT), &type_of(MPI_DOUBLE)};
  const DatatypeRef type = make_struct(Form::plain, lengths, at, members);
  EXPECT_EQ(elements(*type, 20), 4);
  EXPECT_EQ(elements(*type, 8), 2);
  EXPECT_EQ(elements(*type, 45), 9);
  EXPECT_EQ(bytes_of_elements(*type, 4), 20);
  EXPECT_EQ(bytes_of_elements(*type, 6), 28);
}

}  // namespace
}  // namespace heddle::coll
