// `heddle goal`, run as a user runs it.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class GoalCommand : public testing::Test {
 protected:
  /// Runs `heddle goal` in a way that must succeed.
  static std::string goal(const std::string& arguments) {
    const Outcome outcome = heddle("goal " + arguments);
    EXPECT_EQ(outcome.status, 0) << arguments << "\n" << outcome.err;
    return outcome.out;
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  TemporaryFolder folder_;
};

// Text, binary and compact hold the same schedule: whichever way round, the same text comes back.
TEST_F(GoalCommand, FormatsHoldTheSame) {
  const std::string text = folder_ / "a.goal";
  goal("gen binomial-reduce --set pattern.ranks=13 --set pattern.compute=7 -o " + text);
  goal("to-binary " + text + " -o " + (folder_ / "a.bin"));
  goal("to-compact " + (folder_ / "a.bin") + " -o " + (folder_ / "a.hgs"));
  EXPECT_EQ(goal("to-text " + (folder_ / "a.hgs")), file_text(text));
  EXPECT_EQ(goal("to-text " + (folder_ / "a.bin")), file_text(text));
  goal("gen binomial-reduce --set pattern.ranks=13 --set pattern.compute=7 --binary -o " +
       (folder_ / "b.bin"));
  EXPECT_EQ(file_text(folder_ / "b.bin"), file_text(folder_ / "a.bin"));
  EXPECT_EQ(heddle("goal gen ring --binary --compact").status, 2);
}

TEST_F(GoalCommand, EveryPatternThatIsListedCanBeMadeAndIsSound) {
  const auto lines = goal("list");
  std::istringstream list(lines);
  std::string line;
  std::getline(list, line);
  int patterns = 0;
  while (std::getline(list, line) && !line.empty()) {
    const std::string name = line.substr(0, line.find(' '));
    goal("gen " + name + " --set pattern.ranks=8 -o " + (folder_ / "p.goal"));
    EXPECT_THAT(goal("check " + (folder_ / "p.goal")), HasSubstr("no problem found")) << name;
    ++patterns;
  }
  EXPECT_GE(patterns, 20);
}

// A step of training: what is written says its tokens, so a replay of the text tells the same parts
// of the step as one of the pattern; other formats say nothing.
TEST_F(GoalCommand, ATrainingStepIsToldByItsParts) {
  const std::string step = folder_ / "step.goal";
  const std::string division = "--gpus 8 --tp 2 --pp 2 --batch 8";
  EXPECT_THAT(
      goal("generate llm --model llama3-8b " + division + " --set llm.merge_layers=8 -o " + step),
      AllOf(HasSubstr("8.03 G parameters, 65536 tokens"), HasSubstr("pp")));
  EXPECT_THAT(goal("check " + step), HasSubstr("no problem found"));
  const auto document = [](const std::string& what) {
    const Outcome outcome = heddle("replay " + what + " --json -");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  const auto of_file = document(step);
  const auto of_pattern = document(
      "--pattern llm --set llm.gpus=8 --set llm.tp=2 --set llm.pp=2 --set llm.batch=8 --set "
      "llm.merge_layers=8");
  EXPECT_EQ(of_file["step"], of_pattern["step"]);
  EXPECT_EQ(of_file["step"]["tokens"], 65536);
  std::int64_t parts = 0;
  for (const char* part : {"compute_ps", "bubble_ps", "exposed_tp_ps", "exposed_cp_ps",
                           "exposed_ep_ps", "exposed_pp_ps", "exposed_dp_ps"}) {
    parts += of_file["step"][part].get<std::int64_t>();
  }
  EXPECT_NEAR(static_cast<double>(parts), of_file["makespan_ps"].get<double>(), 10);
  goal("to-compact " + step + " -o " + (folder_ / "step.hgs"));
  EXPECT_TRUE(document(folder_ / "step.hgs")["step"].is_null());
  const Outcome wrong = heddle("goal generate llm --gpus 8 --tp 3");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("--tp"), HasSubstr("tp x pp x cp = 3")));
}

TEST_F(GoalCommand, AnUnknownPatternIsRefusedWithANearOne) {
  const Outcome outcome = heddle("goal gen disemination");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean 'dissemination'?"));
  EXPECT_THAT(heddle("goal gen ring --set pattern.rnks=3").err,
              HasSubstr("did you mean 'pattern.ranks'?"));
}

TEST_F(GoalCommand, AnUnknownSubcommandIsRefusedWithTheList) {
  const Outcome outcome = heddle("goal inffo");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("did you mean 'info'?"), HasSubstr("to-binary")));
  EXPECT_THAT(heddle("goal gen ring --bin").err, HasSubstr("--binary"));
}

// Dissemination on 8 ranks: 3 rounds of a send and a receive each, of 180 B.
TEST_F(GoalCommand, InfoCounts) {
  const auto json = nlohmann::json::parse(
      goal("info --json - " HEDDLE_TEST_DATA "/goal/dissemination8_180.goal"));
  EXPECT_EQ(json["schema"], "heddle.goal-info/1");
  EXPECT_EQ(json["ranks"], 8);
  EXPECT_EQ(json["sends"], 24);
  EXPECT_EQ(json["receives"], 24);
  EXPECT_EQ(json["sent_bytes"], 24 * 180);
  EXPECT_EQ(json["largest_message_bytes"], 180);
}

TEST_F(GoalCommand, CheckNamesRankLabelAndLine) {
  const std::string file = write("lone.goal",
                                 "num_ranks 2\nrank 0 {\nhello: send 8b to 1 tag 4\n}\n"
                                 "rank 1 {\nrecv 8b from 0 tag 5\n}\n");
  const Outcome outcome = heddle("goal check " + file);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("rank 0, hello"), HasSubstr("lone.goal:3"),
                                 HasSubstr("rank 1"), HasSubstr("lone.goal:6")));
}

// Both ranks receive before they send; the values and sizes are what no replay can do, or should be
// looked at.
TEST_F(GoalCommand, CheckLooksOverRanksAndAtValues) {
  const auto rank = [](int me) {
    const std::string other = std::to_string(1 - me);
    return "rank " + std::to_string(me) + " {\na: recv 8b from " + other + "\nb: send 8b to " +
           other + "\nb requires a\n}\n";
  };
  const Outcome cycle =
      heddle("goal check " + write("cycle.goal", "num_ranks 2\n" + rank(0) + rank(1)));
  EXPECT_EQ(cycle.status, 2);
  EXPECT_THAT(cycle.err, AllOf(HasSubstr("rank 1, b ("), HasSubstr("cycle.goal:9")));
  const std::string huge =
      write("huge.goal", "num_ranks 1\nrank 0 {\nx: calc 18446744073709551615\n}\n");
  for (const std::string command : {"goal check ", "replay "}) {
    const Outcome outcome = heddle(command + huge);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("rank 0, x"), HasSubstr("huge.goal:3")));
  }
  const Outcome small =
      heddle("goal check " + write("small.goal",
                                   "num_ranks 2\nrank 0 {\nsend 99b to 1\n}\nrank 1 {\n"
                                   "recv 9b from 0\n}\n"));
  EXPECT_EQ(small.status, 0);
  EXPECT_THAT(small.out, AllOf(HasSubstr("warning: 1 x messages larger"), HasSubstr(":6")));
}

TEST_F(GoalCommand, AbsurdSizesAreRefusedAtOnce) {
  const Outcome outcome = heddle("goal gen linear-alltoall --set pattern.ranks=1000000000 -o -");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("2e+18 operations"));
}

TEST_F(GoalCommand, TruncatedFilesAreRefusedWithTheirName) {
  const std::string whole = folder_ / "whole.bin";
  goal("gen dissemination --binary -o " + whole);
  const std::string bytes = file_text(whole);
  for (const std::size_t length : {std::size_t{9}, std::size_t{20}, bytes.size() - 1}) {
    const Outcome outcome = heddle("goal info " + write("cut.bin", bytes.substr(0, length)));
    EXPECT_EQ(outcome.status, 2) << length;
    EXPECT_THAT(outcome.err, HasSubstr("cut.bin"));
  }
}

// Side by side 2 + 3 ranks are 5; after one another on the same ranks they are 3.
TEST_F(GoalCommand, CatJoins) {
  const std::string two = folder_ / "two.goal";
  const std::string three = folder_ / "three.goal";
  goal("gen ring --set pattern.ranks=2 -o " + two);
  goal("gen ring --set pattern.ranks=3 -o " + three);
  EXPECT_THAT(goal("cat " + two + " " + three), HasSubstr("num_ranks 5"));
  EXPECT_THAT(goal("cat --after " + two + " " + three), HasSubstr("num_ranks 3"));
  goal("cat " + two + " " + three + " --compact -o " + (folder_ / "both.hgs"));
  EXPECT_EQ(heddle("replay " + (folder_ / "both.hgs")).status, 0);
}

TEST_F(GoalCommand, DotDrawsRanksAndDependencies) {
  const std::string file =
      write("a.goal", "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nb irequires a\n}\n");
  EXPECT_THAT(goal("dot " + file),
              AllOf(HasSubstr("digraph"), HasSubstr("r0_0 -> r0_1 [style=dotted]")));
}

TEST_F(GoalCommand, WhatCannotBeWrittenIsSaidBeforeTheWork) {
  const Outcome outcome = heddle("goal gen ring -o /no/such/folder/x.goal");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("/no/such/folder/x.goal"));
}

}  // namespace
}  // namespace heddle::cli
