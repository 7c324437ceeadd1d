// Starting many ranks: programs that end at once, beside SMPI's that only initialise and finalise.
#include "cases.hpp"
#include "programs.hpp"

namespace heddle::bench {
namespace {

constexpr const char* kOurs =
    "#include <heddle.h>\nint globals[64];\n"
    "int main(void) { globals[heddle_rank() % 64]++; heddle_barrier(); return 0; }\n";
constexpr const char* kPeers =
    "#include <mpi.h>\nint globals[64];\n"
    "int main(int c, char** v) { MPI_Init(&c, &v); MPI_Finalize(); return 0; }\n";
constexpr const char* kBrief = "int globals[64];\nint main(void) { return globals[0]++; }\n";
/// 64 hosts: 1,024 ranks are 16 on each, as in our own run.
constexpr const char* kPeersMachine =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\">\n<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-63\" "
    "speed=\"1Gf\" bw=\"125MBps\" lat=\"50us\"/>\n</platform>\n";

Sample ours(const char* text, std::uint32_t ranks, const std::string& options) {
  const Programs programs;
  programs.write("p.c", text);
  shell(programs.in(std::string(HEDDLECC) + " -O2 p.c -o p"));
  return timed_command(ranks, programs.in(std::string(HEDDLE_PROGRAM) + " run -q -n " +
                                          std::to_string(ranks) + " " + options + " ./p"));
}

/// The look by which loops that wait are found, which a timer takes every 5 ms of a rank's own
/// computing: what a run adds to that. Here the signal comes a thousand times in a row, and the
/// quickest of many rows is told, for what else the machine does costs more than the looks.
constexpr const char* kLooks = R"(
  #include <signal.h>
  #include <stdio.h>
  #include <sys/syscall.h>
  #include <time.h>
  #include <unistd.h>
  // The kernel itself: the C library's functions are those of the simulated process.
  static long kernel(long call, long a, long b, long c) {
  #if defined(__x86_64__)
    __asm__ volatile("syscall" : "+a"(call) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return call;
  #else
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x8 __asm__("x8") = call;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x8) : "memory");
    return x0;
  #endif
  }
  static long cpu_ns(void) {
    struct timespec t;
    kernel(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, (long)&t, 0);
    return t.tv_sec * 1000000000 + t.tv_nsec;
  }
  int main(void) {
    const long process = kernel(SYS_getpid, 0, 0, 0), thread = kernel(SYS_gettid, 0, 0, 0);
    long least = 1000000000;
    for (int piece = 0; piece < 200; ++piece) {
      const long begin = cpu_ns();
      for (int i = 0; i < 1000; ++i) kernel(SYS_tgkill, process, thread, SIGPROF);
      const long spent = cpu_ns() - begin;
      if (spent < least) least = spent;
      usleep(1);
    }
    printf("%ld\n", least);
    return 0;
  })";

Sample share_of_looks() {
  constexpr double kLooksInARow = 1000;
  constexpr double kTick = 5e6;  // ns, as in host/rank/spin_watch.cpp.
  const Programs programs;
  programs.write("p.c", kLooks);
  shell(programs.in(std::string(HEDDLECC) + " -O2 p.c -o p"));
  const std::string run = std::string(HEDDLE_PROGRAM) + " run -q -n 1 ./p";
  return {std::stod(output_of(programs.in(run))) / kLooksInARow, kTick};
}

/// Acknowledged puts of 8 B from each rank to all others, one at a time or all at once.
constexpr const char* kAllToAll = R"(
  #include <heddle.h>
  #include <portals4.h>
  #include <stdlib.h>
  int main(int argc, char** argv) {
    int size = heddle_size(), me = heddle_rank(), puts = atoi(argv[1]), waits = atoi(argv[2]);
    ptl_handle_ni_t ni; ptl_handle_ct_t acks, puts_here; ptl_pt_index_t table;
    ptl_handle_le_t le; ptl_handle_md_t md; ptl_ct_event_t count;
    PtlInit();
    PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, NULL, &ni);
    PtlCTAlloc(ni, &acks);
    PtlCTAlloc(ni, &puts_here);
    PtlPTAlloc(ni, 0, PTL_EQ_NONE, PTL_PT_ANY, &table);
    ptl_le_t entry = {.start = calloc(size, 8), .length = size * 8ul, .ct_handle = puts_here, .uid = PTL_UID_ANY,
                      .options = PTL_LE_OP_PUT | PTL_LE_EVENT_CT_COMM | PTL_LE_EVENT_COMM_DISABLE | PTL_LE_EVENT_LINK_DISABLE};
    PtlLEAppend(ni, table, &entry, PTL_PRIORITY_LIST, NULL, &le);
    char data[8] = "";
    ptl_md_t source = {.start = data, .length = 8, .options = PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_SUCCESS_DISABLE,
                       .eq_handle = PTL_EQ_NONE, .ct_handle = acks};
    PtlMDBind(ni, &source, &md);
    heddle_barrier();
    for (int i = 1; i <= puts; ++i) {
      ptl_process_t to = {.rank = (me + i * 7) % size};
      PtlPut(md, 0, 8, PTL_ACK_REQ, to, table, 0, 8ul * me, NULL, 0);
      if (waits) PtlCTWait(acks, i, &count);
    }
    PtlCTWait(acks, puts, &count);
    heddle_barrier();
    return 0;
  })";

Sample all_to_all(bool waits) {
  constexpr int kRanks = 1024;
  constexpr int kPuts = 200;
  const Programs programs;
  programs.write("p.c", kAllToAll);
  shell(programs.in(std::string(HEDDLECC) + " -O2 p.c -o p"));
  return timed_command(
      double{kRanks} * kPuts,
      programs.in(std::string(HEDDLE_PROGRAM) + " run -q -n 1024 --platform bxi-v2-1k ./p " +
                  std::to_string(kPuts) + (waits ? " 1" : " 0")));
}

Sample peers(std::uint32_t ranks) {
  const Programs programs;
  programs.write("p.c", kPeers);
  programs.write("machine.xml", kPeersMachine);
  std::string hosts;
  for (int i = 0; i < 64; ++i) hosts += "h" + std::to_string(i) + "\n";
  programs.write("hosts", hosts);
  shell(programs.in("smpicc -O2 p.c -o p"));
  return timed_command(ranks,
                       programs.in("smpirun -np " + std::to_string(ranks) +
                                   " -platform machine.xml -hostfile hosts ./p >/dev/null 2>&1"));
}

}  // namespace

void add_host_cases(Suite& suite) {
  const Scale scale{1e6, "us/rank"};
  const std::string few = "--ranks-per-node 16";
  suite.cases.push_back({"host", "1,024 ranks with private globals start, meet and end", scale,
                         [few] { return ours(kOurs, 1024, few); }, [] { return peers(1024); }, 10,
                         0, 3});
  const std::string many = "--platform bxi-v2-1k --ranks-per-node 1024";
  suite.cases.push_back({"host",
                         "65,536 ranks start, meet and end",
                         scale,
                         [many] { return ours(kOurs, 65'536, many); },
                         {},
                         0,
                         0,
                         2});
  suite.cases.push_back({"host",
                         "1,048,576 ranks start and end",
                         scale,
                         [many] { return ours(kBrief, 1'048'576, many); },
                         {},
                         0,
                         0,
                         1});
  suite.cases.push_back({"host",
                         "looks for ranks that wait by looking: share of their time",
                         {100, "%"},
                         share_of_looks,
                         {},
                         0,
                         0.01,
                         3});
  const Scale per_put{1e6, "us/put"};
  suite.cases.push_back({"host", "8 B puts among 1,024 ranks, all at once, beside one at a time",
                         per_put, [] { return all_to_all(false); }, [] { return all_to_all(true); },
                         0.67, 0, 3});
}

}  // namespace heddle::bench
