/* The communication and the cost of a blocked LU factorisation, as in HPL, of a matrix that no
 * machine at hand could hold: ranks stand in a grid, blocks of columns and rows are dealt out to
 * them cyclically, panels go along the rows of the grid and strips along its columns. Memory is
 * folded and computation replaced by its floating-point operations, so nothing is factorised. It is
 * annotated for SMPI, and runs there as well.
 *
 *     heddlecc -O2 lu.c -o lu
 *     heddle run -n 64 --platform fat-tree-64 --payload none ./lu 65536      # order of the matrix
 *     heddle run -n 64 --platform fat-tree-64 --payload none ./lu 65536 256 20   # block, panels
 */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

/* How many of `blocks` blocks, dealt out from 0, the rank at `place` of `places` has from `first`.
 */
static long owned(long blocks, long first, int place, int places) {
  const long before = first / places + (first % places > place ? 1 : 0);
  const long all = blocks / places + (blocks % places > place ? 1 : 0);
  return all - before;
}

int main(int argc, char** argv) {
  MPI_Comm row, column;
  int rank, ranks, dims[2] = {0, 0};
  double *matrix, *panel, *strip, begin;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  const long order = argc > 1 ? atol(argv[1]) : 16384, block = argc > 2 ? atol(argv[2]) : 256;
  const long blocks = order / block, most = argc > 3 ? atol(argv[3]) : blocks;
  const long panels = most < blocks ? most : blocks;
  const int my_row = rank / dims[1], my_column = rank % dims[1];
  MPI_Comm_split(MPI_COMM_WORLD, my_row, my_column, &row);
  MPI_Comm_split(MPI_COMM_WORLD, my_column, my_row, &column);

  const size_t height = (size_t)(owned(blocks, 0, my_row, dims[0]) * block);
  const size_t width = (size_t)(owned(blocks, 0, my_column, dims[1]) * block);
  matrix = SMPI_SHARED_MALLOC((height * width + 1) * sizeof *matrix);
  panel = SMPI_SHARED_MALLOC((height + (size_t)block) * (size_t)block * sizeof *panel);
  strip = SMPI_SHARED_MALLOC((width + 1) * (size_t)block * sizeof *strip);
  if (matrix == NULL || panel == NULL || strip == NULL) MPI_Abort(MPI_COMM_WORLD, 1);

  MPI_Barrier(MPI_COMM_WORLD);
  begin = MPI_Wtime();
  for (long k = 0; k < panels; k++) {
    const int pivot_row = (int)(k % dims[0]), pivot_column = (int)(k % dims[1]);
    const long rows = owned(blocks, k + 1, my_row, dims[0]) * block;
    const long columns = owned(blocks, k + 1, my_column, dims[1]) * block;
    const double b = (double)block;
    if (my_column == pivot_column) {
      double pivot[2] = {0, 0};
      SMPI_SAMPLE_FLOPS((double)rows * b * b + b * b * b / 3) {
        panel[0] *= 0.5;
      }
      MPI_Allreduce(MPI_IN_PLACE, pivot, 1, MPI_DOUBLE_INT, MPI_MAXLOC, column);
    }
    MPI_Bcast(panel, (int)((rows + block) * block), MPI_DOUBLE, pivot_column, row);
    if (my_row == pivot_row) {
      SMPI_SAMPLE_FLOPS(b * b * (double)columns) {
        strip[0] *= 0.5;
      }
    }
    MPI_Bcast(strip, (int)((columns + 1) * block), MPI_DOUBLE, pivot_row, column);
    SMPI_SAMPLE_FLOPS(2 * b * (double)rows * (double)columns) {
      matrix[0] *= 0.5;
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    printf("order %ld, blocks of %ld, %d x %d ranks, %ld of %ld panels: %.6f s\n", order, block,
           dims[0], dims[1], panels, blocks, MPI_Wtime() - begin);
  }
  SMPI_SHARED_FREE(strip);
  SMPI_SHARED_FREE(panel);
  SMPI_SHARED_FREE(matrix);
  MPI_Comm_free(&column);
  MPI_Comm_free(&row);
  MPI_Finalize();
  return 0;
}
