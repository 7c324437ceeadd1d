// Handshakes of long messages that are messages themselves, over the transport `hybrid`. Two links
// of 1 us and 12.5 GB/s are between any two nodes: s bytes alone take 2 us + s / 12.5 GB/s.
// Requests and clearances of 125 B take 2.01 us, 12,500 B take 3 us.
#include "mpi/support.hpp"

namespace heddle::mpi {
namespace {

constexpr int kBytes = 12'500;

std::vector<std::string> asked(std::initializer_list<const char*> more = {}) {
  std::vector<std::string> sets = {"mpi.envelope=0",         "mpi.send_overhead=0ns",
                                   "mpi.isend_overhead=0ns", "mpi.receive_overhead=0ns",
                                   "mpi.eager_limit=1KiB",   "mpi.detached_limit=1KiB",
                                   "mpi.control_size=125"};
  sets.insert(sets.end(), more.begin(), more.end());
  return sets;
}

/// Ends of a send from rank 0 and of its receive, begun `late_us` after it.
struct Ends {
  double sender = 0;
  double receiver = 0;
};
Ends one_message(int bytes, std::int64_t late_us, const std::vector<std::string>& sets,
                 std::uint32_t ranks_per_node = 1) {
  Bed bed(2, sets, ranks_per_node);
  Ends ends;
  std::vector<char> data(static_cast<std::size_t>(bytes));
  bed.run([&](int rank) {
    if (rank == 0) {
      EXPECT_MPI(PMPI_Send(data.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
      ends.sender = now_us();
      return;
    }
    sleep_us(late_us);
    EXPECT_MPI(PMPI_Recv(data.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    ends.receiver = now_us();
  });
  return ends;
}

TEST(Handshake, TakesTwoMessagesBeforeThePayload) {
  // 2.01 us for the request, as much for the clearance, and 3 us.
  const Ends ends = one_message(kBytes, 0, asked());
  EXPECT_NEAR(ends.receiver, 7.02, 1e-9);
  EXPECT_NEAR(ends.sender, 7.02, 1e-9);
}

TEST(Handshake, IsAnsweredWhenTheReceiveIsThere) {
  // The request has long come when the receive begins at 10 us.
  EXPECT_NEAR(one_message(kBytes, 10, asked()).receiver, 10 + 2.01 + 3, 1e-9);
  // At 1 us it is on its way, and counts from its arrival.
  EXPECT_NEAR(one_message(kBytes, 1, asked()).receiver, 7.02, 1e-9);
}

TEST(Handshake, HasTheDelaysAndFactorsOfItsSize) {
  // 100 ns and 2 us more of latency for each of two control messages, 1 us and 4 us for the
  // payload.
  EXPECT_NEAR(one_message(kBytes, 0,
                          asked({"mpi.delay=0:100ns;1000:1us", "mpi.latency_factors=0:2;1000:3"}))
                  .receiver,
              2 * (2.01 + 0.1 + 2) + 3 + 1 + 4, 1e-9);
}

TEST(Handshake, IsOfMessagesBetweenNodesThatAreNotEager) {
  EXPECT_NEAR(one_message(1000, 0, asked()).receiver, 2.08, 1e-9);
  EXPECT_NEAR(one_message(kBytes, 0, asked({"mpi.node_latency=200ns"}), 2).receiver, 0.2, 1e-9);
}

TEST(Handshake, WithoutItPayloadsGoAtOnce) {
  EXPECT_NEAR(one_message(kBytes, 0, asked({"mpi.control_size=auto"})).receiver, 3, 1e-9);
}

TEST(Handshake, EndsTheSendOfWhatTheSystemTakes) {
  // Cleared after two messages of 2.01 us, and 3 us under way then. What is longer than the buffer
  // ends with its receive.
  const Ends taken = one_message(kBytes, 0, asked({"mpi.send_buffer=12500"}));
  EXPECT_NEAR(taken.sender, 4.02, 1e-9);
  EXPECT_NEAR(taken.receiver, 7.02, 1e-9);
  EXPECT_NEAR(one_message(kBytes, 0, asked({"mpi.send_buffer=12499"})).sender, 7.02, 1e-9);
}

/// Both ranks send 125,000 B (10 us on the wire) and receive as much; rank 1 begins `late_us`
/// later.
double exchange_us(std::int64_t late_us, const std::vector<std::string>& sets) {
  constexpr int kLong = 125'000;
  Bed bed(2, sets);
  double end = 0;
  std::vector<char> out(kLong);
  std::vector<char> in(2 * kLong);
  bed.run([&](int rank) {
    if (rank == 1) sleep_us(late_us);
    EXPECT_MPI(PMPI_Sendrecv(out.data(), kLong, MPI_BYTE, 1 - rank, 0, in.data() + rank * kLong,
                             kLong, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    end = std::max(end, now_us());
  });
  return end;
}

TEST(Handshake, WaitsBehindThePayloadOfItsSender) {
  const auto sets = asked({"fluid.order=by-pair"});
  // Together: both handshakes pass before the payloads, which cross.
  EXPECT_NEAR(exchange_us(0, sets), 2 * 2.01 + 12, 0.05);
  // Rank 1 comes at 5 us and answers what has come, so that rank 0 sends from 7.01 us on. It clears
  // the other payload behind its own, whose last byte leaves at 17.01 us: the clearance is there at
  // 19.02 us, the payload 12 us later.
  EXPECT_NEAR(exchange_us(5, sets), 7.01 + 10 + 2.01 + 12, 0.05);
  // Where messages of a pair share the wire, the clearance is there long before.
  EXPECT_LT(exchange_us(5, asked()), 25);
}

TEST(Handshake, WaitsForNoGapOfItsRank) {
  // Rank 0 sends to rank 1 at 4.02 us, and may send its next payload 100 us later. What rank 2 asks
  // it at 6 us has come at 8.01 us and is answered at once; 12 us after the answer the payload is
  // there.
  Bed bed(3, asked({"mpi.gap=1000:100us"}));
  std::vector<char> data(125'000);
  double end = 0;
  bed.run([&](int rank) {
    const auto size = static_cast<int>(data.size());
    if (rank == 1) {
      EXPECT_MPI(PMPI_Recv(data.data(), size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    } else if (rank == 2) {
      sleep_us(6);
      EXPECT_MPI(PMPI_Send(data.data(), size, MPI_BYTE, 0, 0, MPI_COMM_WORLD));
    } else {
      std::vector<char> in(data.size());
      MPI_Request requests[2];
      EXPECT_MPI(PMPI_Irecv(in.data(), size, MPI_BYTE, 2, 0, MPI_COMM_WORLD, &requests[0]));
      EXPECT_MPI(PMPI_Isend(data.data(), size, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[1]));
      EXPECT_MPI(PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
      end = now_us();
    }
  });
  EXPECT_NEAR(end, 6 + 2.01 + 2.01 + 12, 0.05);
}

TEST(Handshake, KeepsMessagesInTheirOrder) {
  // The first is long, the second is short and there first; receives take them as they were sent.
  Bed bed(2, asked());
  std::vector<char> data(kBytes, 'a');
  bed.run([&](int rank) {
    if (rank == 0) {
      MPI_Request requests[2];
      EXPECT_MPI(PMPI_Isend(data.data(), kBytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[0]));
      EXPECT_MPI(PMPI_Isend(data.data(), 10, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[1]));
      EXPECT_MPI(PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
      return;
    }
    std::vector<char> in(kBytes);
    for (const int expected : {kBytes, 10}) {
      MPI_Status status;
      int count = 0;
      EXPECT_MPI(PMPI_Recv(in.data(), kBytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &status));
      EXPECT_MPI(PMPI_Get_count(&status, MPI_BYTE, &count));
      EXPECT_EQ(count, expected);
    }
  });
}

TEST(Handshake, OfACancelledSendIsForgotten) {
  Bed bed(2, asked());
  std::vector<char> data(kBytes);
  bed.run([&](int rank) {
    for (int i = 0; i < 3; ++i) {
      if (rank == 0) {
        MPI_Request request;
        int cancelled = 0;
        MPI_Status status;
        EXPECT_MPI(PMPI_Isend(data.data(), kBytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request));
        EXPECT_MPI(PMPI_Cancel(&request));
        EXPECT_MPI(PMPI_Wait(&request, &status));
        EXPECT_MPI(PMPI_Test_cancelled(&status, &cancelled));
        EXPECT_TRUE(cancelled);
        EXPECT_MPI(PMPI_Send(data.data(), kBytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
      } else {
        EXPECT_MPI(
            PMPI_Recv(data.data(), kBytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      }
    }
  });
}

}  // namespace
}  // namespace heddle::mpi
