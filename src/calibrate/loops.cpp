#include "calibrate/loops.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <functional>

#include "calibrate/collective_calls.hpp"
#include "core/text.hpp"
#include "mpi/config.hpp"
#include "run/program_run.hpp"

namespace heddle::calibrate {
namespace {

constexpr int kWarmUp = 1;
constexpr int kRounds = 2;
/// Where rounds differ by chance.
constexpr int kRandomRounds = 40;
constexpr int kTag = 1;
constexpr MPI_Comm kWorld = MPI_COMM_WORLD;

double clock_us() {
  return PMPI_Wtime() * 1e6;
}

/// What one rank has of a loop: how long a round takes it, or nothing if its time is not looked at.
class LoopRank {
 public:
  LoopRank(const Measurement& loop, const LoopRanks& ranks, std::uint32_t rank, int rounds)
      : loop_(loop),
        rounds_(rounds),
        ranks_(static_cast<int>(ranks.ranks)),
        rank_(static_cast<int>(rank)),
        pairs_(ranks_ / 2),
        window_(static_cast<int>(std::min<std::uint32_t>(loop.window, 1U << 16))) {}

  std::optional<double> round_us(std::int64_t bytes) {
    bytes_ = bytes;
    PMPI_Barrier(kWorld);
    switch (loop_.loop) {
      case Loop::ping_pong:
        return ping_pong();
      case Loop::stream:
        return stream();
      case Loop::both_streams:
        return rounds([this] { both_streams(); });
      case Loop::ping_ping:
        return rounds([this] { ping_ping(); });
      case Loop::sendrecv:
        return rounds([this] { send_round(); });
      case Loop::exchange:
        return rounds([this] { exchange(); });
      case Loop::put:
      case Loop::get:
      case Loop::put_stream:
      case Loop::get_stream:
      case Loop::accumulate:
      case Loop::get_accumulate:
      case Loop::fetch_and_op:
      case Loop::compare_and_swap:
        return one_sided();
      case Loop::collectives:
        return rounds([this] { operation(); });
      case Loop::collective:
        return behind_barriers();
      case Loop::send_call:
      case Loop::isend_call:
      case Loop::receive_call:
        return one_call();
      default:
        return std::nullopt;
    }
  }

 private:
  bool sends() const { return rank_ < pairs_; }
  int partner() const { return sends() ? rank_ + pairs_ : rank_ - pairs_; }
  bool is_stream() const {
    return loop_.loop == Loop::put_stream || loop_.loop == Loop::get_stream;
  }

  double rounds(const std::function<void()>& round) const {
    for (int i = 0; i < kWarmUp; ++i) round();
    const double begin = clock_us();
    for (int i = 0; i < rounds_; ++i) round();
    return (clock_us() - begin) / rounds_;
  }

  void send(std::int64_t bytes, int to) { PMPI_Send_c(&out_, bytes, MPI_BYTE, to, kTag, kWorld); }
  void receive(std::int64_t bytes, int from) {
    PMPI_Recv_c(&in_, bytes, MPI_BYTE, from, kTag, kWorld, MPI_STATUS_IGNORE);
  }
  void start_sends(std::vector<MPI_Request>& requests, int count, int to) {
    for (int i = 0; i < count; ++i) {
      requests.push_back(MPI_REQUEST_NULL);
      PMPI_Isend_c(&out_, bytes_, MPI_BYTE, to, kTag, kWorld, &requests.back());
    }
  }
  void start_receives(std::vector<MPI_Request>& requests, int count, int from) {
    for (int i = 0; i < count; ++i) {
      requests.push_back(MPI_REQUEST_NULL);
      PMPI_Irecv_c(&in_, bytes_, MPI_BYTE, from, kTag, kWorld, &requests.back());
    }
  }
  static void wait_for(std::vector<MPI_Request>& requests) {
    PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
  }

  std::optional<double> ping_pong() {
    const double time = rounds([this] {
      if (sends()) send(bytes_, partner());
      receive(bytes_, partner());
      if (!sends()) send(bytes_, partner());
    });
    return sends() ? std::optional(time / 2) : std::nullopt;
  }

  std::optional<double> stream() {
    std::vector<MPI_Request> requests;
    const double time = rounds([&] {
      if (sends()) {
        start_sends(requests, window_, partner());
        wait_for(requests);
        receive(loop_.answer, partner());
      } else {
        start_receives(requests, window_, partner());
        wait_for(requests);
        send(loop_.answer, partner());
      }
    });
    return sends() ? std::optional(time) : std::nullopt;
  }

  void both_streams() {
    std::vector<MPI_Request> receives;
    std::vector<MPI_Request> sent;
    start_receives(receives, window_, partner());
    start_sends(sent, window_, partner());
    wait_for(sent);
    wait_for(receives);
  }

  void ping_ping() {
    std::vector<MPI_Request> requests;
    start_sends(requests, 1, partner());
    receive(bytes_, partner());
    wait_for(requests);
  }

  int next() const { return (rank_ + 1) % ranks_; }
  int before() const { return (rank_ + ranks_ - 1) % ranks_; }

  void send_round() {
    PMPI_Sendrecv_c(&out_, bytes_, MPI_BYTE, next(), kTag, &in_, bytes_, MPI_BYTE, before(), kTag,
                    kWorld, MPI_STATUS_IGNORE);
  }

  void exchange() {
    std::vector<MPI_Request> requests;
    start_sends(requests, 1, next());
    start_sends(requests, 1, before());
    receive(bytes_, before());
    receive(bytes_, next());
    wait_for(requests);
  }

  std::optional<double> one_sided() {
    // These are looked at, unlike buffers of messages.
    std::vector<char> memory(static_cast<std::size_t>(std::max<std::int64_t>(bytes_, 8)));
    MPI_Win window = MPI_WIN_NULL;
    PMPI_Win_create(memory.data(), static_cast<MPI_Aint>(memory.size()), 1, MPI_INFO_NULL, kWorld,
                    &window);
    std::optional<double> time;
    if (sends()) {
      PMPI_Win_lock(MPI_LOCK_SHARED, partner(), 0, window);
      time = rounds([&] {
        for (int i = 0; i < (is_stream() ? window_ : 1); ++i) access(window, memory.data());
        PMPI_Win_flush(partner(), window);
      });
      PMPI_Win_unlock(partner(), window);
    }
    PMPI_Barrier(kWorld);
    PMPI_Win_free(&window);
    return time;
  }
  void access(MPI_Win window, char* buffer) {
    const int to = partner();
    std::uint64_t one = 1;
    std::uint64_t old = 0;
    switch (loop_.loop) {
      case Loop::put:
      case Loop::put_stream:
        PMPI_Put_c(buffer, bytes_, MPI_BYTE, to, 0, bytes_, MPI_BYTE, window);
        return;
      case Loop::accumulate:
        PMPI_Accumulate_c(buffer, bytes_, MPI_BYTE, to, 0, bytes_, MPI_BYTE, MPI_BOR, window);
        return;
      case Loop::get_accumulate:
        PMPI_Get_accumulate_c(buffer, bytes_, MPI_BYTE, buffer, bytes_, MPI_BYTE, to, 0, bytes_,
                              MPI_BYTE, MPI_BOR, window);
        return;
      case Loop::fetch_and_op:
        PMPI_Fetch_and_op(&one, &old, MPI_UINT64_T, to, 0, MPI_SUM, window);
        PMPI_Win_flush(to, window);
        return;
      case Loop::compare_and_swap:
        PMPI_Compare_and_swap(&one, &old, &old, MPI_UINT64_T, to, 0, window);
        PMPI_Win_flush(to, window);
        return;
      default:
        PMPI_Get_c(buffer, bytes_, MPI_BYTE, to, 0, bytes_, MPI_BYTE, window);
    }
  }

  std::optional<double> behind_barriers() {
    double sum = 0;
    for (int i = 0; i < kWarmUp + rounds_; ++i) {
      const double begin = clock_us();
      operation();
      if (i >= kWarmUp) sum += clock_us() - begin;
      PMPI_Barrier(kWorld);
    }
    return sum / rounds_;
  }

  void operation() {
    const CollectiveCall call{loop_.collective, &out_, &in_, bytes_, ranks_};
    if (!loop_.nonblocking) return call.perform();
    MPI_Request request = MPI_REQUEST_NULL;
    call.start(&request);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
  }

  /// The calls of ranks that have all the time they need.
  std::optional<double> one_call() {
    double time = 0;
    for (int i = 0; i < kWarmUp + rounds_; ++i) {
      PMPI_Barrier(kWorld);
      const double begin = clock_us();
      if (loop_.loop == Loop::receive_call) {
        if (sends()) send(bytes_, partner());
        PMPI_Barrier(kWorld);
        const double there = clock_us();
        if (!sends()) receive(bytes_, partner());
        time = clock_us() - there;
      } else if (!sends()) {
        receive(bytes_, partner());
      } else if (loop_.loop == Loop::send_call) {
        send(bytes_, partner());
        time = clock_us() - begin;
      } else {
        std::vector<MPI_Request> requests;
        start_sends(requests, 1, partner());
        time = clock_us() - begin;
        wait_for(requests);
      }
    }
    const bool mine = sends() != (loop_.loop == Loop::receive_call);
    return mine ? std::optional(time) : std::nullopt;
  }

  const Measurement& loop_;
  int rounds_;
  int ranks_;
  int rank_;
  int pairs_;
  int window_;
  std::int64_t bytes_ = 0;
  // Addresses that nothing is read from or written to.
  char out_ = 0;
  char in_ = 0;
};

/// Messages of all ranks in a round that is timed.
double messages_in_round(const Measurement& measurement, const LoopRanks& ranks) {
  const std::uint32_t senders = ranks.ranks / 2;
  const double pairs = senders;
  switch (measurement.loop) {
    case Loop::stream:
      return measurement.window * pairs;
    case Loop::both_streams:
      return measurement.window * pairs * 2;
    case Loop::put_stream:
    case Loop::get_stream:
      return measurement.window;
    case Loop::sendrecv:
      return 2;
    case Loop::exchange:
      return 4;
    default:
      return 1;
  }
}

}  // namespace

std::string why_not_simulated(const Measurement& measurement) {
  if (measurement.loop == Loop::other) return "no loop of the simulator's is like it";
  if (measurement.loop == Loop::wire_ping_pong || measurement.loop == Loop::wire_stream) {
    return "there is no MPI in it; it tells of links";
  }
  if (measurement.loop == Loop::reduction || measurement.loop == Loop::copy) {
    return "it tells what data costs the processor inside of collectives";
  }
  if (measurement.device) return "its buffers are an accelerator's, which is not simulated";
  return "";
}

bool in_pairs(Loop loop) {
  return loop != Loop::collective && loop != Loop::collectives && loop != Loop::sendrecv &&
         loop != Loop::exchange;
}

bool ranks_missing(const Measurement& measurement) {
  return measurement.ranks == 0 && measurement.pairs == 0;
}

LoopRanks ranks_of(const Measurement& measurement) {
  LoopRanks ranks;
  if (ranks_missing(measurement)) {
    throw InputError({measurement.file, measurement.line},
                     in_quotes(measurement.title) + " does not say how many ranks took part");
  }
  ranks.ranks = measurement.ranks > 0 ? measurement.ranks : 2 * measurement.pairs;
  const std::uint32_t nodes = measurement.inside           ? 1
                              : measurement.nodes          ? *measurement.nodes
                              : in_pairs(measurement.loop) ? 2
                                                           : ranks.ranks;
  ranks.per_node = (ranks.ranks + nodes - 1) / std::max(1U, nodes);
  return ranks;
}

std::vector<double> simulate(const platform::Platform& platform, const Settings& settings,
                             const Measurement& measurement) {
  const LoopRanks ranks = ranks_of(measurement);
  Settings free_clock = settings;
  free_clock.assign("mpi.clock_cost", "0ns", {});
  const bool random = !settings.get(mpi::mpi_table()).jitter.zero();
  const int rounds = random ? kRandomRounds : kRounds;
  struct Sum {
    double us = 0;
    int ranks = 0;
  };
  std::vector<Sum> sums(measurement.points.size());
  host::FunctionProgram program([&](host::Rank& rank) {
    PMPI_Init(nullptr, nullptr);
    LoopRank one(measurement, ranks, static_cast<std::uint32_t>(rank.id()), rounds);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const auto time = one.round_us(measurement.points[i].bytes);
      sums[i].us += time.value_or(0);
      sums[i].ranks += time ? 1 : 0;
    }
    PMPI_Finalize();
    return 0;
  });
  run::RunConfig config;
  config.programs = {{"", {}, ranks.ranks}};
  config.ranks_per_node = ranks.per_node;
  config.functions = &program;
  run::ProgramRun(platform, free_clock, config).run();
  std::vector<double> values;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double us = sums[i].us / std::max(1, sums[i].ranks);
    const auto bytes = static_cast<double>(measurement.points[i].bytes);
    values.push_back(measurement.rate ? bytes * messages_in_round(measurement, ranks) / us : us);
  }
  return values;
}

}  // namespace heddle::calibrate
