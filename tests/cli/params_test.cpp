#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

// Every section is listed, each parameter under the name that --set takes.
TEST(Params, ListsEverySection) {
  const Outcome outcome = heddle("params");
  EXPECT_EQ(outcome.status, 0);
  for (const char* name : {"link.bandwidth", "switch.latency", "node.cores", "nic.gap",
                           "topology.kind", "fat-tree.arity", "queue.forwarding"}) {
    EXPECT_THAT(outcome.out, HasSubstr(name));
  }
}

TEST(Params, ShowsOnlyTheSectionsNamed) {
  const Outcome outcome = heddle("params link");
  EXPECT_THAT(outcome.out, StartsWith("link: cables of the fabric\n"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("node.cores")));
}

// One parameter by its full name, several by their own name or by how they begin; a section's name
// means that section only.
TEST(Params, ShowsTheParametersNamed) {
  const Outcome one = heddle("params link.latency");
  EXPECT_EQ(one.status, 0);
  EXPECT_THAT(one.out, StartsWith("link: cables of the fabric\n"));
  EXPECT_THAT(one.out, HasSubstr("link.latency"));
  EXPECT_THAT(one.out, testing::Not(HasSubstr("link.bandwidth")));
  const auto count = [](const std::string& words) {
    const json document = json::parse(heddle("params " + words + " --json -").out);
    std::size_t sum = 0;
    for (const json& section : document["sections"]) sum += section["parameters"].size();
    return sum;
  };
  EXPECT_EQ(count("link.latency"), 1U);
  EXPECT_EQ(count("traffic.hot"), 2U);  // hot_fraction and hot_nodes
  EXPECT_EQ(count("link.latency traffic.hot"), 3U);
  EXPECT_GE(count("latency"), 2U);  // of links and switches
  EXPECT_EQ(count("fat-"), count("fat-tree"));
  const Outcome wrong = heddle("params link.latnecy");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("'link.latnecy' (did you mean 'link.latency'?)"));
}

TEST(Params, UnknownSectionNamesTheNearestAndAll) {
  const Outcome outcome = heddle("params lnk");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("'lnk' (did you mean 'link'?)"));
  EXPECT_THAT(outcome.err, HasSubstr("switch, node, nic"));
}

// link.duplex is a choice of two words, link.bandwidth at least one bit per second.
TEST(Params, JsonHasTypesRangesAndChoices) {
  const json document = json::parse(heddle("params link --json -").out);
  EXPECT_EQ(document["schema"], "heddle.params/1");
  ASSERT_EQ(document["sections"].size(), 1U);
  for (const json& param : document["sections"][0]["parameters"]) {
    if (param["name"] == "duplex") {
      EXPECT_EQ(param["choices"], json({"full", "half"}));
    }
    if (param["name"] == "bandwidth") {
      EXPECT_EQ(param["min"], "1bps");
    }
    EXPECT_FALSE(param["meaning"].get<std::string>().empty());
  }
}

// What a section says is a default is accepted as a value.
TEST(Params, DefaultsCanBeSet) {
  const json document = json::parse(heddle("params link node nic switch --json -").out);
  std::string arguments = "topo quito --print-config";
  for (const json& section : document["sections"]) {
    for (const json& param : section["parameters"]) {
      arguments += " --set '" + section["section"].get<std::string>() + "." +
                   param["name"].get<std::string>() + "=" + param["default"].get<std::string>() +
                   "'";
    }
  }
  const Outcome outcome = heddle(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

}  // namespace
}  // namespace heddle::cli
