/* Particles on a ring that is cut into as many pieces as there are ranks: each computes forces
 * between its own and those that have come from its neighbours, moves them, and hands on those that
 * have left its piece. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 8192 };

static int rank, ranks, count;
static double place[MOST], speed[MOST], force[MOST], halo[2 * MOST];

/* Those of the neighbours on both sides. */
static int gather(void) {
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  MPI_Status status;
  int first, second;
  MPI_Sendrecv(place, count, MPI_DOUBLE, left, 0, halo, MOST, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
               &status);
  MPI_Get_count(&status, MPI_DOUBLE, &first);
  MPI_Sendrecv(place, count, MPI_DOUBLE, right, 1, halo + first, MOST, MPI_DOUBLE, left, 1,
               MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &second);
  return first + second;
}

static double pull(double distance) {
  if (distance > ranks / 2.0) distance -= ranks;
  if (distance < -ranks / 2.0) distance += ranks;
  return distance / (0.01 + distance * distance * sqrt(fabs(distance) + 1));
}

static void compute_forces(int others) {
  int i, j;
  for (i = 0; i < count; i++) {
    double sum = 0;
    for (j = 0; j < count; j++) sum += pull(place[j] - place[i]);
    for (j = 0; j < others; j++) sum += pull(halo[j] - place[i]);
    force[i] = sum;
  }
}

static int leaves(int i, int side) {
  const double begin = rank, end = rank + 1;
  return side == 0 ? place[i] < begin : place[i] >= end;
}

static void hand_on(int side) {
  static double out[2 * MOST], in[2 * MOST];
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  MPI_Status status;
  int i, kept = 0, gone = 0, come;
  for (i = 0; i < count; i++) {
    if (leaves(i, side)) {
      out[2 * gone] = place[i] < 0        ? place[i] + ranks
                      : place[i] >= ranks ? place[i] - ranks
                                          : place[i];
      out[2 * gone++ + 1] = speed[i];
    } else {
      place[kept] = place[i];
      speed[kept++] = speed[i];
    }
  }
  MPI_Sendrecv(out, 2 * gone, MPI_DOUBLE, side == 0 ? left : right, 2, in, 2 * MOST, MPI_DOUBLE,
               side == 0 ? right : left, 2, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &come);
  for (i = 0; i < come / 2; i++) {
    place[kept] = in[2 * i];
    speed[kept++] = in[2 * i + 1];
  }
  count = kept;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 500, steps = argc > 2 ? atoi(argv[2]) : 50;
  int i, step;
  double begin, energy, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  srand((unsigned)rank + 1);
  for (count = 0; count < n; count++) place[count] = rank + rand() / (RAND_MAX + 1.0);
  begin = MPI_Wtime();
  for (step = 0; step < steps; step++) {
    compute_forces(gather());
    for (i = 0, energy = 0; i < count; i++) {
      speed[i] += 1e-6 * force[i];
      place[i] += speed[i];
      energy += speed[i] * speed[i];
    }
    hand_on(0);
    hand_on(1);
    MPI_Allreduce(&energy, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Allreduce(&count, &i, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d particles on %d ranks: %.2f us each of %d steps\n", i, ranks,
           (MPI_Wtime() - begin) / steps * 1e6, steps);
  }
  MPI_Finalize();
  return 0;
}
