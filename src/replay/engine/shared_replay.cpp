#include "replay/engine/shared_replay.hpp"

#include <fmt/core.h>

#include <numeric>
#include <optional>

#include "replay/engine/replay_engine.hpp"

namespace heddle::replay {
namespace {

Parts equal_shares(std::uint32_t ranks, std::size_t members) {
  std::vector<std::uint32_t> begins;
  for (std::uint32_t p = 0; p <= members; ++p)
    begins.push_back(RankShare{p, static_cast<std::uint32_t>(members)}.begin(ranks));
  return Parts(std::move(begins));
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

/// One process of a shared replay.
class MemberReplay {
 public:
  MemberReplay(const Schedule& schedule, const ReplayOptions& options, Exchange& exchange,
               std::uint64_t most_logged)
      : schedule_(schedule),
        options_(options),
        exchange_(exchange),
        most_logged_(most_logged),
        parts_(equal_shares(schedule.ranks(), exchange.size())),
        numbers_(exchange.size()) {}

  SharedResult run() {
    agree_on(exchange_, [this] { check(); });
    units_ = agreed_units();
    const std::vector<std::uint64_t> ops = exchange_.numbers(schedule_.ops());
    operations_ = sum_of(ops);
    const auto before = std::accumulate(
        ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(me()), std::uint64_t{0});
    agree_on(exchange_, [&] {
      engine_.emplace(schedule_, options_, units_, parts_, me());
      engine_->begin(before);
    });
    run_windows();
    return result();
  }

 private:
  std::size_t me() const { return exchange_.me(); }

  void check() const {
    const CostModel costs(options_.parameters);
    require_within(schedule_, costs.limits());
    if (costs.lookahead() == 0)
      throw InputError({"loggops.L"}, "with o + L of 0 a replay cannot be shared among processes");
    for (std::uint32_t r = parts_.begin(me()); r < parts_.end(me()); ++r) {
      const RankView rank = schedule_.rank(r);
      for (std::uint32_t i = 0; i < rank.size(); ++i) {
        const PackedOp& op = rank.packed(i);
        if (op.kind() != OpKind::send || !costs.rendezvous(rank.value(i))) continue;
        if (parts_.part_of(op.peer) == me()) continue;
        throw InputError({schedule_.source(), rank.place(i).line},
                         schedule_.describe(r, i) +
                             ": it is larger than replay.S and goes to a rank of another process: "
                             "accepted with a larger replay.S, or by fewer processes");
      }
    }
  }

  UnitPairs agreed_units() {
    const auto most = [this](unsigned mine) {
      const auto all = exchange_.numbers(mine);
      return static_cast<unsigned>(*std::max_element(all.begin(), all.end()));
    };
    const unsigned cpus = most(schedule_.cpus());
    UnitPairs pairs = UnitPairs::of(schedule_, cpus, most(schedule_.nics()));
    const std::vector<std::uint64_t> counts(exchange_.size(), pairs.used.size());
    std::vector<std::uint64_t> all(sum_of(counts));
    exchange_.gather(pairs.used.data(), counts, sizeof(std::uint64_t), all.data());
    for (std::size_t i = 0; i < all.size(); ++i) pairs.used[i % pairs.used.size()] |= all[i];
    return pairs;
  }

  void run_windows() {
    std::uint64_t first = operations_;
    for (;;) {
      first += number_events(first);
      const std::int64_t window = settle();
      if (window == LaterEntries::kNoWindow) return;
      report_progress(window);
      agree_on_seldom([&] { engine_->replay(window); });
    }
  }

  /// An error is remembered, and agreed on when the logs are joined.
  template <class Step>
  void agree_on_seldom(Step step) {
    try {
      step();
    } catch (const std::exception& error) {
      error_ = error.what();
    }
  }

  /// Joins the logs of all members; says what the last window has caused. Of long logs only a slice
  /// of all of them is joined at a time, so that no member has to hold those of all others.
  std::uint64_t number_events(std::uint64_t first) {
    constexpr std::uint64_t kFailed = UINT64_MAX;
    const std::size_t events = engine_->executed().size() - 1;
    auto left = exchange_.numbers(error_.empty() ? events : kFailed);
    if (std::find(left.begin(), left.end(), kFailed) != left.end())
      agree_on_error(exchange_, error_, false);
    numbered_.clear();
    numbered_.reserve(events);
    std::uint64_t caused = 0;
    const std::uint64_t most = std::max<std::uint64_t>(1, most_logged_ / exchange_.size());
    while (*std::max_element(left.begin(), left.end()) > most) {
      const std::size_t end = end_of_slice(most);
      auto counts = exchange_.numbers(end - numbered_.size());
      caused += number_slice(end, first + caused, std::move(counts));
      left = exchange_.numbers(events - numbered_.size());
    }
    return caused + number_slice(events, first + caused, std::move(left));
  }

  /// Where in this member's log the next slice ends: before the first event that any member has
  /// `most` further on. Events that are caused by one of the slice come after all others of their
  /// instant, so their place is known only when that one has its number.
  std::size_t end_of_slice(std::uint64_t most) {
    const std::span<const Executed> log = engine_->executed();
    const std::size_t mine = std::min(numbered_.size() + most, log.size() - 1);
    const auto times = exchange_.numbers(static_cast<std::uint64_t>(log[mine].time));
    const auto sequences =
        exchange_.numbers(std::min(known_sequence(log[mine]), Sequences::kProvisional));
    std::size_t least = 0;
    for (std::size_t p = 1; p < times.size(); ++p) {
      if (std::pair(times[p], sequences[p]) < std::pair(times[least], sequences[least])) least = p;
    }
    const auto before = [&](const Executed& event) {
      return std::pair(static_cast<std::uint64_t>(event.time), known_sequence(event)) <
             std::pair(times[least], sequences[least]);
    };
    const auto begin = log.begin() + static_cast<std::ptrdiff_t>(numbered_.size());
    return static_cast<std::size_t>(std::partition_point(begin, log.end() - 1, before) -
                                    log.begin());
  }

  /// Its number, if the event that caused it has one.
  std::uint64_t known_sequence(const Executed& event) const {
    const std::uint64_t sequence = event.sequence;
    const bool known = Sequences::provisional(sequence) && sequence != UINT64_MAX &&
                       Sequences::event_of(sequence) < numbered_.size();
    return known ? Sequences::resolve(sequence, numbered_) : sequence;
  }

  /// This member's slice from what is numbered to `end`, as a log of its own.
  std::vector<Executed> slice_to(std::size_t end) const {
    const std::span<const Executed> log = engine_->executed();
    const std::size_t begin = numbered_.size();
    std::vector<Executed> slice;
    slice.reserve(end - begin + 1);
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t sequence = known_sequence(log[i]);
      if (Sequences::provisional(sequence)) {
        sequence -= Sequences::first_of(begin) - Sequences::first_of(0);
      }
      slice.push_back({log[i].time, sequence, log[i].caused_before - log[begin].caused_before});
    }
    slice.push_back({INT64_MAX, UINT64_MAX, log[end].caused_before - log[begin].caused_before});
    return slice;
  }

  /// Numbers the events of the next slice, `counts` of every member; says what they have caused.
  std::uint64_t number_slice(std::size_t end, std::uint64_t first,
                             std::vector<std::uint64_t> counts) {
    const std::vector<Executed> mine = slice_to(end);
    for (std::uint64_t& count : counts) ++count;  // With an end each.
    logs_.resize(sum_of(counts));
    exchange_.gather(mine.data(), counts, sizeof(Executed), logs_.data());
    std::vector<std::span<const Executed>> logs;
    std::size_t at = 0;
    for (std::size_t p = 0; p < counts.size(); ++p) {
      logs.emplace_back(logs_.data() + at, counts[p]);
      numbers_[p].resize(counts[p]);
      at += counts[p];
    }
    const Numbering numbering(std::move(logs));
    const Numbering::Place from = numbering.cut(me(), counts.size());
    const Numbering::Place to = numbering.cut(me() + 1, counts.size());
    numbering.number(from, to, first + numbering.caused_before(from), numbers_);
    hand_out(from, to);
    numbered_.insert(numbered_.end(), numbers_[me()].begin(), numbers_[me()].end() - 1);
    return numbering.caused_before(numbering.cut(1, 1));
  }

  /// Each member has numbered a share of everybody's events: every member gets the numbers of its
  /// own, the shares one after another.
  void hand_out(const Numbering::Place& from, const Numbering::Place& to) {
    std::vector<std::uint64_t> out;
    std::vector<std::uint64_t> out_counts;
    for (std::size_t p = 0; p < from.size(); ++p) {
      const std::vector<std::uint64_t>& numbers = numbers_[p];
      out.insert(out.end(), numbers.begin() + static_cast<std::ptrdiff_t>(from[p]),
                 numbers.begin() + static_cast<std::ptrdiff_t>(to[p]));
      out_counts.push_back(to[p] - from[p]);
    }
    const auto in_counts = exchange_.swap_numbers(out_counts);
    exchange_.swap(out.data(), out_counts, numbers_[me()].data(), in_counts, sizeof(std::uint64_t));
  }

  /// Gives out the numbers and the messages; says which window is next.
  std::int64_t settle() {
    const std::int64_t mine = engine_->settle(numbered_);
    std::vector<std::uint64_t> out_counts;
    out_.clear();
    for (std::size_t p = 0; p < exchange_.size(); ++p) {
      const auto messages = engine_->messages_to(p);
      out_.insert(out_.end(), messages.begin(), messages.end());
      out_counts.push_back(messages.size());
    }
    engine_->forget_messages();
    const auto in_counts = exchange_.swap_numbers(out_counts);
    in_.resize(sum_of(in_counts));
    exchange_.swap(out_.data(), out_counts, in_.data(), in_counts, sizeof(RemoteMessage));
    engine_->take(in_);
    const auto windows = exchange_.numbers(static_cast<std::uint64_t>(mine));
    return static_cast<std::int64_t>(*std::min_element(windows.begin(), windows.end()));
  }

  void report_progress(std::int64_t window) {
    constexpr std::int64_t kSeldom = 256;
    if (!options_.progress || window / kSeldom == reported_ / kSeldom) return;
    reported_ = window;
    options_.progress(engine_->ended(), schedule_.ops());
  }

  SharedResult result() {
    SharedResult shared;
    shared.operations = operations_;
    shared.result.cpus = units_.cpus;
    shared.result.events = sum_of(exchange_.numbers(engine_->events()));
    require_end(shared.result.events);
    ReplayResult mine;
    engine_->add_to(mine);
    // The first member gets room for the results of all ranks, which none of them needs before.
    engine_.reset();
    logs_ = {};
    numbers_ = {};
    numbered_ = {};
    out_ = in_ = {};
    to_first(mine.finish, shared.result.finish);
    to_first(mine.adapters_free, shared.result.adapters_free);
    to_first(mine.times, shared.result.times);
    return shared;
  }

  /// What every member has of its ranks, to the first one.
  template <class Value>
  void to_first(const std::vector<Value>& mine, std::vector<Value>& all) {
    std::vector<std::uint64_t> out_counts(exchange_.size(), 0);
    out_counts[0] = mine.size();
    const auto in_counts = exchange_.swap_numbers(out_counts);
    all.resize(sum_of(in_counts));
    exchange_.swap(mine.data(), out_counts, all.data(), in_counts, sizeof(Value));
  }

  void require_end(std::uint64_t events) {
    const Leftovers left = engine_->leftovers();
    const std::uint64_t receives = sum_of(exchange_.numbers(left.receives.size()));
    const std::uint64_t sends = sum_of(exchange_.numbers(left.sends.size()));
    const std::uint64_t waiting = sum_of(exchange_.numbers(left.waiting.size()));
    if (receives + sends + waiting == 0) return;
    throw RunError(
        fmt::format("the replay stalled after {} events: {} receives without a message, "
                    "{} messages that nobody received, {} operations wait for others "
                    "(one process, or `heddle goal check`, names them)",
                    events, receives, sends, waiting));
  }

  const Schedule& schedule_;
  const ReplayOptions& options_;
  Exchange& exchange_;
  const std::uint64_t most_logged_;
  const Parts parts_;
  UnitPairs units_;
  std::optional<ReplayEngine> engine_;
  std::uint64_t operations_ = 0;
  std::vector<Executed> logs_;                       ///< Of all members, a slice.
  std::vector<std::vector<std::uint64_t>> numbers_;  ///< By member, of a slice.
  std::vector<std::uint64_t> numbered_;              ///< Of this member's log, from its beginning.
  std::vector<RemoteMessage> out_;
  std::vector<RemoteMessage> in_;
  std::string error_;
  std::int64_t reported_ = 0;
};

}  // namespace

void agree_on_error(Exchange& exchange, const std::string& text, bool wrong_input) {
  const std::string mine = text.empty() ? "" : (wrong_input ? "i" : "r") + text;
  const auto sizes = exchange.numbers(mine.size());
  std::string all(sum_of(sizes), '\0');
  if (all.empty()) return;
  exchange.gather(mine.data(), sizes, 1, all.data());
  const auto first = std::find_if(sizes.begin(), sizes.end(), [](auto size) { return size > 0; });
  const std::string told = all.substr(1, *first - 1);
  if (all.front() == 'i') throw InputError({}, told);
  throw RunError(told);
}

SharedResult shared_replay(const Schedule& schedule, const ReplayOptions& options,
                           Exchange& exchange, std::uint64_t most_logged) {
  return MemberReplay(schedule, options, exchange, most_logged).run();
}

}  // namespace heddle::replay
