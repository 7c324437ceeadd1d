// Every JSON document is as its schema says, and results can be repeated from theirs.
#include <gmock/gmock.h>

#include <fstream>

#include "cli/hosted.hpp"
#include "cli/json_schema.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kSchedule =
    "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n}\nrank 1 {\nl1: recv 8b from 0 tag 0\n}\n";

class JsonDocuments : public testing::Test {
 protected:
  JsonDocuments() { std::ofstream(folder_ / "d.goal") << kSchedule; }
  Outcome run(const std::string& arguments) const { return heddle(arguments, folder_.path()); }
  json read(const std::string& name) const {
    return json::parse(file_text(folder_ / name), nullptr, false);
  }

  /// The command writes a document of the kind "heddle.KIND/1" that its schema accepts.
  void expect_valid(const std::string& arguments, const std::string& kind) const {
    const Outcome outcome = run(arguments + " --json r.json");
    ASSERT_EQ(outcome.status, 0) << arguments << "\n" << outcome.err;
    const json document = read("r.json");
    EXPECT_EQ(document["schema"], "heddle." + kind + "/1");
    const json schema =
        json::parse(file_text(std::string(HEDDLE_SCHEMAS) + "/heddle." + kind + "-1.schema.json"));
    EXPECT_EQ(JsonSchema::problem(schema, document), "") << arguments;
    // Every member has its place in the schema: a new one must be described.
    for (const auto& [name, value] : document.items()) {
      EXPECT_TRUE(schema["properties"].contains(name)) << arguments << ": " << name;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(JsonDocuments, FollowTheirSchemas) {
  expect_valid("params link fluid", "params");
  expect_valid("platforms", "platforms");
  expect_valid("topo fat-tree-64", "topo");
  expect_valid("topo fat-tree-64 --cost slim-fly-2014 --fail 5%", "topo");
  expect_valid("design --nodes 20 --radix 8 --prices slim-fly-2014", "design");
  std::ofstream(folder_ / "l.jobs") << "ranks=2 pattern=dissemination\nschedule=d.goal\n";
  expect_valid("jobs l.jobs -p fat-tree-64", "jobs");
  const std::string failing = " --set failures.cables=5%@1us-20us";
  expect_valid("traffic --messages 3 -p fat-tree-64" + failing, "traffic");
  expect_valid("replay d.goal -p fat-tree-64" + failing, "replay");
  expect_valid("topo torus-512 --route n0 n511 --size 1KiB", "topo");
  expect_valid("traffic --load 0.1,0.9 --pattern incast --duration 20us", "traffic");
  expect_valid("traffic --messages 3 --network packet --pattern tornado", "traffic");
  expect_valid(
      "traffic --load 0.3 --size rpc --set traffic.incast=0.1 --duration 20us --network links",
      "traffic");
  expect_valid("replay d.goal -p quito --background 0.1 --set traffic.size=rpc", "replay");
  expect_valid("topo dragonfly-72 --lanes --set packet.lanes=1", "topo");
  expect_valid("replay d.goal", "replay");
  expect_valid("replay d.goal -p quito --network packet", "replay");
  expect_valid("goal info d.goal", "goal-info");
  expect_valid("tune barrier -p fat-tree-64 -n 4 --rules b.rules", "tune");
  std::ofstream(folder_ / "l.txt") << "# OSU MPI Latency Test v5.8\n# Size  Latency (us)\n"
                                      "0 1.5\n1024 2.5\n4096 6.0\n65536 50\n";
  expect_valid("calibrate l.txt --leave-out half", "calibrate");
}

TEST_F(JsonDocuments, OfProgramsFollowTheirsAndCanBeRepeated) {
  const CompiledProgram program(
      "#include <stdio.h>\nint main(int c, char** v) {\n"
      "  printf(\"%s\\n\", v[1]);\n  return 0;\n}\n");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const std::string path = program.folder() + "/program";
  ASSERT_EQ(run("run -n 3 --seed 5 --json r.json " + path + " hello").status, 0);
  const json document = read("r.json");
  const json schema =
      json::parse(file_text(std::string(HEDDLE_SCHEMAS) + "/heddle.run-1.schema.json"));
  EXPECT_EQ(JsonSchema::problem(schema, document), "");
  EXPECT_EQ(document["arguments"], json({"hello"}));
  const Outcome again = heddle("again " + (folder_ / "r.json"));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.out, "hello\nhello\nhello\n");
  EXPECT_THAT(again.err, HasSubstr("as before"));
}

/// A result of a program that prints "one"; whoever runs another instead sees it.
class RunsAgain : public JsonDocuments {
 protected:
  void SetUp() override {
    JsonDocuments::SetUp();
    write_program("one");
    ASSERT_EQ(run("run -q -n 1 --json r.json ./tool").status, 0);
  }
  void write_program(const std::string& word) const {
    std::filesystem::remove(folder_ / "tool");
    std::ofstream(folder_ / "tool") << "#!/bin/sh\necho " << word << "\n";
    std::filesystem::permissions(folder_ / "tool", std::filesystem::perms::owner_all);
  }
  /// r.json with `member` changed, as x.json.
  void change(const std::string& member, const json& value) const {
    json document = read("r.json");
    document[member] = value;
    std::ofstream(folder_ / "x.json") << document;
  }
};

// The program is named before it runs, and runs only if it is the one that the result is of.
TEST_F(RunsAgain, OnlyTheProgramOfTheResult) {
  const Outcome same = run("again r.json");
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_EQ(same.out, "one\n");
  EXPECT_TRUE(same.err.starts_with("again: heddle run --ranks 1")) << same.err;
  EXPECT_THAT(same.err, HasSubstr((folder_ / "tool") + "\n"));
  write_program("two");
  const Outcome other = run("again r.json");
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(other.out, "");
  EXPECT_THAT(other.err, AllOf(HasSubstr("was not run"), HasSubstr("again --changed")));
  const Outcome changed = run("again --changed r.json");
  EXPECT_EQ(changed.out, "two\n");
}

// A file that was given another program to run, or no hash to know it by.
TEST_F(RunsAgain, NoForeignProgram) {
  change("again", {"run", "--ranks", "1", "/bin/sh", "-c", "touch \x1b[2Jevil"});
  const Outcome foreign = run("again x.json");
  EXPECT_EQ(foreign.status, 1);
  EXPECT_THAT(foreign.err, HasSubstr("/bin/sh -c $'touch \\x1b[2Jevil'"));
  EXPECT_THAT(foreign.err, HasSubstr("'/bin/sh' is not the program that was asked for"));
  EXPECT_EQ(folder_.entries(), 4U) << "d.goal, tool, r.json and x.json, and nothing evil";
  change("program_hash", nullptr);
  const Outcome unknown = run("again x.json");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("no 'program_hash'"));
  EXPECT_EQ(unknown.out, "");
}

TEST_F(RunsAgain, NoDocumentOfAnotherForm) {
  change("schema", "x/1");
  const Outcome schema = run("again x.json");
  EXPECT_EQ(schema.status, 2);
  EXPECT_THAT(schema.err, HasSubstr("the schema of a result of `heddle run` is heddle.run/1"));
  change("configuration", 5);
  const Outcome configuration = run("again x.json");
  EXPECT_EQ(configuration.status, 2);
  EXPECT_THAT(configuration.err, HasSubstr("'configuration' is no text"));
}

// A number that is none has a place, wherever JSON is read.
TEST_F(JsonDocuments, NumbersBeyondAllAreNamed) {
  std::ofstream(folder_ / "x.json") << "{\"again\": [],\n \"fingerprint\": 1e400}";
  for (const char* command : {"again x.json", "report x.json"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("x.json:2:17: '1e400' is too large for a number"));
  }
}

// The validator finds what is wrong: a missing member, a type, a word that is none of a few.
TEST(JsonSchemaValidator, FindsMistakes) {
  const json schema = json::parse(
      R"({"type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":0},
          "b":{"enum":["x","y"]},"c":{"type":"array","items":{"type":["string","null"]}}}})");
  EXPECT_EQ(JsonSchema::problem(schema, json::parse(R"({"a":1,"b":"x","c":["t",null]})")), "");
  EXPECT_THAT(JsonSchema::problem(schema, json::parse("{}")), HasSubstr("no \"a\""));
  EXPECT_THAT(JsonSchema::problem(schema, json::parse(R"({"a":-1})")), HasSubstr("/a: minimum"));
  EXPECT_THAT(JsonSchema::problem(schema, json::parse(R"({"a":1.5})")), HasSubstr("/a: type"));
  EXPECT_THAT(JsonSchema::problem(schema, json::parse(R"({"a":1,"b":"z"})")),
              HasSubstr("/b: enum"));
  EXPECT_THAT(JsonSchema::problem(schema, json::parse(R"({"a":1,"c":[3]})")), HasSubstr("/c/0"));
}

// From the JSON alone, in another folder and with the machine's file gone.
TEST_F(JsonDocuments, TrafficIsRepeated) {
  std::ofstream(folder_ / "m.yaml") << "topology: {kind: torus, dims: [4, 4]}\n";
  ASSERT_EQ(run("traffic -p m.yaml --load 0.2,0.4 --seed 7 --duration 20us --json r.json").status,
            0);
  std::filesystem::remove(folder_ / "m.yaml");
  const Outcome again =
      heddle("again " + (folder_ / "r.json") + " --json " + (folder_ / "new.json"));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("as before"));
  EXPECT_EQ(read("new.json")["fingerprint"], read("r.json")["fingerprint"]);
  EXPECT_EQ(read("new.json")["seed"], 7);
}

// With and without a machine, of a pattern and of a file; a file that is another by then is found.
TEST_F(JsonDocuments, ReplaysAreRepeated) {
  for (const char* arguments : {"--pattern ring --set pattern.ranks=5 --set loggops.L=3us",
                                "--pattern gather -p quito --seed 3", "d.goal"}) {
    ASSERT_EQ(run(std::string("replay ") + arguments + " --json r.json").status, 0) << arguments;
    const Outcome again = heddle("again " + (folder_ / "r.json"));
    EXPECT_EQ(again.status, 0) << arguments << again.err;
    EXPECT_THAT(again.err, HasSubstr("as before")) << arguments;
  }
  std::string other = kSchedule;
  other.replace(other.find("8b"), 2, "9b");
  other.replace(other.find("8b"), 2, "9b");
  std::ofstream(folder_ / "d.goal") << other;
  const Outcome again = run("again r.json");
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.err, AllOf(HasSubstr("the fingerprint was"), HasSubstr("schedule_hash was")));
}

TEST_F(JsonDocuments, OnlyResultsAreRepeated) {
  EXPECT_THAT(run("again d.goal").err, HasSubstr("does not say how it came about"));
  std::ofstream(folder_ / "cut.json") << "{\n  \"again\": [\"traffic\"";
  for (const char* command : {"again cut.json", "report cut.json"}) {
    const Outcome cut = run(command);
    EXPECT_EQ(cut.status, 2);
    EXPECT_EQ(cut.err, "error: cut.json:2:22: the file ends within its JSON\n");
  }
  std::ofstream(folder_ / "odd.json") << "{\"again\": traffic}";
  EXPECT_THAT(run("again odd.json").err, HasSubstr("odd.json:1:13: not JSON at 'a'"));
  ASSERT_EQ(run("topo quito --json t.json").status, 0);
  EXPECT_EQ(run("again t.json").status, 2);
}

}  // namespace
}  // namespace heddle::cli
