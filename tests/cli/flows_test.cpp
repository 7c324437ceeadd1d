// Flows and `links`, asked for as a user does.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A machine of eight nodes in a folder of the test's own.
class Flows : public testing::Test {
 protected:
  Flows() {
    write("star.yaml",
          "name: star\n"
          "topology: {kind: single-switch, nodes: 8}\n"
          "link: {bandwidth: 100Gbps, latency: 100ns}\n"
          "switch: {latency: 100ns}\n");
    write("sizes.txt", "size cumulative\n100 20%\n10kB 80%\n100kB 100%\n");
  }
  Outcome run(const std::string& arguments) const {
    return cli::heddle(arguments + " -p star.yaml", folder_.path());
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string read(const std::string& name) const { return file_text(folder_ / name); }
  void expect_refusal(const std::string& arguments, const std::string& part) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << arguments;
  }

 private:
  TemporaryFolder folder_;
};

// Sizes from a file, bursts, a table, CSV, JSON and a plot, over every depth.
TEST_F(Flows, AreToldOfBySize) {
  for (const std::string network : {"queue", "fluid", "packet", "loggops", "links"}) {
    const Outcome outcome =
        run("traffic --size-file sizes.txt --load 0.3 --duration 200us --spacing log-normal --set "
            "traffic.incast=0.2 --set traffic.burst_degree=4 --flows-csv f.csv --flows-svg f.svg "
            "--json f.json --network " +
            network);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(read("f.csv"), AllOf(HasSubstr("\n0.3,all,0,,"), HasSubstr("\n0.3,incast,0,,"),
                                     HasSubstr("\n0.3,all,10000,100000,")))
        << network;
    EXPECT_THAT(read("f.svg"),
                AllOf(HasSubstr("99th percentile of slowdown"), HasSubstr("load 0.3")));
    const auto document = nlohmann::json::parse(read("f.json"));
    const auto& flows = document["runs"][0]["flows"];
    EXPECT_EQ(flows[0]["kind"], "all");
    EXPECT_GE(flows[0]["slowdown"]["p50"], 0.99) << network;
  }
  const Outcome text = run("traffic --size rpc --load 0.3 --duration 100us");
  EXPECT_THAT(text.out, AllOf(HasSubstr("Flows by size at load 0.3"), HasSubstr("< 1 kB")));
}

// Flows that begin in 100 us at the load of all adapters, and end long after it: no link is said to
// have carried more in these 100 us than it can.
TEST_F(Flows, NoLinkIsBusierThanItCanBe) {
  for (const std::string network : {"queue", "links"}) {
    ASSERT_EQ(run("traffic --size web-search --load 1 --duration 100us --json l.json --network " +
                  network)
                  .status,
              0);
    const auto document = nlohmann::json::parse(read("l.json"));
    const auto& links = document["runs"][0]["busiest_links"];
    ASSERT_FALSE(links.empty()) << network;
    for (const auto& link : links) EXPECT_LE(link["utilisation"], 1.0) << network;
  }
}

TEST_F(Flows, WrongInput) {
  write("bad.txt", "100 0.5\n50 1\n");
  expect_refusal("traffic --size-file bad.txt", "bad.txt:2:1: the size falls");
  expect_refusal("traffic --size-file nowhere.txt", "nowhere.txt: cannot be opened");
  expect_refusal("traffic --set traffic.incast=0.6 --set traffic.outcast=0.6", "0.99 in all");
  expect_refusal("traffic --set traffic.incast=0.1 --set traffic.burst_degree=9", "other nodes");
}

// What has to know all messages first is for traffic at a load or from a file; a schedule's are not
// known.
TEST_F(Flows, LinksAreRefusedWhereTheyMakeNoSense) {
  const std::string accepted = "accepted here are loggops, queue, fluid, packet";
  expect_refusal("replay --pattern dissemination --set pattern.ranks=8 --network links", accepted);
  expect_refusal("topo --route n0 n1 --size 1KiB --set network.model=links", accepted);
  expect_refusal("traffic --network links --messages 10", "accepted are loop open");
  expect_refusal("traffic --network links --load 0.3 --report r.html", "--heat-map");
}

// A schedule beside flows: it takes longer, and ends all the same.
TEST_F(Flows, AreTheBackgroundOfASchedule) {
  const std::string schedule =
      "replay --pattern dissemination --set pattern.ranks=8 --set pattern.size=64KiB --json "
      "r.json ";
  ASSERT_EQ(run(schedule).status, 0);
  const auto alone = nlohmann::json::parse(read("r.json"));
  const Outcome outcome =
      run(schedule + "--background 0.5 --set traffic.size=storage --network packet");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto beside = nlohmann::json::parse(read("r.json"));
  EXPECT_GT(beside["makespan_ps"], alone["makespan_ps"]);
  EXPECT_EQ(beside["background"]["load"], "0.5");
  EXPECT_THAT(outcome.out, HasSubstr("in the background, load 0.5"));
  expect_refusal("replay --pattern dissemination --network loggops --background 0.5", "queue");
  expect_refusal("replay --pattern dissemination --background 0.1:0.9:0.1", "one load");
}

}  // namespace
}  // namespace heddle::cli
