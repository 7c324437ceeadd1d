/* Counts the messages of MPICH's collectives and notes the algorithms that they take: the linker
 * puts these functions in front of those of libmpich.a (--wrap=MPIC_Send and so on, for each name
 * below). Arguments are passed on unseen: none of these functions has more than sixteen, all of
 * them whole numbers or pointers, each in a register or a place of eight bytes. */
#include <mpi.h>
#include <stdint.h>
#include <string.h>

static uint64_t messages;
static char algorithms[512];

uint64_t wrapped_messages(void) {
  return messages;
}
/* Those since the last call. */
const char* wrapped_algorithms(void) {
  static char told[sizeof algorithms];
  strcpy(told, algorithms);
  algorithms[0] = '\0';
  return told;
}
/* Who sends to itself (as its alltoall does) sends no message. All these functions have the
 * receiver in the fourth place. */
static void count(int receiver) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  messages += receiver != rank;
}
static void note(const char* name) {
  if (strlen(algorithms) + strlen(name) + 2 > sizeof algorithms) return;
  if (algorithms[0]) strcat(algorithms, "+");
  strcat(algorithms, name);
}

#define ARGUMENTS                                                                                 \
  long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, \
      long m, long n, long o, long p
#define PASSED a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p
#define WRAP(function, before)        \
  long __real_##function(ARGUMENTS);  \
  long __wrap_##function(ARGUMENTS) { \
    before;                           \
    return __real_##function(PASSED); \
  }
#define MESSAGE(function) WRAP(function, count((int)d))
#define ALGORITHM(name) WRAP(MPIR_##name, note(#name))

MESSAGE(MPIC_Send)
MESSAGE(MPIC_Ssend)
MESSAGE(MPIC_Isend)
MESSAGE(MPIC_Issend)
MESSAGE(MPIC_Sendrecv)
MESSAGE(MPIC_Sendrecv_replace)
ALGORITHM(Allgather_intra_recursive_doubling)
ALGORITHM(Allgather_intra_brucks)
ALGORITHM(Allgather_intra_ring)
ALGORITHM(Allgatherv_intra_recursive_doubling)
ALGORITHM(Allgatherv_intra_brucks)
ALGORITHM(Allgatherv_intra_ring)
ALGORITHM(Allreduce_intra_recursive_doubling)
ALGORITHM(Allreduce_intra_reduce_scatter_allgather)
ALGORITHM(Allreduce_intra_smp)
ALGORITHM(Alltoall_intra_pairwise_sendrecv_replace)
ALGORITHM(Alltoall_intra_brucks)
ALGORITHM(Alltoall_intra_scattered)
ALGORITHM(Alltoall_intra_pairwise)
ALGORITHM(Alltoallv_intra_pairwise_sendrecv_replace)
ALGORITHM(Alltoallv_intra_scattered)
ALGORITHM(Barrier_intra_dissemination)
ALGORITHM(Barrier_intra_smp)
ALGORITHM(Bcast_intra_binomial)
ALGORITHM(Bcast_intra_scatter_recursive_doubling_allgather)
ALGORITHM(Bcast_intra_scatter_ring_allgather)
ALGORITHM(Bcast_intra_smp)
ALGORITHM(Exscan_intra_recursive_doubling)
ALGORITHM(Gather_intra_binomial)
ALGORITHM(Gatherv_allcomm_linear)
ALGORITHM(Reduce_scatter_intra_recursive_halving)
ALGORITHM(Reduce_scatter_intra_pairwise)
ALGORITHM(Reduce_scatter_intra_recursive_doubling)
ALGORITHM(Reduce_scatter_intra_noncommutative)
ALGORITHM(Reduce_scatter_block_intra_recursive_halving)
ALGORITHM(Reduce_scatter_block_intra_pairwise)
ALGORITHM(Reduce_scatter_block_intra_recursive_doubling)
ALGORITHM(Reduce_scatter_block_intra_noncommutative)
ALGORITHM(Reduce_intra_binomial)
ALGORITHM(Reduce_intra_reduce_scatter_gather)
ALGORITHM(Reduce_intra_smp)
ALGORITHM(Scan_intra_recursive_doubling)
ALGORITHM(Scan_intra_smp)
ALGORITHM(Scatter_intra_binomial)
ALGORITHM(Scatterv_allcomm_linear)
