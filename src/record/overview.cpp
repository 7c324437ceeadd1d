#include "record/overview.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

namespace heddle::record {
namespace {

std::size_t slot_of(Activity activity) {
  return static_cast<std::size_t>(activity);
}

/// S4BXI's numbers of what adapters send each other.
constexpr std::uint16_t kGetResponse = 2;
constexpr std::uint16_t kPut = 3;
constexpr std::uint16_t kGet = 4;
constexpr std::uint16_t kFetchResponse = 7;

/// A get itself asks only.
bool carries_data(const Record& step) {
  return step.what >= kGetResponse && step.what <= kFetchResponse && step.what != kGet;
}

/// What ranks of a row did in the slices of time, until the largest of it is known.
class Slices {
 public:
  Slices(Overview& overview, const OverviewConfig& config) : overview_(overview) {
    const std::uint32_t ranks = std::max(overview.ranks, 1U);
    overview.per_row = (ranks + config.most_rows - 1) / config.most_rows;
    overview.rows = (ranks + overview.per_row - 1) / overview.per_row;
    overview.slices = std::clamp(config.most_cells / overview.rows, 100U, 1000U);
    width_ = std::max<double>(1, static_cast<double>(overview.end.ps()) / overview.slices);
    spent_.resize(std::size_t{overview.rows} * overview.slices * kActivities);
  }

  void add(std::uint32_t rank, Activity activity, Time begin, Time end) {
    const auto from = static_cast<double>(begin.ps());
    const auto to = static_cast<double>(end.ps());
    const std::size_t row = rank / overview_.per_row;
    const std::size_t last = overview_.slices - 1;
    std::size_t s = std::min(last, static_cast<std::size_t>(from / width_));
    for (; s <= last && static_cast<double>(s) * width_ < to; ++s) {
      const double left = std::max(from, static_cast<double>(s) * width_);
      const double right = std::min(to, static_cast<double>(s + 1) * width_);
      if (right > left) {
        spent_[(row * overview_.slices + s) * kActivities + slot_of(activity)] +=
            static_cast<float>((right - left) / width_);
      }
    }
  }

  void finish() {
    overview_.cells.resize(std::size_t{overview_.rows} * overview_.slices);
    for (std::size_t i = 0; i < overview_.cells.size(); ++i) {
      overview_.cells[i] = cell(&spent_[i * kActivities]);
    }
  }

 private:
  Cell cell(const float* spent) const {
    constexpr auto kWait = static_cast<std::size_t>(Activity::wait);
    std::size_t most = kWait;
    for (std::size_t a = 0; a < kActivities; ++a) {
      if (a != kWait && spent[a] > (most == kWait ? 0 : spent[most])) most = a;
    }
    const bool idle = spent[most] == 0;
    return {static_cast<std::uint8_t>(idle ? kActivities : most), part(spent[most]),
            part(spent[kWait])};
  }
  /// Nothing that was done is rounded away.
  std::uint8_t part(float spent) const {
    if (spent == 0) return 0;
    const float share = std::min(1.0F, spent / static_cast<float>(overview_.per_row));
    return static_cast<std::uint8_t>(std::max(1.0F, share * 255));
  }

  Overview& overview_;
  double width_ = 1;
  std::vector<float> spent_;
};

/// One pass over the recording.
class Reader {
 public:
  Reader(const Recording& recorder, const OverviewConfig& config)
      : recorder_(recorder), config_(config) {
    overview_.ranks = recorder.ranks();
    overview_.end = recorder.end();
    overview_.by_rank.resize(overview_.ranks);
    overview_.by_call.resize(recorder.call_names().size());
    overview_.group = (std::max(overview_.ranks, 1U) + config.most_groups - 1) / config.most_groups;
    overview_.groups = (overview_.ranks + overview_.group - 1) / overview_.group;
    overview_.matrix.resize(std::size_t{overview_.groups} * overview_.groups);
    overview_.every_message = static_cast<std::uint32_t>(std::max<std::uint64_t>(
        1, (recorder.messages() + config.most_messages - 1) / config.most_messages));
    waited_.resize(overview_.ranks);
    choose_ranks();
  }

  Overview read() {
    Slices slices(overview_, config_);
    recorder_.for_each([&](const Record& r) {
      if (r.kind == Kind::span || r.kind == Kind::wait) {
        slices.add(r.rank, r.activity, r.begin, r.end);
      }
      see(r);
    });
    slices.finish();
    for (const auto& [who, totals] : threads_) overview_.threads.push_back(totals);
    sort_rounds();
    return std::move(overview_);
  }

 private:
  /// As many as there is room for: their shares of all records are taken for equal.
  void choose_ranks() {
    exact_.assign(overview_.ranks, false);
    const std::uint64_t per_rank =
        std::max<std::uint64_t>(1, recorder_.records() / std::max(overview_.ranks, 1U));
    std::uint64_t room = config_.most_intervals / per_rank;
    const auto take = [&](std::uint32_t rank) {
      if (room == 0 || rank >= overview_.ranks || exact_[rank]) return;
      exact_[rank] = true;
      --room;
    };
    if (room >= overview_.ranks) {
      exact_.assign(overview_.ranks, true);
    } else {
      for (const std::uint32_t rank : config_.first_ranks) take(rank);
      for (std::uint32_t rank = 0; rank < overview_.ranks; ++rank) take(rank);
    }
    for (std::uint32_t rank = 0; rank < overview_.ranks; ++rank) {
      if (exact_[rank]) overview_.exact_ranks.push_back(rank);
    }
  }

  void see(const Record& r) {
    if (r.thread != 0) note_thread(r);
    switch (r.kind) {
      case Kind::span:
      case Kind::wait:
        return see_activity(r);
      case Kind::message:
        return see_message(r);
      case Kind::call:
        return see_call(r);
      case Kind::step:
        return see_step(r);
    }
  }

  void see_activity(const Record& r) {
    if (exact_[r.rank] && r.end > r.begin) {
      overview_.activities.push_back(
          {r.rank, static_cast<std::uint16_t>(r.activity), r.begin, r.end, r.thread});
    }
    if (r.thread != 0) return see_thread(r);
    RankTotals& rank = overview_.by_rank[r.rank];
    rank.times[slot_of(r.activity)] += r.end - r.begin;
    rank.end = std::max(rank.end, r.end);
    if (r.activity == Activity::wait) waited_[r.rank] += r.end - r.begin;
  }

  void note_thread(const Record& r) {
    ThreadTotals& thread = threads_[{r.rank, r.thread}];
    thread.rank = r.rank;
    thread.thread = r.thread;
    thread.begin = std::min(thread.begin, r.begin);
    thread.end = std::max(thread.end, r.kind == Kind::message ? r.begin : r.end);
  }
  void see_thread(const Record& r) {
    threads_[{r.rank, r.thread}].times[slot_of(r.activity)] += r.end - r.begin;
    if (r.activity == Activity::wait) waited_others_[{r.rank, r.thread}] += r.end - r.begin;
  }

  void see_message(const Record& r) {
    if (r.way == Way::waited_recv) overview_.by_rank[r.rank].late_receiver += r.middle - r.begin;
    add(overview_.messages, r.bytes);
    add_pair(r.rank, r.peer, r.bytes);
    if (r.number % overview_.every_message == 0) overview_.sampled.push_back(r);
  }

  /// Of data from one rank to another.
  void add_pair(std::uint32_t from, std::uint32_t to, std::int64_t bytes) {
    RankTotals& sender = overview_.by_rank[from];
    RankTotals& receiver = overview_.by_rank[to];
    ++sender.sent;
    sender.sent_bytes += bytes;
    ++receiver.received;
    receiver.received_bytes += bytes;
    add(overview_.by_size[std::bit_width(static_cast<std::uint64_t>(bytes)) % 64], bytes);
    add(overview_
            .matrix[from / overview_.group * std::size_t{overview_.groups} + to / overview_.group],
        bytes);
  }

  /// Data travels with puts and atomics, and with what comes back to gets and atomics that fetch.
  void see_step(const Record& r) {
    if (r.what == kInjected || r.what == kNoticed) return;
    if (overview_.steps.size() < config_.most_steps) overview_.steps.push_back(r);
    if (r.what < kGetResponse || r.what > kFetchResponse) return;
    Operations& all = overview_.operations;
    if (carries_data(r)) all.bytes += r.bytes;
    if (is_message(r, recorder_)) add_pair(r.rank, r.peer, r.bytes);
    if (r.what == kGetResponse || r.what == kFetchResponse) return;
    ++(r.what == kPut ? all.puts : r.what == kGet ? all.gets : all.atomics);
  }

  static void add(Volume& volume, std::int64_t bytes) {
    ++volume.messages;
    volume.bytes += bytes;
  }

  void see_call(const Record& r) {
    CallTotals& call = overview_.by_call[r.what];
    ++call.calls;
    call.bytes += r.bytes;
    call.time += r.end - r.begin;
    Time& waited = r.thread == 0 ? waited_[r.rank] : waited_others_[{r.rank, r.thread}];
    call.waiting += std::exchange(waited, Time::zero());
    call.longest = std::max(call.longest, r.end - r.begin);
    if (r.number != 0) see_collective(r);
    if (exact_[r.rank]) overview_.calls.push_back({r.rank, r.what, r.begin, r.end, r.thread});
  }

  /// All members of a group call the same operations in the same order: their n-th calls of one
  /// belong together.
  void see_collective(const Record& r) {
    const auto group = static_cast<std::uint32_t>(r.number - 1);
    if (recorder_.groups().at(group).members < 2) return;
    const std::uint32_t number = called_[{r.rank, group, r.what}]++;
    const bool room = overview_.rounds.size() < config_.most_rounds;
    const auto [place, is_new] =
        places_.try_emplace({number, group, r.what}, room ? overview_.rounds.size() : kNowhere);
    if (is_new && room) overview_.rounds.push_back({r.what, group, number});
    if (place->second == kNowhere) {
      ++overview_.left_out_rounds;
    } else {
      add(overview_.rounds[place->second], r);
    }
  }
  static void add(CollectiveRound& round, const Record& r) {
    const bool later = round.ranks == 0 || r.begin > round.last_begin;
    const bool same = r.begin == round.last_begin && r.rank < round.last_rank;
    if (later || same) round.last_rank = r.rank;
    ++round.ranks;
    round.bytes += r.bytes;
    round.first_begin = std::min(round.first_begin, r.begin);
    round.last_begin = std::max(round.last_begin, r.begin);
    round.last_end = std::max(round.last_end, r.end);
  }
  void sort_rounds() {
    std::stable_sort(overview_.rounds.begin(), overview_.rounds.end(),
                     [](const CollectiveRound& a, const CollectiveRound& b) {
                       return a.first_begin < b.first_begin;
                     });
  }

  const Recording& recorder_;
  const OverviewConfig& config_;
  Overview overview_;
  std::vector<bool> exact_;
  std::vector<Time> waited_;  ///< By rank: since its last call.
  using ThreadOf = std::pair<std::uint32_t, std::uint32_t>;
  std::map<ThreadOf, Time> waited_others_;  ///< The same of threads other than the first.
  std::map<ThreadOf, ThreadTotals> threads_;
  /// A rank or a number, a group and the name of a call.
  using Calls = std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>;
  std::map<Calls, std::uint32_t> called_;  ///< By rank: how often.
  static constexpr std::size_t kNowhere = SIZE_MAX;
  std::map<Calls, std::size_t> places_;  ///< By number: of the round in the list.
};

}  // namespace

bool is_message(const Record& step, const Recording& recorder) {
  return step.kind == Kind::step && carries_data(step) && !recorder.knows_adapters_messages();
}

Overview make_overview(const Recording& recorder, const OverviewConfig& config) {
  return Reader(recorder, config).read();
}

}  // namespace heddle::record
