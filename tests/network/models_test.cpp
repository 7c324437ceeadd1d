// What models and rules tell of themselves.
#include "network/models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "error_of.hpp"
#include "network/packet/rules.hpp"
#include "network/packet_bed.hpp"
#include "platform/routing.hpp"
#include "platform/topology_kinds.hpp"

namespace heddle::network {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;

// Each model's file describes it: all four are there, cheapest first, each with a section of
// parameters that is called like it.
TEST(Models, AreKnownByTheirFiles) {
  std::vector<std::string> names;
  for (const NetworkModel& model : network_models()) {
    names.emplace_back(model.name);
    const ModelDescription& description = model_description(model.name);
    ASSERT_FALSE(description.sections.empty()) << model.name;
    EXPECT_EQ(description.sections[0]->section(), model.name);
    EXPECT_NE(description.own_part(star(2)), "");
  }
  EXPECT_THAT(names, IsSupersetOf({"loggops", "queue", "fluid", "packet"}));
}

TEST(Models, AnUnknownOneIsRefused) {
  EXPECT_THAT(error_of([] { model_description("paket"); }),
              HasSubstr("unknown network 'paket' (did you mean 'packet'?): accepted are loggops, "
                        "queue, fluid, packet"));
}

// Packets of 2176 B carry 2156 B, so 2^22 of them 9,042,919,424 B. Other models take any size.
TEST(Models, OnlyPacketsLimitTheSizeOfAMessageAlone) {
  const Settings settings(network_sections());
  EXPECT_EQ(model_description("packet").limit(settings).below, Bytes(9'042'919'424));
  for (const char* any : {"loggops", "queue", "fluid"}) {
    EXPECT_EQ(model_description(any).limit, nullptr) << any;
  }
}

/// Whether there is a machine for which the rule makes one with three lanes: not every rule of
/// lanes suits every shape and routing.
template <class Rule>
bool makes_one(const Rule& rule) {
  const PacketConfig config = packet_config({});
  const Settings settings({});
  for (const auto& [kind, routing_name] :
       {std::pair("single-switch", "minimal"), std::pair("torus", "minimal"),
        std::pair("torus", "adaptive"), std::pair("dragonfly", "minimal")}) {
    auto topology = platform::make_topology(kind, Settings(platform::topology_sections()));
    auto routing = platform::make_routing(routing_name, *topology);
    const platform::Platform platform("machine", std::move(topology), std::move(routing), {}, {},
                                      {}, {});
    try {
      return rule.make({config, settings, 3, platform}) != nullptr;
    } catch (const ParamError&) {
      continue;
    }
  }
  return false;
}

/// The names of rules, which must be distinct; each makes one for some machine.
template <class Rule>
std::set<std::string> made(const std::vector<const Rule*>& rules) {
  std::set<std::string> names;
  for (const Rule* rule : rules) {
    EXPECT_TRUE(makes_one(*rule)) << rule->name;
    EXPECT_NE(rule->about, "");
    names.emplace(rule->name);
  }
  EXPECT_EQ(names.size(), rules.size());
  return names;
}

TEST(PacketRules, AreKnownByTheirFiles) {
  EXPECT_TRUE(made(input_orders()).contains("round-robin"));
  EXPECT_TRUE(made(lane_arbitrations()).contains("tables"));
  EXPECT_TRUE(made(lane_rules()).contains("class"));
  for (const char* rule : {"hop", "crossing", "dateline", "group", "escape"}) {
    EXPECT_TRUE(made(lane_rules()).contains(rule)) << rule;
  }
  EXPECT_TRUE(made(congestion_controls()).contains("ib"));
}

// Parameters choose among them by name, and refuse others.
TEST(PacketRules, ParametersChooseThem) {
  EXPECT_EQ(packet_config({"packet.arbitration=round-robin"}).arbitration, "round-robin");
  EXPECT_THAT(error_of([] { packet_config({"packet.arbitration=whatever"}); }),
              HasSubstr("accepted is one of"));
  EXPECT_THAT(error_of([] { packet_config({"packet.congestion=whatever"}); }),
              HasSubstr("accepted is one of"));
}

}  // namespace
}  // namespace heddle::network
