// Random programs of point-to-point calls, against a plain model of what MPI promises.
#include <map>
#include <random>

#include "mpi/support.hpp"

namespace heddle::mpi {
namespace {

constexpr int kRounds = 40;
constexpr int kTags = 3;

/// One message of a random program. Its payload says where it comes from and its number among the
/// messages of that pair and tag.
struct Sent {
  int source;
  int dest;
  int tag;
  int number;
  int mode;
  int words;  ///< Length.
};

/// How the messages to a rank are received in a round.
enum class How { exact, any_source, any_tag, probe, matched_probe, posted, persistent };

/// A program: in each round every rank sends and receives some messages.
struct Program {
  std::vector<std::vector<Sent>> rounds;
  std::vector<std::vector<How>> how;  ///< By round and rank.
};

Program random_program(unsigned seed, int ranks) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Program program;
  std::map<std::tuple<int, int, int>, int> numbers;
  for (int round = 0; round < kRounds; ++round) {
    auto& sent = program.rounds.emplace_back();
    auto& how = program.how.emplace_back();
    for (int i = below(4 * ranks); i > 0; --i) {
      Sent s{below(ranks), below(ranks), below(kTags), 0, below(5), 4 + below(3) * 3000};
      s.number = numbers[{s.source, s.dest, s.tag}]++;
      sent.push_back(s);
    }
    for (int rank = 0; rank < ranks; ++rank) how.push_back(How{below(7)});
  }
  return program;
}

std::vector<int> payload(const Sent& sent) {
  std::vector<int> data(static_cast<std::size_t>(sent.words), sent.number);
  data[0] = sent.source;
  data[1] = sent.tag;
  return data;
}

/// What has come so far, and whether it may: messages of a pair and tag in their order.
class Received {
 public:
  void note(const std::vector<int>& data, const MPI_Status& status) {
    EXPECT_EQ(data[0], status.MPI_SOURCE);
    EXPECT_EQ(data[1], status.MPI_TAG);
    EXPECT_EQ(data[2], (next_[{data[0], data[1]}]++));
    int count = 0;
    PMPI_Get_count(&status, MPI_INT, &count);
    EXPECT_EQ(data[static_cast<std::size_t>(count) - 1], data[2]);
    ++total_;
  }
  int total() const { return total_; }

 private:
  std::map<std::pair<int, int>, int> next_;
  int total_ = 0;
};

constexpr int kMost = 10'000;

/// The program of one rank.
class Player {
 public:
  Player(const Program& program, int rank) : program_(program), rank_(rank) {}

  int play() {
    std::vector<char> space(1 << 24);
    PMPI_Buffer_attach(space.data(), static_cast<int>(space.size()));
    for (std::size_t round = 0; round < program_.rounds.size(); ++round) {
      std::vector<Sent> expected;
      for (const Sent& sent : program_.rounds[round]) {
        if (sent.dest == rank_) expected.push_back(sent);
      }
      const How how = program_.how[round][static_cast<std::size_t>(rank_)];
      if (how == How::posted || how == How::persistent) post(expected, how);
      for (const Sent& sent : program_.rounds[round]) {
        if (sent.source == rank_) start(sent);
      }
      if (how == How::posted || how == How::persistent) {
        collect();
      } else {
        for (const Sent& sent : expected) take(sent, how);
      }
      PMPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
      sends_.clear();
      buffers_.clear();
      // All of a round comes before anything of the next: others may be ahead.
      PMPI_Barrier(MPI_COMM_WORLD);
    }
    void* address = nullptr;
    int size = 0;
    PMPI_Buffer_detach(&address, &size);
    return received_.total();
  }

 private:
  void start(const Sent& sent) {
    buffers_.push_back(payload(sent));
    auto* data = buffers_.back().data();
    MPI_Request request = MPI_REQUEST_NULL;
    switch (sent.mode) {
      case 0:
        PMPI_Isend(data, sent.words, MPI_INT, sent.dest, sent.tag, MPI_COMM_WORLD, &request);
        break;
      case 1:
        PMPI_Issend(data, sent.words, MPI_INT, sent.dest, sent.tag, MPI_COMM_WORLD, &request);
        break;
      case 2:
        PMPI_Bsend(data, sent.words, MPI_INT, sent.dest, sent.tag, MPI_COMM_WORLD);
        break;
      case 3:
        PMPI_Ibsend(data, sent.words, MPI_INT, sent.dest, sent.tag, MPI_COMM_WORLD, &request);
        break;
      default:
        // A receive that is taken back at once leaves no trace: nobody sends with its tag.
        PMPI_Irecv(data, 1, MPI_INT, MPI_ANY_SOURCE, kTags + 1, MPI_COMM_WORLD, &request);
        PMPI_Cancel(&request);
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
        PMPI_Isend(data, sent.words, MPI_INT, sent.dest, sent.tag, MPI_COMM_WORLD, &request);
    }
    sends_.push_back(request);
  }

  void take(const Sent& sent, How how) {
    std::vector<int> data(kMost);
    MPI_Status status;
    MPI_Message message;
    const int source = how == How::any_source ? MPI_ANY_SOURCE : sent.source;
    const int tag = how == How::any_tag ? MPI_ANY_TAG : sent.tag;
    if (how == How::probe) {
      int flag = 0;
      while (flag == 0) PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
      PMPI_Recv(data.data(), kMost, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                &status);
    } else if (how == How::matched_probe) {
      PMPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
      PMPI_Mrecv(data.data(), kMost, MPI_INT, &message, &status);
    } else {
      PMPI_Recv(data.data(), kMost, MPI_INT, source, tag, MPI_COMM_WORLD, &status);
    }
    received_.note(data, status);
  }

  void post(const std::vector<Sent>& expected, How how) {
    for (const Sent& sent : expected) {
      incoming_.emplace_back(kMost);
      MPI_Request request;
      if (how == How::persistent) {
        PMPI_Recv_init(incoming_.back().data(), kMost, MPI_INT, sent.source, sent.tag,
                       MPI_COMM_WORLD, &request);
        PMPI_Start(&request);
      } else {
        PMPI_Irecv(incoming_.back().data(), kMost, MPI_INT, sent.source, sent.tag, MPI_COMM_WORLD,
                   &request);
      }
      receives_.push_back(request);
    }
  }

  void collect() {
    std::vector<MPI_Status> statuses(receives_.size());
    PMPI_Waitall(static_cast<int>(receives_.size()), receives_.data(), statuses.data());
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      received_.note(incoming_[i], statuses[i]);
      if (receives_[i] != MPI_REQUEST_NULL) PMPI_Request_free(&receives_[i]);
    }
    receives_.clear();
    incoming_.clear();
  }

  const Program& program_;
  int rank_;
  Received received_;
  std::vector<MPI_Request> sends_;
  std::vector<MPI_Request> receives_;
  std::deque<std::vector<int>> buffers_;
  std::deque<std::vector<int>> incoming_;
};

/// Runs a random program; answers the fingerprint of the run.
std::uint64_t run_program(unsigned seed, int ranks, const std::vector<std::string>& sets) {
  const Program program = random_program(seed, ranks);
  int total = 0;
  Bed bed(static_cast<std::uint32_t>(ranks), sets);
  bed.run([&](int rank) { total += Player(program, rank).play(); });
  int expected = 0;
  for (const auto& round : program.rounds) expected += static_cast<int>(round.size());
  EXPECT_EQ(total, expected);
  return bed.simulation.fingerprint();
}

TEST(RandomPrograms, ReceiveEverythingOnceAndInOrder) {
  // Some hundreds of messages each, all modes, wildcards, probes and cancels, on 1 to 6 ranks.
  for (unsigned seed = 0; seed < 12; ++seed) {
    const int ranks = 1 + static_cast<int>(seed % 6);
    run_program(seed, ranks, {});
    run_program(seed, ranks, {"mpi.preset=smpi", "mpi.test_cost=1us"});
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(RandomPrograms, RunTheSameWayAgain) {
  EXPECT_EQ(run_program(99, 5, {}), run_program(99, 5, {}));
}

}  // namespace
}  // namespace heddle::mpi
