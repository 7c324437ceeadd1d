#include <gmock/gmock.h>

#include <cstdlib>
#include <pugixml.hpp>

#include "platform/machine_support.hpp"
#include "platform/simgrid_xml.hpp"
#include "report/drawing_measures.hpp"
#include "report/topology_dot.hpp"
#include "report/topology_svg.hpp"

namespace heddle::report {
namespace {

using platform::Platform;
using platform::platform_of;
using testing::AllOf;
using testing::Contains;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::unique_ptr<Platform> simgrid(const std::string& name) {
  return platform::read_simgrid_platform(HEDDLE_TEST_DATA "/simgrid/" + name);
}

/// An SVG drawing, which must be well-formed XML.
class Drawing {
 public:
  explicit Drawing(const Platform& platform, const std::vector<LinkId>& route = {}) {
    const auto parsed = document_.load_string(topology_svg(platform, route).c_str());
    EXPECT_TRUE(parsed) << parsed.description();
  }

  std::size_t count(const std::string& xpath) const {
    return document_.select_nodes(xpath.c_str()).size();
  }
  /// What the elements say.
  std::vector<std::string> texts(const std::string& xpath) const {
    std::vector<std::string> result;
    for (const auto& found : document_.select_nodes(xpath.c_str())) {
      result.emplace_back(found.node().text().get());
    }
    return result;
  }
  std::vector<double> numbers(const std::string& xpath) const {
    std::vector<double> result;
    for (const auto& found : document_.select_nodes(xpath.c_str())) {
      result.push_back(found.attribute().as_double());
    }
    return result;
  }
  const pugi::xml_document& document() const { return document_; }

 private:
  pugi::xml_document document_;
};

/// Boxes with a name on them, as [x, y, width, height].
struct Box {
  double x, y, width, height;
};
std::vector<Box> boxes(const Drawing& drawing) {
  std::vector<Box> result;
  for (const auto& found : drawing.document().select_nodes(
           "//g[@class='switches' or @class='links' or @class='nodes']/rect")) {
    const pugi::xml_node rect = found.node();
    result.push_back({rect.attribute("x").as_double(), rect.attribute("y").as_double(),
                      rect.attribute("width").as_double(), rect.attribute("height").as_double()});
  }
  for (const auto& found : drawing.document().select_nodes("//g[@class='nodes']/circle")) {
    const double r = found.node().attribute("r").as_double();
    result.push_back({found.node().attribute("cx").as_double() - r,
                      found.node().attribute("cy").as_double() - r, 2 * r, 2 * r});
  }
  return result;
}

std::size_t overlaps(const std::vector<Box>& all) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Box& a = all[i];
      const Box& b = all[j];
      if (a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
          b.y < a.y + a.height) {
        ++found;
      }
    }
  }
  return found;
}

/// Where Graphviz is told to put a vertex; y grows upwards.
double height_in_dot(const std::string& dot, const std::string& name) {
  const std::size_t vertex = dot.find("\n  \"" + name + "\" [");
  EXPECT_NE(vertex, std::string::npos) << name;
  const std::size_t comma = dot.find(',', dot.find("pos=\"", vertex));
  return std::strtod(dot.c_str() + comma + 1, nullptr);
}

// Neither switches nor nodes cover one another, whatever the shape.
TEST(TopologyDrawing, NothingOverlaps) {
  for (const char* topology :
       {"single-switch, nodes: 1", "single-switch, nodes: 64", "fat-tree, arity: 4, levels: 3",
        "fat-tree, down: [18, 36], up: [1, 18]", "torus, dims: [4, 4]", "torus, dims: [4, 3, 5]",
        "torus, dims: [8, 8, 8]", "mesh, dims: [5, 4], nodes_per_switch: 3",
        "hyperx, dims: [4, 4], nodes_per_switch: 2", "dragonfly, nodes_per_switch: 2",
        "chain, switches: 4, nodes_per_switch: 4"}) {
    const auto machine = platform_of(std::string("topology: {kind: ") + topology + "}\n");
    EXPECT_EQ(overlaps(boxes(Drawing(*machine))), 0U) << topology;
  }
  for (const char* file : {"flat_backbone.xml", "nested_gateways.xml", "torus_4x4x4.xml",
                           "dijkstra_mesh.xml", "dragonfly_one_chassis.xml"}) {
    EXPECT_EQ(overlaps(boxes(Drawing(*simgrid(file)))), 0U) << file;
  }
}

// The 9 links of a flat cluster lead from its 9 hosts to the router.
TEST(TopologyDrawing, LinksOfASimgridClusterAreDrawn) {
  const Drawing drawing(*simgrid("flat.xml"));
  EXPECT_EQ(drawing.count("//g[@class='host-cables']/line"), 9U);
  EXPECT_EQ(drawing.count("//g[@class='switches']/rect"), 1U);
}

// A backbone is a box with its name, joined to the router, and the route lights it up.
TEST(TopologyDrawing, BackboneIsABoxOnTheRoute) {
  const auto machine = simgrid("flat_backbone.xml");
  const Drawing plain(*machine);
  EXPECT_EQ(plain.count("//g[@class='links']/rect"), 1U);
  EXPECT_EQ(plain.count("//g[@class='touching']/line"), 1U);
  EXPECT_THAT(plain.texts("//text"), Contains("c_backbone"));
  EXPECT_THAT(plain.texts("//text"), Contains("1 shared link"));
  // The backbone is the first cable of the file, and host 0's link the second.
  const Drawing routed(*machine, {LinkId{2}, LinkId{0}});
  EXPECT_EQ(routed.count("//g[@class='route']/line"), 1U);
  EXPECT_EQ(routed.count("//g[@class='route']/rect"), 1U);
}

// What is left out is said: link "self" leads only from a host to itself.
TEST(TopologyDrawing, SaysWhatIsLeftOut) {
  EXPECT_THAT(Drawing(*simgrid("full.xml")).texts("//text"),
              Contains("not drawn: 1 link on none of the routes followed"));
}

// One cable of the sixteen between the levels is slower: it has a line of its own in the legend, a
// thinner stroke and another colour.
TEST(TopologyDrawing, OverriddenCablesLookDifferent) {
  const Drawing drawing(
      *platform_of("topology: {kind: fat-tree, arity: 4, levels: 2}\n"
                   "overrides:\n  - {links: \"L1.0->L2.1\", bandwidth: 10Gbps}\n"));
  EXPECT_THAT(drawing.texts("//text"), Contains("level 1: 15 cables, 100 Gb/s, 100 ns"));
  EXPECT_THAT(drawing.texts("//text"), Contains("level 1: 1 cable, 10 Gb/s, 100 ns"));
  const std::string slow = "//g[@class='cables'][count(line)=1]";
  const std::string usual = "//g[@class='cables'][count(line)=15]";
  ASSERT_EQ(drawing.count(slow), 1U);
  ASSERT_EQ(drawing.count(usual), 1U);
  EXPECT_LT(drawing.numbers(slow + "/@stroke-width")[0],
            drawing.numbers(usual + "/@stroke-width")[0]);
  EXPECT_EQ(drawing.count(slow + "[@stroke=" + usual + "/@stroke]"), 0U);
}

// Characters that XML or Graphviz keep for themselves stand in names as they are.
TEST(TopologyDrawing, NamesAreEscaped) {
  const auto machine = platform_of(
      "name: 'R&D <\"1\">'\n"
      "topology:\n  kind: graph\n  edges: |\n    a<b s&1\n    c\"d s&1\n    e\\f s&1\n");
  const Drawing drawing(*machine);
  EXPECT_THAT(drawing.texts("//text"),
              AllOf(Contains("R&D <\"1\">"), Contains("a<b"), Contains("c\"d"), Contains("s&1")));
  EXPECT_THAT(topology_dot(*machine),
              AllOf(HasSubstr("graph \"R&D <\\\"1\\\">\" {"), HasSubstr("<b>R&amp;D &lt;"),
                    HasSubstr("\"s&1\" -- \"c\\\"d\""), HasSubstr("\"s&1\" -- \"e\\\\f\"")));
}

// Where a name is too long, its begin and end are written and all of it is the tooltip.
TEST(TopologyDrawing, LongNamesAreShortened) {
  const std::string name = "switch-in-the-third-rack-of-the-second-row-of-the-hall";
  const Drawing drawing(*platform_of("topology:\n  kind: graph\n  edges: |\n    a " + name +
                                     "\n    b " + name + "\n"));
  EXPECT_THAT(drawing.texts("//text"), Contains(AllOf(HasSubstr("switch-"), HasSubstr("\u2026"))));
  EXPECT_THAT(drawing.texts("//text"), Not(Contains(name)));
  EXPECT_THAT(drawing.texts("//g[@class='switches']/rect/title"), Contains(HasSubstr(name)));
}

// Letters of size 10 are 5.8 wide: 29 has room for five, of which one says that some are missing.
// Characters of several bytes stay whole.
TEST(Shortened, KeepsBeginAndEnd) {
  EXPECT_EQ(shortened("abcde", 10, 29), "abcde");
  EXPECT_EQ(shortened("abcdefghij", 10, 29), "ab\u2026ij");
  EXPECT_EQ(shortened("\u00e4\u00f6\u00fcdefgh\u00e4\u00f6", 10, 29),
            "\u00e4\u00f6\u2026\u00e4\u00f6");
}

// 512 nodes are no reason to fade: every line has a third of its colour at least, in a file below
// one million bytes.
TEST(TopologyDrawing, LargeTorusIsVisibleAndSmall) {
  const auto machine = platform_of("topology: {kind: torus, dims: [8, 8, 8]}\n");
  EXPECT_LT(topology_svg(*machine).size(), 1'000'000U);
  const auto opacities = Drawing(*machine).numbers("//g[@class='cables']/@stroke-opacity");
  EXPECT_THAT(opacities, Not(IsEmpty()));
  EXPECT_THAT(opacities, testing::Each(Ge(0.33)));
}

// The roots of a tree stand above its leaves, these above the nodes; the legend is there.
TEST(TopologyDrawing, GraphvizHasRootsAtTheTop) {
  const std::string dot =
      topology_dot(*platform_of("topology: {kind: fat-tree, arity: 2, levels: 2}\n"));
  EXPECT_GT(height_in_dot(dot, "L2.0"), height_in_dot(dot, "L1.0"));
  EXPECT_GT(height_in_dot(dot, "L1.0"), height_in_dot(dot, "n0"));
  EXPECT_THAT(dot, HasSubstr("\"L2.0\" -- \"L1.0\""));
  EXPECT_THAT(dot, HasSubstr("level 1: 4 cables, 100 Gb/s, 100 ns"));
}

TEST(TopologyDrawing, IsTheSameEveryTime) {
  for (const char* file : {"nested_full.xml", "dijkstra_dense.xml", "dragonfly_2222.xml"}) {
    EXPECT_EQ(topology_svg(*simgrid(file)), topology_svg(*simgrid(file))) << file;
    EXPECT_EQ(topology_dot(*simgrid(file)), topology_dot(*simgrid(file))) << file;
  }
}

// 648 nodes are counted in the SVG but each is a vertex for Graphviz.
TEST(TopologyDrawing, GraphvizHasEveryNode) {
  const auto machine = platform_of("topology: {kind: fat-tree, down: [18, 36], up: [1, 18]}\n");
  EXPECT_THAT(topology_dot(*machine), HasSubstr("\"n647\" ["));
  EXPECT_EQ(Drawing(*machine).count("//g[@class='nodes']/rect"), 36U);
}

}  // namespace
}  // namespace heddle::report
