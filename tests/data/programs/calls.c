/* What is awkward in traces of MPI: the argument says which, "all" does everything. */
#include <heddle.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };
static int rank, ranks, right, left;
static double a[4096], b[4096];
static const MPI_Comm all = MPI_COMM_WORLD;

static void nonblocking_collectives(void) {
  MPI_Request r[2];
  int i, flag = 0;
  for (i = 0; i < 3; i++) {
    MPI_Iallreduce(a, b, 100, MPI_DOUBLE, MPI_SUM, all, &r[0]);
    MPI_Ibcast(a + 200, 100, MPI_DOUBLE, i % ranks, all, &r[1]);
    heddle_compute(2e-6);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  }
  MPI_Ibarrier(all, &r[0]);
  while (!flag) MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
}

static void persistent(void) {
  MPI_Request r[3];
  int i;
  MPI_Send_init(a, 500, MPI_DOUBLE, right, 3, all, &r[0]);
  MPI_Recv_init(b, 500, MPI_DOUBLE, left, 3, all, &r[1]);
  MPI_Allreduce_init(a + 600, b + 600, 10, MPI_DOUBLE, MPI_SUM, all, MPI_INFO_NULL, &r[2]);
  for (i = 0; i < 3; i++) {
    MPI_Startall(3, r);
    heddle_compute(1e-6);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  }
  for (i = 0; i < 3; i++) MPI_Request_free(&r[i]);
}

static void probes(void) {
  int i;
  for (i = 0; i < 3; i++) {
    MPI_Request r;
    MPI_Status s;
    MPI_Message message;
    int count, flag = 0;
    MPI_Isend(a, 1 + rank, MPI_DOUBLE, right, 4, all, &r);
    MPI_Probe(MPI_ANY_SOURCE, 4, all, &s);
    MPI_Get_count(&s, MPI_DOUBLE, &count);
    MPI_Recv(b, count, MPI_DOUBLE, s.MPI_SOURCE, 4, all, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Isend(a, 3000, MPI_DOUBLE, right, 5, all, &r);
    while (!flag) MPI_Improbe(left, 5, all, &flag, &message, &s);
    MPI_Mrecv(b, 3000, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
}

static void some_of_several(void) {
  int i, k;
  for (i = 0; i < 3; i++) {
    MPI_Request r[8];
    int done = 0, which, flag, several[4];
    for (k = 0; k < 4; k++) MPI_Irecv(b + k * 100, 100, MPI_DOUBLE, left, 10 + k, all, &r[k]);
    for (k = 0; k < 4; k++)
      MPI_Isend(a, 100, MPI_DOUBLE, right, 10 + (k + rank) % 4, all, &r[4 + k]);
    for (k = 0; k < 4; k++) {
      MPI_Waitany(4, r, &which, MPI_STATUS_IGNORE);
      heddle_compute(3e-7);
    }
    while (done < 4) {
      int count;
      MPI_Waitsome(4, r + 4, &count, several, MPI_STATUSES_IGNORE);
      done += count;
    }
    MPI_Irecv(b, 10, MPI_DOUBLE, left, 20, all, &r[0]);
    MPI_Isend(a, 10, MPI_DOUBLE, right, 20, all, &r[1]);
    for (done = 0; done < 2;) {
      MPI_Testany(2, r, &which, &flag, MPI_STATUS_IGNORE);
      if (flag && which != MPI_UNDEFINED) done++;
    }
  }
}

static void cancelled(void) {
  MPI_Request r;
  MPI_Irecv(b, 10, MPI_DOUBLE, left, 999, all, &r);
  MPI_Cancel(&r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Sendrecv(a, 10, MPI_DOUBLE, right, 6, b, 10, MPI_DOUBLE, left, 6, all, MPI_STATUS_IGNORE);
}

static void communicators(void) {
  MPI_Comm half, copy, inter, circle;
  int place, i, side[1] = {ranks}, around[1] = {1};
  MPI_Comm_split(all, rank % 2, rank, &half);
  MPI_Comm_dup(half, &copy);
  MPI_Comm_rank(half, &place);
  MPI_Intercomm_create(half, 0, all, 1 - rank % 2, 77, &inter);
  MPI_Cart_create(all, 1, side, around, 0, &circle);
  for (i = 0; i < 3; i++) {
    MPI_Sendrecv(a, 50, MPI_DOUBLE, place, 1, b, 50, MPI_DOUBLE, place, 1, inter,
                 MPI_STATUS_IGNORE);
    MPI_Allreduce(a, b, 20, MPI_DOUBLE, MPI_SUM, inter);
    MPI_Allgather(a, 3, MPI_DOUBLE, b, 3, MPI_DOUBLE, half);
    MPI_Barrier(copy);
    MPI_Neighbor_allgather(a, 10, MPI_DOUBLE, b, 10, MPI_DOUBLE, circle);
  }
  MPI_Comm_free(&circle);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);
}

static void datatypes(void) {
  MPI_Datatype gaps, block;
  int i;
  MPI_Type_vector(50, 2, 5, MPI_DOUBLE, &gaps);
  MPI_Type_contiguous(100, MPI_DOUBLE, &block);
  MPI_Type_commit(&gaps);
  MPI_Type_commit(&block);
  for (i = 0; i < 3; i++) {
    MPI_Sendrecv(a, 1, gaps, right, 8, b, 1, block, left, 8, all, MPI_STATUS_IGNORE);
    MPI_Bcast(a, 1, gaps, 0, all);
    MPI_Gather(a, 1, gaps, b, 100, MPI_DOUBLE, 0, all);
  }
  MPI_Type_free(&gaps);
  MPI_Type_free(&block);
}

static void wildcards(void) {
  int i, k;
  for (i = 0; i < 3; i++) {
    for (k = 1; rank == 0 && k < ranks; k++) {
      MPI_Status s;
      MPI_Recv(b, 4096, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, all, &s);
      MPI_Send(a, 1, MPI_DOUBLE, s.MPI_SOURCE, s.MPI_TAG, all);
    }
    if (rank == 0) continue;
    heddle_compute(rank * 1e-7);
    MPI_Send(a, 10 * rank, MPI_DOUBLE, 0, 100 + rank, all);
    MPI_Recv(b, 1, MPI_DOUBLE, 0, 100 + rank, all, MPI_STATUS_IGNORE);
  }
}

static void buffered(void) {
  static char space[65536];
  void* old;
  int size;
  MPI_Buffer_attach(space, sizeof space);
  MPI_Bsend(a, 600, MPI_DOUBLE, right, 30, all);
  MPI_Recv(b, 600, MPI_DOUBLE, left, 30, all, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&old, &size);
}

/* Too long to be sent before they are received, were they not copied. */
static void copied(void) {
  static char space[65536];
  void* old;
  int size;
  MPI_Buffer_attach(space, sizeof space);
  MPI_Bsend(a, 4000, MPI_DOUBLE, right, 31, all);
  MPI_Recv(b, 4000, MPI_DOUBLE, left, 31, all, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&old, &size);
}

/* Looks for messages that do not come, to let others go on, before it sends. */
static void progress(void) {
  int i, flag;
  for (i = 0; i < 50; i++) MPI_Iprobe(left, 99, all, &flag, MPI_STATUS_IGNORE);
  MPI_Send(a, 1, MPI_DOUBLE, right, 32, all);
  MPI_Recv(b, 1, MPI_DOUBLE, left, 32, all, MPI_STATUS_IGNORE);
}

static void synchronous(void) {
  MPI_Request r;
  int i;
  for (i = 0; i < 10; i++) {
    if (rank % 2 == 0) {
      MPI_Ssend(a, 1, MPI_DOUBLE, right, 40, all);
      MPI_Issend(a, 200, MPI_DOUBLE, right, 41, all, &r);
      heddle_compute(1e-6);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else {
      heddle_compute(5e-6);
      MPI_Recv(b, 1, MPI_DOUBLE, left, 40, all, MPI_STATUS_IGNORE);
      heddle_compute(2e-6);
      MPI_Recv(b, 200, MPI_DOUBLE, left, 41, all, MPI_STATUS_IGNORE);
    }
  }
  heddle_compute(rank % 2 == 0 ? 5e-5 : 0);
}

static void uneven_collectives(void) {
  int counts[MOST], places[MOST], zeros[MOST] = {0}, sum = 0, i, k;
  MPI_Datatype types[MOST];
  for (k = 0; k < ranks; k++) {
    counts[k] = k * 7 % 5;
    places[k] = sum;
    sum += counts[k];
    types[k] = MPI_DOUBLE;
  }
  for (i = 0; i < 3; i++) {
    MPI_Allgatherv(a, counts[rank], MPI_DOUBLE, b, counts, places, MPI_DOUBLE, all);
    MPI_Alltoallw(a, zeros, zeros, types, b, zeros, zeros, types, all);
    MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, all);
    MPI_Scan(a, b, 5, MPI_DOUBLE, MPI_SUM, all);
  }
}

static void files(void) {
  char name[] = "calls.dat";
  MPI_File file;
  int i;
  MPI_File_open(all, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  for (i = 0; i < 3; i++) {
    MPI_Request r;
    MPI_File_write_at_all(file, (MPI_Offset)rank * 8000, a, 1000, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, (MPI_Offset)right * 8000, b, 1000, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, (MPI_Offset)rank * 8000, a, 1000, MPI_DOUBLE, &r);
    heddle_compute(1e-6);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

static void nobody_and_oneself(void) {
  MPI_Send(a, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, all);
  MPI_Recv(b, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, all, MPI_STATUS_IGNORE);
  MPI_Sendrecv(a, 0, MPI_DOUBLE, rank, 0, b, 0, MPI_DOUBLE, rank, 0, all, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(a, 100, MPI_DOUBLE, right, 1, left, 1, all, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*make)(void);
  } kinds[] = {{"nonblocking", nonblocking_collectives},
               {"persistent", persistent},
               {"probes", probes},
               {"some", some_of_several},
               {"cancelled", cancelled},
               {"communicators", communicators},
               {"datatypes", datatypes},
               {"wildcards", wildcards},
               {"buffered", buffered},
               {"copied", copied},
               {"progress", progress},
               {"synchronous", synchronous},
               {"uneven", uneven_collectives},
               {"files", files},
               {"nobody", nobody_and_oneself}};
  size_t i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(argv[1], kinds[i].name) == 0 || strcmp(argv[1], "all") == 0) kinds[i].make();
  }
  MPI_Finalize();
  return 0;
}
