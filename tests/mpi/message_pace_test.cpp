// Delays by size and least times between messages, over the transport `hybrid`. Two links of 1 us
// and 12.5 GB/s are between any two nodes: s bytes alone take 2 us + s / 12.5 GB/s.
#include "error_of.hpp"
#include "mpi/support.hpp"

namespace heddle::mpi {
namespace {

std::vector<std::string> bare(std::initializer_list<const char*> more) {
  std::vector<std::string> sets = {"mpi.envelope=0", "mpi.send_overhead=0ns",
                                   "mpi.isend_overhead=0ns", "mpi.receive_overhead=0ns",
                                   "mpi.eager_limit=1MiB"};
  sets.insert(sets.end(), more.begin(), more.end());
  return sets;
}

/// When a message of so many bytes from rank 0 is received by rank 1.
double one_way_us(int bytes, const std::vector<std::string>& sets) {
  Bed bed(2, sets);
  double end = 0;
  std::vector<char> data(static_cast<std::size_t>(bytes));
  bed.run([&](int rank) {
    if (rank == 0) {
      EXPECT_MPI(PMPI_Send(data.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
    } else {
      EXPECT_MPI(PMPI_Recv(data.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      end = now_us();
    }
  });
  return end;
}

/// When the last of `count` empty messages of each sender to the last rank is received.
double stream_us(int senders, int count, std::uint32_t ranks_per_node,
                 const std::vector<std::string>& sets) {
  Bed bed(static_cast<std::uint32_t>(senders) * 2, sets, ranks_per_node);
  double end = 0;
  bed.run([&](int rank) {
    if (rank < senders) {
      std::vector<MPI_Request> requests(static_cast<std::size_t>(count));
      for (MPI_Request& request : requests) {
        EXPECT_MPI(PMPI_Isend(nullptr, 0, MPI_BYTE, rank + senders, 0, MPI_COMM_WORLD, &request));
      }
      EXPECT_MPI(PMPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE));
      return;
    }
    for (int i = 0; i < count; ++i) {
      EXPECT_MPI(
          PMPI_Recv(nullptr, 0, MPI_BYTE, rank - senders, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    end = std::max(end, now_us());
  });
  return end;
}

TEST(Delay, AddsItsLineToTheWay) {
  const auto sets = bare({"mpi.delay=0:300ns;1000:-500ns:1ns/B"});
  EXPECT_NEAR(one_way_us(0, sets), 2.3, 1e-9);
  // 1000 B: 2 us + 80 ns + 300 ns; beyond them 2 us + 160 ns - 500 ns + 2000 ns.
  EXPECT_NEAR(one_way_us(1000, sets), 2.38, 1e-9);
  EXPECT_NEAR(one_way_us(2000, sets), 3.66, 1e-9);
}

TEST(Jitter, IsExponentialAndFollowsFromTheSeed) {
  // 400 empty messages in turn, 2 us each: of an exponential distribution with a mean of 1 us the
  // mean of so many is within 0.15 us, and 63 of 100 are below it.
  const auto times_of = [] {
    Bed bed(2, bare({"mpi.jitter=1us"}));
    std::vector<double> times;
    bed.run([&](int rank) {
      for (int i = 0; i < 400; ++i) {
        if (rank == i % 2) {
          EXPECT_MPI(PMPI_Send(nullptr, 0, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD));
          continue;
        }
        EXPECT_MPI(PMPI_Recv(nullptr, 0, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        times.push_back(now_us());
      }
    });
    for (std::size_t i = times.size() - 1; i > 0; --i) times[i] -= times[i - 1];
    return times;
  };
  const auto times = times_of();
  double sum = 0;
  int below = 0;
  for (const double time : times) {
    EXPECT_GE(time, 2 - 1e-9);
    sum += time - 2;
    below += time < 3 ? 1 : 0;
  }
  EXPECT_NEAR(sum / 400, 1, 0.15);
  EXPECT_NEAR(below / 400.0, 0.63, 0.08);
  EXPECT_EQ(times, times_of());
}

TEST(Delay, OfALineBelowZeroIsNone) {
  EXPECT_NEAR(one_way_us(1000, bare({"mpi.delay=-5us:1ns/B"})), 2.08, 1e-9);
}

TEST(Delay, OccupiesNothing) {
  // 100 empty messages leave at once, and all are there when the first is.
  EXPECT_NEAR(stream_us(1, 100, 1, bare({"mpi.delay=10us"})), 12, 1e-9);
}

TEST(Delay, HoldsForARendezvousToo) {
  EXPECT_NEAR(one_way_us(0, bare({"mpi.eager_limit=0", "mpi.detached_limit=0", "mpi.delay=1us"})),
              3, 1e-9);
}

TEST(Gap, IsBetweenMessagesOfARank) {
  // The tenth leaves after nine gaps.
  EXPECT_NEAR(stream_us(1, 10, 1, bare({"mpi.gap=500ns"})), 2 + 9 * 0.5, 1e-9);
  // Ranks do not wait for each other.
  EXPECT_NEAR(stream_us(4, 10, 4, bare({"mpi.gap=500ns"})), 2 + 9 * 0.5, 1e-9);
}

TEST(Gap, OfAdaptersIsSharedByTheRanksOfANode) {
  // 40 messages leave one node: the last after 39 gaps, and it is taken at once.
  EXPECT_NEAR(stream_us(4, 10, 4, bare({"nic.gap=100ns"})), 2 + 39 * 0.1, 1e-9);
}

TEST(Gap, OfAdaptersHoldsForWhatTheyTake) {
  // Ranks 0 to 3 on nodes of their own send one message each to rank 4: taken 100 ns apart.
  Bed bed(5, bare({"nic.gap=100ns"}));
  double end = 0;
  bed.run([&](int rank) {
    if (rank < 4) {
      EXPECT_MPI(PMPI_Send(nullptr, 0, MPI_BYTE, 4, 0, MPI_COMM_WORLD));
      return;
    }
    for (int i = 0; i < 4; ++i) {
      EXPECT_MPI(
          PMPI_Recv(nullptr, 0, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    end = now_us();
  });
  EXPECT_NEAR(end, 2.3, 1e-9);
}

TEST(Gap, AndDelayAreNotForMessagesInsideOfANode) {
  // Two ranks of one node, over its loopback, which takes no time.
  Bed bed(2, bare({"nic.gap=1us", "mpi.gap=1us", "mpi.delay=1us"}), 2);
  double end = -1;
  bed.run([&](int rank) {
    for (int i = 0; i < 3; ++i) {
      if (rank == 0) {
        EXPECT_MPI(PMPI_Send(nullptr, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
      } else {
        EXPECT_MPI(PMPI_Recv(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        end = now_us();
      }
    }
  });
  EXPECT_EQ(end, 0);
}

TEST(NodeDelay, AddsItsLineInsideOfANode) {
  Bed bed(2, bare({"mpi.node_latency=200ns", "mpi.node_delay=0:100ns;8:0ns:1ns/B"}), 2);
  double end = -1;
  char data[100] = {};
  bed.run([&](int rank) {
    if (rank == 0) {
      EXPECT_MPI(PMPI_Send(data, 100, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
    } else {
      EXPECT_MPI(PMPI_Recv(data, 100, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      end = now_us();
    }
  });
  // 200 ns, and 1 ns for each of 100 bytes.
  EXPECT_NEAR(end, 0.3, 1e-9);
}

TEST(LatencyFactors, OfEmptyMessagesAreThoseFromZeroOn) {
  EXPECT_NEAR(one_way_us(0, bare({"mpi.latency_factors=0:1.5;10:2"})), 3, 1e-9);
}

TEST(LatencyFactors, BelowOneAreRefused) {
  EXPECT_THAT(error_of([] { Bed bed(2, {"mpi.latency_factors=0:2;1024:0.5"}); }),
              testing::HasSubstr("mpi.latency_factors: 0.5 is below 1"));
}

}  // namespace
}  // namespace heddle::mpi
