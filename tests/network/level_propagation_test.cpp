#include "network/fluid/level_propagation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::network {
namespace {

using Variable = SharingGraph::Variable;

/// The parts of a solver around the propagation.
struct Parts {
  explicit Parts(const std::vector<double>& capacities)
      : graph(capacities), changes(graph), due(graph, 0), propagation(graph, due, changes) {}
  Variable add(std::vector<SharingGraph::Element> route, double bound = SharingGraph::kUnbounded) {
    for (const auto& element : route) {
      if (graph.seat(element.constraint).only == SharingGraph::kNobody) continue;
      graph.make_shared(element.constraint);
      due.is_out_of_date(element.constraint);
    }
    return graph.add(route, 1, bound, 1);
  }
  double level(Variable variable) const { return graph.level(graph.share(variable)); }

  SharingGraph graph;
  SolverChanges changes;
  DueLinks due;
  LevelPropagation propagation;
};

constexpr std::size_t kMuch = 1000;

// Two newcomers share a link of 10: 5 each. The level of the link and both holders are noted.
TEST(LevelPropagation, NewcomersShare) {
  Parts parts({10});
  const std::vector<Variable> newcomers{parts.add({{0, 1}}), parts.add({{0, 1}})};
  EXPECT_TRUE(parts.propagation.run(newcomers, kMuch));
  EXPECT_DOUBLE_EQ(parts.level(newcomers[0]), 5);
  EXPECT_DOUBLE_EQ(parts.level(newcomers[1]), 5);
  EXPECT_THAT(parts.changes.levels(), testing::ElementsAre(0));
  EXPECT_THAT(parts.changes.holders(), testing::IsSupersetOf(newcomers));
}

// A newcomer with a link of 3 to itself takes 3 of the shared 10, held by its own link; the other
// has 7.
TEST(LevelPropagation, APrivateLinkLimitsItsVariable) {
  Parts parts({10, 3});
  const std::vector<Variable> newcomers{parts.add({{0, 1}}), parts.add({{0, 1}, {1, 1}})};
  EXPECT_TRUE(parts.propagation.run(newcomers, kMuch));
  EXPECT_DOUBLE_EQ(parts.level(newcomers[0]), 7);
  EXPECT_DOUBLE_EQ(parts.level(newcomers[1]), 3);
  EXPECT_EQ(parts.graph.share(newcomers[1]).held_by, 1U);
  EXPECT_EQ(parts.graph.link(1).level, 3);
  EXPECT_THAT(parts.changes.levels(), testing::UnorderedElementsAre(0, 1));
}

/// Links of 10 and 12 share a variable, held by the first at 5 beside another, which goes; one more
/// has 7 of the second link.
struct Chain : Parts {
  Chain() : Parts({10, 12}) {
    EXPECT_TRUE(propagation.run(std::vector{both, goes, stays}, kMuch));
    EXPECT_DOUBLE_EQ(level(both), 5);
    EXPECT_DOUBLE_EQ(level(stays), 7);
    graph.hold(goes, level(goes), SharingGraph::kNothing, 0);
    due.forget_noted();
    due.note(0);
    graph.remove(goes, 1);
  }
  Variable both = add({{0, 1}, {1, 1}});
  Variable goes = add({{0, 1}});
  Variable stays = add({{1, 1}});
};

// The first link would let the variable rise to 10; the second takes it over at 6.
TEST(LevelPropagation, ARisingVariableGoesOverToWhatHoldsItLower) {
  Chain chain;
  EXPECT_TRUE(chain.propagation.run({}, kMuch));
  EXPECT_EQ(chain.graph.share(chain.both).held_by, 1U);
  EXPECT_DOUBLE_EQ(chain.level(chain.both), 6);
  EXPECT_DOUBLE_EQ(chain.level(chain.stays), 6);
}

// With no work allowed it gives up while the second link is due, for a filling to find the levels.
TEST(LevelPropagation, TooMuchWorkIsLeftUndone) {
  Chain chain;
  EXPECT_FALSE(chain.propagation.run({}, 0));
  EXPECT_FALSE(chain.due.empty());
}

// A level that changes twice is noted once, in the order of the first times, until all is cleared.
TEST(SolverChanges, ALevelIsNotedOnce) {
  SharingGraph graph({1, 1, 1});
  SolverChanges changes(graph);
  for (const SharingGraph::Constraint link : {2, 0, 2}) changes.note_level(link);
  EXPECT_THAT(changes.levels(), testing::ElementsAre(2, 0));
  changes.clear();
  EXPECT_TRUE(changes.levels().empty());
  changes.note_level(2);
  EXPECT_THAT(changes.levels(), testing::ElementsAre(2));
}

}  // namespace
}  // namespace heddle::network
