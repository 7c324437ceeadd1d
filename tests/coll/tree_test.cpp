// Trees of ranks.
#include "coll/algorithms/tree.hpp"

#include <gmock/gmock.h>

namespace heddle::coll {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Of 6 ranks the root has sent to 1 when both send, to 2 and 3, and when all four do, to 4 and 5:
// who has the data doubles from round to round.
TEST(DoublingTree, WhoHasTheDataDoublesFromRoundToRound) {
  const auto of = [](int rank) { return doubling_tree(TreePlace(rank, 6, 0)); };
  EXPECT_TRUE(of(0).root());
  EXPECT_THAT(of(0).children(), ElementsAre(1, 2, 4));
  EXPECT_THAT(of(1).children(), ElementsAre(3, 5));
  for (const int leaf : {2, 3, 4, 5}) EXPECT_THAT(of(leaf).children(), IsEmpty()) << leaf;
  EXPECT_EQ(of(1).parent, 0);
  EXPECT_EQ(of(2).parent, 0);
  EXPECT_EQ(of(3).parent, 1);
  EXPECT_EQ(of(4).parent, 0);
  EXPECT_EQ(of(5).parent, 1);
}

// Ranks are counted from the root on: with root 4 of 6, ranks 5, 0 and 2 hear of it from there.
TEST(DoublingTree, IsCountedFromItsRoot) {
  const Tree root = doubling_tree(TreePlace(4, 6, 4));
  EXPECT_TRUE(root.root());
  EXPECT_THAT(root.children(), ElementsAre(5, 0, 2));
  EXPECT_EQ(doubling_tree(TreePlace(1, 6, 4)).parent, 5);
}

}  // namespace
}  // namespace heddle::coll
