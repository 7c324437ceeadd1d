// Portals programs, built and run as a user would.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Rank 0 puts 8 bytes out of a global into a global of rank 1, which sleeps meanwhile; then rank 1
/// looks at its counter, by the word in `argv[1]`: wait, poll, or not at all.
constexpr const char* kPut = R"(
    #include <heddle.h>
    #include <portals4.h>
    #include <stdio.h>
    #include <string.h>
    static char buffer[16] = "-------";
    int main(int argc, char** argv) {
      ptl_handle_ni_t ni; ptl_handle_ct_t ct; ptl_handle_md_t md; ptl_handle_le_t le;
      ptl_pt_index_t pt; ptl_ct_event_t count = {0, 0};
      ptl_process_t target; target.rank = 1;
      const char* how = argv[1];
      if (PtlInit() != PTL_OK) return 1;
      if (PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, NULL, &ni) != PTL_OK) return 2;
      PtlCTAlloc(ni, &ct);
      PtlPTAlloc(ni, 0, PTL_EQ_NONE, 3, &pt);
      ptl_le_t entry = {.start = buffer, .length = sizeof buffer, .ct_handle = ct, .uid = PTL_UID_ANY,
                        .options = PTL_LE_OP_PUT | PTL_LE_EVENT_CT_COMM};
      ptl_md_t bound = {.start = buffer, .length = sizeof buffer, .options = PTL_MD_EVENT_CT_ACK,
                        .eq_handle = PTL_EQ_NONE, .ct_handle = ct};
      if (PtlLEAppend(ni, pt, &entry, PTL_PRIORITY_LIST, NULL, &le) != PTL_OK) return 3;
      if (PtlMDBind(ni, &bound, &md) != PTL_OK) return 4;
      if (strcmp(how, "service") == 0) heddle_use_service_network(1);
      heddle_barrier();
      if (heddle_rank() == 0) {
        strcpy(buffer, "hello");
        if (strcmp(how, "nothing") != 0) PtlPut(md, 0, 8, PTL_CT_ACK_REQ, target, pt, 0, 0, NULL, 0);
        if (strcmp(how, "nothing") != 0) PtlCTWait(ct, 1, &count);
      } else if (strcmp(how, "poll") == 0) {
        while (count.success == 0) PtlCTGet(ct, &count);
      } else {
        PtlCTWait(ct, 1, &count);
      }
      printf("%d: %s %d\n", heddle_rank(), buffer, (int)count.success);
      return 0;
    })";

// Both ways of waiting, both ways of having globals: what was put is there. The summary counts one
// message.
TEST(RunPortals, PutsFromGlobalsToGlobals) {
  const CompiledProgram program(kPut);
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  for (const std::string how : {"copies", "swap"}) {
    for (const std::string waits : {"wait", "poll"}) {
      const Outcome run = program.run("--platform quito --privatize " + how, waits);
      EXPECT_EQ(run.status, 0) << run.err;
      EXPECT_THAT(run.out, AllOf(HasSubstr("0: hello 1\n"), HasSubstr("1: hello 1\n"))) << how;
    }
  }
  EXPECT_THAT(heddle("run ./program wait", program.folder()).err, HasSubstr("messages        1\n"));
}

TEST(RunPortals, DeadlocksNameTheCall) {
  const CompiledProgram program(kPut);
  const Outcome run = program.run("", "nothing");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out, "0: hello 0\n");
  EXPECT_THAT(run.err, AllOf(HasSubstr("deadlock"), HasSubstr("rank 1 waits in PtlCTWait")));
}

TEST(RunPortals, StoppingForADebuggerNeedsOneAndARank) {
  const CompiledProgram program(kPut);
  const Outcome alone = program.run("--debug-rank 1", "wait");
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.err, HasSubstr("--debug-rank: no debugger is there"));
  const Outcome beyond = program.run("--debug-rank 2", "wait");
  EXPECT_EQ(beyond.status, 2);
  EXPECT_THAT(beyond.err, HasSubstr("there is no rank 2: accepted is 0 to 1"));
}

TEST(RunPortals, PortalsIsThereForConfigureScripts) {
  const CompiledProgram program("char PtlNIInit(); int main() { return PtlNIInit(); }", "c",
                                "-lportals -w");
  EXPECT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome alone = shell("./program", program.folder());
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.err, HasSubstr("PtlNIInit: this program needs a simulated machine"));
}

TEST(RunPortals, WritesATrace) {
  const CompiledProgram program(kPut);
  EXPECT_EQ(program.run("--trace ops.csv", "wait").status, 0);
  const std::string trace = file_text(program.folder() + "/ops.csv");
  EXPECT_THAT(trace, AllOf(StartsWith("operation,activity,"), HasSubstr(",PUT,0,0,1,1,")));
}

// Requests for computing travel on network 1, those of a rank in service mode on network 0; the
// answers, here the acknowledgement, on 3 and 2.
TEST(RunPortals, ServiceModeHasItsOwnNetworks) {
  const CompiledProgram program(kPut);
  EXPECT_EQ(program.run("--trace compute.csv", "wait").status, 0);
  EXPECT_EQ(program.run("--trace service.csv", "service").status, 0);
  const std::string compute = file_text(program.folder() + "/compute.csv");
  const std::string service = file_text(program.folder() + "/service.csv");
  EXPECT_THAT(compute, AllOf(HasSubstr(",PUT,0,0,1,1,8,1,"), HasSubstr(",PTL_ACK,1,1,0,0,32,3,")));
  EXPECT_THAT(service, AllOf(HasSubstr(",PUT,0,0,1,1,8,0,"), HasSubstr(",PTL_ACK,1,1,0,0,32,2,")));
}

TEST(RunPortals, FaultsAreRepaired) {
  const CompiledProgram program(kPut);
  const Outcome run = heddle("run --fault drop=0.5 --seed 2 ./program wait", program.folder());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("1: hello 1\n"));
  EXPECT_THAT(run.err, AllOf(HasSubstr("sent again"), HasSubstr("lost on the way")));
  EXPECT_THAT(program.run("--fault drip=0.5", "wait").err, HasSubstr("--fault"));
}

}  // namespace
}  // namespace heddle::cli
