// MPI programs that start others, and that find each other by ports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/checked_mpi.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

// Two parents start three copies of their own program: the children are a world of three with one
// argument, know their parents, and a sum over the merged communicator of five is 0 + 1 + 2 + 3 + 4
// = 10. MPI_Comm_get_parent gives nothing once the communicator is gone.
TEST(MpiDynamic, SpawnedProcessesAreAWorldOfTheirOwn) {
  expect_done(R"(
int main(int argc, char** argv) {
  MPI_Comm parent, other, all;
  int codes[3] = {-1, -1, -1}, flag, *app, place, sum, remote;
  begin(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    char* arguments[] = {"child", NULL};
    CHECK(size == 2);
    MPI_Comm_spawn(argv[0], arguments, 3, MPI_INFO_NULL, 1, MPI_COMM_WORLD, &other, codes);
    CHECK(codes[0] == MPI_SUCCESS && codes[2] == MPI_SUCCESS);
  } else {
    CHECK(argc == 2 && strcmp(argv[1], "child") == 0);
    CHECK(size == 3);
    other = parent;
  }
  MPI_Comm_remote_size(other, &remote);
  CHECK(remote == 5 - size);
  MPI_Intercomm_merge(other, parent != MPI_COMM_NULL, &all);
  MPI_Comm_rank(all, &place);
  CHECK(place == (parent == MPI_COMM_NULL ? rank : 2 + rank));
  MPI_Allreduce(&place, &sum, 1, MPI_INT, MPI_SUM, all);
  CHECK(sum == 10);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &app, &flag);
  CHECK(flag && *app == 0);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&other);
  MPI_Comm_get_parent(&other);
  CHECK(other == MPI_COMM_NULL);
  if (parent == MPI_COMM_NULL) end(); else MPI_Finalize();
}
)",
              2);
}

// Of two commands with one and two processes the second are application 1 of a world of three.
TEST(MpiDynamic, SeveralProgramsStartAsOneWorld) {
  expect_done(R"(
int main(int argc, char** argv) {
  MPI_Comm parent, other;
  int flag, *app;
  begin(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    char* commands[] = {argv[0], argv[0]};
    int counts[] = {1, 2};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &other,
                            MPI_ERRCODES_IGNORE);
    end();
    return 0;
  }
  CHECK(size == 3);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &app, &flag);
  CHECK(flag && *app == (rank == 0 ? 0 : 1));
  MPI_Finalize();
}
)",
              1);
}

// Halves of the world know each other by a published name alone, and are an intercommunicator then.
TEST(MpiDynamic, GroupsMeetAtAPort) {
  expect_done(R"(
int main(int argc, char** argv) {
  MPI_Comm half, other;
  char port[MPI_MAX_PORT_NAME] = "";
  int remote, value = -1, mine;
  begin(&argc, &argv);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank == 0) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Publish_name("meet", MPI_INFO_NULL, port);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Lookup_name("meet", MPI_INFO_NULL, port);
  if (rank % 2 == 0) MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &other);
  else MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &other);
  MPI_Comm_remote_size(other, &remote);
  CHECK(remote == (rank % 2 == 0 ? 1 : 2));
  mine = rank;
  MPI_Allreduce(&mine, &value, 1, MPI_INT, MPI_SUM, other);
  CHECK(value == (rank % 2 == 0 ? 1 : 2));
  MPI_Comm_disconnect(&other);
  if (rank == 0) {
    MPI_Unpublish_name("meet", MPI_INFO_NULL, port);
    MPI_Close_port(port);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Lookup_name("meet", MPI_INFO_NULL, port) == MPI_ERR_NAME);
  MPI_Comm_free(&half);
  end();
}
)",
              3);
}

// A program that is not there is an error of the call at every rank, which names it.
TEST(MpiDynamic, WhatCannotBeStartedIsAnError) {
  const CompiledProgram program(std::string(kPreamble) + R"(
int main(int argc, char** argv) {
  MPI_Comm other;
  begin(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK(MPI_Comm_spawn("./no-such", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other,
                       MPI_ERRCODES_IGNORE) == MPI_ERR_SPAWN);
  MPI_Comm_spawn("./no-such", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                 MPI_ERRCODES_IGNORE);
  end();
}
)");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome outcome = program.run("-n 1");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("rank 0: MPI_Comm_spawn: "));
  EXPECT_THAT(outcome.err, HasSubstr("./no-such"));
}

// Who accepts where nobody connects waits for ever, and the report names the port.
TEST(MpiDynamic, APortThatNobodyCallsIsADeadlock) {
  const CompiledProgram program(std::string(kPreamble) + R"(
int main(int argc, char** argv) {
  MPI_Comm other;
  char port[MPI_MAX_PORT_NAME];
  begin(&argc, &argv);
  MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
}
)");
  ASSERT_EQ(program.compilation().status, 0) << program.compilation().err;
  const Outcome outcome = program.run("-n 1");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("waits in MPI_Comm_accept for the other side of port"));
}

}  // namespace
}  // namespace heddle::cli
