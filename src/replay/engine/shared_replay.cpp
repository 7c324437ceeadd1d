#include "replay/engine/shared_replay.hpp"

#include <fmt/core.h>

#include <memory>
#include <numeric>

#include "replay/engine/part_replay.hpp"

namespace heddle::replay {
namespace {

Parts equal_shares(std::uint32_t ranks, std::size_t members) {
  std::vector<RankId> begins;
  for (std::uint32_t p = 0; p <= members; ++p) {
    const goal::RankShare share{p, static_cast<std::uint32_t>(members)};
    begins.push_back(RankId{share.begin(ranks)});
  }
  return Parts(std::move(begins));
}

/// As members tell each other. No time that is told is negative.
std::uint64_t number_of(Time time) {
  return static_cast<std::uint64_t>(time.ps());
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

/// One process of a shared replay.
class MemberReplay {
 public:
  MemberReplay(const goal::Schedule& schedule, const ReplayOptions& options, Exchange& exchange,
               std::uint64_t most_logged)
      : schedule_(schedule),
        options_(options),
        exchange_(exchange),
        most_logged_(most_logged),
        parts_(equal_shares(schedule.ranks(), exchange.size())),
        share_(exchange.size()) {}

  SharedResult run() {
    agree_on(exchange_, [this] { check(); });
    units_ = agreed_units();
    const std::vector<std::uint64_t> ops = exchange_.numbers(schedule_.ops());
    operations_ = sum_of(ops);
    const auto before = std::accumulate(
        ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(me()), std::uint64_t{0});
    agree_on(exchange_, [&] {
      engine_ = make_part_replay({schedule_, options_, units_, &parts_, me()});
      engine_->begin(before);
    });
    run_windows();
    return result();
  }

 private:
  std::size_t me() const { return exchange_.me(); }
  /// Of this member's last window.
  const EventLog& log() const { return engine_->part().log(); }

  void check() const {
    const CostModel costs(options_.parameters);
    require_within(schedule_, costs.limits());
    if (costs.lookahead() == Time::zero()) {
      throw ParamError({"loggops.L"}, "with o + L of 0 a replay cannot be shared among processes");
    }
    for (RankId r = parts_.begin(me()); r < parts_.end(me()); ++r) {
      const goal::RankView rank = schedule_.rank(raw(r));
      for (std::uint32_t i = 0; i < rank.size(); ++i) {
        const goal::PackedOp& op = rank.packed(i);
        if (op.kind() != goal::OpKind::send) continue;
        if (!costs.rendezvous(Bytes(static_cast<std::int64_t>(rank.value(i))))) continue;
        if (parts_.part_of(RankId{op.peer}) == me()) continue;
        throw InputError({schedule_.source(), rank.place(i).line},
                         schedule_.describe(raw(r), i) +
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
    for (std::uint64_t windows = 0;; ++windows) {
      first += number_events(first);
      const Time start = settle();
      if (start == Time::never()) return;
      report_progress(windows);
      agree_on_seldom([&] { engine_->replay(start); });
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
    numbered_.clear();
    const auto left = exchange_.numbers(error_.empty() ? runs_left() : kFailed);
    if (std::find(left.begin(), left.end(), kFailed) != left.end()) {
      agree_on_error(exchange_, error_, false);
    }
    const std::uint64_t most = std::max<std::uint64_t>(1, most_logged_ / exchange_.size());
    std::uint64_t most_left = *std::max_element(left.begin(), left.end());
    std::uint64_t caused = 0;
    while (most_left > most) {
      caused += number_slice(end_of_slice(most), first + caused);
      const auto still_left = exchange_.numbers(runs_left());
      most_left = *std::max_element(still_left.begin(), still_left.end());
    }
    return caused + number_slice(log().events(), first + caused);
  }

  /// The events of this member's log that have their numbers.
  std::size_t numbered() const { return numbered_.empty() ? 0 : numbered_.back().end; }
  /// Of the runs of this member's log, the first with events that have none.
  const EventRun* first_left() const { return &run_with(log().runs(), numbered()); }
  std::uint64_t runs_left() const {
    return static_cast<std::uint64_t>(&log().runs().back() - first_left());
  }

  /// Where in this member's log the next slice ends: before the first event that any member has
  /// `most` runs further on. Events that are caused by one of the slice come after all others of
  /// their instant, so their place is known only when that one has its number.
  std::size_t end_of_slice(std::uint64_t most) {
    const EventRun& mine = first_left()[std::min(most, runs_left())];
    const auto times = exchange_.numbers(number_of(mine.time));
    const auto sequences =
        exchange_.numbers(std::min(known_sequence(mine.sequence), Sequences::kProvisional));
    std::size_t least = 0;
    for (std::size_t p = 1; p < times.size(); ++p) {
      if (std::pair(times[p], sequences[p]) < std::pair(times[least], sequences[least])) least = p;
    }
    std::size_t low = numbered();
    for (std::size_t high = log().events(); low < high;) {
      const std::size_t middle = (low + high) / 2;
      const EventRun& run = run_with(log().runs(), middle);
      if (std::pair(number_of(run.time), known_sequence(run.sequence_of(middle))) <
          std::pair(times[least], sequences[least])) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Its number, if the event that caused it has one.
  std::uint64_t known_sequence(std::uint64_t sequence) const {
    if (!Sequences::provisional(sequence) || sequence == UINT64_MAX) return sequence;
    const std::size_t cause = Sequences::event_of(sequence);
    if (cause >= numbered()) return sequence;
    return stretch_with(numbered_, cause).of(cause) + Sequences::offset_of(sequence);
  }

  /// This member's slice from what is numbered to `end`, as a log of its own.
  EventLog slice_to(std::size_t end) const {
    const std::size_t begin = numbered();
    const EventRun* run = first_left();
    EventLog slice;
    for (std::size_t event = begin; event < end; ++event) {
      if (event == run[1].first) ++run;
      std::uint64_t sequence = known_sequence(run->sequence_of(event));
      if (Sequences::provisional(sequence)) {
        sequence -= Sequences::first_of(begin) - Sequences::first_of(0);
      }
      slice.note(run->time, sequence, run->caused_each);
    }
    slice.close();
    return slice;
  }

  /// Numbers the events of the next slice, to `end`; says what those of all members have caused.
  std::uint64_t number_slice(std::size_t end, std::uint64_t first) {
    const bool whole = numbered() == 0 && end == log().events();
    const EventLog slice = whole ? EventLog() : slice_to(end);
    const std::span<const EventRun> mine = whole ? log().runs() : slice.runs();
    const auto counts = exchange_.numbers(mine.size());
    logs_.resize(sum_of(counts));
    exchange_.gather(mine.data(), counts, sizeof(EventRun), logs_.data());
    std::vector<std::span<const EventRun>> logs;
    std::size_t at = 0;
    for (const std::uint64_t count : counts) {
      logs.emplace_back(logs_.data() + at, count);
      at += count;
    }
    const Numbering numbering(std::move(logs));
    const Numbering::Place from = numbering.cut(me(), counts.size());
    const Numbering::Place to = numbering.cut(me() + 1, counts.size());
    for (std::vector<Numbered>& stretches : share_) stretches.clear();
    numbering.number(from, to, first + numbering.caused_before(from), share_);
    hand_out();
    return numbering.caused();
  }

  /// Each member has numbered a share of everybody's events: every member gets the numbers of its
  /// own, the shares one after another.
  void hand_out() {
    std::vector<Numbered> out;
    std::vector<std::uint64_t> out_counts;
    for (const std::vector<Numbered>& stretches : share_) {
      out.insert(out.end(), stretches.begin(), stretches.end());
      out_counts.push_back(stretches.size());
    }
    const auto in_counts = exchange_.swap_numbers(out_counts);
    const std::size_t before = numbered_.size();
    const std::size_t begin = numbered();
    numbered_.resize(before + sum_of(in_counts));
    exchange_.swap(out.data(), out_counts, numbered_.data() + before, in_counts, sizeof(Numbered));
    for (std::size_t i = before; i < numbered_.size(); ++i) {
      numbered_[i].first += begin;
      numbered_[i].end += begin;
    }
  }

  /// Gives out the numbers and the messages; says when the next window begins.
  Time settle() {
    Numbers numbers;
    numbers.add(numbered_);
    numbers.close();
    const Time mine = engine_->settle(numbers);
    std::vector<std::uint64_t> out_counts;
    out_.clear();
    for (std::size_t p = 0; p < exchange_.size(); ++p) {
      const auto messages = engine_->part().messages().to(p);
      out_.insert(out_.end(), messages.begin(), messages.end());
      out_counts.push_back(messages.size());
    }
    engine_->part().messages().forget();
    const auto in_counts = exchange_.swap_numbers(out_counts);
    in_.resize(sum_of(in_counts));
    exchange_.swap(out_.data(), out_counts, in_.data(), in_counts, sizeof(RemoteMessage));
    engine_->take(in_);
    const auto times = exchange_.numbers(number_of(mine));
    return Time::ps(static_cast<std::int64_t>(*std::min_element(times.begin(), times.end())));
  }

  void report_progress(std::uint64_t windows) const {
    constexpr std::uint64_t kSeldom = 256;
    if (!options_.progress || windows % kSeldom != 0) return;
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
    share_ = {};
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

  const goal::Schedule& schedule_;
  const ReplayOptions& options_;
  Exchange& exchange_;
  const std::uint64_t most_logged_;
  const Parts parts_;
  UnitPairs units_;
  std::unique_ptr<PartReplay> engine_;
  std::uint64_t operations_ = 0;
  std::vector<EventRun> logs_;                ///< Of all members, a slice.
  std::vector<std::vector<Numbered>> share_;  ///< By member: the numbers that this one gives.
  std::vector<Numbered> numbered_;            ///< Of this member's log, from its beginning.
  std::vector<RemoteMessage> out_;
  std::vector<RemoteMessage> in_;
  std::string error_;
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

SharedResult shared_replay(const goal::Schedule& schedule, const ReplayOptions& options,
                           Exchange& exchange, std::uint64_t most_logged) {
  return MemberReplay(schedule, options, exchange, most_logged).run();
}

}  // namespace heddle::replay
