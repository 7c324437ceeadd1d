#include "traffic/open_run.hpp"

#include <algorithm>
#include <utility>

#include "traffic/open_phases.hpp"
#include "traffic/parts/divided_run.hpp"

namespace heddle::traffic {
namespace {

/// How much more is created than arrives where that is no chance: a part of it, so many messages of
/// each sender, and so many in all.
struct Excess {
  double part;
  double messages_each;
  double messages;
};
constexpr Excess kSaturated{1 - kSaturatedBelow, 1, 0};
constexpr Excess kFarBeyond{0.1, 10, 200};

/// What one load of an open loop is made of.
struct OpenLoad {
  const Sweep& sweep;
  const Load& load;
  const Pattern& pattern;
  const RandomStream& random;
  std::vector<NodeId> senders;
};

/// The loops of parts, each with senders of its own.
OpenLoops loops_of(const OpenLoad& of, const std::vector<OpenLoop::Pace>& paces, Window window,
                   const std::vector<std::vector<NodeId>>& parts) {
  const std::optional<Bursts> bursts = bursts_of(of.sweep, of.load, of.senders, of.random);
  const MessageDrawer drawer(of.pattern, of.sweep.config, of.sweep.platform.nodes(), of.random);
  std::vector<OpenLoop> loops;
  for (const std::vector<NodeId>& part : parts) {
    std::vector<OpenLoop::Pace> own(paces.size());
    for (const NodeId node : part) own[index(node)] = paces[index(node)];
    std::optional<Bursts> its = bursts;
    if (its && parts.size() > 1) its->keep(part);
    loops.emplace_back(drawer, own, of.sweep.config.spacing, window, std::move(its));
  }
  return OpenLoops(std::move(loops));
}

std::vector<Workload*> pointers_to(OpenLoops& loops) {
  std::vector<Workload*> all;
  for (std::size_t i = 0; i < loops.size(); ++i) all.push_back(&loops[i]);
  return all;
}

/// A Run or a DividedRun through the phases of an open loop.
template <class AnyRun>
class OpenRun {
 public:
  /// `make(loops, window)` makes the run.
  template <class Make>
  OpenRun(const OpenLoad& of, const std::vector<std::vector<NodeId>>& parts, Make make)
      : sweep_(of.sweep),
        load_(of.load),
        senders_(of.senders),
        paces_(paces_of(of.sweep, of.load, senders_)),
        phases_(phases_of(of.sweep.config, paces_, senders_.size())),
        workload_(loops_of(of, paces_, phases_.window, parts)),
        run_(make(workload_, phases_.window)) {
    run_.begin();
  }

  TrafficResult result() {
    warm_up();
    run_.start_counting();
    measure();
    run_.stop_counting(phases_.window.end - phases_.window.begin);
    const bool drained =
        !exceeds(kFarBeyond) && run_.drain(workload_, senders_.size(), phases_.last);
    const bool saturated = !drained || exceeds(kSaturated);
    run_.count_unfinished(phases_.window.end);
    TrafficResult result = run_.result(phases_.window.end - phases_.window.begin,
                                       static_cast<std::uint32_t>(senders_.size()));
    result.load = load_;
    result.warm_up = phases_.window.begin;
    result.offered = workload_.offered_bytes();
    result.injection = total_injection(sweep_, senders_);
    result.saturated = saturated;
    if (!saturated) result.mean_latency = run_.recorder().mean_latency();
    result.accepted_rate = estimate(accepted_);
    if (!drained) run_.check_rest_moves(load_);
    return result;
  }

 private:
  /// Runs to the beginning of the window, which may come later than was planned: by another quarter
  /// of it, or two, ..., as long as latencies have not settled but may.
  void warm_up() {
    constexpr int kQuarters = 4;
    const Time quarter = (phases_.window.end - phases_.window.begin) / 4;
    for (int i = 1;; ++i) {
      run_.run_until(phases_.window.begin, phases_.last);
      if (sweep_.config.warm_up || i == kQuarters || run_.recorder().settled() || falls_behind()) {
        return;
      }
      phases_.window = {phases_.window.begin + quarter, phases_.window.end + quarter};
      phases_.last += quarter;
      workload_.move_to(phases_.window);
      run_.move_to(phases_.window);
    }
  }

  /// Whether less arrives than is offered, by far, so that latencies never settle.
  bool falls_behind() const {
    double per_ps = 0;
    for (const OpenLoop::Pace& pace : paces_) {
      if (pace.interval > 0) per_ps += sweep_.config.size.mean() / pace.interval;
    }
    const double offered = per_ps * static_cast<double>(phases_.window.begin.ps());
    return static_cast<double>(run_.delivered().count()) < (1 - kFarBeyond.part) * offered;
  }

  /// Runs to the end of the window. Where what is left over keeps growing, the window ends after an
  /// eighth of it, or two, ..., when enough has arrived to know what is accepted. Latency has no
  /// limit then.
  void measure() {
    constexpr int kParts = 8;
    constexpr double kEnough = 1000;  // Messages.
    const Window whole = phases_.window;
    for (int part = 1; part <= kParts; ++part) {
      const Time end = whole.begin + (whole.end - whole.begin) * part / kParts;
      run_.run_until(end, phases_.last);
      const Bytes before = arrived_;
      arrived_ = run_.delivered();
      accepted_.push_back(static_cast<double>((arrived_ - before).count()) * kParts /
                          (whole.end - whole.begin).seconds());
      if (part < kParts && !phases_.may_end_early) continue;
      created_ = workload_.created_before(end);
      const bool enough =
          static_cast<double>(arrived_.count()) > kEnough * sweep_.config.size.mean();
      if (part == kParts || (enough && exceeds(kFarBeyond))) return close(end);
    }
  }

  void close(Time end) {
    phases_.window.end = end;
    workload_.close(end);
    run_.close(end);
  }

  /// Whether what was created and did not arrive in the window is more than that.
  bool exceeds(const Excess& excess) const {
    const auto left = static_cast<double>((created_ - arrived_).count());
    const double messages = left / sweep_.config.size.mean();
    return left > excess.part * static_cast<double>(created_.count()) &&
           messages > excess.messages_each * static_cast<double>(senders_.size()) &&
           messages > excess.messages;
  }

  const Sweep& sweep_;
  const Load& load_;
  const std::vector<NodeId>& senders_;
  std::vector<OpenLoop::Pace> paces_;  ///< By node.
  Phases phases_;
  OpenLoops workload_;
  AnyRun run_;
  Bytes created_;                 ///< In the window.
  Bytes arrived_;                 ///< In the window.
  std::vector<double> accepted_;  ///< Bytes per second in each part of it.
};

}  // namespace

TrafficResult run_open(const Sweep& sweep, const Load& load, const Pattern& pattern,
                       const RandomStream& random) {
  const OpenLoad of{sweep, load, pattern, random, senders_of(pattern, sweep.platform.nodes())};
  Divided divided = divide(sweep, of.senders, {});
  TrafficResult result;
  if (divided.division) {
    const std::vector<std::vector<NodeId>> parts = divided.division->senders;
    result =
        OpenRun<DividedRun>(of, parts, [&](OpenLoops& loops, Window window) {
          return DividedRun(sweep, pointers_to(loops), window, std::move(*divided.division), {});
        }).result();
  } else {
    result = OpenRun<MeasuredRun>(of, {of.senders}, [&](OpenLoops& loops, Window window) {
               return MeasuredRun(sweep, of.senders, loops[0], window);
             }).result();
  }
  result.why_fewer = divided.why_fewer;
  return result;
}

}  // namespace heddle::traffic
