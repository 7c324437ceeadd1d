/* Uses every annotation of SMPI's header, and prints what can be counted: the same with smpicc and
 * with heddlecc. */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static void* make_table(int size) {
  calls++;
  return malloc((size_t)size);
}

int main(int argc, char** argv) {
  int rank, i, local = 0, tagged = 0, global = 0, global_tagged = 0, delayed = 0, same, all[3],
               sum[3];
  size_t ranges[2] = {1 << 20, 3 << 20};
  double begin;
  char *folded, *partly;
  void* table;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  /* Three rounds of ten are run; the negative threshold asks for no precision. */
  SMPI_SAMPLE_LOCAL(i = 0, i < 10, i++, 3, -1) {
    local++;
  }
  SMPI_SAMPLE_LOOP(i = 0, i < 10, i++, 0, 2, -1, "loop") {
    local++;
  }
  SMPI_SAMPLE_LOCAL_TAG(i = 0, i < 10, i++, 4, -1, "tag") {
    tagged++;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  SMPI_SAMPLE_GLOBAL(i = 0, i < 10, i++, 5, -1) {
    global++;
  }
  SMPI_SAMPLE_GLOBAL_TAG(i = 0, i < 10, i++, 6, -1, "tag") {
    global_tagged++;
  }
  MPI_Barrier(MPI_COMM_WORLD);

  begin = MPI_Wtime();
  SMPI_SAMPLE_DELAY(1.0) {
    delayed++;
  }
  SMPI_SAMPLE_FLOPS(2e9) {
    delayed++;
  }
  smpi_execute(0.5);
  smpi_execute_flops(1e9);
  if (rank == 0) printf("%.2f s of work\n", MPI_Wtime() - begin);

  /* What one rank writes all others see, but not in what is its own. */
  folded = SMPI_SHARED_MALLOC(4 << 20);
  partly = SMPI_PARTIAL_SHARED_MALLOC(4 << 20, ranges, 1);
  folded[100] = partly[2 << 20] = partly[100] = (char)(rank + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  same = (folded[100] == (char)(rank + 1)) + 10 * (partly[2 << 20] == (char)(rank + 1)) +
         100 * (partly[100] == (char)(rank + 1));
  table = SMPI_SHARED_CALL(make_table, "input", 100);
  all[0] = same;
  all[1] = calls;
  all[2] = table != NULL;
  MPI_Reduce(all, sum, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("own values: %d folded, %d of the folded part, %d of the other\n", sum[0] % 10,
           sum[0] / 10 % 10, sum[0] / 100);
    printf("calls: %d, answers: %d\n", sum[1], sum[2]);
  }
  all[0] = local;
  all[1] = tagged;
  all[2] = global + 100 * global_tagged + 10000 * delayed;
  MPI_Reduce(all, sum, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("rounds: %d local, %d tagged, %d global, %d of both, %d delayed\n", sum[0], sum[1],
           sum[2] % 100, sum[2] / 100 % 100, sum[2] / 10000);
  SMPI_SHARED_FREE(folded);
  SMPI_SHARED_FREE(partly);
  MPI_Finalize();
  return 0;
}
