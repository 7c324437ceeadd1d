#include "traffic/parts/divided_run.hpp"

#include <algorithm>

#include "network/packet/packet_network.hpp"
#include "network/queue/queue_network.hpp"

namespace heddle::traffic {
namespace {

/// What the senders of all parts cause before time begins comes first.
std::uint64_t all_senders(const Division& division) {
  std::uint64_t senders = 0;
  for (const std::vector<NodeId>& part : division.senders) senders += part.size();
  return senders;
}

using Parts = std::vector<TrafficPart*>;

Time latest_event(const Parts& parts) {
  Time latest;
  for (const TrafficPart* const part : parts) latest = std::max(latest, part->now());
  return latest;
}

/// When the last node got past the window, if that was in the last window of time.
Time last_past(const Parts& parts) {
  Time last;
  for (const TrafficPart* const part : parts) {
    const auto tape = part->tape();
    const auto past =
        std::ranges::lower_bound(tape, tape.back().past, {}, &TrafficPart::Taped::past);
    if (past != tape.begin()) last = std::max(last, past->time);
  }
  return last;
}

}  // namespace

DividedRun::DividedRun(const Sweep& sweep, std::vector<Workload*> workloads, Window window,
                       Division division, WorkloadKind kind)
    : sweep_(sweep),
      workloads_(std::move(workloads)),
      division_(std::move(division)),
      kind_(kind),
      idle_(division_.senders.size()),
      recorder_(window, sweep.watch, sweep.config.measures_slowdown() ? &known_ : nullptr),
      queue_parts_(division_.senders.size()),
      packet_parts_(division_.senders.size()),
      parts_(division_.senders.size()),
      order_(parts_),
      crew_(division_.senders.size(), sweep.watch.least_events, all_senders(division_)) {
  crew_.between_windows([this] { join_window(); });
}

void DividedRun::begin() {
  divide_packets();
  crew_.begin([this](std::size_t me) { return make(me); });
}

void DividedRun::divide_packets() {
  network::PacketNetwork* const whole = network::packet_network_of(*division_.network);
  if (whole == nullptr) return;
  const network::FabricCut& cut = division_.cut;
  divided_packets_ = &whole->divide({cut.parts_of_links(), cut.parts_of_vertices(), parts_.size()});
}

template <class Part, class Links>
std::unique_ptr<WindowPart> DividedRun::make(const PartBed& bed, Links& links,
                                             std::vector<Part*>& others) {
  auto part = std::make_unique<Part>(bed, links, others);
  others[bed.me] = part.get();
  parts_[bed.me] = part.get();
  return part;
}

std::unique_ptr<WindowPart> DividedRun::make(std::size_t me) {
  const TrafficConfig& config = sweep_.config;
  if (config.measures_slowdown()) {
    idle_[me] = std::make_unique<IdleTimes>(sweep_.platform, sweep_.network, sweep_.settings,
                                            config.seed, config.from);
  }
  std::uint64_t before = 0;
  for (std::size_t p = 0; p < me; ++p) before += division_.senders[p].size();
  const PartBed bed{sweep_.platform,       division_.cut,    static_cast<std::uint32_t>(me),
                    parts_.size(),         division_.window, config.from,
                    division_.senders[me], before,           *workloads_[me],
                    kind_.closed,          idle_[me].get()};
  if (divided_packets_ != nullptr) return make(bed, *divided_packets_, packet_parts_);
  return make(bed, *network::queue_links_of(*division_.network), queue_parts_);
}

// --- Time goes by.

void DividedRun::go(Time limit) {
  crew_.run(limit);
  sum_up();
}

void DividedRun::run_until(Time end, Time total) {
  done_ = [this, total] { return latest_event(parts_).seconds() / total.seconds(); };
  go(end + Time::ps(1));
  division_.clock->run_until(end);
}

void DividedRun::run_to_end(std::uint64_t total) {
  done_ = [this, total] {
    return static_cast<double>(recorder_.finished()) / static_cast<double>(total);
  };
  go(Time::never());
  division_.clock->run_until(latest_event(parts_));
}

bool DividedRun::drain(const OpenLoops& loops, std::size_t senders, Time last) {
  drained_ =
      loops.nodes_past_window() == senders && recorder_.finished() == loops.offered_messages();
  if (drained_) return true;
  draining_ = &loops;
  draining_senders_ = senders;
  for (std::size_t p = 0; p < parts_.size(); ++p) parts_[p]->tape(loops[p]);
  done_ = [this, last] { return latest_event(parts_).seconds() / last.seconds(); };
  crew_.run(last + Time::ps(1));
  draining_ = nullptr;
  if (!drained_) {
    sum_up();
    division_.clock->run_until(latest_event(parts_));
  }
  return drained_;
}

void DividedRun::sum_up() {
  events_ = fingerprint_ = 0;
  for (const TrafficPart* const part : parts_) {
    events_ += part->events();
    fingerprint_ += part->fingerprint();
  }
}

/// Of the last window, which is on tape, what happened until then.
void DividedRun::sum_up_to(Time end) {
  events_ = fingerprint_ = 0;
  for (const TrafficPart* const part : parts_) {
    const auto tape = part->tape();
    const auto after = std::upper_bound(
        tape.begin(), tape.end(), end,
        [](Time time, const TrafficPart::Taped& taped) { return time < taped.time; });
    events_ += (after - 1)->events;
    fingerprint_ += (after - 1)->fingerprint;
  }
}

// --- Between windows.

void DividedRun::join_window() {
  constexpr std::uint64_t kSeldom = 64;
  order_.restart();
  if (draining_ != nullptr) {
    if (feed_drained()) crew_.stop();
  } else {
    feed();
  }
  if (!done_ || windows_++ % kSeldom != 0) return;
  sum_up();
  sweep_.report(done_(), events_);
}

void DividedRun::feed() {
  while (const Arrived* const arrived = order_.next()) {
    known_.time = arrived->idle;
    recorder_.message_finished(arrived->record);
  }
}

/// Messages of the window have all arrived, and it is known that these are all: the run ends with
/// that instant, though parts have gone further.
bool DividedRun::feed_drained() {
  if (draining_->nodes_past_window() < draining_senders_) {
    feed();
    return false;
  }
  Time end = last_past(parts_);
  const auto all_arrived = [this] { return recorder_.finished() == draining_->offered_messages(); };
  while (const Arrived* const arrived = order_.next()) {
    if (all_arrived() && arrived->place.time > end) break;
    const bool before = all_arrived();
    known_.time = arrived->idle;
    recorder_.message_finished(arrived->record);
    if (!before) end = std::max(end, arrived->place.time);
  }
  if (!all_arrived()) return false;
  drained_ = true;
  sum_up_to(end);
  division_.clock->run_until(end);
  return true;
}

// --- What is measured.

void DividedRun::start_counting() {
  counts_.start(*division_.network, all_delivered());
}

void DividedRun::stop_counting(Time measured) {
  counts_.stop(sweep_.platform, *division_.network, all_delivered(), measured,
               sweep_.watch.top_links);
}

Bytes DividedRun::all_delivered() const {
  Bytes sum;
  for (const TrafficPart* const part : parts_) sum += part->delivered();
  return sum;
}

void DividedRun::count_unfinished(Time end) {
  for (TrafficPart* const part : parts_) {
    for (const Time created : part->take_unfinished(end)) {
      recorder_.message_unfinished(created, division_.clock->now());
    }
  }
}

void DividedRun::check_all_moves(const std::string& where) {
  if (crew_.next() != Time::never()) return;
  if (const std::string problem = division_.network->stuck(); !problem.empty()) {
    throw RunError(where + problem);
  }
}

void DividedRun::check_rest_moves(const Load& load) {
  if (division_.network->stuck().empty()) return;
  done_ = [] { return 1.0; };
  go(Time::never());
  check_all_moves("at load " + load.text() + ": ");
}

TrafficResult DividedRun::result(Time measured, std::uint32_t senders) const {
  TrafficResult result;
  recorder_.fill(result);
  counts_.fill(result);
  result.losses = division_.network->losses();
  result.measured = measured;
  result.senders = senders;
  result.events = events_;
  result.fingerprint = fingerprint_;
  result.threads = parts_.size();
  return result;
}

}  // namespace heddle::traffic
