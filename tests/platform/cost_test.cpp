#include <gmock/gmock.h>

#include "platform/cost/fabric_cost.hpp"
#include "platform/machine_support.hpp"

namespace heddle::platform {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kTable =
    "currency: EUR\n"
    "floor: {switches_per_rack: 1, racks_per_row: 16, rack_width: 100cm, inside: 1m, between: 2m}\n"
    "switches: [{name: large, ports: 64, price: 20000, power: 0.45kW},\n"
    "           {name: small, ports: 16, price: 9000, power: 150W}]\n"
    "optics: [{name: DR4, price: 400, power: 10W}]\n"
    "cables: [{name: fibre, price: 10, price_per_metre: 1, optics: DR4},\n"
    "         {name: copper, up_to: 3m, price: 40, price_per_metre: 15, power: 100mW}]\n"
    "adapters: {price: 900, power: 20W}\n";

std::string complaint_of_prices(const std::string& text) {
  return error_of([&] { read_prices_text(text, "p.yaml"); });
}

/// kTable with `from` replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = kTable;
  return text.replace(text.find(from), from.size(), to);
}

const CostItem& item(const FabricCost& cost, const std::string& part, const std::string& name) {
  for (const CostItem& one : cost.items) {
    if (one.part == part && one.name == name) return one;
  }
  throw std::out_of_range(part + " " + name);
}

// One switch of 4 ports: the small one for 9000 and 150 W. Four cables of 1 m in the rack, each
// 40 + 15 and 0.1 W. Four adapters for 900 and 20 W. All: 9000 + 220 + 3600 = 12820, 230.4 W.
TEST(Cost, ASwitchWithItsCables) {
  const FabricCost cost = cost_of(*platform_of(kFour), read_prices_text(kTable, "p.yaml"));
  EXPECT_EQ(cost.racks, 1U);
  EXPECT_EQ(item(cost, "switches", "small").count, 1U);
  EXPECT_EQ(item(cost, "cables", "copper").count, 4U);
  EXPECT_DOUBLE_EQ(cost.price, 12820);
  EXPECT_DOUBLE_EQ(cost.power, 230.4);
}

// An 8-ary 2-tree, a switch to a rack in one row: leaf i stands in rack i, spine j in rack 8 + j.
// The cable between them is 2 + (8 + j - i) m long, 640 m in all. Only that of leaf 7 and spine 0
// is no longer than 3 m: 40 + 15 * 3 of copper. The other 63 are fibres of 637 m with an optic at
// both ends.
TEST(Cost, LengthsComeFromTheFloor) {
  const auto tree = platform_of("topology: {kind: fat-tree, arity: 8, levels: 2}\n");
  const FabricCost cost = cost_of(*tree, read_prices_text(kTable, "p.yaml"));
  EXPECT_EQ(cost.racks, 16U);
  EXPECT_EQ(item(cost, "switches", "small").count, 16U);
  EXPECT_EQ(item(cost, "cables", "copper").count, 64U + 1U);
  EXPECT_DOUBLE_EQ(item(cost, "cables", "copper").metres, 64 + 3);
  EXPECT_EQ(item(cost, "cables", "fibre").count, 63U);
  EXPECT_DOUBLE_EQ(item(cost, "cables", "fibre").metres, 637);
  EXPECT_DOUBLE_EQ(item(cost, "cables", "fibre").price, 63 * 10 + 637);
  EXPECT_EQ(item(cost, "optics", "DR4").count, 126U);
  EXPECT_DOUBLE_EQ(item(cost, "optics", "DR4").power, 1260);
  EXPECT_EQ(item(cost, "adapters", "").count, 64U);
}

// The same sixteen racks in four rows of four, 1 m from row to row: leaf 0 in the first place of
// row 0 and spine 7 in the last of row 3 are 3 + 3 + 2 m apart.
TEST(Cost, RowsFoldTheFloor) {
  const auto tree = platform_of("topology: {kind: fat-tree, arity: 8, levels: 2}\n");
  const Prices prices = read_prices_text(
      changed("racks_per_row: 16, rack_width: 100cm, inside: 1m, between: 2m", "between: 2m") +
          "about: x\n",
      "p.yaml");
  const FabricCost cost = cost_of(*tree, prices);
  // By hand: racks 0-7 are rows 0 and 1, racks 8-15 rows 2 and 3. Of any two columns out of four
  // the mean distance is 1.25, of rows {0,1} and {2,3} it is 2: 64 * (2 + 1.25 + 2) = 336 m.
  EXPECT_DOUBLE_EQ(
      item(cost, "cables", "fibre").metres + item(cost, "cables", "copper").metres - 64, 336);
}

// The published model on its main instance: 722 switches with 15 nodes and 29 cables to others
// each, at 2.8 W and 350.4 USD a port. With all 44 ports counted that is 722 * 44 * 2.8 / 10830 =
// 8.213 W per node; the publication's 8.02 W count 43 ports of a switch.
TEST(Cost, PublishedModelGivesItsWattsPerNode) {
  const auto slim_fly = platform_of(
      "topology: {kind: slim-fly, q: 19, nodes_per_switch: 15}\n"
      "link: {bandwidth: 40Gbps}\n");
  const FabricCost cost = cost_of(*slim_fly, read_prices("slim-fly-2014"));
  const CostItem& switches = item(cost, "switches", "switch");
  EXPECT_EQ(switches.count, 722U);
  EXPECT_DOUBLE_EQ(switches.ports, 722 * 44);
  EXPECT_NEAR(cost.power / 10830, 8.213, 0.001);
  EXPECT_NEAR(cost.power / 10830 * 43 / 44, 8.02, 0.01);
  EXPECT_NEAR(switches.price / 10830, (350.4 * 44 - 892.3) * 722 / 10830, 1e-6);
  // Cables in a rack are electric and cost 40 * (0.5771 + 0.4079) USD at 1 m.
  const CostItem& electric = item(cost, "cables", "electric");
  EXPECT_NEAR(electric.price / static_cast<double>(electric.count), 40 * 0.985, 1e-9);
}

// Every class that a machine needs and the table lacks is named, with what would do.
TEST(Cost, MissingClassesAreNamed) {
  const auto tree = platform_of("topology: {kind: fat-tree, arity: 40, levels: 2}\n");
  EXPECT_THAT(error_of([&] { cost_of(*tree, read_prices_text(kTable, "p.yaml")); }),
              HasSubstr("p.yaml: switches with 80 ports are missing (switch L1.0 has so many "
                        "cables, and the largest class, large, 64 ports)"));
  const auto small = platform_of("topology: {kind: fat-tree, arity: 8, levels: 2}\n");
  const std::string copper_only =
      changed("{name: fibre, price: 10, price_per_metre: 1, optics: DR4},", "");
  EXPECT_THAT(error_of([&] { cost_of(*small, read_prices_text(copper_only, "p.yaml")); }),
              HasSubstr("p.yaml: cables of 10 m are missing (L1.0->L2.0 is so long, and the "
                        "longest class, copper, up to 3 m)"));
}

TEST(Cost, WrongTablesSayWhatIsAccepted) {
  EXPECT_THAT(complaint_of_prices("currency: EUR\n"), HasSubstr("has no floor"));
  EXPECT_THAT(complaint_of_prices(changed("currency: EUR", "name: x")),
              HasSubstr("has no currency: accepted is a word such as EUR"));
  EXPECT_THAT(complaint_of_prices(changed("power: 150W", "power: 150")),
              HasSubstr("p.yaml:4:57: power of a class of switches is '150': accepted is a power "
                        "such as 2.8W"));
  EXPECT_THAT(complaint_of_prices(changed("optics: DR4", "optics: SR8")),
              HasSubstr("no optics are called 'SR8': accepted are DR4"));
  EXPECT_THAT(complaint_of_prices(changed("ports: 64", "port: 64")), HasSubstr("has no ports"));
  EXPECT_THAT(
      complaint_of_prices(changed("price: 900,", "prize: 900,")),
      AllOf(HasSubstr("unknown key 'prize' of adapters"), HasSubstr("did you mean 'price'?")));
  EXPECT_THAT(complaint_of_prices(changed("name: large", "name: small")),
              HasSubstr("a second class is called 'small'"));
  EXPECT_THAT(complaint_of_prices("[1, 2]"), HasSubstr("accepted is a mapping"));
  EXPECT_THAT(error_of([] { read_prices("nowhere.yaml"); }),
              HasSubstr("published prices: slim-fly-2014"));
}

}  // namespace
}  // namespace heddle::platform
