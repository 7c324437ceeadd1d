// Small programs in one, each wrong in one way, or right, for `heddle run --check`. Without an
// argument it lists them: name, ranks, and a part of what is to be found, nothing if all is right.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int r, n;
static MPI_Comm w;
static int a[256], b[256];
static int window_memory[100];
static MPI_Win win;
static MPI_Request q, q2;
static MPI_Status s;

static int one = 1;

// Collectives whose members do not agree.

static void bcast_roots(void) {
  MPI_Bcast(a, 1, MPI_INT, r % 2, w);
}
static void ibcast_roots(void) {
  MPI_Ibcast(a, 1, MPI_INT, r % 2, w, &q);
  MPI_Wait(&q, &s);
}
static void reduce_roots(void) {
  MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, r % 2, w);
}
static void gather_roots(void) {
  MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, r % 2, w);
}
static void scatter_roots(void) {
  MPI_Scatter(a, 1, MPI_INT, b, 1, MPI_INT, r % 2, w);
}
static void gatherv_roots(void) {
  int counts[2] = {1, 1}, places[2] = {0, 1};
  MPI_Gatherv(a, 1, MPI_INT, b, counts, places, MPI_INT, r % 2, w);
}
static void allreduce_operators(void) {
  MPI_Allreduce(a, b, 1, MPI_INT, r ? MPI_SUM : MPI_MAX, w);
}
static void reduce_operators(void) {
  MPI_Reduce(a, b, 1, MPI_INT, r ? MPI_SUM : MPI_MAX, 0, w);
}
static void iallreduce_operators(void) {
  MPI_Iallreduce(a, b, 1, MPI_INT, r ? MPI_SUM : MPI_MAX, w, &q);
  MPI_Wait(&q, &s);
}
static void scan_operators(void) {
  MPI_Scan(a, b, 1, MPI_INT, r ? MPI_SUM : MPI_PROD, w);
}
static void bcast_types(void) {
  MPI_Bcast(a, 1, r ? MPI_INT : MPI_FLOAT, 0, w);
}
static void ibcast_types(void) {
  MPI_Ibcast(a, 1, r ? MPI_INT : MPI_FLOAT, 0, w, &q);
  MPI_Wait(&q, &s);
}
static void reduce_types(void) {
  MPI_Reduce(a, b, 1, r ? MPI_INT : MPI_FLOAT, MPI_SUM, 0, w);
}
static void gather_types(void) {
  MPI_Gather(a, 1, r ? MPI_INT : MPI_FLOAT, b, 1, MPI_INT, 0, w);
}
static void allgather_types(void) {
  MPI_Allgather(a, 1, r ? MPI_INT : MPI_FLOAT, b, 1, r ? MPI_INT : MPI_FLOAT, w);
}
static void alltoall_types(void) {
  MPI_Alltoall(a, 1, r ? MPI_INT : MPI_FLOAT, b, 1, r ? MPI_INT : MPI_FLOAT, w);
}
static void gatherv_types(void) {
  int counts[2] = {1, 1}, places[2] = {0, 1};
  MPI_Gatherv(a, 1, r ? MPI_FLOAT : MPI_INT, b, counts, places, MPI_INT, 0, w);
}
static void left_out(void) {
  if (r) MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, w);
}
static void shapes_of_one_signature(void) {
  MPI_Datatype pairs;
  MPI_Type_vector(2, 1, 2, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  if (r) MPI_Bcast(a, 2, MPI_INT, 0, w);
  if (!r) MPI_Bcast(a, 1, pairs, 0, w);
  MPI_Gather(a, 8, MPI_BYTE, b, r ? 0 : 2, MPI_INT, 0, w);
  MPI_Type_free(&pairs);
}
static void sum(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}
static void operators_of_the_program(void) {
  MPI_Op op;
  MPI_Op_create(sum, 1, &op);
  MPI_Allreduce(a, b, 1, MPI_INT, op, w);
  MPI_Op_free(&op);
}
static void all_collectives(void) {
  int counts[4] = {1, 1, 1, 1}, places[4] = {0, 1, 2, 3};
  MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
  int bytes[4] = {0, 4, 8, 12};
  for (int root = 0; root < n; ++root) {
    MPI_Bcast(a, 3, MPI_INT, root, w);
    MPI_Gather(r == root ? MPI_IN_PLACE : a, 1, MPI_INT, b, 1, MPI_INT, root, w);
    MPI_Scatter(b, 1, MPI_INT, r == root ? MPI_IN_PLACE : a, 1, MPI_INT, root, w);
    MPI_Gatherv(a, 1, MPI_INT, b, counts, places, MPI_INT, root, w);
    MPI_Scatterv(b, counts, places, MPI_INT, a, 1, MPI_INT, root, w);
    MPI_Reduce(a, b, 4, MPI_INT, MPI_MAX, root, w);
  }
  MPI_Barrier(w);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, MPI_INT, w);
  MPI_Allgatherv(a, 1, MPI_INT, b, counts, places, MPI_INT, w);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 1, MPI_INT, w);
  MPI_Alltoallv(a, counts, places, MPI_INT, b, counts, places, MPI_INT, w);
  MPI_Alltoallw(a, counts, bytes, types, b, counts, bytes, types, w);
  MPI_Allreduce(MPI_IN_PLACE, b, 2, MPI_INT, MPI_SUM, w);
  MPI_Reduce_scatter_block(a, b, 1, MPI_INT, MPI_SUM, w);
  MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, w);
  MPI_Exscan(a, b, 1, MPI_INT, MPI_SUM, w);
}

// What is never freed.

static void groups(void) {
  MPI_Group group;
  MPI_Comm_group(w, &group);
}
static void operators(void) {
  MPI_Op op;
  MPI_Op_create(sum, 1, &op);
}
static void communicators(void) {
  MPI_Comm other;
  MPI_Comm_dup(w, &other);
}
static void requests(void) {
  if (r == 0) MPI_Send_init(a, 1, MPI_INT, 1, 0, w, &q);
}
static void everything_freed(void) {
  MPI_Group group, pair;
  MPI_Comm other;
  MPI_Op op;
  const int members[2] = {0, 1};
  MPI_Comm_group(w, &group);
  MPI_Group_incl(group, 2, members, &pair);
  MPI_Comm_create(w, pair, &other);
  MPI_Op_create(sum, 0, &op);
  if (other != MPI_COMM_NULL) MPI_Allreduce(a, b, 2, MPI_INT, op, other);
  if (other != MPI_COMM_NULL) MPI_Comm_free(&other);
  MPI_Op_free(&op);
  MPI_Group_free(&pair);
  MPI_Group_free(&group);
}

// Buffers of operations that are not complete.

static void isend_buffer(void) {
  if (r == 0) {
    MPI_Isend(a, 4, MPI_INT, 1, 0, w, &q);
    a[1] = 7;
    MPI_Wait(&q, &s);
  } else if (r == 1) {
    MPI_Recv(a, 4, MPI_INT, 0, 0, w, &s);
  }
}
static void irecv_buffer(void) {
  if (r == 0) MPI_Send(b, 4, MPI_INT, 1, 0, w);
  if (r == 1) {
    MPI_Irecv(a, 4, MPI_INT, 0, 0, w, &q);
    a[1] = 7;
    MPI_Wait(&q, &s);
  }
}
static void irecv_buffer_of_what_is_there(void) {
  if (r == 0) MPI_Ssend(b, 0, MPI_INT, 1, 1, w);
  if (r == 0) MPI_Send(b, 4, MPI_INT, 1, 0, w);
  if (r == 1) {
    MPI_Recv(b, 1, MPI_INT, 0, 1, w, &s);
    MPI_Probe(0, 0, w, &s);
    MPI_Irecv(a, 4, MPI_INT, 0, 0, w, &q);
    a[1] = 7;
    MPI_Wait(&q, &s);
  }
}
static void isend_from_irecv(void) {
  if (r < 2) {
    MPI_Irecv(a, 4, MPI_INT, 1 - r, 0, w, &q);
    MPI_Isend(a + 3, 4, MPI_INT, 1 - r, 0, w, &q2);
    MPI_Wait(&q, &s);
    MPI_Wait(&q2, &s);
  }
}
static void ibcast_buffer(void) {
  MPI_Ibcast(a, 4, MPI_INT, 0, w, &q);
  a[0]++;
  MPI_Wait(&q, &s);
}
static void ireduce_buffer(void) {
  MPI_Ireduce(a, b, 1, MPI_INT, MPI_SUM, 0, w, &q);
  b[0]++;
  MPI_Wait(&q, &s);
}
static void iallreduce_sent(void) {
  MPI_Iallreduce(a, b, 1, MPI_INT, MPI_SUM, w, &q);
  a[0]++;
  MPI_Wait(&q, &s);
}
static void iallreduce_received(void) {
  MPI_Iallreduce(a, b, 1, MPI_INT, MPI_SUM, w, &q);
  b[0]++;
  MPI_Wait(&q, &s);
}
static void igather_buffer(void) {
  MPI_Igather(a, 1, MPI_INT, b, 1, MPI_INT, 0, w, &q);
  b[n - 1]++;
  MPI_Wait(&q, &s);
}
static void iscatter_buffer(void) {
  MPI_Iscatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, w, &q);
  b[0]++;
  MPI_Wait(&q, &s);
}
static void ialltoall_buffer(void) {
  MPI_Ialltoall(a, 1, MPI_INT, b, 1, MPI_INT, w, &q);
  b[0]++;
  MPI_Wait(&q, &s);
}
static void iallgather_buffer(void) {
  MPI_Iallgather(a, 1, MPI_INT, b, 1, MPI_INT, w, &q);
  b[n - 1]++;
  MPI_Wait(&q, &s);
}
static void iscan_buffer(void) {
  MPI_Iscan(a, b, 1, MPI_INT, MPI_SUM, w, &q);
  a[0]++;
  MPI_Wait(&q, &s);
}
static void right_buffers(void) {
  MPI_Request all[8];
  for (int i = 0; i < 256; ++i) a[i] = r + i;
  for (int turn = 0; turn < 3; ++turn) {
    MPI_Irecv(b, 64, MPI_INT, (r + n - 1) % n, 0, w, &all[0]);
    MPI_Isend(a, 64, MPI_INT, (r + 1) % n, 0, w, &all[1]);
    MPI_Iallreduce(a + 64, b + 64, 32, MPI_INT, MPI_SUM, w, &all[2]);
    MPI_Ibcast(b + 128, 32, MPI_INT, turn % n, w, &all[3]);
    MPI_Iallgather(a + 96, 4, MPI_INT, b + 192, 4, MPI_INT, w, &all[4]);
    MPI_Irecv(b + 240, 4, MPI_INT, (r + n - 1) % n, 1, w, &all[5]);
    MPI_Issend(a + 128, 4, MPI_INT, (r + 1) % n, 1, w, &all[6]);
    MPI_Ireduce(a + 192, b + 250, 2, MPI_INT, MPI_SUM, 0, w, &all[7]);
    int left = 8, done = 0, index;
    while (left > 0) {
      MPI_Testany(8, all, &index, &done, &s);
      if (done && index != MPI_UNDEFINED) --left;
    }
    for (int i = 0; i < 256; ++i) a[i] += b[i];
  }
}

// Collectives and messages that wait for each other.

static void receive_before_bcast(void) {
  if (r == 0) {
    MPI_Bcast(a, 1, MPI_INT, 0, w);
    MPI_Send(b, 1, MPI_INT, 1, 0, w);
  } else {
    MPI_Recv(b, 1, MPI_INT, 0, 0, w, &s);
    MPI_Bcast(a, 1, MPI_INT, 0, w);
  }
}
static void irecv_before_bcast(void) {
  if (r == 0) {
    MPI_Bcast(a, 1, MPI_INT, 0, w);
    MPI_Isend(b, 1, MPI_INT, 1, 0, w, &q);
    MPI_Wait(&q, &s);
  } else {
    MPI_Irecv(b, 1, MPI_INT, 0, 0, w, &q);
    MPI_Wait(&q, &s);
    MPI_Bcast(a, 1, MPI_INT, 0, w);
  }
}
static void receive_before_scatter(void) {
  if (r == 0) {
    MPI_Scatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, w);
    MPI_Send(b, 1, MPI_INT, 1, 0, w);
  } else {
    MPI_Recv(a, 1, MPI_INT, 0, 0, w, &s);
    MPI_Scatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, w);
  }
}
static void receive_before_reduce(void) {
  if (r == 1) {
    MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, 0, w);
    MPI_Send(b, 1, MPI_INT, 0, 0, w);
  } else {
    MPI_Recv(a, 1, MPI_INT, 1, 0, w, &s);
    MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, 0, w);
  }
}
static void send_before_barrier(void) {
  if (r == 0) MPI_Send(a, 1, MPI_INT, 1, 0, w);
  MPI_Barrier(w);
  if (r == 1) MPI_Recv(a, 1, MPI_INT, 0, 0, w, &s);
}
static void isend_before_barrier(void) {
  if (r == 0) {
    MPI_Isend(a, 1, MPI_INT, 1, 0, w, &q);
    MPI_Wait(&q, &s);
  }
  MPI_Barrier(w);
  if (r == 1) MPI_Recv(a, 1, MPI_INT, 0, 0, w, &s);
}
static void messages_across_collectives(void) {
  // All of these are right: nothing waits for what comes later.
  if (r == 0) MPI_Isend(a, 1, MPI_INT, 1, 0, w, &q);
  if (r == 1) MPI_Irecv(b, 1, MPI_INT, 0, 1, w, &q2);
  MPI_Barrier(w);
  if (r == 1) MPI_Recv(b + 1, 1, MPI_INT, 0, 0, w, &s);
  if (r == 0) MPI_Wait(&q, &s);
  if (r == 0) MPI_Send(a, 1, MPI_INT, 1, 1, w);
  if (r == 1) MPI_Wait(&q2, &s);
  static char space[1000];
  MPI_Buffer_attach(space, sizeof space);
  if (r == 0) MPI_Bsend(a, 1, MPI_INT, 1, 2, w);
  MPI_Barrier(w);
  if (r == 1) MPI_Recv(b, 1, MPI_INT, 0, 2, w, &s);
  void* got;
  int size;
  MPI_Buffer_detach(&got, &size);
  for (int i = 0; i < 3; ++i) {
    if (r == 0) MPI_Send(a, 1, MPI_INT, 1, 3, w);
    if (r == 1) MPI_Recv(b, 1, MPI_INT, 0, 3, w, &s);
    MPI_Bcast(a, 1, MPI_INT, 0, w);
  }
}

// Receives that may get another message.

static void race_then_source(void) {
  if (r == 0) {
    MPI_Recv(a, 1, MPI_INT, MPI_ANY_SOURCE, 0, w, &s);
    MPI_Recv(a, 1, MPI_INT, 1, 0, w, &s);
  } else if (r == 2) {
    MPI_Send(a, 1, MPI_INT, 0, 0, w);
    MPI_Send(a, 0, MPI_INT, 1, 9, w);
  } else if (r == 1) {
    for (int i = 0; i < 200; ++i) MPI_Sendrecv(a, 9, MPI_INT, 1, 5, b, 9, MPI_INT, 1, 5, w, &s);
    MPI_Send(a, 1, MPI_INT, 0, 0, w);
    MPI_Recv(a, 0, MPI_INT, 2, 9, w, &s);
  }
}
static void race_behind_another(void) {
  // What rank 3 sends could reach rank 0 before the last message of rank 2.
  if (r == 0) {
    for (int i = 0; i < 4; ++i) MPI_Recv(a, 1, MPI_INT, MPI_ANY_SOURCE, 0, w, &s);
    MPI_Recv(a, 1, MPI_INT, 3, 0, w, &s);
    MPI_Recv(a, 1, MPI_INT, 3, 0, w, &s);
  } else if (r < 3) {
    for (int i = 0; i < 2; ++i) MPI_Send(a, 1, MPI_INT, 0, 0, w);
    MPI_Send(a, 1, MPI_INT, 3, 0, w);
  } else {
    MPI_Recv(a, 1, MPI_INT, 1, 0, w, &s);
    MPI_Send(a, 1, MPI_INT, 0, 0, w);
    MPI_Recv(a, 1, MPI_INT, 2, 0, w, &s);
    MPI_Send(a, 1, MPI_INT, 0, 0, w);
  }
}
static void no_race_with_other_tags(void) {
  if (r == 0) {
    for (int i = 0; i < 4; ++i) MPI_Recv(a, 1, MPI_INT, MPI_ANY_SOURCE, 1, w, &s);
    MPI_Recv(a, 1, MPI_INT, 3, 0, w, &s);
    MPI_Recv(a, 1, MPI_INT, 3, 0, w, &s);
  } else if (r < 3) {
    for (int i = 0; i < 2; ++i) MPI_Send(a, 1, MPI_INT, 0, 1, w);
    MPI_Send(a, 1, MPI_INT, 3, 0, w);
  } else {
    MPI_Recv(a, 1, MPI_INT, 1, 0, w, &s);
    MPI_Send(a, 1, MPI_INT, 0, 0, w);
    MPI_Recv(a, 1, MPI_INT, 2, 0, w, &s);
    MPI_Send(a, 1, MPI_INT, 0, 0, w);
  }
}
static void serve(int last_tag) {
  if (r == 0) {
    int work = 30, busy = n - 1;
    while (busy > 0) {
      MPI_Recv(a, 1, MPI_INT, MPI_ANY_SOURCE, 0, w, &s);
      const int more = work-- > 0;
      if (!more) --busy;
      MPI_Send(&more, 1, MPI_INT, s.MPI_SOURCE, 0, w);
    }
    for (int i = 1; i < n; ++i) MPI_Recv(a, 1, MPI_INT, i, last_tag, w, &s);
  } else {
    int more = 1;
    while (more) {
      MPI_Send(a, 1, MPI_INT, 0, 0, w);
      MPI_Recv(&more, 1, MPI_INT, 0, 0, w, &s);
    }
    MPI_Send(a, 1, MPI_INT, 0, last_tag, w);
  }
}
static void master_and_workers(void) {
  serve(1);
}
// The last word of a worker may come while others still ask.
static void last_words_like_questions(void) {
  serve(0);
}
static void heads_and_bodies(void) {
  // Who is heard first is asked for the rest by name; also after a probe.
  if (r == 0) {
    for (int i = 1; i < n; ++i) {
      MPI_Recv(a, 1, MPI_INT, MPI_ANY_SOURCE, 0, w, &s);
      MPI_Recv(a, 1, MPI_INT, s.MPI_SOURCE, 0, w, &s);
    }
    for (int i = 1; i < n; ++i) {
      MPI_Probe(MPI_ANY_SOURCE, 1, w, &s);
      MPI_Recv(a, 1, MPI_INT, s.MPI_SOURCE, 1, w, &s);
    }
    for (int i = 1; i < n; ++i) MPI_Recv(a, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, w, &s);
  } else {
    MPI_Send(a, 1, MPI_INT, 0, 0, w);
    MPI_Send(a, 1, MPI_INT, 0, 0, w);
    MPI_Send(a, 1, MPI_INT, 0, 1, w);
    MPI_Send(a, 1, MPI_INT, 0, 2, w);
  }
}

// One-sided operations, in every kind of epoch.

static MPI_Group others;
static void open_window(void) {
  for (int i = 0; i < 100; ++i) window_memory[i] = 1000 * r + i;
  MPI_Win_create(window_memory, sizeof window_memory, sizeof(int), MPI_INFO_NULL, w, &win);
  MPI_Barrier(w);
}
enum { fences, locks, all_locked, started };
static void open_epoch(int kind, int target) {
  open_window();
  if (kind == fences) MPI_Win_fence(0, win);
  if (kind == locks && r != target) MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
  if (kind == all_locked) MPI_Win_lock_all(0, win);
  if (kind == started) {
    MPI_Group all;
    MPI_Comm_group(w, &all);
    if (r == target) MPI_Group_excl(all, 1, &target, &others);
    if (r != target) MPI_Group_incl(all, 1, &target, &others);
    MPI_Group_free(&all);
    if (r == target) MPI_Win_post(others, 0, win);
    if (r != target) MPI_Win_start(others, 0, win);
  }
}
static void close_epoch(int kind, int target) {
  if (kind == fences) MPI_Win_fence(0, win);
  if (kind == locks && r != target) MPI_Win_unlock(target, win);
  if (kind == all_locked) MPI_Win_unlock_all(win);
  if (kind == started) {
    if (r == target) MPI_Win_wait(win);
    if (r != target) MPI_Win_complete(win);
    MPI_Group_free(&others);
  }
  MPI_Win_free(&win);
}
static void put(void) {
  MPI_Put(a, 2, MPI_INT, 1, 10, 2, MPI_INT, win);
}
static void get(void) {
  MPI_Get(b, 2, MPI_INT, 1, 10, 2, MPI_INT, win);
}
static void add(MPI_Op op) {
  MPI_Accumulate(a, 2, MPI_INT, 1, 10, 2, MPI_INT, op, win);
}

static void put_then_store(int kind) {
  open_epoch(kind, 1);
  if (r == 0) put();
  if (r == 0) a[0] = 77;
  close_epoch(kind, 1);
}
static void get_then_store(int kind) {
  open_epoch(kind, 1);
  if (r == 0) get();
  if (r == 0) b[0] = 77;
  close_epoch(kind, 1);
}
static void get_then_put(int kind) {
  open_epoch(kind, 1);
  if (r == 0) get();
  if (r == 0) MPI_Put(b, 2, MPI_INT, 1, 30, 2, MPI_INT, win);
  close_epoch(kind, 1);
}
static void get_twice(int kind) {
  open_epoch(kind, 1);
  if (r == 0) get();
  if (r == 0) MPI_Get(b + 1, 2, MPI_INT, 1, 30, 2, MPI_INT, win);
  close_epoch(kind, 1);
}
static void two_puts(int kind) {
  open_epoch(kind, 1);
  if (r != 1) put();
  close_epoch(kind, 1);
}
static void put_and_get(int kind) {
  open_epoch(kind, 1);
  if (r == 0) put();
  if (r == 2) get();
  close_epoch(kind, 1);
}
static void put_and_accumulate(int kind) {
  open_epoch(kind, 1);
  if (r == 0) put();
  if (r == 2) add(MPI_SUM);
  close_epoch(kind, 1);
}
static void accumulates_that_differ(int kind) {
  open_epoch(kind, 1);
  if (r != 1) add(r ? MPI_SUM : MPI_PROD);
  close_epoch(kind, 1);
}
static void puts_of_one_rank(int kind) {
  open_epoch(kind, 1);
  if (r == 0) put();
  if (r == 0) MPI_Put(a + 8, 1, MPI_INT, 1, 11, 1, MPI_INT, win);
  close_epoch(kind, 1);
}
static void store_at_target(int kind) {
  open_epoch(kind, 1);
  if (r == 0) put();
  if (r == 1) window_memory[10] = 5;
  close_epoch(kind, 1);
}
static void receive_at_target(int kind) {
  open_epoch(kind, 1);
  if (r == 0) put();
  if (r == 0) MPI_Send(b, 1, MPI_INT, 1, 0, w);
  if (r == 1) MPI_Recv(window_memory + 10, 1, MPI_INT, 0, 0, w, &s);
  close_epoch(kind, 1);
}
static void send_at_target(int kind) {
  open_epoch(kind, 1);
  if (r == 0) put();
  if (r == 1) MPI_Send(window_memory + 10, 1, MPI_INT, 0, 0, w);
  if (r == 0) MPI_Recv(b, 1, MPI_INT, 1, 0, w, &s);
  close_epoch(kind, 1);
}
static void rput_then_store(int kind) {
  open_epoch(kind, 1);
  if (r == 0) {
    MPI_Rput(a, 2, MPI_INT, 1, 10, 2, MPI_INT, win, &q);
    a[0] = 77;
    MPI_Wait(&q, &s);
  }
  close_epoch(kind, 1);
}
static void right_accesses(int kind) {
  open_epoch(kind, 1);
  // Different bytes, the same operation, and gets alone.
  if (r != 1) MPI_Put(a, 1, MPI_INT, 1, 10 + r, 1, MPI_INT, win);
  if (r != 1) MPI_Accumulate(a, 1, MPI_INT, 1, 20, 1, MPI_INT, MPI_SUM, win);
  if (r != 1) MPI_Get(b, 2, MPI_INT, 1, 30, 2, MPI_INT, win);
  if (r == 1) window_memory[50] = 5;
  if (r == 1) MPI_Send(window_memory + 60, 1, MPI_INT, 0, 0, w);
  if (r == 0) MPI_Recv(b + 10, 1, MPI_INT, 1, 0, w, &s);
  close_epoch(kind, 1);
}
static void interleaved_columns(int kind) {
  MPI_Datatype column;
  MPI_Type_vector(5, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  open_epoch(kind, 1);
  if (r != 1) MPI_Put(a, 5, MPI_INT, 1, r, 1, column, win);
  close_epoch(kind, 1);
  MPI_Type_free(&column);
}
static void epochs_in_turn(void) {
  open_window();
  MPI_Win_fence(0, win);
  for (int i = 0; i < 3; ++i) {
    if (r == i) put();
    MPI_Win_fence(0, win);
    if (r == 1) window_memory[10] += 5;
    if (r == i) a[0] = 7 + i;
    MPI_Win_fence(0, win);
    if (r == 2 - i) get();
    MPI_Win_fence(0, win);
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  for (int i = 0; i < 3; ++i) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    put();
    MPI_Win_flush(1, win);
    get();
    MPI_Win_unlock(1, win);
    a[0] = b[0] + 1;
  }
  MPI_Barrier(w);
  // Passed on by messages, under shared locks.
  MPI_Win_lock_all(0, win);
  if (r > 0) MPI_Recv(b + 9, 1, MPI_INT, r - 1, 0, w, &s);
  put();
  MPI_Win_flush(1, win);
  if (r + 1 < n) MPI_Send(b + 9, 1, MPI_INT, r + 1, 0, w);
  a[0] = 3;
  int here = 1, before;
  MPI_Fetch_and_op(&here, &before, MPI_INT, 1, 40, MPI_SUM, win);
  MPI_Win_flush(1, win);
  int old = 0, found;
  MPI_Compare_and_swap(&here, &old, &found, MPI_INT, 1, 41, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(w);
  MPI_Win_free(&win);
}
static void rput_waited_for(void) {
  open_window();
  MPI_Win_lock_all(0, win);
  if (r == 0) {
    MPI_Rput(a, 2, MPI_INT, 1, 10, 2, MPI_INT, win, &q);
    MPI_Wait(&q, &s);
    a[0] = 77;
    MPI_Rget(b, 2, MPI_INT, 1, 30, 2, MPI_INT, win, &q);
    MPI_Wait(&q, &s);
    b[0] = 77;
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}

#define IN_EPOCH(name, suffix, kind)                       \
  __attribute__((unused)) static void name##suffix(void) { \
    name(kind);                                            \
  }
#define IN_EACH_EPOCH(name)               \
  IN_EPOCH(name, _by_fences, fences)      \
  IN_EPOCH(name, _by_locks, locks)        \
  IN_EPOCH(name, _all_locked, all_locked) \
  IN_EPOCH(name, _started, started)
IN_EACH_EPOCH(put_then_store)
IN_EACH_EPOCH(get_then_store)
IN_EACH_EPOCH(get_then_put)
IN_EACH_EPOCH(get_twice)
IN_EACH_EPOCH(two_puts)
IN_EACH_EPOCH(put_and_get)
IN_EACH_EPOCH(put_and_accumulate)
IN_EACH_EPOCH(accumulates_that_differ)
IN_EACH_EPOCH(puts_of_one_rank)
IN_EACH_EPOCH(store_at_target)
IN_EACH_EPOCH(receive_at_target)
IN_EACH_EPOCH(send_at_target)
IN_EACH_EPOCH(rput_then_store)
IN_EACH_EPOCH(right_accesses)
IN_EACH_EPOCH(interleaved_columns)

struct Case {
  const char* name;
  int ranks;
  const char* found;
  void (*run)(void);
};
#define FOUND(ranks, name, text) \
  { #name, ranks, text, name }
#define RIGHT(ranks, name) \
  { #name, ranks, "", name }
#define FOUND_IN_EACH_EPOCH(ranks, name, text)                               \
  FOUND(ranks, name##_by_fences, text), FOUND(ranks, name##_by_locks, text), \
      FOUND(ranks, name##_all_locked, text), FOUND(ranks, name##_started, text)
#define RIGHT_IN_EACH_EPOCH(ranks, name)                                                          \
  RIGHT(ranks, name##_by_fences), RIGHT(ranks, name##_by_locks), RIGHT(ranks, name##_all_locked), \
      RIGHT(ranks, name##_started)
static const struct Case cases[] = {
    FOUND(2, bcast_roots, "MPI_Bcast (collective call 1 on MPI_COMM_WORLD) has root"),
    FOUND(2, ibcast_roots, "MPI_Ibcast (collective call 1 on MPI_COMM_WORLD) has root"),
    FOUND(2, reduce_roots, "MPI_Reduce (collective call 1 on MPI_COMM_WORLD) has root"),
    FOUND(2, gather_roots, "MPI_Gather (collective call 1 on MPI_COMM_WORLD) has root"),
    FOUND(2, scatter_roots, "MPI_Scatter (collective call 1 on MPI_COMM_WORLD) has root"),
    FOUND(2, gatherv_roots, "MPI_Gatherv (collective call 1 on MPI_COMM_WORLD) has root"),
    FOUND(2, allreduce_operators, "MPI_Allreduce (collective call 1 on MPI_COMM_WORLD) has MPI_"),
    FOUND(3, reduce_operators, "MPI_Reduce (collective call 1 on MPI_COMM_WORLD) has MPI_"),
    FOUND(2, iallreduce_operators, "MPI_Iallreduce (collective call 1 on MPI_COMM_WORLD) has MPI_"),
    FOUND(2, scan_operators, "MPI_Scan (collective call 1 on MPI_COMM_WORLD) has MPI_"),
    FOUND(2, bcast_types, "MPI_Bcast (collective call 1 on MPI_COMM_WORLD) has other types"),
    FOUND(2, ibcast_types, "MPI_Ibcast (collective call 1 on MPI_COMM_WORLD) has other types"),
    FOUND(2, reduce_types, "MPI_Reduce (collective call 1 on MPI_COMM_WORLD) has other types"),
    FOUND(2, gather_types, "MPI_Gather (collective call 1 on MPI_COMM_WORLD) has other types"),
    FOUND(2, allgather_types, "MPI_Allgather (collective call 1 on MPI_COMM_WORLD) has other"),
    FOUND(2, alltoall_types, "MPI_Alltoall (collective call 1 on MPI_COMM_WORLD) has other types"),
    FOUND(2, gatherv_types, "MPI_Gatherv (collective call 1 on MPI_COMM_WORLD) gets other types"),
    FOUND(2, left_out, "called MPI_Gather (collective call 1 on MPI_COMM_WORLD), 1 of 2 members"),
    RIGHT(2, shapes_of_one_signature),
    RIGHT(3, operators_of_the_program),
    RIGHT(4, all_collectives),
    FOUND(2, groups, "never freed 1 group"),
    FOUND(2, operators, "never freed 1 operation"),
    FOUND(2, communicators, "never freed communicator"),
    FOUND(2, requests, "never freed a send to 1"),
    RIGHT(3, everything_freed),
    FOUND(2, isend_buffer, "changed the buffer of a send to 1"),
    FOUND(2, irecv_buffer, "changed the buffer of a receive from 0"),
    FOUND(2, irecv_buffer_of_what_is_there, "changed the buffer of a receive from 0"),
    FOUND(2, isend_from_irecv, "gave the buffer of a receive from"),
    FOUND(2, ibcast_buffer, "changed the buffer of MPI_Ibcast on MPI_COMM_WORLD"),
    FOUND(2, ireduce_buffer, "rank 0: changed the buffer of MPI_Ireduce"),
    FOUND(2, iallreduce_sent, "changed the buffer of MPI_Iallreduce"),
    FOUND(2, iallreduce_received, "changed the buffer of MPI_Iallreduce"),
    FOUND(3, igather_buffer, "rank 0: changed the buffer of MPI_Igather"),
    FOUND(3, iscatter_buffer, "changed the buffer of MPI_Iscatter"),
    FOUND(2, ialltoall_buffer, "changed the buffer of MPI_Ialltoall"),
    FOUND(3, iallgather_buffer, "changed the buffer of MPI_Iallgather"),
    FOUND(2, iscan_buffer, "changed the buffer of MPI_Iscan"),
    RIGHT(4, right_buffers),
    FOUND(2, receive_before_bcast, "rank 1: receives from 0, tag 0, MPI_COMM_WORLD, before"),
    FOUND(2, irecv_before_bcast, "rank 1: receives from 0, tag 0, MPI_COMM_WORLD, before"),
    FOUND(2, receive_before_scatter, "rank 1: receives from 0, tag 0, MPI_COMM_WORLD, before"),
    FOUND(2, receive_before_reduce, "from 1, tag 0, MPI_COMM_WORLD"),
    FOUND(2, send_before_barrier, "rank 0: sends to rank 1"),
    FOUND(2, isend_before_barrier, "rank 0: sends to rank 1"),
    RIGHT(2, messages_across_collectives),
    FOUND(3, race_then_source, "rank 0: a receive from any rank"),
    FOUND(4, race_behind_another, "rank 0: a receive from any rank"),
    RIGHT(4, no_race_with_other_tags),
    FOUND(5, last_words_like_questions, "rank 0: a receive from any rank"),
    RIGHT(5, master_and_workers),
    RIGHT(4, heads_and_bodies),
    FOUND_IN_EACH_EPOCH(2, put_then_store, "rank 0: changed the buffer of MPI_Put to rank 1"),
    FOUND_IN_EACH_EPOCH(2, get_then_store, "rank 0: changed the buffer of MPI_Get to rank 1"),
    FOUND_IN_EACH_EPOCH(2, get_then_put, "rank 0: gave the buffer of MPI_Get"),
    FOUND_IN_EACH_EPOCH(2, get_twice, "rank 0: gave the buffer of MPI_Get"),
    FOUND_IN_EACH_EPOCH(3, two_puts, "at the same memory of rank 1"),
    FOUND_IN_EACH_EPOCH(3, put_and_get, "at the same memory of rank 1"),
    FOUND_IN_EACH_EPOCH(3, put_and_accumulate, "at the same memory of rank 1"),
    FOUND_IN_EACH_EPOCH(3, accumulates_that_differ, "at the same memory of rank 1"),
    FOUND_IN_EACH_EPOCH(2, puts_of_one_rank, "at the same memory of rank 1"),
    FOUND(2, store_at_target_by_fences, "rank 1: changed its memory"),
    FOUND(2, store_at_target_started, "rank 1: changed its memory"),
    FOUND(2, receive_at_target_by_fences, "at the same memory of rank 1"),
    FOUND(2, receive_at_target_all_locked, "at the same memory of rank 1"),
    FOUND(2, receive_at_target_started, "at the same memory of rank 1"),
    FOUND(2, send_at_target_by_fences, "at the same memory of rank 1"),
    FOUND(2, send_at_target_all_locked, "at the same memory of rank 1"),
    FOUND(2, send_at_target_started, "at the same memory of rank 1"),
    FOUND(2, rput_then_store_by_locks, "changed the buffer of MPI_Rput to rank 1"),
    FOUND(2, rput_then_store_all_locked, "changed the buffer of MPI_Rput to rank 1"),
    RIGHT_IN_EACH_EPOCH(3, right_accesses),
    RIGHT_IN_EACH_EPOCH(4, interleaved_columns),
    RIGHT(3, epochs_in_turn),
    RIGHT(2, rput_waited_for),
};

int main(int argc, char** argv) {
  const size_t number = sizeof cases / sizeof *cases;
  MPI_Init(&argc, &argv);
  w = MPI_COMM_WORLD;
  MPI_Comm_rank(w, &r);
  MPI_Comm_size(w, &n);
  for (size_t i = 0; i < number; ++i) {
    if (argc == 1) printf("%s|%d|%s\n", cases[i].name, cases[i].ranks, cases[i].found);
    if (argc > 1 && strcmp(argv[1], cases[i].name) == 0) cases[i].run();
  }
  MPI_Finalize();
  return one - 1;
}
