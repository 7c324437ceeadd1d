#include "record/critical_path.hpp"

#include <algorithm>

#include "record/shares.hpp"
#include "record/travel.hpp"

namespace heddle::record {
namespace {

constexpr std::array<std::string_view, kResources> kResourceNames = {
    "compute",   "overhead",   "nic",  "pcie",    "latency",
    "bandwidth", "contention", "wait", "storage", "sleep"};
constexpr std::array<std::string_view, kActivities> kActivityNames = {
    "compute", "overhead", "gap", "wait", "sleep", "storage"};

/// Of the adapters' steps, by S4BXI's numbers, what is below crosses the wire.
constexpr std::uint16_t kFirstBusStep = 8;
constexpr std::uint16_t kPayloadRead = 9;

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
    case Activity::sleep:
      return Resource::sleep;
    default:
      return Resource::wait;
  }
}

/// The walk back.
class Walker {
 public:
  Walker(const Recording& recorder, const CostOf& cost_of)
      : recorder_(recorder),
        cost_of_(cost_of),
        travel_(recorder.links(), path_),
        passed_(recorder.ranks()) {
    path_.by_rank.resize(recorder.ranks());
    path_.length = recorder.end();
    now_ = recorder.end();
    rank_ = recorder.last_active().rank;
    thread_ = recorder.last_active().thread;
  }

  CriticalPath walk() {
    const auto on = [this](const Record& r) {
      see(r);
      return now_ > Time::zero();
    };
    recorder_.for_each_backwards({Kind::span, Kind::wait, Kind::message, Kind::step}, on);
    if (now_ > Time::zero()) spend(rank_, Resource::overhead, Time::zero());
    std::reverse(path_.pieces.begin(), path_.pieces.end());
    return std::move(path_);
  }

 private:
  enum class Mode {
    local,      ///< At `now_`, in what `rank_` did.
    searching,  ///< For the record of message `wanted_`, that ended a wait.
    chasing,    ///< For step `wanted_` of adapters, that led to what comes after it.
  };

  void see(const Record& r) {
    switch (r.kind) {
      case Kind::message:
        if (mode_ == Mode::searching && r.number == wanted_) travel(r);
        break;
      case Kind::step:
        if (r.from_memory) note_target(r);
        if (mode_ == Mode::chasing && r.step == wanted_) take_step(r);
        break;
      case Kind::span:
      case Kind::wait:
        if (mode_ == Mode::local && here(r) && reaches(r)) consume(r);
        passed(r.rank, r.thread) = {r, true};
        break;
      case Kind::call:
        break;
    }
  }

  void consume(const Record& r) {
    const Time end = std::min(now_, r.end);
    // What nobody recorded: the program's own code, which costs nothing, and calls that do.
    if (end < now_) spend(rank_, Resource::overhead, end);
    if (r.kind == Kind::wait && r.end == now_ && end_of_wait(r)) return;
    spend(rank_, r.end > now_ && gave_command_ ? Resource::overhead : resource_of(r.activity),
          r.begin);
    gave_command_ = false;
  }

  /// On with what ended it, if that is known.
  bool end_of_wait(const Record& r) {
    if (r.number != 0 || r.cause != 0) {
      wanted_ = r.number != 0 ? r.number : r.cause;
      mode_ = r.number != 0 ? Mode::searching : Mode::chasing;
      return true;
    }
    return r.waker != 0 && change_thread(r.waker - 1);
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

  /// Back through a step of adapters. What is between it and what it led to is their work.
  void take_step(const Record& r) {
    spend(r.rank, Resource::nic, r.end);
    const bool wire = r.what < kFirstBusStep || r.what == kInjected;
    if (r.what == kPayloadRead) spend_reading(r);
    if (wire) {
      spend_wire(r);
    } else {
      spend(r.rank, Resource::pcie, r.begin);
    }
    wanted_ = r.cause;
    if (r.cause != 0) return;
    ++path_.messages;
    spend(r.rank, Resource::nic, r.middle);
    go_on_at(r.rank, 0);
  }

  void spend_wire(const Record& r) {
    if (r.begin >= now_) return;
    if (cost_of_ == nullptr) return spend(r.rank, Resource::latency, r.begin);
    WayCost cost = cost_of_({r.rank, r.peer, r.bytes, true, r.from_memory, r.to_memory});
    // What holds it up comes from memory and goes there, mostly.
    WayCost crowd = cost_of_({r.rank, r.peer, r.bytes, true, true, true});
    if (r.what == kInjected) {
      to_the_first_link(cost);
      to_the_first_link(crowd);
    }
    const Shares shares = travel_.share(cost, crowd, {r.begin, now_});
    add_travel(r, r.begin, shares);
  }
  /// Where what streams from memory goes; told of before its reading, as the walk goes.
  void note_target(const Record& r) {
    constexpr std::size_t kMost = std::size_t{1} << 16;
    if (targets_.size() >= kMost) targets_.clear();
    targets_[r.number] = r.peer;
  }
  /// An engine reads a payload from memory while that leaves: through the bus and the first link.
  void spend_reading(const Record& r) {
    const auto target = targets_.find(r.number);
    if (cost_of_ == nullptr || target == targets_.end() || r.begin >= now_) return;
    WayCost cost = cost_of_({r.rank, target->second, r.bytes, true, true, false});
    to_the_first_link(cost);
    double bytes = 0;
    for (const WayLink& link : cost.links) {
      if (link.bytes_per_ps > 0) {
        bytes = std::max(bytes, static_cast<double>(r.bytes) / link.bytes_per_ps);
      }
    }
    cost.bus_latency = std::max(now_ - r.begin - Time::whole_ps(bytes), Time::zero());
    add_travel(r, r.begin, travel_.share(cost, {r.begin, now_}));
  }
  /// What leaves a node has no wire behind it yet.
  static void to_the_first_link(WayCost& cost) {
    cost.latency = cost.bus_latency = cost.alone = Time::zero();
    const auto first = std::find_if(cost.links.begin(), cost.links.end(),
                                    [](const WayLink& link) { return !link.bus; });
    if (first != cost.links.end()) cost.links.erase(first + 1, cost.links.end());
  }

  /// What a message or a step of adapters took, from `begin` to now.
  void add_travel(const Record& r, Time begin, const Shares& shares) {
    Resource most = Resource::latency;
    for (std::size_t i = 0; i < kResources; ++i) {
      path_.shares[i] += shares[i];
      path_.by_rank[r.rank][i] += shares[i];
      if (shares[i] > shares[slot(most)]) most = static_cast<Resource>(i);
    }
    add_piece({r.rank, r.peer, most, begin, now_, r.bytes, r.kind == Kind::step ? 0 : r.thread});
    now_ = begin;
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

  /// Back through a message: with the steps of adapters, if these brought it, else as a whole.
  void travel(const Record& m) {
    spend(m.peer, Resource::overhead, m.end);
    const bool late = m.way == Way::waited_recv;
    path_.late_receivers += late ? 1 : 0;
    if (m.step != 0) {
      wanted_ = m.step;
      mode_ = Mode::chasing;
      return;
    }
    ++path_.messages;
    const Time begin = late ? m.middle : m.begin;
    if (begin < now_) add_travel(m, begin, shares_of(m, {begin, now_}));
    if (m.way == Way::answer) {
      wanted_ = m.cause;
      return;
    }
    if (!late) return go_on_at(m.rank, m.thread);
    go_on_at(m.peer, rank_ == m.peer ? thread_ : 0);
  }

  Shares shares_of(const Record& m, Stretch when) {
    if (cost_of_ != nullptr) return travel_.share(cost_of_({m.rank, m.peer, m.bytes}), when);
    Shares shares{};
    shares[slot(Resource::latency)] = when.length();
    return shares;
  }

  void go_on_at(std::uint32_t rank, std::uint32_t thread) {
    gave_command_ = mode_ == Mode::chasing;
    mode_ = Mode::local;
    rank_ = rank;
    thread_ = thread;
    go_on();
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

  const Recording& recorder_;
  const CostOf& cost_of_;
  CriticalPath path_;
  Travel travel_;
  std::vector<Passed> passed_;  ///< By rank: the earliest record of it that was seen.
  std::unordered_map<std::uint64_t, Passed> passed_others_;  ///< Of threads other than the first.
  Mode mode_ = Mode::local;
  std::uint32_t rank_ = 0;
  std::uint32_t thread_ = 0;
  /// Adapters were led to it: if it was waiting then, its processor was at it meanwhile.
  bool gave_command_ = false;
  Time changed_at_ = Time::ps(-1);  ///< When a thread was last left for another,
  int changes_ = 0;                 ///< and how often in that instant.
  Time now_;
  std::uint64_t wanted_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> targets_;  ///< By operation.
};

}  // namespace

std::string_view name_of(Resource resource) {
  return kResourceNames[slot(resource)];
}
std::string_view name_of(Activity activity) {
  return kActivityNames[static_cast<std::size_t>(activity)];
}

CriticalPath find_critical_path(const Recording& recorder, const CostOf& cost_of) {
  return Walker(recorder, cost_of).walk();
}

}  // namespace heddle::record
