#include "platform/topology_kinds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::platform {
namespace {

using testing::HasSubstr;

std::string problem_of(std::string_view kind, const std::vector<std::string>& assignments) {
  Settings settings(topology_sections());
  try {
    for (std::uint32_t line = 1; const std::string& a : assignments) {
      settings.assign(a, {"m.yaml", line++, 3});
    }
    make_topology(kind, settings, {"m.yaml", 9, 1});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// Every kind makes a machine from its defaults alone, and its section carries its name.
TEST(TopologyKinds, DefaultsOfEveryKindMakeAMachine) {
  const Settings settings(topology_sections());
  for (const TopologyKind& kind : topology_kinds()) {
    EXPECT_EQ(kind.params->section(), kind.name);
    const auto topology = make_topology(kind.name, settings);
    EXPECT_GE(topology->nodes(), 2U) << kind.name;
    EXPECT_FALSE(topology->describe().empty());
  }
}

// A misspelt kind is an error at its place that names the likely one and all that are accepted.
TEST(TopologyKinds, UnknownKindSaysWhatWasMeant) {
  const std::string problem = problem_of("single-swich", {});
  EXPECT_THAT(problem, HasSubstr("m.yaml:9:1"));
  EXPECT_THAT(problem, HasSubstr("did you mean 'single-switch'?"));
  EXPECT_THAT(problem, HasSubstr("accepted are single-switch"));
}

// A value out of range is an error where the value stands.
TEST(TopologyKinds, ValueOutOfRangeIsReportedWhereItStands) {
  const std::string problem = problem_of("single-switch", {"single-switch.nodes=0"});
  EXPECT_THAT(problem, HasSubstr("m.yaml:1:3"));
  EXPECT_THAT(problem, HasSubstr("at least 1"));
}

// Lists are written with commas or crosses and read back as the same numbers.
TEST(TopologyKinds, ListsOfNumbersReadBack) {
  using List = std::vector<std::int64_t>;
  EXPECT_EQ(parse_counts("8,8,4"), (List{8, 8, 4}));
  EXPECT_EQ(parse_counts("8x8x4"), (List{8, 8, 4}));
  EXPECT_EQ(parse_counts(" 2k, 3 "), (List{2000, 3}));
  EXPECT_EQ(exact_counts({8, 8, 4}), "8,8,4");
  for (const char* bad : {"", "8,", ",8", "8,,8", "8;8", "a", "1.5"}) {
    EXPECT_FALSE(parse_counts(bad)) << bad;
  }
}

}  // namespace
}  // namespace heddle::platform
