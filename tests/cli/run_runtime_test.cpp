// A runtime that sits on Portals 4 and PMI, configured, built and run as such runtimes are: with
// heddlecc as the C compiler, a static library, and a program that is linked against it.
#include <gmock/gmock.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

/// What a configure script asks: each line is a check that must answer 0, in the folder of checks.
constexpr const char* kConfigure = R"(
set -e
check() { echo "$1" > conftest.c; shift; "$CC" conftest.c -o conftest "$@"; }
# The compiler makes programs that start, and says its version as compilers do.
check 'int main(void) { return 0; }' && ./conftest
"$CC" --version > /dev/null
# Headers, by the preprocessor and by the compiler.
for header in portals4.h pmi.h pmi2.h portals4/pmi.h; do
  echo "#include <$header>" > conftest.c && "$CC" -E conftest.c > /dev/null && "$CC" -c conftest.c
done
# Functions in libraries, declared as configure scripts do.
check 'char PtlLEAppend(); int main(void) { return PtlLEAppend(); }' -w -lportals
check 'char PtlSetMap(); int main(void) { return PtlSetMap(); }' -w -lportals
check 'char PMI_Init(); int main(void) { return PMI_Init(); }' -w -lpmi
check 'char PMI2_Init(); int main(void) { return PMI2_Init(); }' -w -lpmi2
check 'char PMI_Init(); int main(void) { return PMI_Init(); }' -w -lportals_runtime
# What is not there is not found.
! check 'char PtlNoSuchCall(); int main(void) { return PtlNoSuchCall(); }' -w -lportals 2> /dev/null
# Programs that are run to learn something.
check 'struct l { int a, b; }; int main(void) { return sizeof(long) != sizeof(struct l); }'
./conftest
# Files where options such as --with-portals4=DIR look for them.
for file in include/portals4.h include/pmi.h lib/libportals.so lib/libpmi.so lib/libpmi2.so; do
  test -f "$DIR/$file"
done
check '#include <portals4.h>
int main(void) { return PtlInit() != PTL_OK; }' "-I$DIR/include" "-L$DIR/lib" -lportals
)";

/// One-sided communication in the small: the data segment and a heap in two entries, descriptors
/// over all of memory, puts that are counted, processes that find each other by PMI.
constexpr const char* kRuntime = R"(
#include <limits.h>
#include <pmi.h>
#include <portals4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "small.h"

extern char data_start, end;
static char* heap;
enum { HEAP = 1 << 16, EVENTS = 2048, DATA_TABLE = 8, HEAP_TABLE = 9 };
static int me, all;
static ptl_handle_ni_t ni;
static ptl_handle_eq_t events;
static ptl_handle_ct_t came, put_count, get_count;
static ptl_handle_le_t data_entry, heap_entry;
static ptl_handle_md_t put_md, get_md;
static ptl_size_t started, asked;
static char name[256], key[256], value[256];

#define NEED(call, good) \
  do { int answer = (call); if (answer != (good)) { fprintf(stderr, "%s: %d\n", #call, answer); abort(); } } while (0)

static void publish(const char* what, const void* bytes, size_t size) {
  snprintf(key, sizeof key, "small-%d-%s", me, what);
  for (size_t i = 0; i < size; ++i) sprintf(value + 2 * i, "%02x", ((const unsigned char*)bytes)[i]);
  NEED(PMI_KVS_Put(name, key, value), PMI_SUCCESS);
}
static void look_up(int who, const char* what, void* bytes, size_t size) {
  snprintf(key, sizeof key, "small-%d-%s", who, what);
  NEED(PMI_KVS_Get(name, key, value, sizeof value), PMI_SUCCESS);
  for (size_t i = 0; i < size; ++i) {
    unsigned byte;
    sscanf(value + 2 * i, "%2x", &byte);
    ((unsigned char*)bytes)[i] = (unsigned char)byte;
  }
}
static ptl_handle_le_t expose(void* start, ptl_size_t length, ptl_pt_index_t table, ptl_uid_t uid) {
  ptl_pt_index_t got;
  ptl_handle_le_t handle;
  NEED(PtlPTAlloc(ni, 0, events, table, &got), PTL_OK);
  ptl_le_t entry = {.start = start, .length = length, .ct_handle = came, .uid = uid,
                    .options = PTL_LE_OP_PUT | PTL_LE_OP_GET | PTL_LE_EVENT_LINK_DISABLE |
                               PTL_LE_EVENT_SUCCESS_DISABLE | PTL_LE_EVENT_CT_COMM};
  NEED(PtlLEAppend(ni, table, &entry, PTL_PRIORITY_LIST, NULL, &handle), PTL_OK);
  return handle;
}
static ptl_handle_md_t all_of_memory(unsigned options, ptl_handle_ct_t counter) {
  ptl_md_t md = {.start = 0, .length = PTL_SIZE_MAX, .options = options, .eq_handle = events, .ct_handle = counter};
  ptl_handle_md_t handle;
  NEED(PtlMDBind(ni, &md, &handle), PTL_OK);
  return handle;
}

void small_start(void) {
  int spawned;
  NEED(PMI_Init(&spawned), PMI_SUCCESS);
  NEED(PMI_Get_rank(&me), PMI_SUCCESS);
  NEED(PMI_Get_size(&all), PMI_SUCCESS);
  NEED(PMI_KVS_Get_my_name(name, sizeof name), PMI_SUCCESS);
  heap = calloc(1, HEAP);
  ptl_ni_limits_t want, limits;
  memset(&want, 0x3f, sizeof want);
  want.max_entries = want.max_mds = want.max_eqs = want.max_cts = want.max_list_size = 1024;
  want.max_unexpected_headers = want.max_iovecs = want.max_triggered_ops = 1024;
  want.max_pt_index = 64;
  want.max_msg_size = want.max_atomic_size = want.max_volatile_size = LONG_MAX;
  want.max_fetch_atomic_size = want.max_waw_ordered_size = want.max_war_ordered_size = LONG_MAX;
  want.features = PTL_TOTAL_DATA_ORDERING;
  NEED(PtlInit(), PTL_OK);
  NEED(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, &want, &limits, &ni), PTL_OK);
  NEED((limits.features & PTL_TOTAL_DATA_ORDERING) != 0, 1);
  NEED(limits.max_atomic_size >= 32 && limits.max_volatile_size >= 32 && limits.max_fetch_atomic_size >= 32, 1);
  ptl_process_t own, *map = malloc(sizeof *map * (size_t)all);
  NEED(PtlGetPhysId(ni, &own), PTL_OK);
  publish("id", &own, sizeof own);
  NEED(PMI_KVS_Commit(name), PMI_SUCCESS);
  NEED(PMI_Barrier(), PMI_SUCCESS);
  for (int i = 0; i < all; ++i) look_up(i, "id", &map[i], sizeof *map);
  int mapped = PtlSetMap(ni, (ptl_size_t)all, map);
  NEED(mapped == PTL_OK || mapped == PTL_IGNORED, 1);
  free(map);
  ptl_uid_t uid;
  NEED(PtlGetUid(ni, &uid), PTL_OK);
  NEED(PtlEQAlloc(ni, EVENTS, &events), PTL_OK);
  NEED(PtlCTAlloc(ni, &came), PTL_OK);
  NEED(PtlCTAlloc(ni, &put_count), PTL_OK);
  NEED(PtlCTAlloc(ni, &get_count), PTL_OK);
  data_entry = expose(&data_start, (ptl_size_t)(&end - &data_start), DATA_TABLE, uid);
  heap_entry = expose(heap, HEAP, HEAP_TABLE, uid);
  put_md = all_of_memory(PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_SUCCESS_DISABLE | PTL_MD_VOLATILE, put_count);
  get_md = all_of_memory(PTL_MD_EVENT_CT_REPLY | PTL_MD_EVENT_SUCCESS_DISABLE, get_count);
  NEED(PMI_Barrier(), PMI_SUCCESS);
}
int small_rank(void) { return me; }
int small_size(void) { return all; }
void* small_heap(void) { return heap; }

static ptl_pt_index_t table_of(const void* symmetric, ptl_size_t* offset) {
  const char* at = symmetric;
  int global = at >= &data_start && at < &end;
  *offset = (ptl_size_t)(at - (global ? &data_start : heap));
  return global ? DATA_TABLE : HEAP_TABLE;
}
void small_put(void* to, const void* from, size_t size, int who) {
  ptl_size_t offset;
  ptl_process_t target = {.rank = (ptl_rank_t)who};
  ptl_pt_index_t table = table_of(to, &offset);
  NEED(PtlPut(put_md, (ptl_size_t)from, size, PTL_CT_ACK_REQ, target, table, 0, offset, NULL, 0), PTL_OK);
  ++started;
}
void small_get(void* to, const void* from, size_t size, int who) {
  ptl_size_t offset;
  ptl_ct_event_t count;
  ptl_process_t target = {.rank = (ptl_rank_t)who};
  ptl_pt_index_t table = table_of(from, &offset);
  NEED(PtlGet(get_md, (ptl_size_t)to, size, target, table, 0, offset, NULL), PTL_OK);
  NEED(PtlCTWait(get_count, ++asked, &count), PTL_OK);
}
long small_fetch_add(long* at, long by, int who) {
  ptl_size_t offset;
  ptl_ct_event_t count;
  long old;
  ptl_process_t target = {.rank = (ptl_rank_t)who};
  ptl_pt_index_t table = table_of(at, &offset);
  NEED(PtlFetchAtomic(get_md, (ptl_size_t)&old, put_md, (ptl_size_t)&by, sizeof by, target, table, 0, offset,
                      NULL, 0, PTL_SUM, PTL_INT64_T), PTL_OK);
  NEED(PtlCTWait(get_count, ++asked, &count), PTL_OK);
  return old;
}
void small_quiet(void) {
  ptl_ct_event_t count;
  NEED(PtlCTWait(put_count, started, &count), PTL_OK);
  NEED(count.failure == 0, 1);
}
void small_meet(void) { small_quiet(); NEED(PMI_Barrier(), PMI_SUCCESS); }
void small_end(void) {
  small_meet();
  NEED(PtlAtomicSync(), PTL_OK);
  PtlMDRelease(get_md); PtlMDRelease(put_md);
  PtlCTFree(get_count); PtlCTFree(put_count);
  PtlLEUnlink(heap_entry); PtlLEUnlink(data_entry); PtlCTFree(came);
  PtlPTFree(ni, HEAP_TABLE); PtlPTFree(ni, DATA_TABLE); PtlEQFree(events);
  PtlNIFini(ni); PtlFini(); PMI_Finalize();
}
)";

constexpr const char* kRuntimeHeader = R"(
#include <stddef.h>
void small_start(void); void small_end(void); int small_rank(void); int small_size(void); void* small_heap(void);
void small_put(void* to, const void* from, size_t size, int who); void small_get(void* to, const void* from, size_t size, int who);
long small_fetch_add(long* at, long by, int who); void small_quiet(void); void small_meet(void);
)";

constexpr const char* kRuntimeUser = R"(
#include <stdio.h>
#include "small.h"
static long counter = 5; int table[4] = {1, 1, 1, 1};
int main(void) {
  small_start();
  int me = small_rank(), n = small_size(), next = (me + 1) % n, from = (me + n - 1) % n;
  long* heap = small_heap();
  int sent[2] = {me, 10 * me};
  small_put(table + 1, sent, sizeof sent, next);
  small_put(heap + 3, &(long){100 + me}, sizeof(long), next);
  small_meet();
  long got = 0;
  small_get(&got, heap + 3, sizeof got, next);
  small_fetch_add(&counter, me, 0);
  small_meet();
  int good = table[0] == 1 && table[1] == from && table[2] == 10 * from && table[3] == 1 &&
             heap[3] == 100 + from && got == 100 + me && counter == (me == 0 ? 5 + n * (n - 1) / 2 : 5);
  printf("%d of %d: %s\n", me, n, good ? "good" : "bad");
  small_end();
  return !good;
}
)";

/// Memory of one address space over MPI and Portals together, as runtimes of global arrays have it:
/// processes meet by MPI, one entry exposes all of memory, remote offsets are addresses, sums go in
/// pieces as large as the limits say, and events tell of everything.
constexpr const char* kGlobalMemory = R"(
#include <limits.h>
#include <mpi.h>
#include <portals4.h>
#include <stdio.h>
#include <stdlib.h>

#define NEED(call, good) \
  do { int answer = (call); if (answer != (good)) { fprintf(stderr, "%s: %d\n", #call, answer); abort(); } } while (0)
static int me, all, pending;
static ptl_handle_ni_t ni; static ptl_handle_eq_t events; static ptl_handle_md_t memory; static ptl_handle_le_t entry;
static ptl_ni_limits_t limits;

static void start(void) {
  ptl_ni_limits_t want = {
      .max_entries = INT_MAX, .max_unexpected_headers = INT_MAX, .max_mds = INT_MAX, .max_cts = INT_MAX, .max_eqs = INT_MAX,
      .max_pt_index = INT_MAX, .max_iovecs = INT_MAX, .max_list_size = INT_MAX, .max_triggered_ops = INT_MAX,
      .max_msg_size = LONG_MAX, .max_atomic_size = LONG_MAX, .max_fetch_atomic_size = LONG_MAX,
      .max_waw_ordered_size = LONG_MAX, .max_war_ordered_size = LONG_MAX, .max_volatile_size = LONG_MAX,
      .features = PTL_TARGET_BIND_INACCESSIBLE};
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  NEED(PtlInit(), PTL_OK);
  NEED(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_NO_MATCHING | PTL_NI_LOGICAL, PTL_PID_ANY, &want, &limits, &ni), PTL_OK);
  ptl_process_t* map = malloc(sizeof *map * (size_t)all);
  NEED(PtlGetPhysId(ni, &map[me]), PTL_OK);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, map, sizeof *map, MPI_CHAR, MPI_COMM_WORLD);
  NEED(PtlSetMap(ni, (ptl_size_t)all, map), PTL_OK);
  free(map);
  NEED(PtlEQAlloc(ni, 32, &events), PTL_OK);
  ptl_md_t md = {.start = 0, .length = PTL_SIZE_MAX, .options = PTL_MD_UNORDERED, .eq_handle = events, .ct_handle = PTL_CT_NONE};
  NEED(PtlMDBind(ni, &md, &memory), PTL_OK);
  ptl_pt_index_t index;
  NEED(PtlPTAlloc(ni, 0, PTL_EQ_NONE, PTL_PT_ANY, &index), PTL_OK);
  NEED(index, 0);
  ptl_le_t everything = {.start = NULL, .length = PTL_SIZE_MAX, .ct_handle = PTL_CT_NONE, .uid = PTL_UID_ANY,
                         .options = PTL_LE_OP_PUT | PTL_LE_OP_GET};
  NEED(PtlLEAppend(ni, index, &everything, PTL_PRIORITY_LIST, NULL, &entry), PTL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
}
static void finish(int n) {
  for (pending += n; pending > 0; --pending) {
    ptl_event_t event;
    unsigned which;
    NEED(PtlEQPoll(&events, 1, PTL_TIME_FOREVER, &event, &which), PTL_OK);
    NEED(event.ni_fail_type, PTL_NI_OK);
  }
}
static void add(double* to, const double* from, size_t bytes, int who) {
  const size_t piece = limits.max_atomic_size;
  for (size_t at = 0; at < bytes; at += piece) {
    const size_t size = bytes - at < piece ? bytes - at : piece;
    NEED(PtlAtomic(memory, (ptl_size_t)from + at, size, PTL_ACK_REQ, (ptl_process_t){.rank = who}, 0, 0,
                   (ptl_size_t)to + at, NULL, 0, PTL_SUM, PTL_DOUBLE), PTL_OK);
    finish(2);
  }
}
int main(void) {
  enum { N = 1000 };
  start();
  double *mine = calloc(N, sizeof *mine), ones[N], back[N];
  void** theirs = malloc(sizeof *theirs * (size_t)all);
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, theirs, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i) ones[i] = 1;
  for (int who = 0; who < all; ++who) add(theirs[who], ones, sizeof ones, who);
  MPI_Barrier(MPI_COMM_WORLD);
  const int next = (me + 1) % all;
  NEED(PtlGet(memory, (ptl_size_t)back, sizeof back, (ptl_process_t){.rank = next}, 0, 0, (ptl_size_t)theirs[next], NULL), PTL_OK);
  finish(1);
  int good = 1;
  for (int i = 0; i < N; ++i) good &= mine[i] == all && back[i] == all;
  /* Half of a double is no element. */
  good &= PtlAtomic(memory, (ptl_size_t)ones, 4, PTL_ACK_REQ, (ptl_process_t){.rank = next}, 0, 0, (ptl_size_t)theirs[next],
                    NULL, 0, PTL_SUM, PTL_DOUBLE) == PTL_ARG_INVALID;
  printf("%d of %d: %s\n", me, all, good ? "good" : "bad");
  MPI_Barrier(MPI_COMM_WORLD);
  PtlLEUnlink(entry); PtlMDRelease(memory); PtlPTFree(ni, 0); PtlEQFree(events); PtlNIFini(ni); PtlFini();
  MPI_Finalize();
  return !good;
}
)";

/// An MPI of somebody else's in the small, which starts by PMI, and a program that uses it.
constexpr const char* kOwnMpiHeader = R"(
typedef struct own_comm* MPI_Comm;
extern struct own_comm* own_world;
#define MPI_COMM_WORLD own_world
int MPI_Init(int*, char***); int MPI_Comm_rank(MPI_Comm, int*); int MPI_Comm_size(MPI_Comm, int*); int MPI_Finalize(void);
const char* own_name(void);
)";
constexpr const char* kOwnMpi = R"(
#include <mpi.h>
#include <pmi.h>
struct own_comm { int rank, size; };
static struct own_comm world;
struct own_comm* own_world = &world;
int MPI_Init(int* c, char*** v) { int s; return PMI_Init(&s) || PMI_Get_rank(&world.rank) || PMI_Get_size(&world.size); }
int MPI_Comm_rank(MPI_Comm c, int* r) { *r = c->rank; return 0; }
int MPI_Comm_size(MPI_Comm c, int* n) { *n = c->size; return 0; }
int MPI_Finalize(void) { return PMI_Barrier() || PMI_Finalize(); }
const char* own_name(void) { return "own"; }
)";
constexpr const char* kOwnMpiUser = R"(
#include <mpi.h>
#include <stdio.h>
int main(int c, char** v) {
  int r, n;
  if (MPI_Init(&c, &v)) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  printf("%s %d of %d\n", own_name(), r, n);
  return MPI_Finalize();
}
)";

/// A folder with the headers and the libraries of the simulator as `include` and `lib`, as the page
/// on other runtimes has users make one.
std::string make_prefix(const TemporaryFolder& folder) {
  const std::string compiler = built("heddlecc");
  const std::string made = "mkdir -p sdk && ln -s \"$(" + compiler +
                           " -showme:incdirs | cut -d' ' -f1)\" sdk/include && ln -s \"$(" +
                           compiler + " -showme:libdirs | cut -d' ' -f1)\" sdk/lib";
  EXPECT_EQ(shell(made, folder.path()).status, 0);
  return folder / "sdk";
}

TEST(RunRuntime, ConfigureFindsPortalsAndPmi) {
  const TemporaryFolder folder;
  const std::string prefix = make_prefix(folder);
  std::ofstream(folder / "configure") << kConfigure;
  const Outcome done = shell(
      "CC='" + built("heddlecc") + "' DIR='" + prefix + "' bash -x ./configure", folder.path());
  EXPECT_EQ(done.status, 0) << done.err;
}

TEST(RunRuntime, AStaticLibraryOverPortalsStartsByPmiAndMovesData) {
  const TemporaryFolder folder;
  std::ofstream(folder / "small.h") << kRuntimeHeader;
  std::ofstream(folder / "small.c") << kRuntime;
  std::ofstream(folder / "user.c") << kRuntimeUser;
  const Outcome made =
      shell("CC='" + built("heddlecc") +
                "'; $CC -std=gnu11 -Wall -c small.c && ar rcs libsmall.a small.o && "
                "$CC -std=gnu11 -Wall user.c -L. -lsmall -lportals -lpmi -o user",
            folder.path());
  ASSERT_EQ(made.status, 0) << made.err;
  for (const std::string ranks : {"1", "2", "7"}) {
    const Outcome run = heddle("run -q --privatize copies -n " + ranks + " ./user", folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("0 of " + ranks + ": good"));
  }
}

// Its folders come first, so its header is found and its library linked, static or shared, rather
// than ours of the same names.
TEST(RunRuntime, AnMpiOfItsOwnStartsByPmi) {
  const TemporaryFolder folder;
  std::ofstream(folder / "mpi.h") << kOwnMpiHeader;
  std::ofstream(folder / "own.c") << kOwnMpi;
  std::ofstream(folder / "user.c") << kOwnMpiUser;
  const Outcome made =
      shell("CC='" + built("heddlecc") +
                "'; mkdir static shared; $CC -Wall -I. -c own.c && ar rcs static/libmpi.a own.o && "
                "$CC -shared -Wl,-soname,libmpi.so.77 own.o -lpmi -o shared/libmpi.so.77 && "
                "ln -s libmpi.so.77 shared/libmpi.so && $CC -Wall -c -I. user.c && "
                "$CC user.o -Lstatic -lmpi -lpmi -o user-static && "
                "$CC user.o -Lshared -lmpi -Wl,-rpath,$PWD/shared -o user-shared",
            folder.path());
  ASSERT_EQ(made.status, 0) << made.err;
  for (const std::string program : {"./user-static", "./user-shared"}) {
    for (const std::string how : kPrivatizations) {
      const Outcome run = heddle("run -q -n 3 --privatize " + how + " " + program, folder.path());
      EXPECT_EQ(run.out, "own 0 of 3\nown 1 of 3\nown 2 of 3\n") << program << run.err;
    }
  }
}

TEST(RunRuntime, MemoryOfOneAddressSpaceOverMpiAndPortals) {
  const CompiledProgram program(kGlobalMemory, "c", "-std=gnu11 -Wall");
  for (const std::string transport : {"hybrid", "portals"}) {
    for (const std::string ranks : {"1", "2", "5"}) {
      const Outcome run = program.run("-n " + ranks + " --set mpi.transport=" + transport);
      EXPECT_EQ(run.status, 0) << run.err;
      EXPECT_THAT(run.out, HasSubstr("0 of " + ranks + ": good")) << transport;
    }
  }
}

}  // namespace
}  // namespace heddle::cli
