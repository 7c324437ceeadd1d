// Finite fields, and the fabrics of diameter two that are made of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "platform/topology/galois_field.hpp"
#include "platform/topology/polarfly.hpp"
#include "platform/topology/slim_fly.hpp"
#include "platform/topology_checks.hpp"
#include "sanitized.hpp"

namespace heddle::platform {
namespace {

using testing::HasSubstr;

// In every field multiplication distributes over addition, every element has its negative and every
// element but zero its inverse.
TEST(GaloisField, ObeysTheLawsOfFields) {
  for (const std::int64_t q : {2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 49}) {
    const GaloisField field("q", q);
    for (GaloisField::Element a = 0; a < field.size(); ++a) {
      EXPECT_EQ(field.add(a, field.negate(a)), 0U);
      EXPECT_EQ(field.multiply(a, 1), a);
      if (a != 0) {
        EXPECT_EQ(field.multiply(a, field.inverse(a)), 1U);
      }
      for (GaloisField::Element b = 0; b < field.size(); ++b) {
        EXPECT_EQ(field.subtract(field.add(a, b), b), a);
        for (GaloisField::Element c = 0; c < field.size(); c += 1 + field.size() / 8) {
          ASSERT_EQ(field.multiply(a, field.add(b, c)),
                    field.add(field.multiply(a, b), field.multiply(a, c)))
              << "q = " << q;
        }
      }
    }
  }
}

// The powers of one element are all others but zero: of 7 the least such is 3, of 4 and 9 it is the
// root x of a polynomial.
TEST(GaloisField, HasAPrimitiveElement) {
  for (const std::int64_t q : {3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 27, 64}) {
    const GaloisField field("q", q);
    std::set<GaloisField::Element> powers;
    for (std::uint32_t n = 0; n < field.size() - 1; ++n) powers.insert(field.power(n));
    EXPECT_EQ(powers.size(), field.size() - 1) << "q = " << q;
    EXPECT_FALSE(powers.contains(0));
  }
  EXPECT_EQ(GaloisField("q", 7).power(1), 3U);
  EXPECT_EQ(GaloisField("q", 4).power(1), 2U);
  EXPECT_EQ(GaloisField("q", 9).power(1), 3U);
}

std::string problem_of_field(std::int64_t q) {
  try {
    GaloisField("q", q);
  } catch (const ParamError& error) {
    return error.problem();
  }
  return "";
}

// A size that no field has is refused, with the sizes nearest to it.
TEST(GaloisField, SaysWhichSizesThereAre) {
  EXPECT_THAT(problem_of_field(6),
              HasSubstr("q is 6, which is no prime power; the nearest accepted are 5 and 7"));
  EXPECT_THAT(problem_of_field(1), HasSubstr("accepted are prime powers from 2 to 4096"));
  EXPECT_THAT(problem_of_field(5000), HasSubstr("accepted are prime powers from 2 to 4096"));
}

/// Switches, cables between them, nodes, radix of a fabric and the mean distance of its switches.
struct Row {
  std::int64_t q;
  std::uint32_t switches;
  std::uint32_t cables;
  std::uint32_t nodes;
  std::uint32_t radix;
  double mean;
};

void expect_row(const DiameterTwo& t, const Row& row) {
  SCOPED_TRACE(t.describe());
  EXPECT_EQ(t.switches(), row.switches);
  EXPECT_EQ(t.cables() - t.nodes(), row.cables);
  EXPECT_EQ(t.nodes(), row.nodes);
  EXPECT_EQ(t.distances()->radix, row.radix);
  EXPECT_EQ(t.distances()->switch_diameter, 2U);
  const SwitchSearch found = switch_search(t);
  EXPECT_LE(found.most, 2U);
  EXPECT_NEAR(found.mean, row.mean, 5e-6);
}

// Switches 2 q^2, cables q^2 (3 q - delta) / 2, nodes and radix as published for full global
// bandwidth, and all switches at most two links apart: the mean is 2 - k' / (2 q^2 - 1), k' being
// the cables of a switch to others.
TEST(SlimFly, HasThePublishedSizes) {
  for (const Row& row : std::vector<Row>{{3, 18, 45, 54, 8, 1.70588},
                                         {4, 32, 96, 96, 9, 1.80645},
                                         {5, 50, 175, 200, 11, 1.85714},
                                         {7, 98, 539, 588, 17, 1.88660},
                                         {8, 128, 768, 768, 18, 1.90551},
                                         {9, 162, 1053, 1134, 20, 1.91925},
                                         {11, 242, 2057, 2178, 26, 1.92946},
                                         {13, 338, 3211, 3380, 29, 1.94362},
                                         {16, 512, 6144, 6144, 36, 1.95303},
                                         {17, 578, 7225, 7514, 38, 1.95667},
                                         {19, 722, 10469, 10830, 44, 1.95978}}) {
    if (kSanitized && row.q > 11) break;
    expect_row(DiameterTwo(slim_fly({row.q, std::nullopt})), row);
  }
}

// Cables q (q + 1)^2 / 2 among q^2 + q + 1 switches; the mean is 2 - 2 cables / (n (n - 1)) for n
// switches.
TEST(PolarFly, HasThePublishedSizes) {
  for (const Row& row : std::vector<Row>{{2, 7, 9, 14, 5, 1.57143},
                                         {3, 13, 24, 26, 6, 1.69231},
                                         {5, 31, 90, 93, 9, 1.80645},
                                         {7, 57, 224, 228, 12, 1.85965},
                                         {9, 91, 450, 455, 15, 1.89011},
                                         {11, 133, 792, 798, 18, 1.90977},
                                         {13, 183, 1274, 1281, 21, 1.92350},
                                         {17, 307, 2754, 2763, 27, 1.94137},
                                         {19, 381, 3800, 3810, 30, 1.94751}}) {
    expect_row(DiameterTwo(polarfly({row.q, std::nullopt})), row);
  }
}

// Routes are as short as the graph allows, whichever way an adaptive routing takes, and Valiant's
// arrive.
TEST(DiameterTwo, RoutesAreMinimal) {
  const std::vector<DiameterTwoPlan> plans = {slim_fly({3, 1}), slim_fly({4, 2}), slim_fly({5, 1}),
                                              polarfly({2, 2}), polarfly({3, 1}), polarfly({4, 1})};
  for (const DiameterTwoPlan& plan : plans) {
    const DiameterTwo t(plan);
    SCOPED_TRACE(t.describe());
    check_structure(t);
    check_minimal_routes(t);
    check_adaptive(t);
    check_valiant(t, longest_route(t));
  }
}

// Of q = 5 it is the graph of Hoffman and Singleton: two switches that are not joined have exactly
// one common neighbour, two that are have none. So there is one minimal way between any two.
TEST(SlimFly, OfFiveIsAMooreGraph) {
  const DiameterTwo t(slim_fly({5, 1}));
  for (std::uint32_t a = 0; a < t.nodes(); ++a) {
    for (std::uint32_t b = 0; b < t.nodes(); ++b) {
      if (a == b) continue;
      LinkSet ways;
      t.minimal_outputs({VertexId{a}, VertexId{t.nodes() + a}, VertexId{b}}, ways);
      EXPECT_EQ(ways.size(), 1U);
    }
  }
}

// Equal ways are shared out by destination: of q = 4, where common neighbours are several, not all
// routes take the first.
TEST(SlimFly, SharesOutEqualWays) {
  const DiameterTwo t(slim_fly({4, 3}));
  std::set<LinkId> used;
  std::size_t most = 0;
  for (std::uint32_t b = 0; b < t.nodes(); ++b) {
    LinkSet ways;
    const Hop hop{VertexId{0}, VertexId{t.nodes()}, VertexId{b}};
    if (b / 3 == 0) continue;
    t.minimal_outputs(hop, ways);
    most = std::max(most, ways.size());
    used.insert(t.output(hop));
  }
  EXPECT_GT(most, 1U);
  EXPECT_EQ(used.size(), 6U) << "all cables of switch 0 are used by its routes";
}

// q = 2 is a prime power, but no Slim Fly; and nodes must be on switches.
TEST(SlimFly, RefusesWhatIsNone) {
  EXPECT_THROW(slim_fly({2, std::nullopt}), ParamError);
  EXPECT_THROW(slim_fly({6, std::nullopt}), ParamError);
  EXPECT_THROW(DiameterTwo(slim_fly({3, 0})), ParamError);
}

}  // namespace
}  // namespace heddle::platform
