#include "mpi/objects/group.hpp"

#include <gmock/gmock.h>
#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

#include "host/rank/rank.hpp"
#include "mpi/profile.hpp"
#include "mpi/support.hpp"
#include "record/message_profile.hpp"

namespace heddle::mpi {
namespace {

std::vector<std::uint32_t> members_of(const Group& group) {
  std::vector<std::uint32_t> members;
  for (int i = 0; i < group.size(); ++i) members.push_back(group.process(i));
  return members;
}

TEST(Group, FirstMembersShareTheList) {
  const GroupRef group = Group::of({4, 5, 6, 2, 9});
  // All of them is the group itself; three are a range; four are a list that ends sooner.
  EXPECT_EQ(Group::first_of(group, 5), group);
  EXPECT_EQ(members_of(*Group::first_of(group, 3)), (std::vector<std::uint32_t>{4, 5, 6}));
  const GroupRef four = Group::first_of(group, 4);
  EXPECT_EQ(members_of(*four), (std::vector<std::uint32_t>{4, 5, 6, 2}));
  EXPECT_EQ(four->rank(2), 3);
  EXPECT_EQ(four->rank(9), MPI_UNDEFINED);
  EXPECT_EQ(group->rank(9), 4);
  EXPECT_EQ(Group::first_of(Group::range(7, 3), 2)->rank(9), MPI_UNDEFINED);
}

/// Processes find one another by it: it must not matter how each has come by its group.
TEST(Group, EqualOnesHaveEqualFingerprints) {
  const GroupRef list = Group::of({4, 5, 6, 2, 9});
  EXPECT_EQ(Group::first_of(list, 4)->fingerprint(), Group::of({4, 5, 6, 2})->fingerprint());
  EXPECT_EQ(Group::first_of(list, 3)->fingerprint(), Group::range(4, 3)->fingerprint());
  EXPECT_EQ(Group::of({0, 1})->fingerprint(), Group::range(0, 2)->fingerprint());
  // Another order, other members, fewer of them.
  for (const auto& other : {Group::of({5, 4, 6, 2, 9}), Group::of({4, 5, 6, 2, 8}),
                            Group::first_of(list, 4), Group::range(4, 5)}) {
    EXPECT_NE(other->fingerprint(), list->fingerprint());
  }
}

/// Rows and columns of a grid of 3 x 4 made of the first 12 of 14 ranks in reverse order: the
/// members of each are in the order of their coordinates.
TEST(Group, PartsOfAGrid) {
  Bed(14).run([](int rank) {
    MPI_Comm reverse, grid, part;
    EXPECT_MPI(PMPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reverse));
    const int sizes[] = {3, 4};
    const int periods[] = {0, 0};
    EXPECT_MPI(PMPI_Cart_create(reverse, 2, sizes, periods, 0, &grid));
    EXPECT_EQ(grid == MPI_COMM_NULL, rank < 2);
    if (rank < 2) return;
    const int place = 13 - rank;
    for (const auto& [rows, columns] : {std::pair(0, 1), std::pair(1, 0), std::pair(1, 1)}) {
      const int remain[] = {rows, columns};
      EXPECT_MPI(PMPI_Cart_sub(grid, remain, &part));
      int size = 0;
      int own = -1;
      EXPECT_MPI(PMPI_Comm_size(part, &size));
      EXPECT_MPI(PMPI_Comm_rank(part, &own));
      EXPECT_EQ(size, (rows ? 3 : 1) * (columns ? 4 : 1));
      EXPECT_EQ(own, (rows ? place / 4 * (columns ? 4 : 1) : 0) + (columns ? place % 4 : 0));
    }
  });
}

/// More calls than places for those asked for lately, in turns.
TEST(Profile, TellsManyCallsApart) {
  static const std::string kNames[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
                                       "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v"};
  Bed(1).run([](int) {
    Profile profile(*Process::of(*host::current_rank()));
    for (int round = 1; round <= 3; ++round) {
      for (const std::string& name : kNames) profile.of(name.c_str()).calls += 1;
    }
    ASSERT_EQ(profile.calls().size(), std::size(kNames));
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
      EXPECT_EQ(profile.calls()[i].name, kNames[i].c_str());
      EXPECT_EQ(profile.calls()[i].calls, 3U);
    }
  });
}

}  // namespace
}  // namespace heddle::mpi
