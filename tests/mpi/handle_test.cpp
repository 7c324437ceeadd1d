#include "mpi/handle.hpp"

#include <gtest/gtest.h>

namespace heddle::mpi {
namespace {

TEST(Handle, SaysKindAndPlaceAsTheAbiHasThem) {
  // MPI_COMM_WORLD is 0x44000000 and MPI_INT 0x4c000405 in the MPICH ABI.
  EXPECT_EQ(kind_of(0x44000000), ObjectKind::communicator);
  EXPECT_EQ(kind_of(0x4c000405), ObjectKind::datatype);
  EXPECT_TRUE(is_built_in(0x4c000405));
  EXPECT_FALSE(is_built_in(handle_of(ObjectKind::request, 3)));
}

TEST(HandleTable, UsesFreedPlacesAgainAndKnowsOnlyItsOwn) {
  HandleTable<const char*, ObjectKind::group> table;
  const int a = table.add("a");
  const int b = table.add("b");
  EXPECT_STREQ(*table.find(b), "b");
  EXPECT_STREQ(table.remove(a), "a");
  EXPECT_EQ(table.find(a), nullptr);
  EXPECT_EQ(table.find(handle_of(ObjectKind::info, number_of(b))), nullptr);
  EXPECT_EQ(table.add("c"), a);
  EXPECT_EQ(table.size(), 2U);
}

}  // namespace
}  // namespace heddle::mpi
