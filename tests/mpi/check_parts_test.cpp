// What checks are made of: sets of bytes, and who can know of what.
#include <gtest/gtest.h>
#include <mpi.h>

#include "coll/predefined.hpp"
#include "host/memory/guarded_memory.hpp"
#include "mpi/check/byte_ranges.hpp"
#include "mpi/check/causality.hpp"
#include "mpi/datatypes.hpp"

namespace heddle::mpi {
namespace {

using coll::type_of;

// Columns of a matrix of 4 x 4 ints overlap only with themselves, rows with every column.
TEST(ByteRangesTest, ColumnsSideBySideDoNotOverlap) {
  int matrix[16] = {};
  const DatatypeRef column = make_vector(Form::plain, 4, 1, 4, type_of(MPI_INT));
  const ByteRanges first(Buffer{matrix, 1, column.get()});
  const ByteRanges second(Buffer{matrix + 1, 1, column.get()});
  const ByteRanges row(Buffer{matrix + 8, 4, &type_of(MPI_INT)});
  EXPECT_EQ(first.list().size(), 4U);
  EXPECT_EQ(first.size(), 16U);
  EXPECT_FALSE(first.overlaps(second));
  EXPECT_TRUE(first.overlaps(first));
  EXPECT_TRUE(row.overlaps(second));
}

// Two halves are one range; without the middle there are two again.
TEST(ByteRangesTest, AddsAndRemoves) {
  char memory[12] = {};
  const Datatype& byte = type_of(MPI_BYTE);
  ByteRanges all(Buffer{memory, 6, &byte});
  all.add(ByteRanges(Buffer{memory + 6, 6, &byte}));
  EXPECT_EQ(all.list().size(), 1U);
  all.remove(ByteRanges(Buffer{memory + 4, 4, &byte}));
  ASSERT_EQ(all.list().size(), 2U);
  EXPECT_EQ(all.size(), 8U);
  EXPECT_FALSE(all.overlaps(ByteRanges(Buffer{memory + 5, 2, &byte})));
}

TEST(ByteRangesTest, ContentsChangeWithTheBytesThatBelong) {
  int matrix[16] = {};
  const host::GuardedMemory space;
  const DatatypeRef column = make_vector(Form::plain, 4, 1, 4, type_of(MPI_INT));
  const ByteRanges bytes(Buffer{matrix, 1, column.get()});
  const auto before = contents(space, bytes);
  matrix[1] = 5;
  EXPECT_EQ(contents(space, bytes), before) << "in another column";
  matrix[4] = 5;
  EXPECT_NE(contents(space, bytes), before);
}

// Rank 0 does something and tells 1, which tells 2: all know. What 0 does then, nobody does.
TEST(CausalityTest, KnowledgeTravelsWithMessages) {
  Causality causality;
  const std::uint32_t first = causality.happens(0);
  causality.learns(1, causality.stamp(0));
  const Causality::Stamp told = causality.stamp(1);
  const std::uint32_t second = causality.happens(0);
  causality.learns(2, told);
  EXPECT_TRUE(causality.knows(2, 0, first));
  EXPECT_FALSE(causality.knows(2, 0, second));
  EXPECT_FALSE(Causality::knows(told, 0, second));
  EXPECT_FALSE(causality.knows(0, 1, causality.happens(1))) << "nobody has told rank 0";
  EXPECT_TRUE(Causality::knows(Causality::both(told, causality.stamp(0)), 0, second));
}

}  // namespace
}  // namespace heddle::mpi
