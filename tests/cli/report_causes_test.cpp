// What waits are for where no message was sent for them: one-sided operations, file systems, other
// threads, operations of adapters. The better machine gains what was predicted, to 5 %.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::AnyOf;

/// puts BYTES ROUNDS: everybody to the next, between fences. gets BYTES ROUNDS: of rank 0 from 1,
/// one after another under a lock, while that computes. file BYTES ROUNDS: everybody writes.
/// threads US ROUNDS: the first thread waits for another that computes so long.
constexpr const char* kOneSided = R"(
#include <heddle.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static void* computes(void* us) { heddle_compute(1e-6 * *(int*)us); return NULL; }
int main(int c, char** v) {
  MPI_Init(&c, &v);
  int rank, size, i, a = atoi(v[2]), n = atoi(v[3]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char* memory = calloc(a, 1);
  MPI_Win win;
  if (!strcmp(v[1], "puts")) {
    char* data = calloc(a, 1);
    MPI_Win_create(memory, a, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (i = 0; i < n; i++) {
      MPI_Put(data, a, MPI_CHAR, (rank + 1) % size, 0, a, MPI_CHAR, win);
      MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
  } else if (!strcmp(v[1], "gets")) {
    char got[64];
    MPI_Win_create(memory, a, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) heddle_compute(20e-6);
    if (rank == 0) {
      MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
      for (i = 0; i < n; i++) {
        MPI_Get(got, a, MPI_CHAR, 1, 0, a, MPI_CHAR, win);
        MPI_Win_flush(1, win);
      }
      MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
  } else if (!strcmp(v[1], "file")) {
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "out.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (i = 0; i < n; i++)
      MPI_File_write_at(file, (MPI_Offset)rank * a, memory, a, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
  } else {
    for (i = 0; i < n; i++) {
      pthread_t thread;
      pthread_create(&thread, NULL, computes, &a);
      pthread_join(thread, NULL);
    }
  }
  MPI_Finalize();
  return 0;
})";

constexpr const char* kShmem = R"(
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
int main(int c, char** v) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes(), bytes = atoi(v[2]), rounds = atoi(v[3]);
  char* memory = shmem_malloc(bytes + 8);
  char* data = calloc(bytes + 8, 1);
  for (int i = 0; i < rounds && c > 3; i++) {
    if (!strcmp(v[1], "puts")) {
      shmem_putmem(memory, data, bytes, (me + 1) % n);
      shmem_quiet();
    } else if (me == 0) {
      shmem_getmem(data, memory, bytes, 1);
    }
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
})";

constexpr const char* kPortalsPut = R"(
#include <heddle.h>
#include <portals4.h>
static char buffer[4096];
int main(void) {
  ptl_handle_ni_t ni; ptl_handle_ct_t ct; ptl_handle_md_t md; ptl_handle_le_t le;
  ptl_pt_index_t pt; ptl_ct_event_t count; ptl_process_t target; target.rank = 1;
  PtlInit();
  PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, NULL, NULL, &ni);
  PtlCTAlloc(ni, &ct);
  PtlPTAlloc(ni, 0, PTL_EQ_NONE, 3, &pt);
  ptl_le_t entry = {.start = buffer, .length = sizeof buffer, .ct_handle = ct, .uid = PTL_UID_ANY,
                    .options = PTL_LE_OP_PUT | PTL_LE_EVENT_CT_COMM};
  ptl_md_t bound = {.start = buffer, .length = sizeof buffer, .options = PTL_MD_EVENT_CT_ACK,
                    .eq_handle = PTL_EQ_NONE, .ct_handle = ct};
  PtlLEAppend(ni, pt, &entry, PTL_PRIORITY_LIST, NULL, &le);
  PtlMDBind(ni, &bound, &md);
  heddle_barrier();
  if (heddle_rank() == 0) {
    for (int i = 0; i < 3; i++) PtlPut(md, 0, 1000, PTL_CT_ACK_REQ, target, pt, 0, 0, NULL, 0);
    PtlCTWait(ct, 3, &count);
  }
  heddle_barrier();
  PtlFini();
  return 0;
})";

class ReportCauses : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "m.yaml")
        << "topology: {kind: single-switch, nodes: 4}\n"
           "link: {bandwidth: 100Gbps, latency: 500ns}\nswitch: {latency: 100ns}\n"
           "network: {model: queue}\n";
  }
  json summary(const CompiledProgram& program, const std::string& options,
               const std::string& arguments) const {
    EXPECT_EQ(program.compilation().status, 0) << program.compilation().err;
    const Outcome outcome = heddle(
        "run -q " + options + " --summary s.json " + program.folder() + "/program " + arguments,
        folder_.path());
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(file_text(folder_ / "s.json"), nullptr, false);
  }
  static const CompiledProgram& one_sided() {
    static const CompiledProgram program(kOneSided, "c", "-pthread");
    return program;
  }
  static const CompiledProgram& shmem() {
    static const CompiledProgram program(kShmem);
    return program;
  }
  static double share(const json& summary, const std::string& resource) {
    for (const json& r : summary["critical_path"]["resources"]) {
      if (r["resource"] == resource) return r["share"].get<double>();
    }
    return -1;
  }
  static void expect_gain(const json& before, const json& after, const std::string& key) {
    double predicted = 0;
    for (const json& w : before["what_if"]) {
      if (w["key"] == key) predicted = w["gain_ps"].get<double>();
    }
    const double gained = before["time_ps"].get<double>() - after["time_ps"].get<double>();
    EXPECT_GT(predicted, 0) << before["what_if"].dump();
    EXPECT_NEAR(gained, predicted, 0.05 * predicted) << key;
  }

  TemporaryFolder folder_;
};

TEST_F(ReportCauses, OfPutsIntoWindowsIsTheBandwidth) {
  const json before = summary(one_sided(), "-n 4 -p m.yaml", "puts 4194304 5");
  EXPECT_THAT(before["cause"], AnyOf("bandwidth", "links")) << before["verdict"].dump();
  EXPECT_LT(share(before, "wait"), 0.01);
  expect_gain(before,
              summary(one_sided(), "-n 4 -p m.yaml --set link.bandwidth=200Gbps", "puts 4194304 5"),
              "bandwidth");
}

TEST_F(ReportCauses, OfGetsFromWindowsIsTheLatencyWhateverTheTargetDoes) {
  const json before = summary(one_sided(), "-n 2 -p m.yaml", "gets 8 200");
  EXPECT_EQ(before["cause"], "latency") << before["verdict"].dump();
  EXPECT_LT(share(before, "wait"), 0.01);
  EXPECT_LT(share(before, "compute"), 0.06) << "the target's, before it opens its window";
  expect_gain(
      before,
      summary(one_sided(), "-n 2 -p m.yaml --set link.latency=250ns --set switch.latency=50ns",
              "gets 8 200"),
      "latency");
}

TEST_F(ReportCauses, OfFilesIsTheFileSystem) {
  // A node writes 1 MB in 100 us at 10 GB/s, and 50 us of latency.
  const json before = summary(one_sided(), "-n 2 -p m.yaml", "file 1000000 5");
  EXPECT_EQ(before["cause"], "storage") << before["verdict"].dump();
  EXPECT_GT(share(before, "storage"), 0.9);
  expect_gain(before,
              summary(one_sided(),
                      "-n 2 -p m.yaml --set mpi.io_bandwidth=200GBps --set "
                      "mpi.io_node_bandwidth=20GBps --set mpi.io_latency=25us",
                      "file 1000000 5"),
              "storage");
}

TEST_F(ReportCauses, OfWaitsForAThreadIsWhatThatDoes) {
  // Five threads one after another compute for 300 us each.
  const json before = summary(one_sided(), "-n 2 -p m.yaml", "threads 300 5");
  EXPECT_EQ(before["cause"], "compute") << before["verdict"].dump();
  EXPECT_GT(share(before, "compute"), 0.95);
  EXPECT_GT(before["other_threads"], 0);
  expect_gain(before, summary(one_sided(), "-n 2 -p m.yaml", "threads 150 5"), "compute");
  const Outcome traced = heddle("run -q -n 2 -p m.yaml --tables t --perfetto t.json " +
                                    one_sided().folder() + "/program threads 300 5",
                                folder_.path());
  EXPECT_EQ(traced.status, 0) << traced.err;
  EXPECT_THAT(file_text(folder_ / "t.json"), testing::HasSubstr("rank 1, thread 1"));
  EXPECT_THAT(file_text(folder_ / "t/threads.csv"), testing::HasSubstr("\n1,1,"));
}

TEST_F(ReportCauses, OfPutsOfOpenShmemIsTheBandwidth) {
  const json before = summary(shmem(), "-n 4 -p m.yaml", "puts 4194304 5");
  EXPECT_THAT(before["cause"], AnyOf("bandwidth", "links", "nic")) << before["verdict"].dump();
  EXPECT_LT(share(before, "wait"), 0.01);
  EXPECT_GT(before["messages"], 20) << "each put, and what says that it is there";
}

TEST_F(ReportCauses, OfGetsOfOpenShmemIsTheLatency) {
  const json before = summary(shmem(), "-n 2 -p m.yaml", "gets 8 200");
  EXPECT_EQ(before["cause"], "latency") << before["verdict"].dump();
  expect_gain(before,
              summary(shmem(), "-n 2 -p m.yaml --set link.latency=250ns --set switch.latency=50ns",
                      "gets 8 200"),
              "latency");
}

/// How many flows a trace for Perfetto has that begin and end.
int flows_in(const std::string& text) {
  std::map<std::uint64_t, int> ends;
  const json trace = json::parse(text);
  for (const json& e : trace["traceEvents"]) {
    if (e["ph"] == "s") ends[e["id"]] += 1;
    if (e["ph"] == "f") ends[e["id"]] += 100;
  }
  return static_cast<int>(
      std::count_if(ends.begin(), ends.end(), [](const auto& flow) { return flow.second == 101; }));
}

TEST_F(ReportCauses, DataOfAdaptersIsAFlowInTraces) {
  // Three puts from rank 0 to rank 1 are three flows of Portals, and links of Paje.
  const CompiledProgram program(kPortalsPut);
  const Outcome puts = heddle(
      "run -q -n 2 -p bxi-v2 --perfetto t.json --paje t.paje " + program.folder() + "/program",
      folder_.path());
  ASSERT_EQ(puts.status, 0) << puts.err;
  EXPECT_EQ(flows_in(file_text(folder_ / "t.json")), 3);
  EXPECT_THAT(file_text(folder_ / "t.paje"), testing::HasSubstr(" L root m r0 k"));
  // Five puts of each of four ranks, whatever carries them.
  for (const char* transport : {"hybrid", "portals"}) {
    const Outcome run = heddle(
        "run -q -n 4 -p bxi-v2 --perfetto t.json --set shmem.transport=" + std::string(transport) +
            " " + shmem().folder() + "/program puts 4096 5",
        folder_.path());
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_GE(flows_in(file_text(folder_ / "t.json")), 20) << transport;
  }
}

TEST_F(ReportCauses, OperationsOfAdaptersAreCounted) {
  // Three puts of 1,000 bytes from rank 0 to rank 1.
  const CompiledProgram program(kPortalsPut);
  const json s = summary(program, "-n 2 -p bxi-v2", "");
  EXPECT_EQ(s["messages"], 0);
  EXPECT_EQ(s["operations"]["puts"], 3);
  EXPECT_EQ(s["operations"]["bytes"], 3000);
  ASSERT_FALSE(s["sizes"].empty()) << "operations are counted by size like messages";
  EXPECT_EQ(s["sizes"][0]["messages"], 3);
}

}  // namespace
}  // namespace heddle::cli
