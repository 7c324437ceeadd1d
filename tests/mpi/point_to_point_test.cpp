#include <array>
#include <numeric>
#include <utility>

#include "mpi/support.hpp"

namespace heddle::mpi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PointToPoint, MessagesOfAPairKeepTheirOrderWhateverTheReceivesSay) {
  Bed(2).run([](int rank) {
    if (rank == 0) {
      for (int i = 0; i < 4; ++i) send(i, 1, 5);
    } else {
      EXPECT_EQ(receive(0, 5), 0);
      EXPECT_EQ(receive(MPI_ANY_SOURCE, 5), 1);
      EXPECT_EQ(receive(0, MPI_ANY_TAG), 2);
      EXPECT_EQ(receive(MPI_ANY_SOURCE, MPI_ANY_TAG), 3);
    }
  });
}

TEST(PointToPoint, OlderReceivesWinWhetherOrNotTheyHaveWildcards) {
  // Posted: any tag, tag 7, any source. Messages of tag 7 must fill them in this order.
  Bed(2).run([](int rank) {
    if (rank == 1) {
      int values[3] = {-1, -1, -1};
      MPI_Request requests[3];
      PMPI_Irecv(&values[0], 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
      PMPI_Irecv(&values[1], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &requests[1]);
      PMPI_Irecv(&values[2], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &requests[2]);
      EXPECT_MPI(PMPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
      EXPECT_THAT(values, ElementsAre(0, 1, 2));
    } else {
      sleep_us(10);
      for (int i = 0; i < 3; ++i) send(i, 1, 7);
    }
  });
}

/// Few receives are kept near their process, nine are not. The one of tag 513 is taken back; tags
/// 1, 257 and 513 look alike at first sight. Messages come in the opposite order, so that of the
/// two receives of tag 1 the older one gets what was meant for the younger: 3 and 0 change places.
TEST(PointToPoint, ReceivesAreFoundHoweverManyArePosted) {
  constexpr std::array<int, 9> kTags = {1, 257, 513, 1, 2, 3, 4, 5, 6};
  constexpr int kTakenBack = 2;
  for (const int posted : {4, 6, 9}) {
    Bed(2).run([&](int rank) {
      std::array<int, 9> values{};
      std::array<MPI_Request, 9> requests;
      requests.fill(MPI_REQUEST_NULL);
      for (int i = 0; rank == 1 && i < posted; ++i) {
        PMPI_Irecv(&values.at(i), 1, MPI_INT, 0, kTags.at(i), MPI_COMM_WORLD, &requests.at(i));
      }
      if (rank == 0) {
        sleep_us(10);
        for (int i = posted; i-- > 0;) {
          if (i != kTakenBack) send(i, 1, kTags.at(i));
        }
        return;
      }
      EXPECT_MPI(PMPI_Cancel(&requests.at(kTakenBack)));
      EXPECT_MPI(PMPI_Waitall(posted, requests.data(), MPI_STATUSES_IGNORE));
      for (int i = 0; i < posted; ++i) {
        const int expected = i == 0 ? 3 : i == 3 || i == kTakenBack ? 0 : i;
        EXPECT_EQ(values.at(i), expected) << posted << " posted, number " << i;
      }
    });
  }
}

TEST(PointToPoint, AllModesDeliverAndSynchronousOnesWait) {
  // Rank 1 receives 100 us late: only the synchronous send may not return before.
  Bed(2).run([](int rank) {
    int value = 42;
    if (rank == 1) {
      sleep_us(100);
      for (int tag = 0; tag < 4; ++tag) EXPECT_EQ(receive(0, tag), 42);
      return;
    }
    char space[256];
    EXPECT_MPI(PMPI_Buffer_attach(space, sizeof space));
    EXPECT_MPI(PMPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD));
    EXPECT_MPI(PMPI_Bsend(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD));
    EXPECT_LT(now_us(), 100);
    EXPECT_MPI(PMPI_Ssend(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
    EXPECT_GT(now_us(), 100);
    EXPECT_MPI(PMPI_Rsend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD));
    void* buffer = nullptr;
    int size = 0;
    EXPECT_MPI(PMPI_Buffer_detach(&buffer, &size));
    EXPECT_EQ(buffer, space);
    EXPECT_EQ(size, 256);
  });
}

TEST(PointToPoint, BufferedSendsNeedSpace) {
  EXPECT_THAT(failure(1,
                      [](int) {
                        char space[64];
                        PMPI_Buffer_attach(space, sizeof space);
                        send(1, 0, 0);
                        int value = 0;
                        PMPI_Bsend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
                      }),
              HasSubstr("rank 0: MPI_Bsend: the message needs 100 bytes of the attached buffer, "
                        "which has 64, 0 of them in use"));
}

TEST(PointToPoint, TruncationIsAnErrorOfTheReceiver) {
  EXPECT_THAT(failure(2,
                      [](int rank) {
                        int two[2] = {1, 2};
                        if (rank == 0) PMPI_Send(two, 2, MPI_INT, 1, 3, MPI_COMM_WORLD);
                        if (rank == 1) receive(0, 3);
                      }),
              HasSubstr("rank 1: MPI_Recv: the message from 0, tag 3, is longer than the 4 bytes"));
}

TEST(PointToPoint, ArgumentsThatCannotBeAreNamed) {
  EXPECT_THAT(failure(16, [](int) { send(1, 17, 0); }),
              HasSubstr("MPI_Send: argument dest: 17 is not a rank of MPI_COMM_WORLD: accepted are "
                        "0 to 15, MPI_PROC_NULL"));
  EXPECT_THAT(failure(2, [](int) { send(1, 1, -5); }), HasSubstr("argument tag: -5 is no tag"));
  EXPECT_THAT(failure(2, [](int) { send(1, 1, 0, MPI_COMM_NULL); }),
              HasSubstr("argument comm: MPI_COMM_NULL is no communicator here"));
}

TEST(PointToPoint, PersistentRequestsStartAgain) {
  Bed(2).run([](int rank) {
    int value = 0;
    MPI_Request request;
    if (rank == 0) {
      PMPI_Send_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    } else {
      PMPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    }
    for (int i = 0; i < 3; ++i) {
      if (rank == 0) value = i;
      EXPECT_MPI(PMPI_Start(&request));
      EXPECT_MPI(PMPI_Wait(&request, MPI_STATUS_IGNORE));
      EXPECT_EQ(value, i);
    }
    EXPECT_MPI(PMPI_Request_free(&request));
    EXPECT_EQ(request, MPI_REQUEST_NULL);
  });
}

/// 250 numbers: too many to be kept in the record of a message.
using Numbers = std::array<int, 250>;

void start_numbers(const Numbers& numbers, MPI_Request* request) {
  EXPECT_MPI(PMPI_Isend(numbers.data(), numbers.size(), MPI_INT, 1, 0, MPI_COMM_WORLD, request));
}

/// The first and the last one of those that come next.
std::pair<int, int> ends_received() {
  Numbers numbers{};
  EXPECT_MPI(
      PMPI_Recv(numbers.data(), numbers.size(), MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  return {numbers.front(), numbers.back()};
}

// Rank 0 sends at 0 us, where each send takes its processor 1 us, and rank 1 receives at 20 us. A
// sender that has waited for its sends writes to their buffers at 2 us; that changes no message.
// One that waits for an answer as well leaves them as they are until 20 us. One that never waits
// has ended by then.
TEST(PointToPoint, MessagesAreWhatWasSentHoweverLateTheyAreReceived) {
  for (const bool answers : {false, true}) {
    Bed(2, {"mpi.isend_overhead=1us"}).run([=](int rank) {
      if (rank == 1) {
        sleep_us(20);
        EXPECT_EQ(ends_received(), std::pair(1, 1));
        EXPECT_EQ(ends_received(), std::pair(2, 2));
        if (answers) send(5, 0, 1);
        sleep_us(20);
        EXPECT_EQ(ends_received(), std::pair(3, 3));
        return;
      }
      Numbers first;
      Numbers second;
      first.fill(1);
      second.fill(2);
      std::array<MPI_Request, 3> requests;
      int answer = 0;
      start_numbers(first, requests.data());
      start_numbers(second, &requests[1]);
      if (answers) PMPI_Irecv(&answer, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[2]);
      EXPECT_MPI(PMPI_Waitall(answers ? 3 : 2, requests.data(), MPI_STATUSES_IGNORE));
      EXPECT_EQ(now_us() > 20, answers);
      first.fill(3);
      second.fill(4);
      start_numbers(first, requests.data());
      EXPECT_MPI(PMPI_Request_free(requests.data()));
      sleep_us(2);
    });
  }
}

// Rank 0 starts a send that takes its processor 3 us and then waits for a message that leaves rank
// 1 after 10 us, and takes 2 us and the time of its bytes: of all these but 3 us it has waited, in
// the times of the rank as in what is told of its calls.
TEST(PointToPoint, WhatTheProcessorWorksOffIsNoWaiting) {
  Bed bed(2, {"mpi.isend_overhead=3us", "mpi.send_overhead=0us", "mpi.receive_overhead=0us"});
  bed.run([&](int rank) {
    if (rank == 1) {
      sleep_us(10);
      send(1, 0, 0);
      EXPECT_EQ(receive(0, 0), 2);
      return;
    }
    const host::Rank& self = *host::current_rank();
    const Counters& counters = bed.world().process(0).counters;
    const Time begin = self.now();
    const Time of_rank = self.account().times().waiting;
    const Time of_calls = counters.waiting;
    const int sent = 2;
    MPI_Request request;
    EXPECT_MPI(PMPI_Isend(&sent, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request));
    EXPECT_EQ(receive(1, 0), 1);
    const Time taken = self.now() - begin;
    EXPECT_GT(taken, Time::us(12));
    EXPECT_EQ(self.account().times().waiting - of_rank, taken - Time::us(3));
    EXPECT_EQ(counters.waiting - of_calls, taken - Time::us(3));
    EXPECT_MPI(PMPI_Wait(&request, MPI_STATUS_IGNORE));
  });
}

TEST(PointToPoint, CancelTakesBackWhatHasMetNothing) {
  Bed(2).run([](int rank) {
    int value = 1;
    MPI_Request request;
    MPI_Status status;
    int cancelled = 0;
    if (rank == 0) {
      PMPI_Isend(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &request);
    } else {
      PMPI_Irecv(&value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &request);
    }
    EXPECT_MPI(PMPI_Cancel(&request));
    EXPECT_MPI(PMPI_Wait(&request, &status));
    PMPI_Test_cancelled(&status, &cancelled);
    EXPECT_EQ(cancelled, 1);
    // Nothing is left of it: the next message is another one.
    sleep_us(10);
    if (rank == 0) send(7, 1, 9);
    if (rank == 1) {
      EXPECT_EQ(receive(0, 9), 7);
    }
  });
}

TEST(PointToPoint, MatchedProbesTakeTheirMessage) {
  Bed(2).run([](int rank) {
    if (rank == 0) {
      send(1, 1, 4);
      send(2, 1, 4);
      return;
    }
    MPI_Message message;
    MPI_Status status;
    EXPECT_MPI(PMPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status));
    EXPECT_EQ(status.MPI_SOURCE, 0);
    EXPECT_EQ(status.MPI_TAG, 4);
    EXPECT_EQ(receive(0, 4), 2);
    int value = 0;
    EXPECT_MPI(PMPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
    EXPECT_EQ(value, 1);
    EXPECT_EQ(message, MPI_MESSAGE_NULL);
  });
}

TEST(PointToPoint, PollingLetsTimePass) {
  Bed(2).run([](int rank) {
    if (rank == 0) {
      sleep_us(50);
      send(3, 1, 0);
      return;
    }
    int flag = 0;
    int polls = 0;
    for (; flag == 0; ++polls) PMPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    EXPECT_GE(now_us(), 50);
    EXPECT_GT(polls, 1);
    EXPECT_EQ(receive(0, 0), 3);
  });
}

TEST(PointToPoint, SendrecvReplaceExchanges) {
  Bed(3).run([](int rank) {
    int value = rank;
    EXPECT_MPI(PMPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % 3, 0, (rank + 2) % 3, 0,
                                     MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    EXPECT_EQ(value, (rank + 2) % 3);
    MPI_Request request;
    EXPECT_MPI(PMPI_Isendrecv_replace(&value, 1, MPI_INT, (rank + 1) % 3, 0, (rank + 2) % 3, 0,
                                      MPI_COMM_WORLD, &request));
    EXPECT_MPI(PMPI_Wait(&request, MPI_STATUS_IGNORE));
    EXPECT_EQ(value, (rank + 1) % 3);
  });
}

TEST(PointToPoint, LongPayloadsArriveWhole) {
  // Beyond the eager limit and below it, received before and after they were sent.
  Bed(2).run([](int rank) {
    for (const int count : {1, 1000, 100'000}) {
      std::vector<int> data(static_cast<std::size_t>(count));
      if (rank == 0) {
        std::iota(data.begin(), data.end(), count);
        if (count == 1000) sleep_us(50);
        PMPI_Send(data.data(), count, MPI_INT, 1, 0, MPI_COMM_WORLD);
      } else {
        PMPI_Recv(data.data(), count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        EXPECT_EQ(data.front(), count);
        EXPECT_EQ(data.back(), 2 * count - 1);
      }
    }
  });
}

TEST(PointToPoint, GeneralizedRequestsAskTheProgram) {
  Bed(1).run([](int) {
    MPI_Request request;
    int freed = 0;
    EXPECT_MPI(PMPI_Grequest_start(
        [](void*, MPI_Status* status) {
          status->MPI_TAG = 77;
          status->MPI_SOURCE = MPI_UNDEFINED;
          return PMPI_Status_set_cancelled(status, 0);
        },
        [](void* extra) {
          ++*static_cast<int*>(extra);
          return MPI_SUCCESS;
        },
        [](void*, int) { return MPI_SUCCESS; }, &freed, &request));
    int flag = 1;
    PMPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    EXPECT_EQ(flag, 0);
    PMPI_Grequest_complete(request);
    MPI_Status status;
    EXPECT_MPI(PMPI_Wait(&request, &status));
    EXPECT_EQ(status.MPI_TAG, 77);
    EXPECT_EQ(freed, 1);
  });
}

TEST(PointToPoint, DeadlocksSayWhoWaitsForWhomInACircle) {
  // Ranks 0, 1 and 2 wait for the next of them; 3 waits for 0 in a request, 4 for anybody.
  Bed bed(5);
  try {
    bed.run([](int rank) {
      int value = 0;
      MPI_Request request;
      if (rank < 3) receive((rank + 1) % 3, 5);
      PMPI_Irecv(&value, 1, MPI_INT, rank == 3 ? 0 : MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
      PMPI_Wait(&request, MPI_STATUS_IGNORE);
    });
    FAIL() << "no deadlock";
  } catch (const DeadlockError& error) {
    const std::string text = error.what();
    EXPECT_THAT(text, HasSubstr("rank 1 waits in MPI_Recv from 2, tag 5, MPI_COMM_WORLD, 4 bytes"));
    EXPECT_THAT(text, HasSubstr("rank 4 waits in MPI_Wait for a receive from any rank, tag 1"));
  }
  EXPECT_EQ(bed.world().waiting_circle(),
            "rank 0 waits for rank 1, which waits for rank 2, which waits for rank 0");
}

}  // namespace
}  // namespace heddle::mpi
