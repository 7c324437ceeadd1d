// MPI programs as users build them: profilers, libraries of their own, Fortran.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

// Rank 0 sends rank 1 its number plus 41.
constexpr const char* kSender =
    "#include <mpi.h>\n#include <stdio.h>\n"
    "int main(int argc, char** argv) {\n"
    "  int rank, value = 41;\n"
    "  MPI_Init(&argc, &argv);\n"
    "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);\n"
    "  value = 0;\n"
    "  if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
    "  if (rank == 1) printf(\"received %d\\n\", value);\n"
    "  MPI_Finalize();\n"
    "  return 0;\n"
    "}\n";
constexpr const char* kProfiler =
    "#include <mpi.h>\n#include <stdio.h>\n"
    "static int sends;\n"
    "int MPI_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm c) {\n"
    "  ++sends;\n"
    "  return PMPI_Send(buf, count, type, dest, tag, c);\n"
    "}\n"
    "int MPI_Finalize(void) {\n"
    "  int rank;\n"
    "  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "  printf(\"rank %d: %d sends\\n\", rank, sends);\n"
    "  return PMPI_Finalize();\n"
    "}\n";

// A profiler's MPI_Send counts and calls PMPI_Send: the message arrives, and each rank has a count
// of its own, one for rank 0, none for rank 1; wherever the profiler is.
TEST(MpiProgram, ProfilersComeFirst) {
  const Project project({{"a.c", kSender}, {"p.c", kProfiler}});
  ASSERT_EQ(project("heddlecc -shared p.c -o libp.so && heddlecc a.c p.c -o inside && "
                    "heddlecc a.c -L. -lp -Wl,-rpath,'$ORIGIN' -o outside")
                .err,
            "");
  for (const std::string program : {"./inside", "./outside"}) {
    for (const std::string how : kPrivatizations) {
      const Outcome outcome = project.run("-n 2 --privatize " + how + " " + program);
      EXPECT_EQ(outcome.status, 0) << outcome.err;
      EXPECT_THAT(outcome.out, HasSubstr("received 41\n")) << program << how;
      EXPECT_THAT(outcome.out, HasSubstr("rank 0: 1 sends\n")) << program << how;
      EXPECT_THAT(outcome.out, HasSubstr("rank 1: 0 sends\n")) << program << how;
    }
  }
}

// A library of the program's calls MPI, and finds the profiler that the program is linked with.
TEST(MpiProgram, LibrariesOfTheProgramCallMpi) {
  const Project project(
      {{"work.c",
        "#include <mpi.h>\n"
        "int work(int rank) {\n"
        "  int value = 7;\n"
        "  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);\n"
        "  value = 0;\n"
        "  if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
        "  return value;\n"
        "}\n"},
       {"p.c", kProfiler},
       {"a.c",
        "#include <mpi.h>\n#include <stdio.h>\n"
        "int work(int rank);\n"
        "int main(int argc, char** argv) {\n"
        "  int rank;\n"
        "  MPI_Init(&argc, &argv);\n"
        "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        "  printf(\"rank %d: work %d\\n\", rank, work(rank));\n"
        "  return MPI_Finalize();\n"
        "}\n"}});
  ASSERT_EQ(project("heddlecc -shared work.c -o libwork.so && "
                    "heddlecc a.c p.c -L. -lwork -Wl,-rpath,'$ORIGIN' -o a")
                .err,
            "");
  for (const std::string how : kPrivatizations) {
    const Outcome outcome = project.run("-n 2 --privatize " + how + " ./a");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("rank 1: work 7\n")) << how;
    EXPECT_THAT(outcome.out, HasSubstr("rank 0: 1 sends\n")) << how;
  }
}

// A message of eight numbers in four parts for the sender and two for the receiver, three times;
// the parts become ready in any order.
TEST(MpiProgram, PartitionedCommunication) {
  const Project project(
      {{"a.c",
        "#include <mpi.h>\n#include <stdio.h>\n"
        "int main(int argc, char** argv) {\n"
        "  int rank, i, round, flag, two = 2, v[8] = {0};\n"
        "  MPI_Request r;\n"
        "  MPI_Init(&argc, &argv);\n"
        "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        "  if (rank == 0)\n"
        "    MPI_Psend_init(v, 4, 2, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r);\n"
        "  else\n"
        "    MPI_Precv_init(v, 2, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r);\n"
        "  for (round = 0; round < 3; ++round) {\n"
        "    MPI_Start(&r);\n"
        "    if (rank == 0) {\n"
        "      for (i = 0; i < 8; ++i) v[i] = i + round;\n"
        "      MPI_Pready(3, r);\n"
        "      MPI_Pready_range(0, 1, r);\n"
        "      MPI_Pready_list(1, &two, r);\n"
        "    } else {\n"
        "      for (flag = 0; !flag;) MPI_Parrived(r, 1, &flag);\n"
        "      printf(\"%d to %d\\n\", v[0], v[7]);\n"
        "      fflush(stdout);\n"
        "    }\n"
        "    MPI_Wait(&r, MPI_STATUS_IGNORE);\n"
        "  }\n"
        "  MPI_Request_free(&r);\n"
        "  if (rank == 1) MPI_Pready(0, r);\n"
        "  return MPI_Finalize();\n"
        "}\n"}});
  ASSERT_EQ(project("heddlecc a.c -o a").err, "");
  const Outcome outcome = project.run("-n 2 ./a");
  EXPECT_EQ(outcome.out, "0 to 7\n1 to 8\n2 to 9\n");
  // A request that is gone, or another, is no partitioned send.
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("rank 1: MPI_Pready: argument request: "));
}

// MPI without MPI_Init: each rank makes a communicator of all processes that its session knows, and
// sends its rank to the next.
TEST(MpiProgram, Sessions) {
  const Project project(
      {{"a.c",
        "#include <mpi.h>\n#include <stdio.h>\n"
        "int main(void) {\n"
        "  int flag, rank, size, from = -1, length = 0, round;\n"
        "  char name[64];\n"
        "  MPI_Session session;\n"
        "  MPI_Group group;\n"
        "  MPI_Comm comm;\n"
        "  for (round = 0; round < 2; ++round) {\n"
        "    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);\n"
        "    MPI_Initialized(&flag);\n"
        "    if (flag) return 1;\n"
        "    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, NULL);\n"
        "    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name);\n"
        "    if (MPI_Group_from_session_pset(session, \"none\", &group) != MPI_ERR_ARG) return 2;\n"
        "    MPI_Group_from_session_pset(session, name, &group);\n"
        "    MPI_Comm_create_from_group(group, \"here\", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, "
        "&comm);\n"
        "    MPI_Group_free(&group);\n"
        "    MPI_Comm_rank(comm, &rank);\n"
        "    MPI_Comm_size(comm, &size);\n"
        "    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &from, 1, MPI_INT, \n"
        "                 MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);\n"
        "    MPI_Comm_free(&comm);\n"
        "    MPI_Session_finalize(&session);\n"
        "  }\n"
        "  if (rank == 0) printf(\"%s %d of %d\\n\", name, from, size);\n"
        "  return session != MPI_SESSION_NULL;\n"
        "}\n"}});
  ASSERT_EQ(project("heddlecc a.c -o a").err, "");
  const Outcome outcome = project.run("-n 3 ./a");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "mpi://WORLD 2 of 3\n");
}

// The one call that cannot be done says why.
TEST(MpiProgram, RefusedCallsSayWhy) {
  const Project project({{"a.c",
                          "#include <mpi.h>\n"
                          "int main(int argc, char** argv) {\n"
                          "  MPI_Comm other;\n"
                          "  MPI_Init(&argc, &argv);\n"
                          "  MPI_Comm_join(0, &other);\n"
                          "  return MPI_Finalize();\n"
                          "}\n"}});
  ASSERT_EQ(project("heddlecc a.c -o a").err, "");
  const Outcome outcome = project.run("-n 1 ./a");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("rank 0: MPI_Comm_join: simulated processes have no sockets"));
}

// The three interfaces of Fortran: rank 0 sends its integers, rank 1 receives them from anybody,
// asks the status, counts places from one, and does without a status the second time.
constexpr const char* kFixedForm =
    "      program main\n"
    "      implicit none\n"
    "      include 'mpif.h'\n"
    "      integer ierr, rank, n, where, request(2)\n"
    "      integer values(4), status(MPI_STATUS_SIZE)\n"
    "      call MPI_INIT(ierr)\n"
    "      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)\n"
    "      if (rank .eq. 0) then\n"
    "        values(1) = 5\n"
    "        values(2) = 6\n"
    "        call MPI_SEND(values, 2, MPI_INTEGER, 1, 9, MPI_COMM_WORLD,\n"
    "     &                ierr)\n"
    "        call MPI_SEND(values, 1, MPI_INTEGER, 1, 8, MPI_COMM_WORLD,\n"
    "     &                ierr)\n"
    "      else\n"
    "        request(1) = MPI_REQUEST_NULL\n"
    "        call MPI_IRECV(values, 4, MPI_INTEGER, MPI_ANY_SOURCE, 9,\n"
    "     &                 MPI_COMM_WORLD, request(2), ierr)\n"
    "        call MPI_WAITANY(2, request, where, status, ierr)\n"
    "        call MPI_GET_COUNT(status, MPI_INTEGER, n, ierr)\n"
    "        print '(6(1x,i0))', where, n, status(MPI_SOURCE),\n"
    "     &        status(MPI_TAG), values(1), values(2)\n"
    "        call MPI_RECV(values, 4, MPI_INTEGER, 0, 8, MPI_COMM_WORLD,\n"
    "     &                MPI_STATUS_IGNORE, ierr)\n"
    "      end if\n"
    "      call MPI_FINALIZE(ierr)\n"
    "      end\n";
constexpr const char* kModule =
    "program main\n"
    "use mpi\n"
    "implicit none\n"
    "integer :: ierr, rank, n, where, request(2)\n"
    "integer :: values(4), status(MPI_STATUS_SIZE)\n"
    "call MPI_Init(ierr)\n"
    "call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)\n"
    "if (rank == 0) then\n"
    "  values(1:2) = [5, 6]\n"
    "  call MPI_Send(values, 2, MPI_INTEGER, 1, 9, MPI_COMM_WORLD, ierr)\n"
    "  call MPI_Send(values(1), 1, MPI_INTEGER, 1, 8, MPI_COMM_WORLD, ierr)\n"
    "else\n"
    "  request(1) = MPI_REQUEST_NULL\n"
    "  call MPI_Irecv(values, 4, MPI_INTEGER, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, request(2), "
    "ierr)\n"
    "  call MPI_Waitany(2, request, where, status, ierr)\n"
    "  call MPI_Get_count(status, MPI_INTEGER, n, ierr)\n"
    "  print '(6(1x,i0))', where, n, status(MPI_SOURCE), status(MPI_TAG), values(1:2)\n"
    "  call MPI_Recv(values, 4, MPI_INTEGER, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)\n"
    "end if\n"
    "call MPI_Finalize(ierr)\n"
    "end program\n";
constexpr const char* kModule08 =
    "program main\n"
    "use mpi_f08\n"
    "implicit none\n"
    "integer :: rank, n, where, values(4)\n"
    "integer(kind=MPI_COUNT_KIND) :: large = 4\n"
    "type(MPI_Request) :: request(2)\n"
    "type(MPI_Status) :: status\n"
    "call MPI_Init()\n"
    "call MPI_Comm_rank(MPI_COMM_WORLD, rank)\n"
    "if (rank == 0) then\n"
    "  values(1:2) = [5, 6]\n"
    "  call MPI_Send(values, 2, MPI_INTEGER, 1, 9, MPI_COMM_WORLD)\n"
    "  call MPI_Send(values(1), 1, MPI_INTEGER, 1, 8, MPI_COMM_WORLD)\n"
    "else\n"
    "  request(1) = MPI_REQUEST_NULL\n"
    "  call MPI_Irecv(values, 4, MPI_INTEGER, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, request(2))\n"
    "  call MPI_Waitany(2, request, where, status)\n"
    "  call MPI_Get_count(status, MPI_INTEGER, n)\n"
    "  print '(6(1x,i0))', where, n, status%MPI_SOURCE, status%MPI_TAG, values(1:2)\n"
    "  call MPI_Recv(values, large, MPI_INTEGER, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE)\n"
    "  if (request(2) /= MPI_REQUEST_NULL) print *, 'the request is still there'\n"
    "end if\n"
    "call MPI_Finalize()\n"
    "end program\n";

TEST(MpiProgram, FortransInterfaces) {
  if (shell("command -v gfortran").status != 0) GTEST_SKIP() << "gfortran is not installed";
  const Project project({{"a.f", kFixedForm}, {"b.f90", kModule}, {"c.f90", kModule08}});
  for (const std::string source : {"a.f", "b.f90", "c.f90"}) {
    ASSERT_EQ(project("heddlef90 " + source + " -o program").err, "") << source;
    for (const std::string how : kPrivatizations) {
      const Outcome outcome = project.run("-n 2 --privatize " + how + " ./program");
      EXPECT_EQ(outcome.status, 0) << outcome.err;
      EXPECT_EQ(outcome.out, " 2 2 0 9 5 6\n") << source << how;
    }
  }
}

// The tools interface: the parameters are there, with the values of the run; time that the rank has
// slept is counted.
TEST(MpiProgram, ToolsInterface) {
  const Project project(
      {{"a.c",
        "#include <mpi.h>\n#include <stdio.h>\n#include <unistd.h>\n"
        "int main(void) {\n"
        "  int provided, index, count, size = 0;\n"
        "  char value[256];\n"
        "  double slept;\n"
        "  MPI_T_cvar_handle control;\n"
        "  MPI_T_pvar_session session;\n"
        "  MPI_T_pvar_handle performance;\n"
        "  if (MPI_T_cvar_get_num(&count) != MPI_T_ERR_NOT_INITIALIZED) return 1;\n"
        "  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);\n"
        "  if (MPI_T_cvar_get_index(\"mpi.none\", &index) != MPI_T_ERR_INVALID_NAME) return 2;\n"
        "  if (MPI_T_cvar_get_index(\"mpi.eager_limit\", &index) != MPI_SUCCESS) return 3;\n"
        "  MPI_T_cvar_get_info(index, NULL, &size, NULL, NULL, NULL, NULL, NULL, NULL, NULL);\n"
        "  MPI_T_cvar_handle_alloc(index, NULL, &control, &count);\n"
        "  MPI_T_cvar_read(control, value);\n"
        "  if (MPI_T_cvar_write(control, value) != MPI_T_ERR_CVAR_SET_NEVER) return 4;\n"
        "  MPI_T_cvar_handle_free(&control);\n"
        "  sleep(2);\n"
        "  MPI_T_pvar_session_create(&session);\n"
        "  MPI_T_pvar_get_index(\"time_sleeping\", MPI_T_PVAR_CLASS_TIMER, &index);\n"
        "  MPI_T_pvar_handle_alloc(session, index, NULL, &performance, &count);\n"
        "  MPI_T_pvar_read(session, performance, &slept);\n"
        "  MPI_T_pvar_session_free(&session);\n"
        "  printf(\"%d %s %.0f\\n\", size, value, slept);\n"
        "  return MPI_T_finalize();\n"
        "}\n"}});
  ASSERT_EQ(project("heddlecc a.c -o a").err, "");
  const Outcome outcome = project.run("-n 1 --set mpi.eager_limit=5000B ./a");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "16 5kB 2\n");
}

}  // namespace
}  // namespace heddle::cli
