// Collective calls in all their forms, between ranks of a simulated job.
#include <numeric>

#include "mpi/support.hpp"

namespace heddle::mpi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

enum class CallForm { blocking, nonblocking, persistent };
constexpr CallForm kForms[] = {CallForm::blocking, CallForm::nonblocking, CallForm::persistent};

/// Completes a call of a form: a persistent one runs twice.
void finish(CallForm form, MPI_Request& request) {
  if (form == CallForm::blocking) return;
  if (form == CallForm::nonblocking) {
    EXPECT_MPI(PMPI_Wait(&request, MPI_STATUS_IGNORE));
    return;
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_MPI(PMPI_Start(&request));
    EXPECT_MPI(PMPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  EXPECT_MPI(PMPI_Request_free(&request));
}

int sum_to(int n) {
  return n * (n + 1) / 2;
}

/// MPI_COMM_SELF of every rank is one of its own: each makes as many calls as it likes, and of
/// different operations; a sum of one is what was brought.
TEST(CollCalls, EachRankItsOwnSelf) {
  Bed(3).run([&](int rank) {
    for (int call = 0; call <= 2 * rank; ++call) {
      int value = 10 * rank + call;
      int sum = 0;
      if (rank == 1) {
        EXPECT_MPI(PMPI_Barrier(MPI_COMM_SELF));
      }
      EXPECT_MPI(PMPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF));
      EXPECT_MPI(PMPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
      EXPECT_EQ(sum, 10 * rank + call);
    }
  });
}

/// Rank r brings r + 1: everybody gets the sum of 1 to the number of ranks, and the scan that up to
/// its own.
TEST(CollCalls, ReductionsInAllForms) {
  for (const CallForm form : kForms) {
    for (const std::uint32_t ranks : {1U, 2U, 5U, 8U}) {
      Bed(ranks).run([&](int rank) {
        const int size = static_cast<int>(ranks);
        const int one = rank + 1;
        int all = 0;
        int upto = 0;
        int below = -7;
        int at_root = 0;
        MPI_Request r = MPI_REQUEST_NULL;
        const MPI_Comm w = MPI_COMM_WORLD;
        const MPI_Info none = MPI_INFO_NULL;
        if (form == CallForm::blocking) PMPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, w);
        if (form == CallForm::nonblocking) PMPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, w, &r);
        if (form == CallForm::persistent) {
          PMPI_Allreduce_init(&one, &all, 1, MPI_INT, MPI_SUM, w, none, &r);
        }
        finish(form, r);
        if (form == CallForm::blocking) PMPI_Scan(&one, &upto, 1, MPI_INT, MPI_SUM, w);
        if (form == CallForm::nonblocking) PMPI_Iscan(&one, &upto, 1, MPI_INT, MPI_SUM, w, &r);
        if (form == CallForm::persistent) {
          PMPI_Scan_init(&one, &upto, 1, MPI_INT, MPI_SUM, w, none, &r);
        }
        finish(form, r);
        if (form == CallForm::blocking) PMPI_Exscan(&one, &below, 1, MPI_INT, MPI_SUM, w);
        if (form == CallForm::nonblocking) PMPI_Iexscan(&one, &below, 1, MPI_INT, MPI_SUM, w, &r);
        if (form == CallForm::persistent) {
          PMPI_Exscan_init(&one, &below, 1, MPI_INT, MPI_SUM, w, none, &r);
        }
        finish(form, r);
        const int root = size - 1;
        if (form == CallForm::blocking) PMPI_Reduce(&one, &at_root, 1, MPI_INT, MPI_SUM, root, w);
        if (form == CallForm::nonblocking) {
          PMPI_Ireduce(&one, &at_root, 1, MPI_INT, MPI_SUM, root, w, &r);
        }
        if (form == CallForm::persistent) {
          PMPI_Reduce_init(&one, &at_root, 1, MPI_INT, MPI_SUM, root, w, none, &r);
        }
        finish(form, r);
        EXPECT_EQ(all, sum_to(size));
        EXPECT_EQ(upto, sum_to(rank + 1));
        EXPECT_EQ(below, rank == 0 ? -7 : sum_to(rank)) << "the first rank's is not touched";
        EXPECT_EQ(at_root, rank == root ? sum_to(size) : 0);
      });
    }
  }
}

/// Rank r sends 100 r + k to rank k.
TEST(CollCalls, DataMovesInAllForms) {
  for (const CallForm form : kForms) {
    for (const std::uint32_t ranks : {1U, 3U, 4U}) {
      Bed(ranks).run([&](int rank) {
        const int size = static_cast<int>(ranks);
        const MPI_Comm w = MPI_COMM_WORLD;
        const MPI_Info none = MPI_INFO_NULL;
        MPI_Request r = MPI_REQUEST_NULL;
        std::vector<int> out(ranks);
        std::iota(out.begin(), out.end(), 100 * rank);
        std::vector<int> in(ranks, -1);
        std::vector<int> all(ranks, -1);
        int word = rank == size / 2 ? 4711 : 0;
        if (form == CallForm::blocking) {
          PMPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, w);
        }
        if (form == CallForm::nonblocking) {
          PMPI_Ialltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, w, &r);
        }
        if (form == CallForm::persistent) {
          PMPI_Alltoall_init(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, w, none, &r);
        }
        finish(form, r);
        if (form == CallForm::blocking) {
          PMPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, w);
        }
        if (form == CallForm::nonblocking) {
          PMPI_Iallgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, w, &r);
        }
        if (form == CallForm::persistent) {
          PMPI_Allgather_init(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, w, none, &r);
        }
        finish(form, r);
        if (form == CallForm::blocking) PMPI_Bcast(&word, 1, MPI_INT, size / 2, w);
        if (form == CallForm::nonblocking) PMPI_Ibcast(&word, 1, MPI_INT, size / 2, w, &r);
        if (form == CallForm::persistent) PMPI_Bcast_init(&word, 1, MPI_INT, size / 2, w, none, &r);
        finish(form, r);
        EXPECT_EQ(word, 4711);
        for (int k = 0; k < size; ++k) {
          EXPECT_EQ(in[static_cast<std::size_t>(k)], 100 * k + rank);
          EXPECT_EQ(all[static_cast<std::size_t>(k)], k);
        }
      });
    }
  }
}

/// What lies in place already is not copied: everybody's own element, its own blocks.
TEST(CollCalls, InPlace) {
  Bed(4).run([](int rank) {
    int sum = rank;
    EXPECT_MPI(PMPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EXPECT_EQ(sum, 6);
    int blocks[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
    EXPECT_MPI(PMPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, blocks, 1, MPI_INT, MPI_COMM_WORLD));
    EXPECT_THAT(blocks, ElementsAre(rank, 10 + rank, 20 + rank, 30 + rank));
    int scattered[4] = {1, 2, 3, 4};
    EXPECT_MPI(
        PMPI_Reduce_scatter_block(MPI_IN_PLACE, scattered, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    EXPECT_EQ(scattered[0], 4 * (rank + 1));
  });
}

/// The sum of the remote group: 1 + 3 for those with even numbers, 0 + 2 for the others.
TEST(CollCalls, BetweenTwoGroups) {
  Bed(4).run([](int rank) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm inter = MPI_COMM_NULL;
    EXPECT_MPI(PMPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half));
    EXPECT_MPI(PMPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &inter));
    int sum = 0;
    EXPECT_MPI(PMPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter));
    EXPECT_EQ(sum, rank % 2 == 0 ? 4 : 2);
    int theirs[2] = {-1, -1};
    EXPECT_MPI(PMPI_Allgather(&rank, 1, MPI_INT, theirs, 1, MPI_INT, inter));
    EXPECT_THAT(theirs, ElementsAre(1 - rank % 2, 3 - rank % 2));
    int word = rank == 2 ? 99 : 0;
    const int root = rank % 2 == 1 ? 1 : rank == 2 ? MPI_ROOT : MPI_PROC_NULL;
    EXPECT_MPI(PMPI_Bcast(&word, 1, MPI_INT, root, inter));
    EXPECT_EQ(word, rank % 2 == 1 || rank == 2 ? 99 : 0);
    EXPECT_MPI(PMPI_Barrier(inter));
  });
}

/// On a ring of three, below rank 0 is rank 2; along the other dimension there is nobody.
TEST(CollCalls, NeighboursOnAGrid) {
  Bed(3).run([](int rank) {
    const int dims[2] = {3, 1};
    const int periods[2] = {1, 0};
    MPI_Comm grid = MPI_COMM_NULL;
    EXPECT_MPI(PMPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid));
    int below = -5;
    int above = -5;
    EXPECT_MPI(PMPI_Cart_shift(grid, 0, 1, &below, &above));
    EXPECT_EQ(below, (rank + 2) % 3);
    EXPECT_EQ(above, (rank + 1) % 3);
    int in[4] = {-1, -1, -1, -1};
    EXPECT_MPI(PMPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, grid));
    EXPECT_THAT(in, ElementsAre(below, above, -1, -1));
    MPI_Comm column = MPI_COMM_NULL;
    const int remain[2] = {0, 1};
    EXPECT_MPI(PMPI_Cart_sub(grid, remain, &column));
    int size = 0;
    EXPECT_MPI(PMPI_Comm_size(column, &size));
    EXPECT_EQ(size, 1);
  });
}

/// Rank r has an edge to r + 1, which only rank 0 tells; weights are 10 r.
TEST(CollCalls, NeighboursOfADistributedGraph) {
  Bed(3).run([](int rank) {
    const int sources[3] = {0, 1, 2};
    const int degrees[3] = {1, 1, 1};
    const int destinations[3] = {1, 2, 0};
    const int weights[3] = {0, 10, 20};
    MPI_Comm graph = MPI_COMM_NULL;
    EXPECT_MPI(PMPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? 3 : 0, sources, degrees,
                                      destinations, weights, MPI_INFO_NULL, 0, &graph));
    int source = -1;
    int source_weight = -1;
    int destination = -1;
    int destination_weight = -1;
    EXPECT_MPI(PMPI_Dist_graph_neighbors(graph, 1, &source, &source_weight, 1, &destination,
                                         &destination_weight));
    EXPECT_EQ(source, (rank + 2) % 3);
    EXPECT_EQ(source_weight, 10 * source);
    EXPECT_EQ(destination, (rank + 1) % 3);
    EXPECT_EQ(destination_weight, 10 * rank);
    int in = -1;
    EXPECT_MPI(PMPI_Neighbor_alltoall(&rank, 1, MPI_INT, &in, 1, MPI_INT, graph));
    EXPECT_EQ(in, source);
  });
}

/// As even as can be, in descending order, with what is given.
TEST(CollCalls, DimensionsOfAGrid) {
  Bed(1).run([](int) {
    int three[3] = {0, 0, 0};
    EXPECT_MPI(PMPI_Dims_create(24, 3, three));
    EXPECT_THAT(three, ElementsAre(4, 3, 2));
    int given[2] = {0, 3};
    EXPECT_MPI(PMPI_Dims_create(6, 2, given));
    EXPECT_THAT(given, ElementsAre(2, 3));
  });
}

TEST(CollCalls, DifferentCollectivesAreNamed) {
  const std::string text = failure(3, [](int rank) {
    int x = 1;
    int y = 0;
    if (rank == 2) PMPI_Barrier(MPI_COMM_WORLD);
    PMPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  });
  EXPECT_THAT(text, HasSubstr("do not call the same operation"));
  EXPECT_THAT(text, HasSubstr("barrier"));
  EXPECT_THAT(text, HasSubstr("allreduce"));
}

TEST(CollCalls, ADeadlockSaysWhoHasNotEntered) {
  const std::string text = failure(3, [](int rank) {
    if (rank == 2) receive(0, 9);
    PMPI_Barrier(MPI_COMM_WORLD);
  });
  EXPECT_THAT(text, HasSubstr("waits in MPI_Barrier, MPI_COMM_WORLD"));
  EXPECT_THAT(text, HasSubstr("not entered by 1 of 3: rank 2 (in MPI_Recv)"));
}

TEST(CollCalls, WrongArgumentsAreNamed) {
  EXPECT_THAT(failure(2,
                      [](int) {
                        int x = 0;
                        PMPI_Bcast(&x, 1, MPI_INT, 9, MPI_COMM_WORLD);
                      }),
              HasSubstr("argument root: 9 is not a rank of MPI_COMM_WORLD: accepted are 0 to 1"));
  EXPECT_THAT(failure(2,
                      [](int) {
                        double x = 0;
                        double y = 0;
                        PMPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);
                      }),
              HasSubstr("MPI_BAND"));
}

/// The simulated time of an algorithm chosen by hand: with the costs of SMPI off, an 8-byte barrier
/// of two ranks by one message each way takes as long as such a message; three laps of a ring more.
TEST(CollCalls, AnAlgorithmByHandChangesTheTime) {
  const auto time_of = [](const std::string& algorithm) {
    double end = 0;
    Bed bed(8, {"mpi.coll.barrier=" + algorithm});
    bed.run([&](int) {
      PMPI_Barrier(MPI_COMM_WORLD);
      end = now_us();
    });
    return end;
  };
  EXPECT_LT(time_of("bruck"), time_of("doublering")) << "three rounds, sixteen";
  EXPECT_DOUBLE_EQ(time_of("ompi_bruck"), time_of("Bruck")) << "one name, however it is written";
}

/// A send of four ranks takes 10 us of their processors and 2 us on the way. If all begin with rank
/// 0, that one and rank 1 have everything when their own sends are done; rank 3's blocks are the
/// third of all others. If everybody begins with the next rank, each block that is sent third is
/// somebody's last.
TEST(CollCalls, OpenMpisAlltoallvBeginsWithRankZero) {
  const auto ends_of = [](const std::string& algorithm) {
    std::vector<double> ends(4);
    Bed bed(4, {"mpi.coll.alltoallv=" + algorithm, "mpi.envelope=0", "mpi.isend_overhead=10us",
                "mpi.receive_overhead=0ns"});
    bed.run([&](int rank) {
      const std::vector<int> counts(4, 1);
      const std::vector<int> places = {0, 1, 2, 3};
      const std::vector<int> out(4, rank);
      std::vector<int> in(4);
      EXPECT_MPI(PMPI_Alltoallv(out.data(), counts.data(), places.data(), MPI_INT, in.data(),
                                counts.data(), places.data(), MPI_INT, MPI_COMM_WORLD));
      EXPECT_EQ(in, places);
      ends[static_cast<std::size_t>(rank)] = now_us();
    });
    return ends;
  };
  constexpr double kNear = 0.01;
  const auto at = [](double us) { return testing::DoubleNear(us, kNear); };
  EXPECT_THAT(ends_of("ompi_basic_linear"), ElementsAre(at(30), at(30), at(32), at(32)));
  EXPECT_THAT(ends_of("basic_linear"), testing::Each(at(32)));
}

}  // namespace
}  // namespace heddle::mpi
