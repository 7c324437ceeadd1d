#include "traffic/idle_parameters.hpp"

#include <gtest/gtest.h>

namespace heddle::traffic {
namespace {

TrafficConfig config_with(const std::vector<std::string>& assignments) {
  Settings settings({&traffic_table()});
  for (const std::string& assignment : assignments) settings.assign(assignment, {});
  return settings.get(traffic_table());
}

// Uniform traffic at a load looks at the load, but neither at the window of a closed loop nor at
// what belongs to other patterns.
TEST(IdleParameters, DependOnLoopAndPattern) {
  const TrafficConfig open = config_with({});
  EXPECT_EQ(idle_reason(open, "load"), "");
  EXPECT_EQ(idle_reason(open, "window"), "the loop is open");
  EXPECT_EQ(idle_reason(open, "shift"), "the pattern is uniform");
  const TrafficConfig closed = config_with({"traffic.loop=closed", "traffic.pattern=incast"});
  EXPECT_EQ(idle_reason(closed, "window"), "");
  EXPECT_EQ(idle_reason(closed, "duration"), "the loop is closed");
  EXPECT_EQ(idle_reason(closed, "target"), "");
  EXPECT_EQ(idle_reason(closed, "hot_nodes"), "the pattern is incast");
}

// A file says when, what and how much.
TEST(IdleParameters, AFileLeavesLittleToSay) {
  const TrafficConfig file = config_with({"traffic.pattern=file", "traffic.file=t.txt"});
  for (const char* name : {"size", "load", "window", "class", "shift"}) {
    EXPECT_EQ(idle_reason(file, name), "the file says it") << name;
  }
  for (const char* name : {"pattern", "file", "from"}) EXPECT_EQ(idle_reason(file, name), "");
}

// Every parameter of the section matters to some traffic: none is forgotten, none misspelt.
TEST(IdleParameters, EachParameterMattersSomewhere) {
  for (const std::string& name : traffic_table().names()) {
    bool matters = false;
    for (const std::string& pattern : traffic_table().params()[0].choices) {
      for (const char* loop : {"open", "closed"}) {
        const auto config =
            config_with({"traffic.pattern=" + pattern, std::string("traffic.loop=") + loop,
                         "traffic.spacing=log-normal", "traffic.incast=0.1"});
        matters = matters || idle_reason(config, name).empty();
      }
    }
    EXPECT_TRUE(matters) << name;
  }
}

}  // namespace
}  // namespace heddle::traffic
