/* Point-to-point, all collectives and windows of an MPI library, with data whose values are known;
 * says which part is wrong, if any is. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, wrong = 0;

static void expect(int is, const char* what) {
  if (is) return;
  ++wrong;
  fprintf(stderr, "rank %d: %s is wrong\n", rank, what);
}

/* Bytes that tell who sent them, for messages on both sides of every protocol's limit. */
static void point_to_point(void) {
  const int sizes[] = {0, 1, 900, 1000, 1500, 2048, 2049, 65536, 1 << 20};
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    char* out = malloc(sizes[i] + 1);
    char* in = malloc(sizes[i] + 1);
    memset(out, rank + 1, sizes[i] + 1);
    memset(in, 0, sizes[i] + 1);
    MPI_Sendrecv(out, sizes[i], MPI_CHAR, next, 1, in, sizes[i], MPI_CHAR, previous, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int good = in[sizes[i]] == 0;
    for (int b = 0; b < sizes[i]; ++b) good &= in[b] == (char)(previous + 1);
    expect(good, "MPI_Sendrecv");
    /* Unexpected: the receiver comes late. */
    MPI_Request request;
    MPI_Isend(out, sizes[i], MPI_CHAR, next, 2, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Status status;
    int count;
    MPI_Probe(previous, 2, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    expect(count == sizes[i], "MPI_Probe");
    MPI_Recv(in, sizes[i], MPI_CHAR, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    good = 1;
    for (int b = 0; b < sizes[i]; ++b) good &= in[b] == (char)(previous + 1);
    expect(good, "a message that came before its MPI_Recv");
    free(out);
    free(in);
  }
}

static int64_t sum_of_ranks(void) {
  return (int64_t)size * (size - 1) / 2;
}

static void rooted(int count) {
  int64_t* mine = malloc(count * sizeof(int64_t));
  int64_t* all = malloc((size_t)count * size * sizeof(int64_t));
  const int root = size - 1;
  for (int i = 0; i < count; ++i) mine[i] = rank == root ? i + 7 : -1;
  MPI_Bcast(mine, count, MPI_INT64_T, root, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) expect(mine[i] == i + 7, "MPI_Bcast");
  for (int i = 0; i < count; ++i) mine[i] = (int64_t)rank * count + i;
  MPI_Gather(mine, count, MPI_INT64_T, all, count, MPI_INT64_T, root, MPI_COMM_WORLD);
  for (int i = 0; rank == root && i < count * size; ++i) expect(all[i] == i, "MPI_Gather");
  memset(mine, 0, count * sizeof(int64_t));
  MPI_Scatter(all, count, MPI_INT64_T, mine, count, MPI_INT64_T, root, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) expect(mine[i] == (int64_t)rank * count + i, "MPI_Scatter");
  for (int i = 0; i < count; ++i) mine[i] = rank + i;
  MPI_Reduce(mine, all, count, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < count; ++i)
    expect(all[i] == sum_of_ranks() + (int64_t)i * size, "MPI_Reduce");
  free(mine);
  free(all);
}

static void of_all(int count) {
  int64_t* mine = malloc((size_t)count * size * sizeof(int64_t));
  int64_t* all = malloc((size_t)count * size * sizeof(int64_t));
  for (int i = 0; i < count; ++i) mine[i] = rank + i;
  MPI_Allreduce(mine, all, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i)
    expect(all[i] == sum_of_ranks() + (int64_t)i * size, "MPI_Allreduce");
  MPI_Scan(mine, all, count, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) expect(all[i] == rank + i, "MPI_Scan");
  for (int i = 0; i < count; ++i) mine[i] = (int64_t)rank * count + i;
  MPI_Allgather(mine, count, MPI_INT64_T, all, count, MPI_INT64_T, MPI_COMM_WORLD);
  for (int i = 0; i < count * size; ++i) expect(all[i] == i, "MPI_Allgather");
  for (int i = 0; i < count * size; ++i) mine[i] = (int64_t)rank * 1000000 + i / count;
  MPI_Alltoall(mine, count, MPI_INT64_T, all, count, MPI_INT64_T, MPI_COMM_WORLD);
  for (int i = 0; i < count * size; ++i)
    expect(all[i] == (int64_t)(i / count) * 1000000 + rank, "MPI_Alltoall");
  for (int i = 0; i < count * size; ++i) mine[i] = i / count;
  MPI_Reduce_scatter_block(mine, all, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i)
    expect(all[i] == (int64_t)rank * size, "MPI_Reduce_scatter_block");
  MPI_Request request;
  for (int i = 0; i < count; ++i) mine[i] = 1;
  MPI_Iallreduce(mine, all, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i) expect(all[i] == size, "MPI_Iallreduce");
  free(mine);
  free(all);
}

/* Rank r has r % 3 + 1 parts of `count`; element e of rank r is 1000000 r + e. */
struct Shares {
  int *counts, *begins;
  int all;
  int64_t *mine, *found;
};

static int share_of(int r, int count) {
  return (r % 3 + 1) * count;
}

static struct Shares shares(int count) {
  struct Shares s;
  s.counts = malloc(size * sizeof(int));
  s.begins = malloc(size * sizeof(int));
  s.all = 0;
  for (int r = 0; r < size; ++r) {
    s.counts[r] = share_of(r, count);
    s.begins[r] = s.all;
    s.all += s.counts[r];
  }
  const size_t room = (size_t)(3 * count) * size * sizeof(int64_t);
  s.mine = malloc(room);
  s.found = malloc(room);
  for (int i = 0; i < s.counts[rank]; ++i) s.mine[i] = (int64_t)rank * 1000000 + i;
  memset(s.found, 0xff, room);
  return s;
}

static void give_back(struct Shares* s) {
  free(s->counts);
  free(s->begins);
  free(s->mine);
  free(s->found);
}

/* Whether all shares stand one behind the other. */
static void expect_shares(struct Shares* s, const char* what) {
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < s->counts[r]; ++i)
      expect(s->found[s->begins[r] + i] == (int64_t)r * 1000000 + i, what);
  }
  memset(s->found, 0xff, (size_t)s->all * sizeof(int64_t));
}

static void finish(MPI_Request* request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
}

/* Collectives of unequal shares, at once and started. */
static void uneven(int count) {
  struct Shares s = shares(count);
  const MPI_Comm world = MPI_COMM_WORLD;
  const int own = s.counts[rank], root = size / 2;
  MPI_Request request;
  for (int started = 0; started < 2; ++started) {
    if (started) {
      MPI_Igatherv(s.mine, own, MPI_INT64_T, s.found, s.counts, s.begins, MPI_INT64_T, root, world,
                   &request);
      finish(&request);
    } else {
      MPI_Gatherv(s.mine, own, MPI_INT64_T, s.found, s.counts, s.begins, MPI_INT64_T, root, world);
    }
    int64_t* gathered = malloc((size_t)s.all * sizeof(int64_t));
    memcpy(gathered, s.found, (size_t)s.all * sizeof(int64_t));
    if (rank == root) expect_shares(&s, "MPI_Gatherv");
    if (started) {
      MPI_Iscatterv(gathered, s.counts, s.begins, MPI_INT64_T, s.found, own, MPI_INT64_T, root,
                    world, &request);
      finish(&request);
    } else {
      MPI_Scatterv(gathered, s.counts, s.begins, MPI_INT64_T, s.found, own, MPI_INT64_T, root,
                   world);
    }
    for (int i = 0; i < own; ++i) expect(s.found[i] == s.mine[i], "MPI_Scatterv");
    free(gathered);
    if (started) {
      MPI_Iallgatherv(s.mine, own, MPI_INT64_T, s.found, s.counts, s.begins, MPI_INT64_T, world,
                      &request);
      finish(&request);
    } else {
      MPI_Allgatherv(s.mine, own, MPI_INT64_T, s.found, s.counts, s.begins, MPI_INT64_T, world);
    }
    expect_shares(&s, "MPI_Allgatherv");
  }
  give_back(&s);
}

/* To rank r go share_of(r) elements, from each the same many. */
static void uneven_exchange(int count) {
  struct Shares s = shares(count);
  int* own = malloc(size * sizeof(int));
  int* begins = malloc(size * sizeof(int));
  int* bytes = malloc(size * sizeof(int));
  int* byte_begins = malloc(size * sizeof(int));
  MPI_Datatype* types = malloc(size * sizeof *types);
  MPI_Request request;
  for (int r = 0; r < size; ++r) {
    own[r] = s.counts[rank];
    begins[r] = r * own[r];
    bytes[r] = s.begins[r] * (int)sizeof(int64_t);
    byte_begins[r] = begins[r] * (int)sizeof(int64_t);
    types[r] = MPI_INT64_T;
  }
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < s.counts[r]; ++i) s.mine[s.begins[r] + i] = rank * 1000 + r;
  }
  for (int way = 0; way < 3; ++way) {
    memset(s.found, 0xff, (size_t)own[0] * size * sizeof(int64_t));
    if (way == 0) {
      MPI_Alltoallv(s.mine, s.counts, s.begins, MPI_INT64_T, s.found, own, begins, MPI_INT64_T,
                    MPI_COMM_WORLD);
    } else if (way == 1) {
      MPI_Ialltoallv(s.mine, s.counts, s.begins, MPI_INT64_T, s.found, own, begins, MPI_INT64_T,
                     MPI_COMM_WORLD, &request);
      finish(&request);
    } else {
      MPI_Alltoallw(s.mine, s.counts, bytes, types, s.found, own, byte_begins, types,
                    MPI_COMM_WORLD);
    }
    for (int r = 0; r < size; ++r) {
      for (int i = 0; i < own[r]; ++i)
        expect(s.found[begins[r] + i] == r * 1000 + rank,
               way == 2 ? "MPI_Alltoallw" : "MPI_Alltoallv");
    }
  }
  free(own);
  free(begins);
  free(bytes);
  free(byte_begins);
  free(types);
  give_back(&s);
}

/* Reductions that give each rank another result. */
static void partial(int count) {
  struct Shares s = shares(count);
  MPI_Request request;
  for (int started = 0; started < 2; ++started) {
    for (int i = 0; i < s.all; ++i) s.mine[i] = rank + i;
    if (started) {
      MPI_Ireduce_scatter(s.mine, s.found, s.counts, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD,
                          &request);
      finish(&request);
    } else {
      MPI_Reduce_scatter(s.mine, s.found, s.counts, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    }
    for (int i = 0; i < s.counts[rank]; ++i)
      expect(s.found[i] == sum_of_ranks() + (int64_t)(s.begins[rank] + i) * size,
             "MPI_Reduce_scatter");
    for (int i = 0; i < count; ++i) s.mine[i] = rank + i;
    if (started) {
      MPI_Iexscan(s.mine, s.found, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
      finish(&request);
    } else {
      MPI_Exscan(s.mine, s.found, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    }
    for (int i = 0; rank > 0 && i < count; ++i)
      expect(s.found[i] == (int64_t)rank * (rank - 1) / 2 + (int64_t)i * rank, "MPI_Exscan");
  }
  give_back(&s);
}

/* Several collectives under way at a time, ended in one go. */
static void started(int count) {
  enum { kCalls = 9 };
  int64_t* out = malloc((size_t)count * size * sizeof(int64_t));
  int64_t* in[kCalls];
  for (int i = 0; i < count * size; ++i) out[i] = (int64_t)rank * count * size + i;
  for (int c = 0; c < kCalls; ++c) in[c] = calloc((size_t)count * size, sizeof(int64_t));
  for (int i = 0; rank == 0 && i < count; ++i) in[0][i] = i + 3;
  const MPI_Comm world = MPI_COMM_WORLD;
  const MPI_Datatype word = MPI_INT64_T;
  MPI_Request requests[kCalls];
  MPI_Ibcast(in[0], count, word, 0, world, &requests[0]);
  MPI_Iallgather(out, count, word, in[1], count, word, world, &requests[1]);
  MPI_Ialltoall(out, count, word, in[2], count, word, world, &requests[2]);
  MPI_Igather(out, count, word, in[3], count, word, 0, world, &requests[3]);
  MPI_Ireduce(out, in[4], count, word, MPI_MAX, 0, world, &requests[4]);
  MPI_Iscan(out, in[5], count, word, MPI_MIN, world, &requests[5]);
  MPI_Ireduce_scatter_block(out, in[6], count, word, MPI_MIN, world, &requests[6]);
  MPI_Iscatter(out, count, word, in[7], count, word, 0, world, &requests[7]);
  MPI_Ibarrier(world, &requests[8]);
  MPI_Waitall(kCalls, requests, MPI_STATUSES_IGNORE);
  const int64_t row = (int64_t)count * size;
  for (int i = 0; i < count; ++i) {
    expect(in[0][i] == i + 3, "MPI_Ibcast");
    if (rank == 0) expect(in[4][i] == (size - 1) * row + i, "MPI_Ireduce");
    expect(in[5][i] == i, "MPI_Iscan");
    expect(in[6][i] == (int64_t)rank * count + i, "MPI_Ireduce_scatter_block");
    expect(in[7][i] == (int64_t)rank * count + i, "MPI_Iscatter");
    for (int r = 0; r < size; ++r) {
      expect(in[1][r * count + i] == r * row + i, "MPI_Iallgather");
      expect(in[2][r * count + i] == r * row + (int64_t)rank * count + i, "MPI_Ialltoall");
      if (rank == 0) expect(in[3][r * count + i] == r * row + i, "MPI_Igather");
    }
  }
  for (int c = 0; c < kCalls; ++c) free(in[c]);
  free(out);
}

/* With those beside it on a ring. */
static void neighbours(int count) {
  MPI_Comm ring;
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;
  int64_t* out = malloc(2 * (size_t)count * sizeof(int64_t));
  int64_t* in = malloc(2 * (size_t)count * sizeof(int64_t));
  for (int i = 0; i < 2 * count; ++i) out[i] = rank * 10 + i / count;
  MPI_Neighbor_allgather(out, count, MPI_INT64_T, in, count, MPI_INT64_T, ring);
  for (int i = 0; i < count; ++i) {
    expect(in[i] == before * 10, "MPI_Neighbor_allgather");
    expect(in[count + i] == after * 10, "MPI_Neighbor_allgather");
  }
  /* With two ranks both neighbours are the same one, and what is first sent is first received. */
  MPI_Neighbor_alltoall(out, count, MPI_INT64_T, in, count, MPI_INT64_T, ring);
  for (int i = 0; size > 2 && i < count; ++i) {
    expect(in[i] == before * 10 + 1, "MPI_Neighbor_alltoall");
    expect(in[count + i] == after * 10, "MPI_Neighbor_alltoall");
  }
  free(out);
  free(in);
  MPI_Comm_free(&ring);
}

/* Windows whose targets say when: each rank puts to the next and waits for the one before. */
static void exposed(void) {
  int64_t memory[2] = {-1, -1};
  MPI_Win window;
  MPI_Group world, before, after;
  const int from = (rank + size - 1) % size, to = (rank + 1) % size;
  MPI_Win_create(memory, sizeof memory, sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &from, &before);
  MPI_Group_incl(world, 1, &to, &after);
  const int64_t mine = rank * 3;
  MPI_Win_post(before, 0, window);
  MPI_Win_start(after, 0, window);
  MPI_Put(&mine, 1, MPI_INT64_T, to, 0, 1, MPI_INT64_T, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  expect(memory[0] == from * 3, "MPI_Win_start and MPI_Win_post");
  const int64_t old = -1;
  int64_t found = 0;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, window);
  MPI_Compare_and_swap(&mine, &old, &found, MPI_INT64_T, to, 1, window);
  MPI_Win_unlock(to, window);
  expect(found == -1, "MPI_Compare_and_swap");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
  expect(memory[1] == from * 3, "what MPI_Compare_and_swap has left");
  MPI_Win_unlock(rank, window);
  MPI_Group_free(&world);
  MPI_Group_free(&before);
  MPI_Group_free(&after);
  MPI_Win_free(&window);
}

static void windows(void) {
  int64_t* memory;
  MPI_Win window;
  const int next = (rank + 1) % size;
  MPI_Win_allocate(4 * sizeof(int64_t), sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                   &window);
  memset(memory, 0, 4 * sizeof(int64_t));
  MPI_Win_fence(0, window);
  const int64_t mine = rank + 1;
  MPI_Put(&mine, 1, MPI_INT64_T, next, 0, 1, MPI_INT64_T, window);
  MPI_Accumulate(&mine, 1, MPI_INT64_T, 0, 1, 1, MPI_INT64_T, MPI_SUM, window);
  MPI_Win_fence(0, window);
  expect(memory[0] == (rank + size - 1) % size + 1, "MPI_Put");
  if (rank == 0) expect(memory[1] == sum_of_ranks() + size, "MPI_Accumulate");
  int64_t found = -1;
  MPI_Get(&found, 1, MPI_INT64_T, next, 0, 1, MPI_INT64_T, window);
  MPI_Win_fence(0, window);
  expect(found == rank + 1, "MPI_Get");
  const int64_t one = 1;
  MPI_Win_lock_all(0, window);
  MPI_Fetch_and_op(&one, &found, MPI_INT64_T, 0, 2, MPI_SUM, window);
  MPI_Win_flush(0, window);
  expect(found >= 0 && found < size, "MPI_Fetch_and_op");
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
  MPI_Get(&found, 1, MPI_INT64_T, 0, 2, 1, MPI_INT64_T, window);
  MPI_Win_unlock(0, window);
  expect(found == size, "what MPI_Fetch_and_op has left");
  MPI_Win_free(&window);
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* parts = argc > 1 ? argv[1] : "pcw";
  if (strchr(parts, 'p')) point_to_point();
  const int counts[] = {1, 100, 3000};
  for (int i = 0; strchr(parts, 'c') && i < 3; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    rooted(counts[i]);
    of_all(counts[i]);
    uneven(counts[i]);
    uneven_exchange(counts[i]);
    partial(counts[i]);
    started(counts[i]);
    neighbours(counts[i]);
  }
  if (strchr(parts, 'w')) {
    windows();
    exposed();
  }
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks: %s\n", size, all == 0 ? "all right" : "not right");
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
