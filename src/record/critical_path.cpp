#include "record/critical_path.hpp"

#include <algorithm>
#include <optional>

namespace heddle::record {
namespace {

constexpr std::array<std::string_view, kResources> kResourceNames = {
    "compute", "overhead", "nic", "pcie", "latency", "bandwidth", "contention", "wait", "storage"};
constexpr std::array<std::string_view, kActivities> kActivityNames = {
    "compute", "overhead", "gap", "wait", "sleep", "storage"};

/// Of the adapters' steps, by S4BXI's numbers: 8 to 13 cross a bus, 14 is computation.
constexpr std::uint16_t kAdaptersAck = 0;
constexpr std::uint16_t kFirstBusStep = 8;
constexpr std::uint16_t kPayloadWritten = 11;
constexpr std::uint16_t kEventWritten = 12;
constexpr std::uint16_t kCommand = 13;

Resource resource_of(Activity activity) {
  switch (activity) {
    case Activity::compute:
      return Resource::compute;
    case Activity::overhead:
      return Resource::overhead;
    case Activity::gap:
      return Resource::nic;
    case Activity::storage:
      return Resource::storage;
    default:
      return Resource::wait;
  }
}

std::size_t slot(Resource resource) {
  return static_cast<std::size_t>(resource);
}

Time part_of(Time whole, double share) {
  return Time::ps(static_cast<std::int64_t>(static_cast<double>(whole.ps()) * share));
}

/// Lengths of time, by what happened in them.
struct Stretch {
  Time begin;
  Time end;
};
/// How much of time is covered by at least one.
Time covered(std::vector<Stretch>& intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
  Time sum;
  Time until = Time::ps(INT64_MIN);
  for (const Stretch& i : intervals) {
    const Time begin = std::max(i.begin, until);
    if (i.end > begin) sum += i.end - begin;
    until = std::max(until, i.end);
  }
  return sum;
}

/// The walk back.
class Walker {
 public:
  Walker(const RunRecorder& recorder, const CostOf& cost_of)
      : recorder_(recorder), cost_of_(cost_of), passed_(recorder.ranks()) {
    path_.by_rank.resize(recorder.ranks());
    path_.length = recorder.end();
    now_ = recorder.end();
    rank_ = recorder.last_active().rank;
    thread_ = recorder.last_active().thread;
  }

  CriticalPath walk() {
    const auto on = [this](const Record& r) {
      see(r);
      return now_ > Time::zero() || mode_ != Mode::local;
    };
    recorder_.for_each_backwards({Kind::span, Kind::wait, Kind::message, Kind::step}, on);
    if (mode_ == Mode::travelling) end_travel();
    if (now_ > Time::zero()) spend(rank_, Resource::overhead, Time::zero());
    std::reverse(path_.pieces.begin(), path_.pieces.end());
    return std::move(path_);
  }

 private:
  enum class Mode {
    local,       ///< At `now_`, in what `rank_` did.
    searching,   ///< For the record of the message that ended a wait.
    travelling,  ///< With that message, back to `until_`, looking at what adapters did.
    following,   ///< An operation of the adapters, back to its command.
  };

  void see(const Record& r) {
    switch (r.kind) {
      case Kind::message:
        if (mode_ == Mode::travelling && message_.cause == r.number) end_travel();
        if (mode_ == Mode::searching && r.number == wanted_) travel(r);
        break;
      case Kind::span:
      case Kind::wait:
        if (mode_ == Mode::travelling && r.end < until_) end_travel();
        if (mode_ == Mode::following && !operation_ && here(r)) give_up();
        if (mode_ == Mode::local && here(r) && reaches(r)) consume(r);
        passed(r.rank, r.thread) = {r, true};
        break;
      case Kind::step:
        see_step(r);
        break;
      case Kind::call:
        break;
    }
  }

  void consume(const Record& r) {
    const Time end = std::min(now_, r.end);
    // What nobody recorded: the program's own code, which costs nothing, and calls that do.
    if (end < now_) spend(rank_, Resource::overhead, end);
    if (r.kind == Kind::wait && r.number != 0 && r.end == now_) {
      wanted_ = r.number;
      mode_ = Mode::searching;
      return;
    }
    if (r.kind == Kind::wait && r.waker != 0 && r.end == now_ && change_thread(r.waker - 1)) return;
    if (r.kind == Kind::wait && r.end == now_ && recorder_.steps() > 0) {
      wait_begin_ = r.begin;
      operation_.reset();
      written_ = false;
      mode_ = Mode::following;
      return;
    }
    spend(rank_, resource_of(r.activity), r.begin);
  }

  /// Whether it is before now, or has a thread begin now.
  bool reaches(const Record& r) const {
    return r.begin < now_ || (r.begin == now_ && r.end == now_ && r.waker != 0);
  }
  bool here(const Record& r) const { return r.rank == rank_ && r.thread == thread_; }

  /// On with the thread that ended the wait, unless threads have handed on to each other too often
  /// in this instant.
  bool change_thread(std::uint32_t other) {
    constexpr int kMost = 64;
    changes_ = changed_at_ == now_ ? changes_ + 1 : 1;
    changed_at_ = now_;
    if (changes_ > kMost) return false;
    thread_ = other;
    go_on();
    return true;
  }

  /// With what the thread did now, if that has been seen already.
  void go_on() {
    const Passed seen = passed(rank_, thread_);
    if (seen.known && reaches(seen.record)) consume(seen.record);
  }

  /// Without a message that is known: what the adapter wrote last ended the wait, and what had come
  /// last by then over the wire had it written.
  void follow(const Record& r) {
    if (r.end > now_) return;
    const bool wire = r.what < kFirstBusStep;
    if (!operation_ && !written_) {
      if (r.rank != rank_ || (r.what != kPayloadWritten && r.what != kEventWritten)) return;
      written_ = true;
      if (r.number != 0) operation_ = r.number;
    } else if (!operation_) {
      if (!wire || r.what == kAdaptersAck || r.peer != rank_) return;
      operation_ = r.number;
    } else if (r.number != *operation_) {
      return;
    }
    spend(r.rank, Resource::nic, r.end);
    wire ? spend_wire(r) : spend(r.rank, Resource::pcie, r.begin);
    if (r.what != kCommand) return;
    ++path_.messages;
    rank_ = r.rank;
    thread_ = 0;
    mode_ = Mode::local;
    go_on();
  }

  /// Back through a step between adapters.
  void spend_wire(const Record& r) {
    if (cost_of_ == nullptr) return spend(r.rank, Resource::latency, r.begin);
    until_ = r.begin;
    const WayCost cost = cost_of_(r.rank, r.peer, r.bytes);
    const WayLink* const narrowest = narrowest_of(cost);
    Shares shares{};
    share_fabric(cost, narrowest, serialization(cost, narrowest), now_ - until_, shares);
    add_travel(r, shares);
    now_ = until_;
  }

  /// What a message or a step of adapters took, from `until_` to now.
  void add_travel(const Record& r, const Shares& shares) {
    Resource most = Resource::latency;
    for (std::size_t i = 0; i < kResources; ++i) {
      path_.shares[i] += shares[i];
      path_.by_rank[r.rank][i] += shares[i];
      if (shares[i] > shares[slot(most)]) most = static_cast<Resource>(i);
    }
    add_piece({r.rank, r.peer, most, until_, now_, r.bytes, r.thread});
  }

  /// The rank did something else before anything was found.
  void give_up() {
    spend(rank_, Resource::wait, std::min(wait_begin_, now_));
    mode_ = Mode::local;
  }

  /// Back to `begin`, on the rank.
  void spend(std::uint32_t rank, Resource resource, Time begin) {
    if (begin >= now_) return;
    const Time length = now_ - begin;
    path_.shares[slot(resource)] += length;
    path_.by_rank[rank][slot(resource)] += length;
    add_piece({rank, rank, resource, begin, now_, 0, rank == rank_ ? thread_ : 0});
    now_ = begin;
  }

  void travel(const Record& m) {
    const Time arrived = std::min(m.end, now_);
    if (arrived < now_) spend(m.peer, Resource::overhead, arrived);
    message_ = m;
    const bool late = m.way == Way::waited_recv;
    path_.late_receivers += late ? 1 : 0;
    ++path_.messages;
    until_ = late ? m.middle : m.begin;
    steps_.clear();
    mode_ = Mode::travelling;
    if (recorder_.steps() == 0) end_travel();
  }

  void see_step(const Record& r) {
    if (mode_ == Mode::following) follow(r);
    if (mode_ != Mode::travelling) return;
    if (r.end < until_) return end_travel();
    const auto ours = [this](std::uint32_t rank) {
      return rank == message_.rank || rank == message_.peer;
    };
    if (ours(r.rank) && ours(r.peer)) steps_.push_back(r);
  }

  void end_travel() {
    mode_ = Mode::local;
    add_travel(message_, shares_of_travel());
    now_ = until_;
    if (message_.way == Way::answer) {
      wanted_ = message_.cause;
      mode_ = Mode::searching;
      return;
    }
    if (message_.way != Way::waited_recv) {
      rank_ = message_.rank;
      thread_ = message_.thread;
    } else if (rank_ != message_.peer) {
      rank_ = message_.peer;
      thread_ = 0;
    }
    go_on();
  }

  Shares shares_of_travel() {
    Shares shares{};
    const Time whole = now_ - until_;
    if (cost_of_ == nullptr) {
      shares[slot(Resource::latency)] = whole;
      return shares;
    }
    const WayCost cost = cost_of_(message_.rank, message_.peer, message_.bytes);
    const WayLink* const narrowest = narrowest_of(cost);
    const Time serial = serialization(cost, narrowest);
    Time fabric = whole;
    if (!steps_.empty()) {
      const Time wire = time_of_steps(false);
      const Time both = time_of_steps(true);
      shares[slot(Resource::pcie)] = both - wire;
      shares[slot(Resource::nic)] = std::max(whole - both, Time::zero());
      fabric = wire;
    } else {
      shares[slot(Resource::pcie)] = std::min(cost.bus_latency, fabric);
      fabric -= shares[slot(Resource::pcie)];
    }
    share_fabric(cost, narrowest, serial, fabric, shares);
    return shares;
  }

  /// Latency first, then the bytes, and what is left is because of others.
  void share_fabric(const WayCost& cost, const WayLink* narrowest, Time serial, Time fabric,
                    Shares& shares) {
    const Time latency = std::min(cost.latency, fabric);
    const Time bytes = std::min(serial, fabric - latency);
    const Time contention = fabric - latency - bytes;
    shares[slot(Resource::latency)] += latency;
    shares[slot(narrowest != nullptr && narrowest->bus ? Resource::pcie : Resource::bandwidth)] +=
        bytes;
    shares[slot(Resource::contention)] += contention;
    if (narrowest != nullptr) blame(cost, *narrowest, bytes, contention);
  }

  static const WayLink* narrowest_of(const WayCost& cost) {
    const WayLink* narrowest = nullptr;
    for (const WayLink& link : cost.links) {
      if (link.bytes_per_ps <= 0) continue;
      if (narrowest == nullptr || link.bytes_per_ps < narrowest->bytes_per_ps) narrowest = &link;
    }
    return narrowest;
  }

  static Time serialization(const WayCost& cost, const WayLink* narrowest) {
    if (narrowest == nullptr) return Time::zero();
    return Time::whole_ps(static_cast<double>(cost.bytes) / narrowest->bytes_per_ps);
  }

  /// Covered by steps on wires, or by those and on buses.
  Time time_of_steps(bool buses) const {
    std::vector<Stretch> intervals;
    for (const Record& step : steps_) {
      if (step.what >= kFirstBusStep && !buses) continue;
      intervals.push_back({std::max(step.begin, until_), std::min(step.end, now_)});
    }
    return covered(intervals);
  }

  void blame(const WayCost& cost, const WayLink& narrowest, Time bytes, Time contention) {
    PathLink& link = path_.links[narrowest.link];
    link.bandwidth += bytes;
    ++link.messages;
    const WayLink& crowded = contention > Time::zero() ? busiest_of(cost) : narrowest;
    path_.links[crowded.link].contention += contention;
    // What holds a message up behind others shrinks as they do.
    const auto gain = [&](const WayLink& wider, bool all_fabric, bool all_buses) {
      const double now = 1 / narrowest.bytes_per_ps;
      double then = 0;
      for (const WayLink& l : cost.links) {
        if (l.bytes_per_ps <= 0) continue;
        const bool twice = l.link == wider.link || (l.bus ? all_buses : all_fabric);
        then = std::max(then, 1 / (l.bytes_per_ps * (twice ? 2 : 1)));
      }
      return 1 - then / now;
    };
    link.if_twice += part_of(bytes, gain(narrowest, false, false));
    path_.links[crowded.link].if_twice += part_of(contention, 0.5);
    const WayLink none{UINT32_MAX, 0, false};
    path_.if_twice_bandwidth += part_of(bytes + contention, gain(none, true, false));
    path_.if_twice_bus += part_of(bytes, gain(none, false, true));
  }

  /// The link that was used most while the message was under way, for its width.
  const WayLink& busiest_of(const WayCost& cost) const {
    const LinkSamples& samples = recorder_.links();
    const WayLink* busiest = &cost.links.front();
    double most = -1;
    for (const WayLink& link : cost.links) {
      if (link.bytes_per_ps <= 0) continue;
      const double use = used(samples, link.link) / link.bytes_per_ps;
      if (use > most) {
        most = use;
        busiest = &link;
      }
    }
    return *busiest;
  }

  double used(const LinkSamples& samples, std::uint32_t link) const {
    if (samples.slices() == 0 || link >= samples.links()) return 0;
    const std::size_t last = samples.slices() - 1;
    const auto slice = [&](Time t) {
      return std::min(last, static_cast<std::size_t>(t.ps() / samples.slice().ps()));
    };
    std::int64_t sum = 0;
    for (std::size_t s = slice(until_); s <= slice(now_); ++s) sum += samples.bytes(s, link);
    return static_cast<double>(sum);
  }

  void add_piece(const PathPiece& piece) {
    if (!path_.pieces.empty()) {
      PathPiece& last = path_.pieces.back();
      if (last.rank == piece.rank && last.thread == piece.thread && last.to == piece.to &&
          piece.rank == piece.to && last.resource == piece.resource && last.begin == piece.end) {
        last.begin = piece.begin;
        return;
      }
    }
    path_.pieces.push_back(piece);
    if (path_.pieces.size() > CriticalPath::kMostPieces) merge_pieces();
  }

  /// Two by two, as the longer of them.
  void merge_pieces() {
    std::vector<PathPiece>& all = path_.pieces;
    std::size_t kept = 0;
    for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
      const bool first = all[i].end - all[i].begin >= all[i + 1].end - all[i + 1].begin;
      PathPiece merged = first ? all[i] : all[i + 1];
      merged.end = all[i].end;
      merged.begin = all[i + 1].begin;
      all[kept++] = merged;
    }
    if (all.size() % 2 != 0) all[kept++] = all.back();
    all.resize(kept);
  }

  struct Passed {
    Record record;
    bool known = false;
  };
  Passed& passed(std::uint32_t rank, std::uint32_t thread) {
    if (thread == 0) return passed_[rank];
    return passed_others_[(std::uint64_t{rank} << 32) | thread];
  }

  const RunRecorder& recorder_;
  const CostOf& cost_of_;
  CriticalPath path_;
  std::vector<Passed> passed_;  ///< By rank: the earliest record of it that was seen.
  std::unordered_map<std::uint64_t, Passed> passed_others_;  ///< Of threads other than the first.
  Mode mode_ = Mode::local;
  std::uint32_t rank_ = 0;
  std::uint32_t thread_ = 0;
  Time changed_at_ = Time::ps(-1);  ///< When a thread was last left for another,
  int changes_ = 0;                 ///< and how often in that instant.
  Time now_;
  std::uint64_t wanted_ = 0;
  Record message_;
  Time until_;
  std::vector<Record> steps_;
  Time wait_begin_;                         ///< Of the wait that an operation is looked for.
  std::optional<std::uint64_t> operation_;  ///< That.
  bool written_ = false;                    ///< What ended the wait has been found.
};

}  // namespace

std::string_view name_of(Resource resource) {
  return kResourceNames[slot(resource)];
}
std::string_view name_of(Activity activity) {
  return kActivityNames[static_cast<std::size_t>(activity)];
}

CriticalPath find_critical_path(const RunRecorder& recorder, const CostOf& cost_of) {
  return Walker(recorder, cost_of).walk();
}

}  // namespace heddle::record
