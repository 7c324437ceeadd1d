// Messages inside of a node: classes of sizes of their own, memory that they share, sockets; and
// what data costs that collectives copy and combine. Alone, s bytes take 200 ns + s / 10 GB/s here.
#include "mpi/support.hpp"

namespace heddle::mpi {
namespace {

std::vector<std::string> near(std::initializer_list<const char*> more = {}) {
  std::vector<std::string> sets = {"mpi.send_overhead=0ns",    "mpi.isend_overhead=0ns",
                                   "mpi.receive_overhead=0ns", "mpi.eager_limit=1MiB",
                                   "mpi.node_latency=200ns",   "mpi.node_bandwidth=10GBps"};
  sets.insert(sets.end(), more.begin(), more.end());
  return sets;
}

/// When each odd rank has received so many bytes from the one before it; all are on one node.
std::vector<double> pairs_us(int pairs, const std::vector<int>& bytes,
                             const std::vector<std::string>& sets) {
  const auto ranks = static_cast<std::uint32_t>(2 * pairs);
  Bed bed(ranks, sets, ranks);
  std::vector<double> ends(static_cast<std::size_t>(pairs));
  bed.run([&](int rank) {
    const auto pair = static_cast<std::size_t>(rank / 2);
    const int mine = bytes[pair % bytes.size()];
    std::vector<char> data(static_cast<std::size_t>(mine));
    if (rank % 2 == 0) {
      EXPECT_MPI(PMPI_Send(data.data(), mine, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD));
    } else {
      EXPECT_MPI(
          PMPI_Recv(data.data(), mine, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      ends[pair] = now_us();
    }
  });
  return ends;
}

TEST(NodeMemory, OfOneMessageIsItsOwn) {
  // 200 ns and 1 us for 10,000 B, with and without a limit of all together.
  EXPECT_NEAR(pairs_us(1, {10'000}, near())[0], 1.2, 1e-5);
  EXPECT_NEAR(pairs_us(1, {10'000}, near({"mpi.node_memory_bandwidth=20GBps"}))[0], 1.2, 1e-5);
  // Empty messages take the latency.
  EXPECT_NEAR(pairs_us(1, {0}, near({"mpi.node_memory_bandwidth=20GBps"}))[0], 0.2, 1e-5);
}

TEST(NodeMemory, IsSharedAlike) {
  // Eight messages of 10,000 B through 20 GB/s: 4 us for all of them.
  for (const double end : pairs_us(8, {10'000}, near({"mpi.node_memory_bandwidth=20GBps"}))) {
    EXPECT_NEAR(end, 0.2 + 4, 1e-5);
  }
}

TEST(NodeMemory, LeavesToOthersWhatIsThrough) {
  // 10,000 B and 30,000 B through 10 GB/s: at 5 GB/s each the short one takes 2 us; the other one
  // has 20,000 B left, and all for itself: 2 us more.
  const auto ends = pairs_us(2, {10'000, 30'000}, near({"mpi.node_memory_bandwidth=10GBps"}));
  EXPECT_NEAR(ends[0], 0.2 + 2, 1e-5);
  EXPECT_NEAR(ends[1], 0.2 + 4, 1e-5);
}

TEST(NodeMemory, IsUnlimitedWhereOnlyAllTogetherAreLimited) {
  // One message alone has all of it.
  std::vector<std::string> sets = near({"mpi.node_memory_bandwidth=20GBps"});
  sets.push_back("mpi.node_bandwidth=auto");
  EXPECT_NEAR(pairs_us(1, {10'000}, sets)[0], 0.2 + 0.5, 1e-5);
}

TEST(NodeGap, IsBetweenMessagesOfARankInsideOfANode) {
  // Ten empty messages of rank 0: the last leaves after nine gaps.
  Bed bed(2, near({"mpi.node_gap=500ns"}), 2);
  double end = 0;
  bed.run([&](int rank) {
    for (int i = 0; i < 10; ++i) {
      if (rank == 0) {
        EXPECT_MPI(PMPI_Send(nullptr, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
      } else {
        EXPECT_MPI(PMPI_Recv(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        end = now_us();
      }
    }
  });
  EXPECT_NEAR(end, 0.2 + 9 * 0.5, 1e-5);
}

TEST(Sockets, AddTheirLineBetweenThem) {
  // Of four ranks two are on each socket: 0 to 1 stays, 2 to 3 too; rank 1 to rank 2 crosses.
  Bed bed(4, near({"mpi.sockets=2", "mpi.socket_delay=100ns:0.01ns/B"}), 4);
  std::vector<double> ends(4);
  bed.run([&](int rank) {
    std::vector<char> data(10'000);
    if (rank < 3) {
      EXPECT_MPI(PMPI_Send(data.data(), 10'000, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD));
    }
    if (rank > 0) {
      EXPECT_MPI(
          PMPI_Recv(data.data(), 10'000, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      ends[static_cast<std::size_t>(rank)] = now_us();
    }
  });
  EXPECT_NEAR(ends[1], 1.2, 1e-5);
  EXPECT_NEAR(ends[2], 1.2 + 0.1 + 0.1, 1e-5);
  EXPECT_NEAR(ends[3], 1.2, 1e-5);
}

TEST(NodeClasses, AreOfMessagesInsideOfANodeOnly) {
  const auto sets = near({"mpi.node_send_overhead=1us", "mpi.node_receive_overhead=2us"});
  EXPECT_NEAR(pairs_us(1, {0}, sets)[0], 1 + 0.2 + 2, 1e-5);
  // Between nodes overheads are none: 2 us over two links.
  Bed bed(2, near({"mpi.node_send_overhead=1us", "mpi.envelope=0"}));
  double end = 0;
  bed.run([&](int rank) {
    if (rank == 0) {
      EXPECT_MPI(PMPI_Send(nullptr, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
    } else {
      EXPECT_MPI(PMPI_Recv(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      end = now_us();
    }
  });
  EXPECT_NEAR(end, 2, 1e-9);
}

TEST(NodeClasses, HaveAnEagerLimitOfTheirOwn) {
  // A send of 5,000 B waits for its receive, which begins at 10 us, if it is beyond the limit.
  const auto sender_us = [](const std::vector<std::string>& sets) {
    Bed bed(2, sets, 2);
    double end = 0;
    bed.run([&](int rank) {
      std::vector<char> data(5000);
      if (rank == 0) {
        EXPECT_MPI(PMPI_Send(data.data(), 5000, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
        end = now_us();
      } else {
        sleep_us(10);
        EXPECT_MPI(PMPI_Recv(data.data(), 5000, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      }
    });
    return end;
  };
  EXPECT_NEAR(sender_us(near()), 0, 1e-5);
  EXPECT_NEAR(sender_us(near({"mpi.node_eager_limit=4KiB"})), 10.7, 1e-5);
}

/// When an allreduce of so many doubles of two ranks on two nodes ends.
double allreduce_us(int count, std::initializer_list<const char*> more) {
  std::vector<std::string> sets = near({"mpi.envelope=0", "mpi.coll.allreduce=rdb"});
  sets.insert(sets.end(), more.begin(), more.end());
  Bed bed(2, sets);
  double end = 0;
  bed.run([&](int) {
    std::vector<double> out(static_cast<std::size_t>(count));
    std::vector<double> in(static_cast<std::size_t>(count));
    EXPECT_MPI(PMPI_Allreduce(out.data(), in.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    end = std::max(end, now_us());
  });
  return end;
}

TEST(DataCosts, OfReductionsAndCopiesAreTheProcessors) {
  // 8,000 B are copied to the result, sent over two links in 2.64 us, and combined once; the rank
  // whose operand comes first has the sum in the other one's place, and copies it back.
  const double bare = allreduce_us(1000, {});
  EXPECT_NEAR(bare, 2.64, 1e-5);
  EXPECT_NEAR(allreduce_us(1000, {"mpi.reduction_cost=100ns:0.5ns/B"}), bare + 4.1, 1e-5);
  EXPECT_NEAR(allreduce_us(1000, {"mpi.copy_cost=0ns:0.25ns/B"}), bare + 2 * 2, 1e-5);
}

TEST(DataCosts, AreTheSameWithoutData) {
  EXPECT_NEAR(allreduce_us(1000, {"mpi.reduction_cost=1us", "mpi.copy_payload=no"}), 3.64, 1e-5);
}

}  // namespace
}  // namespace heddle::mpi
