// Jobs: where ranks run, how they find each other, how all of them end.
#include <gmock/gmock.h>

#include "cli/hosted.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

/// Prints the node of each rank.
constexpr const char* kWhere = R"(
  #include <heddle.h>
  #include <stdio.h>
  int main(void) { printf("%d\n", heddle_node()); })";

// bxi-v2 has 64 nodes, 8 to a switch: neighbours by switch are nodes 0 and 8.
TEST(Placement, IsTheUsersChoice) {
  const CompiledProgram program(kWhere);
  EXPECT_EQ(program.run("-n 3").out, "0\n1\n2\n");
  EXPECT_EQ(program.run("-np 3 --nodes 5,17-18").out, "5\n17\n18\n");
  EXPECT_EQ(program.run("-n 4 --map by-node --nodes 2,3").out, "2\n3\n2\n3\n");
  EXPECT_EQ(program.run("-n 4 --ranks-per-node 2 --map by-core").out, "0\n0\n1\n1\n");
  EXPECT_EQ(program.run("-n 5 --map random:7").out, program.run("-n 5 --map random:7").out);
}

TEST(Placement, SaysWhatIsAccepted) {
  const CompiledProgram program(kWhere);
  const auto outcome = program.run("-n 2 --map by-switches");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean 'by-switch'?"));
  EXPECT_EQ(program.run("-n 3 --nodes 1,2").status, 2);
}

// Three ranks on a node: the last has two peers before it.
TEST(Job, KnowsTheRanksOfANode) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    int main(void) {
      if (heddle_rank() == 5)
        printf("%d of %d: %d %d %d %d\n", heddle_local_rank(), heddle_local_size(),
               heddle_local_peer(0), heddle_local_peer(1), heddle_local_peer(2),
               heddle_local_peer(3));
    })");
  EXPECT_EQ(program.run("-n 6 --ranks-per-node 3").out, "2 of 3: 3 4 5 -1\n");
  EXPECT_EQ(program.run("-n 6 --map by-node --nodes 0,1").out, "2 of 3: 1 3 5 -1\n");
}

// Everybody finds what rank 1 alone has put, without knowing who put it.
TEST(Job, FindsKeysOfAnybody) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    #include <stdio.h>
    int main(void) {
      if (heddle_rank() == 1) heddle_put("port", "4711", 5);
      heddle_fence();
      char port[8] = "";
      long size = heddle_find("port", port, sizeof port);
      printf("%ld %s %ld\n", size, port, heddle_find("other", port, sizeof port));
    })");
  EXPECT_EQ(program.run("-n 3").out, "5 4711 -1\n5 4711 -1\n5 4711 -1\n");
}

// Rank 1 ends the job while the others wait for ever: that is no deadlock, but its status.
TEST(Job, EndsWhenARankSaysSo) {
  const CompiledProgram program(R"(
    #include <heddle.h>
    int main(void) {
      if (heddle_rank() == 1) heddle_abort(7);
      heddle_barrier();
    })");
  const auto outcome = program.run("-n 3");
  EXPECT_EQ(outcome.status, 7);
  EXPECT_THAT(outcome.err, HasSubstr("rank 1 (node n1) ended the job with heddle_abort(7)"));
}

TEST(Pmi, OffersKeysAndBarriers) {
  const CompiledProgram program(R"(
    #include <pmi.h>
    #include <stdio.h>
    int main(void) {
      int spawned, rank, size, clique, peers[2];
      char name[64], key[64], value[64];
      PMI_BOOL begun;
      PMI_Initialized(&begun);
      PMI_Init(&spawned);
      PMI_Get_rank(&rank);
      PMI_Get_size(&size);
      PMI_Get_clique_size(&clique);
      PMI_Get_clique_ranks(peers, 2);
      PMI_KVS_Get_my_name(name, sizeof name);
      sprintf(key, "key-%d", rank);
      sprintf(value, "value-%d", rank);
      PMI_KVS_Put(name, key, value);
      PMI_KVS_Commit(name);
      PMI_Barrier();
      sprintf(key, "key-%d", (rank + 1) % size);
      PMI_KVS_Get(name, key, value, sizeof value);
      int none = PMI_KVS_Get(name, "none", value + 32, 32);
      printf("%d %s %d %d %d %d\n", begun, value, clique, peers[0], peers[1], none);
      PMI_KVS_Get(name, "PMI_process_mapping", value, sizeof value);
      if (rank == 0) printf("%s\n", value);
      PMI_Finalize();
    })");
  EXPECT_EQ(program.run("-n 4 --ranks-per-node 2").out,
            "0 value-1 2 0 1 -1\n(vector,(0,2,2))\n0 value-2 2 0 1 -1\n0 value-3 2 2 3 -1\n"
            "0 value-0 2 2 3 -1\n");
}

// Ranks 0 and 1 share a node: rank 0 waits for the attribute that rank 1 puts there.
TEST(Pmi, OffersTheSecondGeneration) {
  const CompiledProgram program(R"(
    #include <pmi2.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(void) {
      int spawned, size, rank, app, length = 0, found = 0, array[1], count;
      char value[64] = "";
      PMI2_Init(&spawned, &size, &rank, &app);
      if (rank == 0) PMI2_KVS_Put("where", "here");
      PMI2_KVS_Fence();
      PMI2_KVS_Get(0, PMI2_ID_NULL, "where", value, sizeof value, &length);
      if (rank == 1) {
        usleep(10);
        PMI2_Info_PutNodeAttr("segment", "s7");
      }
      if (rank < 2) PMI2_Info_GetNodeAttr("segment", value + 8, 8, &found, 1);
      PMI2_Info_GetJobAttrIntArray("universeSize", array, 1, &count, &app);
      printf("%s %d %s %d %d\n", value, length, value + 8, found, array[0]);
      PMI2_Finalize();
    })");
  const std::string near = "here 4 s7 1 3\n";
  EXPECT_THAT(program.run("-n 3 --ranks-per-node 2").out,
              testing::AllOf(HasSubstr(near), HasSubstr("here 4  0 3\n")));
}

}  // namespace
}  // namespace heddle::cli
