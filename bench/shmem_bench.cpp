// What an operation of OpenSHMEM costs the simulator, beside a put of Portals that does the same on
// the same machine.
#include <fmt/format.h>

#include "cases.hpp"
#include "programs.hpp"

namespace heddle::bench {
namespace {

constexpr const char* kShmem = R"(
  #include <shmem.h>
  #include <stdlib.h>
  long target;
  int main(int argc, char** argv) {
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes(), puts = atoi(argv[1]);
    if (me < pes / 2) {
      for (int i = 0; i < puts; ++i) {
        shmem_long_p(&target, i, me + pes / 2);
        shmem_quiet();
      }
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
  })";

constexpr const char* kPortals = R"(
  #include <heddle.h>
  #include <portals4.h>
  #include <stdlib.h>
  long target;
  int main(int argc, char** argv) {
    int me = heddle_rank(), ranks = heddle_size(), puts = atoi(argv[1]);
    ptl_handle_ni_t ni; ptl_handle_ct_t acks; ptl_pt_index_t table;
    ptl_handle_le_t le; ptl_handle_md_t md; ptl_ct_event_t count;
    PtlInit();
    PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, NULL, &ni);
    PtlCTAlloc(ni, &acks);
    PtlPTAlloc(ni, 0, PTL_EQ_NONE, PTL_PT_ANY, &table);
    ptl_le_t entry = {.start = &target, .length = 8, .ct_handle = PTL_CT_NONE, .uid = PTL_UID_ANY,
                      .options = PTL_LE_OP_PUT | PTL_LE_EVENT_COMM_DISABLE | PTL_LE_EVENT_LINK_DISABLE};
    PtlLEAppend(ni, table, &entry, PTL_PRIORITY_LIST, NULL, &le);
    long data = 0;
    ptl_md_t source = {.start = &data, .length = 8, .options = PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_SUCCESS_DISABLE,
                       .eq_handle = PTL_EQ_NONE, .ct_handle = acks};
    PtlMDBind(ni, &source, &md);
    heddle_barrier();
    if (me < ranks / 2) {
      ptl_process_t to = {.rank = me + ranks / 2};
      for (int i = 1; i <= puts; ++i) {
        PtlPut(md, 0, 8, PTL_ACK_REQ, to, table, 0, 0, NULL, 0);
        PtlCTWait(acks, i, &count);
      }
    }
    heddle_barrier();
    return 0;
  })";

/// Barriers, or sums of one number.
constexpr const char* kMeetings = R"(
  #include <shmem.h>
  #include <stdlib.h>
  long one = 1, sum;
  int main(int argc, char** argv) {
    shmem_init();
    int count = atoi(argv[1]), sums = argc > 2;
    for (int i = 0; i < count; ++i) {
      if (sums) {
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1);
      } else {
        shmem_barrier_all();
      }
    }
    shmem_finalize();
    return 0;
  })";

constexpr const char* kRun =
    "{} run -q -n {} --platform bxi-v2-1k --set shmem.transport=portals ./p";

/// Each member but one sends a message up the tree and gets one down.
Sample meetings(int ranks, int count, const char* what) {
  const Programs programs;
  programs.write("p.c", kMeetings);
  shell(programs.in(std::string(HEDDLECC) + " -O2 p.c -o p"));
  return timed_command(
      2.0 * (ranks - 1) * count,
      programs.in(fmt::format(kRun, HEDDLE_PROGRAM, ranks) + fmt::format(" {} {}", count, what)));
}

Sample puts(const char* program, int ranks, int puts_each) {
  const Programs programs;
  programs.write("p.c", program);
  shell(programs.in(std::string(HEDDLECC) + " -O2 p.c -o p"));
  return timed_command(
      ranks / 2.0 * puts_each,
      programs.in(fmt::format(kRun, HEDDLE_PROGRAM, ranks) + fmt::format(" {}", puts_each)));
}

void add(Suite& suite, const std::string& name, int ranks, int puts_each) {
  suite.cases.push_back({"shmem",
                         name,
                         {1e6, "us/put"},
                         [=] { return puts(kShmem, ranks, puts_each); },
                         [=] { return puts(kPortals, ranks, puts_each); },
                         0.9,
                         0,
                         3});
}

/// A message of a collective beside a put: no more CPU.
void add_meetings(Suite& suite, const std::string& name, const char* what) {
  suite.cases.push_back({"shmem",
                         name,
                         {1e6, "us/message"},
                         [=] { return meetings(1024, 200, what); },
                         [=] { return puts(kPortals, 1024, 400); },
                         1.0,
                         0,
                         3});
}

}  // namespace

void add_shmem_cases(Suite& suite) {
  add(suite, "p of 8 B and quiet, 2 PEs, beside a raw put", 2, 200'000);
  add(suite, "p of 8 B and quiet, 1,024 PEs, beside a raw put", 1024, 400);
  add_meetings(suite, "barrier_all, 1,024 PEs, a message beside a raw put", "");
  add_meetings(suite, "sum_reduce of 8 B, 1,024 PEs, a message beside a raw put", "sums");
}

}  // namespace heddle::bench
