#include "platform/placement.hpp"

#include <gmock/gmock.h>

#include "error_of.hpp"
#include "platform/machine_support.hpp"
#include "temporary_file.hpp"

namespace heddle::platform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Numbers of nodes, by rank.
std::vector<std::uint32_t> placed(const Platform& platform, const PlacementRequest& request) {
  std::vector<std::uint32_t> numbers;
  for (const NodeId node : place_ranks(platform, request)) {
    numbers.push_back(static_cast<std::uint32_t>(node));
  }
  return numbers;
}

// Eight nodes of two cores, four to a switch.
std::unique_ptr<Platform> tree() {
  return platform_of("topology: {kind: fat-tree, down: [4, 2], up: [1, 1]}\nnode: {cores: 2}\n");
}

// Without a wish, rank r is on node r; with two per node, on node r / 2.
TEST(Placement, IsInOrderUnlessSaid) {
  EXPECT_THAT(placed(*tree(), {.ranks = 3}), ElementsAre(0, 1, 2));
  EXPECT_THAT(placed(*tree(), {.ranks = 5, .per_node = 2}), ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(placed(*tree(), {.ranks = 3, .nodes = "5,0-1"}), ElementsAre(5, 0, 1));
}

// Two cores to a node: ranks 0 and 1 share the first.
TEST(Placement, ByCoreFillsNodes) {
  EXPECT_THAT(placed(*tree(), {.ranks = 5, .map = "by-core"}), ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(placed(*tree(), {.ranks = 4, .per_node = 3, .map = "by-core"}),
              ElementsAre(0, 0, 0, 1));
}

// Dealt out over all nodes that may be used, or over as many as it takes at two each.
TEST(Placement, ByNodeDealsOut) {
  EXPECT_THAT(placed(*tree(), {.ranks = 5, .map = "by-node", .nodes = "2,4"}),
              ElementsAre(2, 4, 2, 4, 2));
  EXPECT_THAT(placed(*tree(), {.ranks = 4, .per_node = 2, .map = "by-node"}),
              ElementsAre(0, 1, 0, 1));
}

// Nodes 0 to 3 are on one switch and 4 to 7 on the other, so they take turns.
TEST(Placement, BySwitchSpreadsNeighbours) {
  EXPECT_THAT(placed(*tree(), {.ranks = 6, .map = "by-switch"}), ElementsAre(0, 4, 1, 5, 2, 6));
  EXPECT_THAT(placed(*tree(), {.ranks = 4, .map = "by-switch", .nodes = "1,2,7"}),
              ElementsAre(1, 7, 2, 1));
}

// One seed always gives one placement; eight ranks on eight nodes take each node once.
TEST(Placement, AtRandomFollowsTheSeed) {
  const auto one = placed(*tree(), {.ranks = 8, .map = "random:1"});
  EXPECT_EQ(one, placed(*tree(), {.ranks = 8, .map = "random"}));
  EXPECT_NE(one, placed(*tree(), {.ranks = 8, .map = "random:2"}));
  EXPECT_THAT(one, testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(placed(*tree(), {.ranks = 16, .map = "random"}).size(), 16U);
}

// "n3:2" takes two ranks; after the last line the first comes again.
TEST(Placement, IsReadFromAFile) {
  const TemporaryFile map("# mine\nn3:2\n\n7\n");
  EXPECT_THAT(placed(*tree(), {.ranks = 5, .map = "file:" + map.path}), ElementsAre(3, 3, 7, 3, 3));
  EXPECT_THAT(placed(*tree(), {.ranks = 1, .map = map.path}), ElementsAre(3));
}

TEST(Placement, SaysWhatIsWrong) {
  const auto complaint = [](const PlacementRequest& request) {
    return error_of([&] { place_ranks(*tree(), request); });
  };
  EXPECT_THAT(complaint({.ranks = 9}), HasSubstr("9 ranks, 1 per node, need 9 nodes; 8 are there"));
  EXPECT_THAT(complaint({.ranks = 9}), HasSubstr("or 2 ranks per node"));
  EXPECT_THAT(complaint({.ranks = 5, .per_node = 2, .map = "by-node", .nodes = "0,1"}),
              HasSubstr("2 may be used. Take more of them"));
  EXPECT_THAT(complaint({.map = "by-nod"}), HasSubstr("did you mean 'by-node'?"));
  EXPECT_THAT(complaint({.map = "random:x"}), HasSubstr("random:SEED"));
  EXPECT_THAT(complaint({.nodes = "0,0"}), HasSubstr("names n0 twice"));
  EXPECT_THAT(complaint({.nodes = "9"}), HasSubstr("no node matches '9'"));
  const TemporaryFile bad("n0\nnode7\n");
  EXPECT_THAT(complaint({.ranks = 2, .map = bad.path}), HasSubstr(bad.path + ":2:1"));
  const TemporaryFile none("# nothing\n");
  EXPECT_THAT(complaint({.map = none.path}), HasSubstr("no node is named"));
  EXPECT_THAT(complaint({.per_node = 2, .map = none.path}),
              HasSubstr("neither a choice of nodes nor a number of ranks"));
}

}  // namespace
}  // namespace heddle::platform
