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
