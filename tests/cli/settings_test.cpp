// What users set: how it is answered, and what is said of what changes nothing.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

// quito's sentence describes it as it comes; with other cables it says so, in every form.
TEST(Settings, AChangedMachineSaysSo) {
  const std::string changed = "(changed: link.latency=50ns)";
  const std::string command = "topo quito --set link.latency=50ns ";
  EXPECT_THAT(heddle("topo quito").out, Not(HasSubstr("changed")));
  EXPECT_THAT(heddle(command).out, HasSubstr("S4BXI's platform quito " + changed));
  EXPECT_THAT(heddle(command + "--print-config").out, HasSubstr(changed));
  EXPECT_THAT(json::parse(heddle(command + "--json -").out)["about"].get<std::string>(),
              HasSubstr(changed));
  EXPECT_THAT(heddle("traffic -p quito --messages 1 --set link.latency=50ns").out,
              StartsWith("quito (single switch, 11 nodes; changed: link.latency=50ns), network"));
}

// To set what is so anyway, or what is no property of the machine, changes nothing about it.
TEST(Settings, AnUnchangedMachineDoesNot) {
  EXPECT_THAT(heddle("topo quito --set link.latency=0.5us").out, Not(HasSubstr("changed")));
  EXPECT_THAT(heddle("traffic -p quito --network queue --messages 1").out,
              Not(HasSubstr("changed")));
  EXPECT_THAT(heddle("topo quito --set torus.dims=4").out, Not(HasSubstr("changed")));
}

/// The warnings of a command that must succeed.
std::string warnings(const std::string& arguments, const std::string& directory = ".") {
  const Outcome outcome = heddle(arguments, directory);
  EXPECT_EQ(outcome.status, 0) << arguments << ": " << outcome.err;
  return outcome.err;
}

// What belongs to another network, another topology, another loop or another command has no effect:
// the user learns it, once for each option.
TEST(Settings, WhatHasNoEffectIsSaid) {
  const std::string traffic = "traffic -p ib-h8-s2 --messages 1 ";
  EXPECT_EQ(warnings(traffic + "--set packet.lanes=2"),
            "warning: --set packet.lanes=2 has no effect here: the network is queue\n");
  EXPECT_EQ(warnings(traffic + "--network fluid --set loggops.L=2us --set link.latency=1us"),
            "warning: --set loggops.L=2us has no effect here: the network is fluid\n");
  EXPECT_EQ(warnings(traffic + "--set torus.dims=4"),
            "warning: --set torus.dims=4 has no effect here: the topology is chain\n");
  EXPECT_EQ(warnings(traffic + "--set ugal.candidates=4"),
            "warning: --set ugal.candidates=4 has no effect here: the routing is minimal\n");
  EXPECT_EQ(warnings(traffic + "--routing ugal-l --set ugal.candidates=4"), "");
  EXPECT_EQ(warnings(traffic + "--network packet --set packet.unevenness=0.5"),
            "warning: --set packet.unevenness=0.5 has no effect here: packet.send_window is 0B\n");
  EXPECT_EQ(warnings(traffic + "--network packet --set packet.unevenness=0.5 --set "
                               "packet.send_window=4KiB"),
            "");
  EXPECT_EQ(warnings(traffic + "--duration 1us"),
            "warning: --duration has no effect here: the loop is closed\n");
  EXPECT_EQ(
      warnings(traffic + "--set nic.transmit_engines=2"),
      "warning: --set nic.transmit_engines=2 has no effect here: `heddle traffic` does not use "
      "it\n");
  EXPECT_EQ(warnings("topo quito --set traffic.load=0.5"),
            "warning: --set traffic.load=0.5 has no effect here: `heddle topo` does not use it\n");
}

// A replay looks at the overheads of LogGOPS over every network, at its latency over none but its
// own, at a machine only if there is one, and one seed is for the noise and the pattern.
TEST(Settings, OfAReplayToo) {
  const std::string replay = "replay --pattern dissemination --set pattern.ranks=4 ";
  EXPECT_EQ(warnings(replay + "--set loggops.L=1us --seed 3"), "");
  EXPECT_EQ(warnings(replay + "-p quito --set loggops.o=1us --seed 3"), "");
  EXPECT_EQ(warnings(replay + "-p quito --set loggops.L=1us"),
            "warning: --set loggops.L=1us has no effect here: the network is fluid\n");
  EXPECT_EQ(warnings(replay + "--set link.latency=1us"),
            "warning: --set link.latency=1us has no effect here: no platform is named\n");
  EXPECT_EQ(warnings(replay + "--set noise.file=n.txt"),
            "warning: --set noise.file=n.txt has no effect here: noise.kind is none\n");
  EXPECT_EQ(warnings(replay + "--set noise.kind=periodic --set noise.file=n.txt"),
            "warning: --set noise.file=n.txt has no effect here: noise.kind is not trace\n");
  EXPECT_EQ(warnings(replay + "--set noise.kind=periodic --set noise.period=2ms"), "");
}

// A printed configuration has every parameter of every model: reading it back is no mistake.
TEST(Settings, PrintedConfigurationsReadBackSilently) {
  const TemporaryFolder folder;
  const Outcome printed =
      heddle("traffic -p quito --set packet.lanes=2 --set traffic.window=3 --print-config");
  EXPECT_EQ(printed.err, "");
  write(folder / "all.yaml", printed.out);
  EXPECT_EQ(warnings("traffic -p all.yaml --messages 1", folder.path()), "");
  EXPECT_EQ(warnings("topo all.yaml", folder.path()), "");
}

/// What is said to a command that must be refused as wrong input.
std::string refusal(const std::string& arguments, const std::string& directory = ".") {
  const Outcome outcome = heddle(arguments, directory);
  EXPECT_EQ(outcome.status, 2) << arguments;
  EXPECT_EQ(outcome.out, "") << arguments;
  return outcome.err;
}

// Lossy links have flows with windows of their own.
TEST(Settings, WindowsOfBothKindsAreRefused) {
  EXPECT_THAT(refusal("traffic -p ib-h8-s2 --messages 1 --network packet --set "
                      "packet.flow_control=lossy --set packet.send_window=4KiB"),
              HasSubstr("--set packet.send_window=4KiB: packet.send_window: flows have windows"));
}

// A contradiction between a machine and the command line is the command line's.
TEST(Settings, ErrorsNameTheOptionAsItWasWritten) {
  EXPECT_THAT(refusal("topo fat-tree-64 --set fat-tree.up=1,2"),
              StartsWith("error: --set fat-tree.up=1,2: topology 'fat-tree': "));
  EXPECT_THAT(refusal("topo fat-tree-64 --set fat-tree.arity=1000 --set fat-tree.levels=3"),
              StartsWith("error: --set fat-tree.levels=3: "));
  EXPECT_THAT(refusal("topo quito --set link.latency=5parsecs"),
              StartsWith("error: --set link.latency=5parsecs: '5parsecs' is not a valid"));
  EXPECT_THAT(refusal("goal gen linear-alltoall --set pattern.ranks=x"),
              StartsWith("error: --set pattern.ranks=x: "));
}

// Nothing that is surely a mistake is rounded, wrapped or ignored.
TEST(Settings, MistakenValuesAreRefusedWithWhatIsAccepted) {
  const char* const bandwidth = "accepted is a bandwidth such as 100Gbps or 100Gbit/s";
  for (const char* value : {"0.5bps", "-1Gbps", "nan", "inf", "0", "''", "100G"}) {
    EXPECT_THAT(refusal(std::string("topo quito --set link.bandwidth=") + value),
                HasSubstr(bandwidth));
  }
  for (const char* value : {"0.0001ps", "-1ns", "nan", "inf", "5", "''"}) {
    EXPECT_THAT(refusal(std::string("topo quito --set link.latency=") + value),
                HasSubstr("accepted is a time such as 500ns, 2.5us or 1ms (ps, ns, us, ms, s, min, "
                          "h; not between 0 and 1ps)"));
  }
  for (const char* load : {"''", "nan", "inf", "-0.5", "0"}) {
    EXPECT_THAT(refusal(std::string("traffic --load ") + load), HasSubstr("--load: '"));
  }
  EXPECT_THAT(refusal("traffic --top -1"), HasSubstr("accepted is a whole number from 0 to"));
  EXPECT_THAT(refusal("replay --pattern dissemination --top -1"), HasSubstr("whole number from 0"));
  EXPECT_THAT(refusal("topo quito --json ''"), HasSubstr("--json: '' is not accepted"));
  EXPECT_THAT(refusal("topo ''"), HasSubstr("'' is not accepted"));
}

// Units as people write them, among them both letters that look like a Greek mu.
TEST(Settings, UnitsAsPeopleWriteThem) {
  const auto config = [](const std::string& assignment) {
    return heddle("topo quito --print-config --set '" + assignment + "'").out;
  };
  EXPECT_THAT(config("link.latency=1\u00b5s"), HasSubstr("latency: 1us\n"));
  EXPECT_THAT(config("link.latency=1\u03bcs"), HasSubstr("latency: 1us\n"));
  EXPECT_THAT(config("link.bandwidth=100Gbit/s"), HasSubstr("bandwidth: 100Gbps\n"));
  EXPECT_THAT(config("link.bandwidth=100 Gb/s"), HasSubstr("bandwidth: 100Gbps\n"));
  EXPECT_THAT(refusal("traffic --size 4k"), HasSubstr("4kB (4000 bytes)"));
}

// Messages start when they say, in whatever order their lines come; a file may come through a pipe.
TEST(Settings, TrafficFilesInAnyOrderAndFromThePipe) {
  const TemporaryFolder folder;
  write(folder / "t.txt", "5us 0 1 1kB\n0us 0 1 1kB\n");
  const std::string command = HEDDLE_PROGRAM " traffic -p quito --finish-times - --file ";
  const Outcome file = shell(command + "t.txt", folder.path());
  EXPECT_THAT(file.out, AllOf(HasSubstr("\n0,0,1,1000,5000000,"), HasSubstr("\n1,0,1,1000,0,")));
  const Outcome piped = shell("cat t.txt | " + command + "-", folder.path());
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(piped.out, file.out);
  const Outcome nothing = shell(command + "- </dev/null", folder.path());
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, StartsWith("error: --file: standard input: has no messages"));
}

// An edge list is a machine, and its parameters can be set.
TEST(Settings, AnEdgeListIsAMachine) {
  const TemporaryFolder folder;
  write(folder / "net.edges", "# two nodes\na s 10Gbps\nb s\n");
  EXPECT_THAT(heddle("topo net.edges --set link.bandwidth=7Gbps", folder.path()).out,
              AllOf(HasSubstr("10 Gb/s"), HasSubstr("7 Gb/s")));
  write(folder / "bad.edges", "a,s\nb,s\n");
  EXPECT_THAT(refusal("topo bad.edges", folder.path()),
              HasSubstr("topology: {kind: graph, file: FILE}"));
}

// A file's values can be changed by a YAML file that names it, as the error says.
TEST(Settings, ASimGridPlatformSaysHowItIsChanged) {
  const std::string file = HEDDLE_TEST_DATA "/simgrid/flat.xml";
  EXPECT_THAT(refusal("topo " + file + " --set link.latency=1us"),
              AllOf(StartsWith("error: --set link.latency=1us: 'link.latency' cannot be set"),
                    HasSubstr("'overrides: [{links: \"*\", latency: 1us}]'")));
  const TemporaryFolder folder;
  write(folder / "m.yaml", "simgrid: " + file + "\noverrides: [{links: \"*\", latency: 123ns}]\n");
  EXPECT_THAT(heddle("topo m.yaml", folder.path()).out, HasSubstr("123 ns"));
}

// The <config> of a SimGrid platform sets parameters of the fluid model and of MPI; a YAML file
// that names the platform, and --set, come before it.
TEST(Settings, TheConfigurationInASimGridPlatformIsObeyed) {
  const TemporaryFolder folder;
  write(folder / "p.xml",
        "<platform version=\"4.1\"><config><prop id=\"network/model\" value=\"CM02\"/>"
        "<prop id=\"network/crosstraffic\" value=\"no\"/>"
        "<prop id=\"network/TCP-gamma\" value=\"65536\"/>"
        "<prop id=\"smpi/os\" value=\"0:1e-6:0\"/>"
        "<prop id=\"smpi/coll-selector\" value=\"mpich\"/></config>"
        "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-1\" speed=\"1Gf\" bw=\"1GBps\" "
        "lat=\"1us\"/></platform>");
  write(folder / "m.yaml", "fluid: {tcp_gamma: 1MiB}\nsimgrid: p.xml\n");
  const Outcome plain = heddle("traffic -p p.xml --print-config", folder.path());
  EXPECT_EQ(plain.err, "");
  EXPECT_THAT(plain.out,
              AllOf(HasSubstr("preset: simgrid-cm02"), HasSubstr("cross_traffic: 0\n"),
                    HasSubstr("tcp_gamma: 64KiB"), HasSubstr("send_overhead: \"0:1e-6:0\""),
                    HasSubstr("selector: mpich\n")));
  EXPECT_THAT(heddle("traffic -p m.yaml --print-config", folder.path()).out,
              AllOf(HasSubstr("tcp_gamma: 1MiB"), HasSubstr("cross_traffic: 0\n")));
  EXPECT_THAT(heddle("traffic -p p.xml --set fluid.preset=none --print-config", folder.path()).out,
              AllOf(HasSubstr("preset: none"), HasSubstr("cross_traffic: 0\n")));
}

// mpi.preset=smpi brings SMPI's network and clocks, and its factors once. Another network that is
// chosen stays, and so do its parameters; LV08 has no factors by size, as in SMPI.
TEST(Settings, OnePresetIsAllThatSmpiNeeds) {
  const auto config = [](const std::string& sets) {
    return heddle("run -n 1 -p fat-tree-64 --print-config " + sets + " true").out;
  };
  EXPECT_THAT(config("--set mpi.preset=smpi"),
              AllOf(HasSubstr("model: fluid"), HasSubstr("size_factors: none"),
                    HasSubstr("  preset: smpi"), HasSubstr("clock_cost: 10ns")));
  EXPECT_THAT(config("--set mpi.preset=smpi --set fluid.preset=smpi --network fluid"),
              HasSubstr("size_factors: none"));
  EXPECT_THAT(config("--set mpi.preset=smpi --network queue"), HasSubstr("model: queue"));
  EXPECT_THAT(config("--set mpi.preset=smpi --set fluid.preset=simgrid-lv08"),
              HasSubstr("latency_factors: 1\n"));
}

// What turns out to be wrong when a run begins is said where the user set it: in the file, or in an
// option.
TEST(Settings, MistakesFoundLateSayWhereTheyWereMade) {
  const TemporaryFolder folder;
  write(folder / "m.yaml",
        "topology: {kind: single-switch, nodes: 5}\ntraffic: {pattern: bit-reverse}\n");
  const Outcome file = heddle("traffic -p " + (folder / "m.yaml"));
  EXPECT_EQ(file.status, 2);
  EXPECT_THAT(file.err, StartsWith("error: " + (folder / "m.yaml") + ":2:20: traffic.pattern: "));
  const Outcome option = heddle("traffic -p quito --pattern bit-reverse");
  EXPECT_EQ(option.status, 2);
  EXPECT_THAT(option.err, StartsWith("error: --pattern: traffic.pattern: "));
}

// Every path in a machine's file starts from that file, wherever the program runs, and is written
// in full into a printed configuration; a file that is missing is said where it is named.
TEST(Settings, PathsInAFileStartFromIt) {
  const TemporaryFolder folder;
  write(folder / "t.txt", "0us 0 1 64\n");
  write(folder / "m.yaml",
        "topology: {kind: single-switch, nodes: 2}\ntraffic: {pattern: file, file: t.txt}\n"
        "noise: {kind: trace, file: n.txt}\n");
  EXPECT_EQ(heddle("traffic -p " + (folder / "m.yaml")).status, 0);
  const std::string config = heddle("traffic --print-config -p " + (folder / "m.yaml")).out;
  EXPECT_THAT(config, HasSubstr("  file: " + (folder / "t.txt") + "\n"));
  EXPECT_THAT(config, HasSubstr("  file: " + (folder / "n.txt") + "\n"));
  EXPECT_THAT(heddle("traffic --print-config -p quito").out, HasSubstr("  file: none\n"));
  const Outcome replay = heddle("replay --pattern ring -p " + (folder / "m.yaml"));
  EXPECT_EQ(replay.status, 2);
  EXPECT_THAT(replay.err, AllOf(HasSubstr("m.yaml:3:28: "), HasSubstr("n.txt: cannot be opened")));
}

}  // namespace
}  // namespace heddle::cli
