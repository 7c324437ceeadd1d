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
  std::int64_t time;
  std::uint64_t sequence;  ///< In the order of being caused; kept when an event has to wait.
  std::int64_t since;      ///< When an operation was released, or a message arrived.
  std::uint32_t rank;      ///< Where it happens.
  std::uint32_t op;        ///< Of a message: the sender's operation.
  std::uint32_t source;    ///< Of a message.
  What what;
  std::uint8_t cpu;
  std::uint8_t nic;
  bool arrived;  ///< A message that has chosen its cpu and nic.

  bool operator<(const Event& other) const {  // the queue serves the largest first
    return time != other.time ? time > other.time : sequence > other.sequence;
  }
};

/// A posted receive, or a message that nobody has received.
struct Entry {
  std::uint32_t source;
  std::uint32_t tag;
  std::uint32_t op;
  std::uint64_t size;
  std::int64_t handled;  ///< Of a message: when its processor is done with it.
  bool matches(std::uint32_t other_source, std::uint32_t other_tag) const {
    const bool from =
        source == other_source || source == goal::kAnySource || other_source == goal::kAnySource;
    return from && goal::tags_match(tag, other_tag);
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
        cpu_free_(schedule.ranks(), std::vector<std::int64_t>(schedule.cpus())),
        send_free_(schedule.ranks(), std::vector<std::int64_t>(schedule.nics())),
        receive_free_(send_free_),
        posted_(schedule.ranks()),
        unexpected_(schedule.ranks()) {
    result_.times.resize(schedule.ranks());
    result_.cpus = schedule.cpus();
  }

  ReplayResult run() {
    require_within(schedule_, costs_.limits());
    for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
      dependencies_.roots(r, freed_);
      enqueue_freed(r, 0);
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
    return schedule_.rank(e.what == What::message ? e.source : e.rank).op(e.op);
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
    std::int64_t& cpu = cpu_free_[e.rank][e.cpu];
    if (cpu > e.time) return retry(e, cpu);
    const std::int64_t duration = options_.slowed(e.rank, costs_.duration(op_of(e).value));
    const std::int64_t noise = noise_.delay(e.rank, e.time, duration);
    cpu = limited(e.rank, e.time + duration + noise);
    result_.times[e.rank].compute += duration;
    result_.times[e.rank].noise += noise;
    dependencies_.started(e.rank, e.op, e.time, freed_);
    dependencies_.ended(e.rank, e.op, cpu, freed_);
    enqueue_freed(e.rank, e.time);
  }

  void send(const Event& e) {
    const goal::Op op = op_of(e);
    std::int64_t& cpu = cpu_free_[e.rank][e.cpu];
    std::int64_t& nic = send_free_[e.rank][e.nic];
    if (std::max(cpu, nic) > e.time) return retry(e, std::max(cpu, nic));
    const MessageCosts cost = costs_.of(op.value);
    const std::int64_t noise = noise_.delay(e.rank, e.time, cost.overhead);
    RankTimes& times = result_.times[e.rank];
    times.gap += e.time - std::min(e.time, std::max(cpu, e.since));
    times.overhead += cost.overhead + cost.overhead_bytes;
    times.noise += noise;
    cpu = limited(e.rank, e.time + cost.overhead + cost.overhead_bytes + noise);
    nic = e.time + costs_.gap() + cost.gap_bytes;
    launch(e, op, cost);
    dependencies_.started(e.rank, e.op, e.time, freed_);
    if (!costs_.rendezvous(op.value)) dependencies_.ended(e.rank, e.op, cpu, freed_);
    enqueue_freed(e.rank, e.time);
  }

  void launch(const Event& e, const goal::Op& op, const MessageCosts& cost) {
    Event m = e;
    m.what = What::message;
    m.rank = op.peer;
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
    dependencies_.started(e.rank, e.op, e.time, freed_);
    const auto it = find(unexpected_[e.rank], op.peer, op.tag);
    if (it == unexpected_[e.rank].end()) {
      posted_[e.rank].push_back({op.peer, op.tag, e.op, op.value, 0});
      return enqueue_freed(e.rank, e.time);
    }
    const Entry found = *it;
    unexpected_[e.rank].erase(it);
    if (costs_.rendezvous(compat_ ? op.value : found.size)) {
      const goal::PackedOp sent = schedule_.rank(found.source).packed(found.op);
      complete_send(e.rank, found.source, found.op, compat_ ? e.cpu : sent.cpu,
                    compat_ ? e.nic : sent.nic);
    }
    dependencies_.ended(e.rank, e.op, std::max(e.time, found.handled), freed_);
    enqueue_both(e.rank, found.source);
  }

  void message(Event e) {
    const goal::Op op = op_of(e);
    if (!e.arrived) choose_units(e, op);
    std::int64_t& cpu = cpu_free_[e.rank][e.cpu];
    std::int64_t& nic = receive_free_[e.rank][e.nic];
    if (std::max(cpu, nic) > e.time) return retry(e, std::max(cpu, nic));
    handle(e, op, cpu, nic);
    const auto it = find(posted_[e.rank], e.source, op.tag);
    if (it == posted_[e.rank].end()) {
      unexpected_[e.rank].push_back({e.source, op.tag, e.op, op.value, cpu});
      return;
    }
    const std::uint32_t receive = it->op;
    posted_[e.rank].erase(it);
    if (costs_.rendezvous(op.value)) complete_send(e.rank, e.source, e.op, op.cpu, op.nic);
    dependencies_.ended(e.rank, receive, cpu, freed_);
    enqueue_both(e.rank, e.source);
  }

  /// A message is handled where the receive that waits for it is, or else where it was sent.
  void choose_units(Event& e, const goal::Op& op) {
    e.arrived = true;
    if (compat_) return;
    const auto it = find(posted_[e.rank], e.source, op.tag);
    if (it == posted_[e.rank].end()) return;
    e.cpu = schedule_.rank(e.rank).packed(it->op).cpu;
    e.nic = schedule_.rank(e.rank).packed(it->op).nic;
  }

  void handle(const Event& e, const goal::Op& op, std::int64_t& cpu, std::int64_t& nic) {
    const MessageCosts cost = costs_.of(op.value);
    const std::int64_t noise = noise_.delay(e.rank, e.time, cost.overhead);
    RankTimes& times = result_.times[e.rank];
    times.gap += e.time - std::min(e.time, std::max(cpu, e.since));
    times.gap += cost.receive_bytes - cost.overhead_bytes;
    times.overhead += cost.overhead + cost.overhead_bytes;
    times.noise += noise;
    cpu = limited(e.rank, e.time + cost.overhead + noise + cost.receive_bytes);
    nic = e.time + costs_.gap() + cost.gap_bytes;
  }

  /// A rendezvous was matched now at `receiver`: the send ends, its units were busy until now.
  void complete_send(std::uint32_t receiver, std::uint32_t sender, std::uint32_t op,
                     std::uint8_t cpu, std::uint8_t nic) {
    cpu_free_[sender][cpu] = std::max(cpu_free_[sender][cpu], now_);
    send_free_[sender][nic] = std::max(send_free_[sender][nic], now_);
    dependencies_.ended(sender, op, now_, sender == receiver ? freed_ : freed_at_sender_);
  }

  /// What became free at the two ends of a message, in ascending order of the ranks.
  void enqueue_both(std::uint32_t receiver, std::uint32_t sender) {
    if (sender > receiver) enqueue_freed(receiver, now_);
    std::swap(freed_, freed_at_sender_);
    enqueue_freed(sender, now_);
    std::swap(freed_, freed_at_sender_);
    enqueue_freed(receiver, now_);
  }

  static Entries::iterator find(Entries& entries, std::uint32_t source, std::uint32_t tag) {
    return std::find_if(entries.begin(), entries.end(),
                        [=](const Entry& entry) { return entry.matches(source, tag); });
  }

  void retry(Event e, std::int64_t when) {
    e.time = when;
    queue_.push(e);
  }

  void enqueue_freed(std::uint32_t rank, std::int64_t when) {
    if (compat_) {
      shuffle_by_kind(rank);
    } else {
      dependencies_.sort_by_kind(rank, freed_);
    }
    for (const std::uint32_t op : freed_) enqueue(rank, op, when);
    freed_.clear();
  }

  /// The order of an unstable sort, which is part of what LogGOPSim computes.
  void shuffle_by_kind(std::uint32_t rank) {
    const goal::RankView view = schedule_.rank(rank);
    std::sort(freed_.begin(), freed_.end(), [&view](std::uint32_t a, std::uint32_t b) {
      return view.packed(a).kind() < view.packed(b).kind();
    });
  }

  void enqueue(std::uint32_t rank, std::uint32_t op, std::int64_t when) {
    const goal::PackedOp p = schedule_.rank(rank).packed(op);
    std::int64_t free = cpu_free_[rank][p.cpu];
    if (p.kind() == goal::OpKind::send) free = std::max(free, send_free_[rank][p.nic]);
    const std::int64_t ready = compat_ ? 0 : dependencies_.ready(rank, op);
    const bool delayed = ready > std::max(free, when) && p.kind() != goal::OpKind::recv;
    const What what = delayed ? What::delayed : static_cast<What>(p.kind());
    if (!delayed) ++result_.events;
    queue_.push({std::max(free, ready), sequence_++, when, rank, op, 0, what, p.cpu, p.nic, false});
  }

  std::int64_t limited(std::uint32_t rank, std::int64_t time) const {
    if (time > goal::kLatest) throw_too_late(rank);
    return time;
  }

  static std::int64_t latest(const std::vector<std::int64_t>& clocks) {
    return *std::max_element(clocks.begin(), clocks.end());
  }

  void check_leftovers() {
    Leftovers left;
    for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
      for (const Entry& entry : posted_[r]) left.receives.push_back({r, entry.op});
      for (const Entry& entry : unexpected_[r]) left.sends.push_back({entry.source, entry.op});
      for (std::uint32_t i = 0; i < schedule_.rank(r).size(); ++i) {
        if (dependencies_.waits(r, i)) left.waiting.push_back({r, i});
      }
      result_.finish.push_back(Time::ps(latest(cpu_free_[r])));
      result_.adapters_free.push_back(
          Time::ps(std::max(latest(send_free_[r]), latest(receive_free_[r]))));
    }
    if (!left.empty()) throw StallError(schedule_, std::move(left), result_.events);
  }

  using Clocks = std::vector<std::vector<std::int64_t>>;  ///< By rank and unit.
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
  std::int64_t now_ = 0;
  std::uint64_t sequence_ = 0;
  ReplayResult result_;
};

}  // namespace

ReplayResult single_queue_replay(const goal::Schedule& schedule, const ReplayOptions& options) {
  return SingleQueue(schedule, options).run();
}

}  // namespace heddle::replay
