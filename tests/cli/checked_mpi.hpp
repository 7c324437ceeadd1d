// MPI programs that check themselves.
#pragma once

#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {

/// What programs begin with: a check that says its line.
inline constexpr const char* kPreamble = R"(
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CHECK(condition)                                                        \
  if (!(condition)) {                                                           \
    fprintf(stderr, "rank %d, line %d: %s\n", rank, __LINE__, #condition);      \
    MPI_Abort(MPI_COMM_WORLD, 3);                                               \
  }
int rank, size;
static inline void begin(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}
static inline void end(void) {
  if (rank == 0) puts("done");
  MPI_Finalize();
}
)";

/// Compiles a program and runs it in both ways of hosting, over both transports; it says "done" if
/// all was right.
inline void expect_done(const std::string& text, int ranks) {
  const CompiledProgram program(std::string(kPreamble) + text);
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  for (const std::string hosting : kPrivatizations) {
    for (const std::string transport : {"hybrid", "portals"}) {
      const Outcome outcome = program.run("-n " + std::to_string(ranks) + " --privatize " +
                                          hosting + " --set mpi.transport=" + transport);
      EXPECT_EQ(outcome.out, "done\n") << hosting << ", " << transport << "\n" << outcome.err;
      EXPECT_EQ(outcome.status, 0);
    }
  }
}

}  // namespace heddle::cli
