#include "network/links/shared_link.hpp"

#include <gtest/gtest.h>

namespace heddle::network {
namespace {

// A link that carries one byte per picosecond; flows as {begin, end, bytes, number, input}.

std::vector<LinkPassage> shared(std::vector<LinkPassage> flows, std::uint32_t inputs) {
  SharedLink link;
  link.serve(1, inputs, flows);
  return flows;
}

std::vector<LinkPassage> ordered(std::vector<LinkPassage> flows) {
  OrderedLink::serve(1, flows);
  return flows;
}

// Alone, a flow passes as it comes.
TEST(SharedLink, LetsOneFlowPass) {
  const auto flows = shared({{100, 1100, 1000, 0, 0}}, 1);
  EXPECT_EQ(flows[0].begin, 100);
  EXPECT_NEAR(flows[0].end, 1100, 0.5);
}

// One that is there at once takes as long as its bytes.
TEST(SharedLink, ServesABlockAtItsRate) {
  const auto flows = shared({{100, 100, 1000, 0, 0}}, 1);
  EXPECT_NEAR(flows[0].end, 1100, 0.5);
}

// Two inputs with 1000 bytes each from 0 on take turns: both are through at 2000. Of 1000 and 3000
// bytes the smaller ends at 2000, the larger has had 1000 by then and ends at 4000.
TEST(SharedLink, InputsTakeTurns) {
  const auto alike = shared({{0, 1000, 1000, 0, 0}, {0, 1000, 1000, 1, 1}}, 2);
  EXPECT_NEAR(alike[0].end, 2000, 1);
  EXPECT_NEAR(alike[1].end, 2000, 1);
  const auto unlike = shared({{0, 1000, 1000, 0, 0}, {0, 3000, 3000, 1, 1}}, 2);
  EXPECT_NEAR(unlike[0].end, 2000, 1);
  EXPECT_NEAR(unlike[1].end, 4000, 1);
}

// The same two behind one another from one input: the second byte of an input waits for the first.
TEST(SharedLink, AnInputKeepsItsOrder) {
  const auto flows = shared({{0, 0, 3000, 0, 0}, {10, 10, 1000, 1, 0}}, 1);
  EXPECT_NEAR(flows[0].end, 3000, 1);
  EXPECT_NEAR(flows[1].begin, 3000, 1);
  EXPECT_NEAR(flows[1].end, 4000, 1);
}

// A flow that comes at a quarter of the rate gets all it needs beside one that comes at full rate,
// which has the rest: 1000 bytes at 3/4 take 1333.
TEST(SharedLink, WhoNeedsLittleGetsIt) {
  const auto flows = shared({{0, 8000, 2000, 0, 0}, {0, 1000, 1000, 1, 1}}, 2);
  EXPECT_NEAR(flows[0].end, 8000, 1);
  EXPECT_NEAR(flows[1].end, 1333.3, 1);
}

// What has piled up passes at full rate when the others are through: 2000 bytes each until 4000 is
// the time of both, but a third input comes at 1000 and goes, with 600 bytes.
TEST(SharedLink, KeepsBusyUntilAllIsThrough) {
  const auto flows =
      shared({{0, 2000, 2000, 0, 0}, {0, 2000, 2000, 1, 1}, {1000, 1600, 600, 2, 2}}, 3);
  EXPECT_NEAR(flows[2].end, 1000 + 3 * 600, 2);
  EXPECT_NEAR(std::max(flows[0].end, flows[1].end), 4600, 2);
}

// One after another: begins wait, ends follow.
TEST(OrderedLink, ServesInOrder) {
  const auto flows = ordered({{0, 0, 1000, 0, 0}, {500, 600, 100, 1, 1}, {5000, 5900, 500, 2, 0}});
  EXPECT_EQ(flows[0].end, 1000);
  EXPECT_EQ(flows[1].begin, 1000);
  EXPECT_EQ(flows[1].end, 1100);
  EXPECT_EQ(flows[2].begin, 5000);
  EXPECT_EQ(flows[2].end, 5900);  // It comes more slowly than the link could pass it.
}

}  // namespace
}  // namespace heddle::network
