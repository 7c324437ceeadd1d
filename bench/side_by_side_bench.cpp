// Ranks that compute on two threads of this computer, beside the same on one: real time.
#include "cases.hpp"
#include "programs.hpp"

namespace heddle::bench {
namespace {

/// What all three have in common; `n` and `steps` are arguments.
constexpr const char* kBeginning = R"(
  #include <math.h>
  #include <mpi.h>
  #include <stdlib.h>
  #include <string.h>
  static int rank, size, n, steps;
  static double sum_of(double own) {
    double all;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }
  static void begin(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = atoi(argv[1]);
    steps = atoi(argv[2]);
  }
)";

/// Rows of a grid in a ring; a step looks at four neighbours of each of n x n points.
constexpr const char* kStencil = R"(
  int main(int argc, char** argv) {
    begin(argc, argv);
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;
    double* a = calloc((n + 2) * n, sizeof *a), *b = calloc((n + 2) * n, sizeof *b);
    for (int i = 0; i < (n + 2) * n; ++i) a[i] = (i * 37 + rank) % 101;
    for (int s = 0; s < steps; ++s) {
      MPI_Request q[4];
      MPI_Irecv(a, n, MPI_DOUBLE, last, 1, MPI_COMM_WORLD, q);
      MPI_Irecv(a + (n + 1) * n, n, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, q + 1);
      MPI_Isend(a + n * n, n, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, q + 2);
      MPI_Isend(a + n, n, MPI_DOUBLE, last, 2, MPI_COMM_WORLD, q + 3);
      MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
      double change = 0;
      for (int i = 1; i <= n; ++i)
        for (int j = 1; j < n - 1; ++j) {
          b[i * n + j] = 0.25 * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
          change += sqrt(fabs(b[i * n + j] - a[i * n + j]));
        }
      double* t = a; a = b; b = t;
      sum_of(change);
    }
    MPI_Finalize();
    return 0;
  })";

/// Conjugate gradients with a matrix of 33 diagonals.
constexpr const char* kGradients = R"(
  static double dot(const double* a, const double* b) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum_of(sum);
  }
  int main(int argc, char** argv) {
    begin(argc, argv);
    enum { kHalf = 16 };
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;
    double* p = (double*)calloc(n + 2 * kHalf, sizeof *p) + kHalf;
    double *q = calloc(n, sizeof *q), *r = calloc(n, sizeof *r), *x = calloc(n, sizeof *x);
    for (int i = 0; i < n; ++i) r[i] = p[i] = 1 + (i + rank) % 7;
    double rho = dot(r, r);
    for (int s = 0; s < steps; ++s) {
      MPI_Sendrecv(p, kHalf, MPI_DOUBLE, last, 1, p + n, kHalf, MPI_DOUBLE, next, 1, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      MPI_Sendrecv(p + n - kHalf, kHalf, MPI_DOUBLE, next, 2, p - kHalf, kHalf, MPI_DOUBLE, last, 2,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < n; ++i) {
        double y = 40 * p[i];
        for (int k = 1; k <= kHalf; ++k) y -= p[i - k] + p[i + k];
        q[i] = y;
      }
      const double alpha = rho / dot(p, q);
      for (int i = 0; i < n; ++i) { x[i] += alpha * p[i]; r[i] -= alpha * q[i]; }
      const double before = rho;
      rho = dot(r, r);
      for (int i = 0; i < n; ++i) p[i] = r[i] + rho / before * p[i];
    }
    MPI_Finalize();
    return 0;
  })";

/// Particles that attract each other, those of a rank handed round all others.
constexpr const char* kParticles = R"(
  int main(int argc, char** argv) {
    begin(argc, argv);
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;
    double* own = malloc(3 * n * sizeof *own), *guests = malloc(3 * n * sizeof *own);
    double* coming = malloc(3 * n * sizeof *own), *force = malloc(3 * n * sizeof *own);
    for (int i = 0; i < 3 * n; ++i) own[i] = (i * 7919 + rank * 104729) % 1000 * 0.1;
    for (int s = 0; s < steps; ++s) {
      memset(force, 0, 3 * n * sizeof *force);
      memcpy(guests, own, 3 * n * sizeof *own);
      for (int k = 0; k < size; ++k) {
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) {
            const double x = guests[3 * j] - own[3 * i], y = guests[3 * j + 1] - own[3 * i + 1];
            const double z = guests[3 * j + 2] - own[3 * i + 2], r2 = 0.01 + x * x + y * y + z * z;
            const double f = 1 / (r2 * sqrt(r2));
            force[3 * i] += f * x; force[3 * i + 1] += f * y; force[3 * i + 2] += f * z;
          }
        MPI_Sendrecv(guests, 3 * n, MPI_DOUBLE, next, 0, coming, 3 * n, MPI_DOUBLE, last, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        double* t = guests; guests = coming; coming = t;
      }
      for (int i = 0; i < 3 * n; ++i) own[i] += 1e-3 * force[i];
      sum_of(own[0]);
    }
    MPI_Finalize();
    return 0;
  })";

struct Subject {
  const char* name;
  const char* code;
  const char* arguments;
};

/// Eight ranks on one switch.
Sample run(const Subject& subject, const std::string& compute, int threads) {
  const Programs programs;
  programs.write("p.c", std::string(kBeginning) + subject.code);
  shell(programs.in(std::string(HEDDLECC) + " -O2 p.c -o p -lm"));
  return awaited_command(
      1, programs.in(std::string(HEDDLE_PROGRAM) + " run -q -n 8 -p quito --compute " + compute +
                     " --threads " + std::to_string(threads) + " ./p " + subject.arguments));
}

}  // namespace

void add_side_by_side_cases(Suite& suite) {
  constexpr double kTarget = 1.8;
  for (const Subject& subject : {Subject{"stencil", kStencil, "512 300"},
                                 Subject{"conjugate gradients", kGradients, "60000 150"},
                                 Subject{"particles", kParticles, "400 25"}}) {
    for (const std::string compute : {"none", "measure:1"}) {
      suite.cases.push_back({"side-by-side",
                             std::string(subject.name) + ", compute " + compute +
                                 ", two threads beside one, real time",
                             Scale{1, "s"}, [=] { return run(subject, compute, 2); },
                             [=] { return run(subject, compute, 1); }, kTarget, 0, 3, 3});
    }
  }
}

}  // namespace heddle::bench
