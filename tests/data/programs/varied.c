/* Steps of a computation whose cost varies as the first argument says, with a reduction after each.
 * Nothing that a loop's beginning shows tells what it will cost. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEAN = 2000 };

static volatile long rounds;
static volatile double sink;

/* Between 0 and 1, the same for the same numbers. */
static double chance(unsigned long a, unsigned long b, unsigned long c) {
  unsigned long x = a * 0x9e3779b97f4a7c15UL + b * 0xbf58476d1ce4e5b9UL + c * 0x94d049bb133111ebUL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9UL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebUL;
  return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

static double factor(const char* kind, int rank, int step, int steps, int seed) {
  const double here = chance((unsigned long)seed, (unsigned long)rank, (unsigned long)step);
  if (strcmp(kind, "even") == 0) return 0.8 + 0.4 * here;
  if (strcmp(kind, "tail") == 0) return 0.5 - 0.5 * log(1 - here);
  if (strcmp(kind, "ranks") == 0)
    return 0.7 + 0.6 * chance((unsigned long)seed, (unsigned long)rank, 0);
  if (strcmp(kind, "drift") == 0) return 0.7 + 0.6 * step / steps;
  if (strcmp(kind, "jump") == 0) return step < steps / 2 ? 0.8 : 1.2;
  if (strcmp(kind, "swing") == 0) return 1 + 0.3 * sin(step / 5.0 + rank);
  return 1;
}

static void compute(void) {
  long i;
  int j;
  double sum = 0;
  for (i = 0; i < rounds; i++) {
    for (j = 0; j < 20; j++) sum = sum * 0.5 + j;
  }
  sink = sum;
}

int main(int argc, char** argv) {
  const char* const kind = argc > 1 ? argv[1] : "same";
  const int steps = argc > 2 ? atoi(argv[2]) : 100, seed = argc > 3 ? atoi(argv[3]) : 1;
  int rank, step;
  double one = 1, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (step = 0; step < steps; step++) {
    rounds = (long)(MEAN * factor(kind, rank, step, steps, seed));
    compute();
    MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
