// Ranks that are processes, beside the same ranks inside of the simulator: what calls and payload
// cost, processor time of all processes together.
#include "cases.hpp"
#include "programs.hpp"

namespace heddle::bench {
namespace {

/// Two ranks throw `argv[2]` bytes to and fro, `argv[1]` times: a put and a wait each, all four of
/// which block until others have done something.
constexpr const char* kPingPong = R"(
  #include <heddle.h>
  #include <portals4.h>
  #include <stdlib.h>
  int main(int argc, char** argv) {
    const int me = heddle_rank(), rounds = atoi(argv[1]);
    const size_t size = strtoul(argv[2], NULL, 10);
    ptl_handle_ni_t ni; ptl_handle_ct_t arrived; ptl_pt_index_t table;
    ptl_handle_le_t le; ptl_handle_md_t md; ptl_ct_event_t count;
    const ptl_process_t other = {.rank = 1 - me};
    PtlInit();
    PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, NULL, &ni);
    PtlCTAlloc(ni, &arrived);
    PtlPTAlloc(ni, 0, PTL_EQ_NONE, PTL_PT_ANY, &table);
    ptl_le_t entry = {.start = calloc(size, 1), .length = size, .ct_handle = arrived, .uid = PTL_UID_ANY,
                      .options = PTL_LE_OP_PUT | PTL_LE_EVENT_CT_COMM | PTL_LE_EVENT_COMM_DISABLE | PTL_LE_EVENT_LINK_DISABLE};
    PtlLEAppend(ni, table, &entry, PTL_PRIORITY_LIST, NULL, &le);
    ptl_md_t source = {.start = calloc(size, 1), .length = size, .options = PTL_MD_EVENT_SEND_DISABLE,
                       .eq_handle = PTL_EQ_NONE, .ct_handle = PTL_CT_NONE};
    PtlMDBind(ni, &source, &md);
    heddle_barrier();
    for (int i = 1; i <= rounds; ++i) {
      if (me == 1) PtlCTWait(arrived, i, &count);
      PtlPut(md, 0, size, PTL_NO_ACK_REQ, other, table, 0, 0, NULL, 0);
      if (me == 0) PtlCTWait(arrived, i, &count);
    }
    heddle_barrier();
    return 0;
  })";

Sample pingpong(bool processes, int rounds, int size, double units) {
  const Programs programs;
  programs.write("p.c", kPingPong);
  shell(programs.in(std::string(HEDDLECC) + " -O2 p.c -o p"));
  return timed_command(
      units,
      programs.in(std::string(HEDDLE_PROGRAM) + " run -q -n 2" + (processes ? " --processes" : "") +
                  " --platform quito ./p " + std::to_string(rounds) + " " + std::to_string(size)));
}

}  // namespace

void add_processes_cases(Suite& suite) {
  constexpr int kRounds = 20'000;
  constexpr int kCallsPerRound = 4;
  suite.cases.push_back(
      {"processes", "a blocking call of a process, beside one inside", Scale{1e6, "us/call"},
       [] { return pingpong(true, kRounds, 8, double{kRounds} * kCallsPerRound); },
       [] { return pingpong(false, kRounds, 8, double{kRounds} * kCallsPerRound); }, 0.15, 0, 3});
  constexpr int kLargeRounds = 500;
  constexpr int kMiB = 1 << 20;
  suite.cases.push_back(
      {"processes", "1 MiB from process to process, beside one inside", Scale{1e6, "us/MiB"},
       [] { return pingpong(true, kLargeRounds, kMiB, 2.0 * kLargeRounds); },
       [] { return pingpong(false, kLargeRounds, kMiB, 2.0 * kLargeRounds); }, 0.15, 0, 3});
}

}  // namespace heddle::bench
