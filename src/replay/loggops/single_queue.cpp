#include <algorithm>
#include <list>
#include <queue>

#include "goal/dependencies.hpp"
#include "replay/loggops/loggops_replay.hpp"

namespace heddle::replay {
namespace {

/// What an event is; a delayed operation becomes ready only at the event's time.
enum class What : std::uint8_t { send, recv, calc, message, delayed };

struct Event {
  Time time;
  std::uint64_t sequence;  ///< In the order of being caused; kept when an event has to wait.
  Time since;              ///< When an operation was released, or a message arrived.
  RankId rank;             ///< Where it happens.
  OpId op;                 ///< Of a message: the sender's operation.
  RankId source;           ///< Of a message.
  What what;
  CpuId cpu;
  NicId nic;
  bool arrived;  ///< A message that has chosen its cpu and nic.

  bool operator<(const Event& other) const {  // the queue serves the largest first
    return time != other.time ? time > other.time : sequence > other.sequence;
  }
};

constexpr RankId kAnySource{goal::kAnySource};

/// A posted receive, or a message that nobody has received.
struct Entry {
  RankId source;
  Tag tag;
  OpId op;
  Bytes size;
  Time handled;  ///< Of a message: when its processor is done with it.
  bool matches(RankId other_source, Tag other_tag) const {
    const bool from = source == other_source || source == kAnySource || other_source == kAnySource;
    return from && goal::tags_match(raw(tag), raw(other_tag));
  }
};

using Entries = std::list<Entry>;

class SingleQueue {
 public:
  SingleQueue(const goal::Schedule& schedule, const ReplayOptions& options)
      : schedule_(schedule),
        options_(options),
        noise_(options.noise),
        costs_(options.parameters),
        compat_(options.parameters.replay.loggopsim_2023),
        dependencies_(schedule, true),
        cpu_free_(schedule.ranks(), std::vector<Time>(schedule.cpus())),
        send_free_(schedule.ranks(), std::vector<Time>(schedule.nics())),
        receive_free_(send_free_),
        posted_(schedule.ranks()),
        unexpected_(schedule.ranks()) {
    result_.times.resize(schedule.ranks());
    result_.cpus = schedule.cpus();
  }

  ReplayResult run() {
    require_within(schedule_, costs_.limits());
    for (RankId r{0}; r < ranks(); ++r) {
      dependencies_.roots(raw(r), freed_);
      enqueue_freed(r, Time::zero());
    }
    while (!queue_.empty()) {
      const Event event = queue_.top();
      queue_.pop();
      now_ = event.time;
      execute(event);
    }
    check_leftovers();
    return std::move(result_);
  }

 private:
  goal::Op op_of(const Event& e) const {
    return schedule_.rank(raw(e.what == What::message ? e.source : e.rank)).op(raw(e.op));
  }

  RankId ranks() const { return RankId{schedule_.ranks()}; }
  void started(RankId rank, OpId op, Time when) {
    dependencies_.started(raw(rank), raw(op), when.ps(), freed_);
  }
  void ended(RankId rank, OpId op, Time when, std::vector<std::uint32_t>& freed) {
    dependencies_.ended(raw(rank), raw(op), when.ps(), freed);
  }
  static Bytes size_of(const goal::Op& op) { return Bytes(static_cast<std::int64_t>(op.value)); }
  Time noise_in(RankId rank, Time start, Time length) const {
    return Time::ps(noise_.delay(raw(rank), start.ps(), length.ps()));
  }

  void execute(const Event& e) {
    switch (e.what) {
      case What::calc:
        return calc(e);
      case What::send:
        return send(e);
      case What::recv:
        return recv(e);
      case What::message:
        return message(e);
      case What::delayed:
        return enqueue(e.rank, e.op, e.time);
    }
  }

  void calc(Event e) {
    Time& cpu = cpu_free_[index(e.rank)][index(e.cpu)];
    if (cpu > e.time) return retry(e, cpu);
    const Time duration = options_.slowed(e.rank, costs_.duration(op_of(e).value));
    const Time noise = noise_in(e.rank, e.time, duration);
    cpu = limited(e.rank, e.time + duration + noise);
    result_.times[index(e.rank)].compute += duration;
    result_.times[index(e.rank)].noise += noise;
    started(e.rank, e.op, e.time);
    ended(e.rank, e.op, cpu, freed_);
    enqueue_freed(e.rank, e.time);
  }

  void send(const Event& e) {
    const goal::Op op = op_of(e);
    Time& cpu = cpu_free_[index(e.rank)][index(e.cpu)];
    Time& nic = send_free_[index(e.rank)][index(e.nic)];
    if (std::max(cpu, nic) > e.time) return retry(e, std::max(cpu, nic));
    const MessageCosts cost = costs_.of(size_of(op));
    const Time noise = noise_in(e.rank, e.time, cost.overhead);
    RankTimes& times = result_.times[index(e.rank)];
    times.gap += e.time - std::min(e.time, std::max(cpu, e.since));
    times.overhead += cost.overhead + cost.overhead_bytes;
    times.noise += noise;
    cpu = limited(e.rank, e.time + cost.overhead + cost.overhead_bytes + noise);
    nic = e.time + costs_.gap() + cost.gap_bytes;
    launch(e, op, cost);
    started(e.rank, e.op, e.time);
    if (!costs_.rendezvous(size_of(op))) ended(e.rank, e.op, cpu, freed_);
    enqueue_freed(e.rank, e.time);
  }

  void launch(const Event& e, const goal::Op& op, const MessageCosts& cost) {
    Event m = e;
    m.what = What::message;
    m.rank = RankId{op.peer};
    m.source = e.rank;
    m.time = e.time + cost.overhead + costs_.latency();
    m.since = m.time;
    m.sequence = sequence_++;
    m.arrived = false;
    ++result_.events;
    queue_.push(m);
  }

  void recv(const Event& e) {
    const goal::Op op = op_of(e);
    started(e.rank, e.op, e.time);
    const auto it = find(unexpected_[index(e.rank)], RankId{op.peer}, Tag{op.tag});
    if (it == unexpected_[index(e.rank)].end()) {
      posted_[index(e.rank)].push_back(
          {RankId{op.peer}, Tag{op.tag}, e.op, size_of(op), Time::zero()});
      return enqueue_freed(e.rank, e.time);
    }
    const Entry found = *it;
    unexpected_[index(e.rank)].erase(it);
    if (costs_.rendezvous(compat_ ? size_of(op) : found.size)) {
      const goal::PackedOp sent = schedule_.rank(raw(found.source)).packed(raw(found.op));
      complete_send(e.rank, found.source, found.op, compat_ ? e.cpu : CpuId{sent.cpu},
                    compat_ ? e.nic : NicId{sent.nic});
    }
    ended(e.rank, e.op, std::max(e.time, found.handled), freed_);
    enqueue_both(e.rank, found.source);
  }

  void message(Event e) {
    const goal::Op op = op_of(e);
    if (!e.arrived) choose_units(e, op);
    Time& cpu = cpu_free_[index(e.rank)][index(e.cpu)];
    Time& nic = receive_free_[index(e.rank)][index(e.nic)];
    if (std::max(cpu, nic) > e.time) return retry(e, std::max(cpu, nic));
    handle(e, op, cpu, nic);
    const auto it = find(posted_[index(e.rank)], e.source, Tag{op.tag});
    if (it == posted_[index(e.rank)].end()) {
      unexpected_[index(e.rank)].push_back({e.source, Tag{op.tag}, e.op, size_of(op), cpu});
      return;
    }
    const OpId receive = it->op;
    posted_[index(e.rank)].erase(it);
    if (costs_.rendezvous(size_of(op))) {
      complete_send(e.rank, e.source, e.op, CpuId{op.cpu}, NicId{op.nic});
    }
    ended(e.rank, receive, cpu, freed_);
    enqueue_both(e.rank, e.source);
  }

  /// A message is handled where the receive that waits for it is, or else where it was sent.
  void choose_units(Event& e, const goal::Op& op) {
    e.arrived = true;
    if (compat_) return;
    const auto it = find(posted_[index(e.rank)], e.source, Tag{op.tag});
    if (it == posted_[index(e.rank)].end()) return;
    const goal::PackedOp& receive = schedule_.rank(raw(e.rank)).packed(raw(it->op));
    e.cpu = CpuId{receive.cpu};
    e.nic = NicId{receive.nic};
  }

  void handle(const Event& e, const goal::Op& op, Time& cpu, Time& nic) {
    const MessageCosts cost = costs_.of(size_of(op));
    const Time noise = noise_in(e.rank, e.time, cost.overhead);
    RankTimes& times = result_.times[index(e.rank)];
    times.gap += e.time - std::min(e.time, std::max(cpu, e.since));
    times.gap += cost.receive_bytes - cost.overhead_bytes;
    times.overhead += cost.overhead + cost.overhead_bytes;
    times.noise += noise;
    cpu = limited(e.rank, e.time + cost.overhead + noise + cost.receive_bytes);
    nic = e.time + costs_.gap() + cost.gap_bytes;
  }

  /// A rendezvous was matched now at `receiver`: the send ends, its units were busy until now.
  void complete_send(RankId receiver, RankId sender, OpId op, CpuId cpu, NicId nic) {
    Time& cpu_free = cpu_free_[index(sender)][index(cpu)];
    Time& send_free = send_free_[index(sender)][index(nic)];
    cpu_free = std::max(cpu_free, now_);
    send_free = std::max(send_free, now_);
    ended(sender, op, now_, sender == receiver ? freed_ : freed_at_sender_);
  }

  /// What became free at the two ends of a message, in ascending order of the ranks.
  void enqueue_both(RankId receiver, RankId sender) {
    if (sender > receiver) enqueue_freed(receiver, now_);
    std::swap(freed_, freed_at_sender_);
    enqueue_freed(sender, now_);
    std::swap(freed_, freed_at_sender_);
    enqueue_freed(receiver, now_);
  }

  static Entries::iterator find(Entries& entries, RankId source, Tag tag) {
    return std::find_if(entries.begin(), entries.end(),
                        [=](const Entry& entry) { return entry.matches(source, tag); });
  }

  void retry(Event e, Time when) {
    e.time = when;
    queue_.push(e);
  }

  void enqueue_freed(RankId rank, Time when) {
    if (compat_) {
      shuffle_by_kind(rank);
    } else {
      dependencies_.sort_by_kind(raw(rank), freed_);
    }
    for (const std::uint32_t op : freed_) enqueue(rank, OpId{op}, when);
    freed_.clear();
  }

  /// The order of an unstable sort, which is part of what LogGOPSim computes.
  void shuffle_by_kind(RankId rank) {
    const goal::RankView view = schedule_.rank(raw(rank));
    std::sort(freed_.begin(), freed_.end(), [&view](std::uint32_t a, std::uint32_t b) {
      return view.packed(a).kind() < view.packed(b).kind();
    });
  }

  void enqueue(RankId rank, OpId op, Time when) {
    const goal::PackedOp p = schedule_.rank(raw(rank)).packed(raw(op));
    Time free = cpu_free_[index(rank)][p.cpu];
    if (p.kind() == goal::OpKind::send) free = std::max(free, send_free_[index(rank)][p.nic]);
    const Time ready = compat_ ? Time::zero() : Time::ps(dependencies_.ready(raw(rank), raw(op)));
    const bool delayed = ready > std::max(free, when) && p.kind() != goal::OpKind::recv;
    const What what = delayed ? What::delayed : static_cast<What>(p.kind());
    if (!delayed) ++result_.events;
    queue_.push({std::max(free, ready), sequence_++, when, rank, op, RankId{0}, what, CpuId{p.cpu},
                 NicId{p.nic}, false});
  }

  Time limited(RankId rank, Time time) const {
    if (time.ps() > goal::kLatest) throw_too_late(rank);
    return time;
  }

  static Time latest(const std::vector<Time>& clocks) {
    return *std::max_element(clocks.begin(), clocks.end());
  }

  void check_leftovers() {
    Leftovers left;
    for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
      for (const Entry& entry : posted_[r]) left.receives.push_back({r, raw(entry.op)});
      for (const Entry& entry : unexpected_[r]) {
        left.sends.push_back({raw(entry.source), raw(entry.op)});
      }
      for (std::uint32_t i = 0; i < schedule_.rank(r).size(); ++i) {
        if (dependencies_.waits(r, i)) left.waiting.push_back({r, i});
      }
      result_.finish.push_back(latest(cpu_free_[r]));
      result_.adapters_free.push_back(std::max(latest(send_free_[r]), latest(receive_free_[r])));
    }
    if (!left.empty()) throw StallError(schedule_, std::move(left), result_.events);
  }

  using Clocks = std::vector<std::vector<Time>>;  ///< By rank and unit.
  const goal::Schedule& schedule_;
  const ReplayOptions& options_;
  const platform::Noise& noise_;
  CostModel costs_;
  const bool compat_;
  goal::Dependencies dependencies_;
  Clocks cpu_free_;
  Clocks send_free_;
  Clocks receive_free_;
  std::vector<Entries> posted_;
  std::vector<Entries> unexpected_;
  std::priority_queue<Event> queue_;
  std::vector<std::uint32_t> freed_;            ///< Where the event happens.
  std::vector<std::uint32_t> freed_at_sender_;  ///< By the end of a rendezvous.
  Time now_;
  std::uint64_t sequence_ = 0;
  ReplayResult result_;
};

}  // namespace

ReplayResult single_queue_replay(const goal::Schedule& schedule, const ReplayOptions& options) {
  return SingleQueue(schedule, options).run();
}

}  // namespace heddle::replay
