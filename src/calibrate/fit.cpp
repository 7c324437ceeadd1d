#include "calibrate/fit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "calibrate/collective_fit.hpp"
#include "calibrate/comparison.hpp"
#include "calibrate/curve.hpp"
#include "calibrate/draft.hpp"
#include "calibrate/eager_step.hpp"
#include "calibrate/loops.hpp"
#include "calibrate/message_rate.hpp"
#include "calibrate/node_fit.hpp"
#include "calibrate/rest_curves.hpp"
#include "mpi/config.hpp"

namespace heddle::calibrate {
namespace {

/// Repetitions that vary by less, as a part of their time, are taken for equal.
constexpr double kSteady = 0.01;

/// A fit: what is found first is what later steps build on.
class Fitter {
 public:
  explicit Fitter(const FitInput& input) : draft_(input) {}

  Calibration run() {
    choose_tests();
    draft_.take_given();
    limit_ = draft_.found().settings.get(mpi::mpi_table()).eager_limit.value_or(Bytes(0)).count();
    find_quiet_latency();
    find_gaps();
    if (!draft_.input().machine_given) find_links();
    find_overheads();
    find_eager_limit();
    find_contradictions();
    NodeFit node(draft_);
    node.begin();
    MessageRate rate(draft_, latency_, gaps_.empty() ? 0 : gaps_.front());
    rate.find();
    draft_.rebuild();
    fit_curves(node);
    take_jitter();
    rate.correct();
    fit_collectives(draft_);
    return std::move(draft_.found());
  }

 private:
  void choose_tests() {
    latency_ = draft_.find_test(Loop::ping_pong, false);
    stream_ = draft_.find_test(Loop::stream, false);
    if (stream_ == nullptr) stream_ = draft_.find_test(Loop::both_streams, false);
    const Measurement* inside = draft_.find_test(Loop::ping_pong, true);
    if (latency_ == nullptr && inside == nullptr && draft_.input().readings.given.empty() &&
        !draft_.input().machine_given) {
      throw InputError({},
                       "no latency between two nodes was found: accepted is a ping-pong such as "
                       "osu_latency or PingPong of IMB, or a machine to compare others with");
    }
  }

  /// What lies between messages of a window: its time without that of the last message and of the
  /// answer.
  double gap_at(const Measurement& test, const Point& point) const {
    const double whole = seconds_of(test, point);
    const double each = whole / test.window;
    if (latency_ == nullptr || test.window < 2) return each;
    const bool one_way = test.loop != Loop::both_streams;
    const double rest =
        time_at(*latency_, point.bytes) + (one_way ? time_at(*latency_, test.answer) : 0);
    return std::max(each / 2, (whole - rest) / (test.window - 1));
  }

  void find_gaps() {
    if (stream_ == nullptr) return;
    for (const Point& point : stream_->points) gaps_.push_back(gap_at(*stream_, point));
  }

  /// The largest rate of any stream between nodes: what a link must have.
  void find_links() {
    double best = 0;
    std::string from;
    const auto consider = [&](double rate, const std::string& remark) {
      if (rate > best) from = remark;
      best = std::max(best, rate);
    };
    for (const Measurement& test : draft_.tests()) {
      const bool streams = test.loop == Loop::stream || test.loop == Loop::both_streams ||
                           test.loop == Loop::wire_stream;
      if (!streams || test.inside || test.device) continue;
      for (const Point& point : test.points) {
        const double directions = test.loop == Loop::both_streams ? 2 : 1;
        consider(point.value * 1e6 / directions, fmt::format("{}: {} of {} MB/s", test.place(point),
                                                             shown_size(point.bytes), point.value));
      }
    }
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      const Point& point = stream_->points[i];
      consider(
          static_cast<double>(point.bytes) / gaps_[i],
          fmt::format("{}: {} every {:.3f} us, without the first and the answer",
                      stream_->place(point), shown_size(point.bytes), gaps_[i] / kMicrosecond));
    }
    const bool by_slope = best == 0 && latency_ != nullptr && latency_->points.size() > 1;
    if (by_slope) {
      const Point& a = latency_->points[latency_->points.size() - 2];
      const Point& b = latency_->points.back();
      if (b.value > a.value) {
        consider(static_cast<double>(b.bytes - a.bytes) / ((b.value - a.value) * kMicrosecond),
                 fmt::format("{}: from {} to {}; a test with several messages in flight would tell "
                             "more",
                             latency_->place(b), shown_size(a.bytes), shown_size(b.bytes)));
      }
    }
    draft_.set("topology.kind", "single-switch", {"two links between any two nodes"});
    draft_.set("single-switch.nodes", std::to_string(draft_.input().nodes.value_or(most_nodes())),
               {});
    if (best > 0) draft_.set("link.bandwidth", fmt::format("{:.0f}bps", best * 8), {from});
    draft_.set("switch.latency", "0ns", {"it is in the links'"});
    find_link_latency();
    draft_.set("network.model", "queue", {});
  }

  /// As many as tests need.
  std::uint32_t most_nodes() const {
    std::uint32_t most = 2;
    for (const Measurement& test : draft_.tests()) {
      if (!why_not_simulated(test).empty() || test.inside) continue;
      const LoopRanks ranks = ranks_of(test);
      most = std::max(most, (ranks.ranks + ranks.per_node - 1) / ranks.per_node);
    }
    return most;
  }

  void find_link_latency() {
    const Measurement* wire = draft_.find_test(Loop::wire_ping_pong, false);
    if (wire != nullptr) {
      const Point& point = wire->points.front();
      draft_.set("link.latency", text_of_time(point.value * kMicrosecond / 2),
                 {fmt::format("{}: {} in {} us over two links, without MPI", wire->place(point),
                              shown_size(point.bytes), point.value)});
      return;
    }
    if (latency_ == nullptr) return;
    const Point& shortest = shortest_time();
    const double rest = shortest.value * kMicrosecond - 2 * overhead_guess();
    draft_.guess(
        "link.latency", text_of_time(std::min(0.5 * shortest.value * kMicrosecond, 0.9 * rest) / 2),
        fmt::format("of the {} us of the shortest message at most a half is on its way over two "
                    "links ({}); a ping-pong tells the sum only",
                    shortest.value, latency_->place(shortest)));
  }

  const Point& shortest_time() const {
    return *std::ranges::min_element(latency_->points, {}, &Point::value);
  }

  /// Processor time of a short message: no more than passes between two of a window.
  double overhead_guess() const {
    const double shortest = latency_ == nullptr ? 0 : shortest_time().value * kMicrosecond;
    if (gaps_.empty()) return 0.2 * shortest;
    // Where messages go both ways, a processor has to send and to receive in that time.
    const double each =
        *std::ranges::min_element(gaps_) / (stream_->loop == Loop::both_streams ? 2 : 1);
    return latency_ == nullptr ? each : std::min(each, 0.4 * shortest);
  }

  void find_overheads() {
    struct Call {
      Loop loop;
      const char* parameter;
      const char* what;
    };
    static constexpr Call kCalls[] = {
        {Loop::send_call, "mpi.send_overhead", "MPI_Send"},
        {Loop::isend_call, "mpi.isend_overhead", "MPI_Isend"},
        {Loop::receive_call, "mpi.receive_overhead", "MPI_Recv of a message that is there"}};
    for (const Call& call : kCalls) {
      if (draft_.is_given(call.parameter)) continue;
      if (const Measurement* test = draft_.find_test(call.loop, false)) {
        draft_.take_curve(call.parameter, *test, call.what);
      } else if (latency_ != nullptr) {
        draft_.guess(call.parameter, text_of_time(overhead_guess()), why_overhead());
      }
    }
  }
  std::string why_overhead() const {
    return gaps_.empty()
               ? "a fifth of the latency of the shortest message; no file says how fast "
                 "short messages follow each other"
               : "short messages follow each other that fast (" + stream_->file +
                     "), but not for whose work; a program that comes with this measures it";
  }

  void find_eager_limit() {
    if (latency_ == nullptr || draft_.is_given("mpi.eager_limit")) return;
    if (draft_.input().eager_limit) {
      limit_ = draft_.input().eager_limit->count();
      return set_limit({"as was said"});
    }
    const EagerStep step = find_eager_step(*latency_, stream_, gaps_);
    limit_ = step.limit;
    draft_.found().findings.push_back(step.why);
    if (!step.seen) draft_.found().guesses.push_back(step.why);
    set_limit({step.why});
  }
  void set_limit(std::vector<std::string> remarks) {
    draft_.set("mpi.eager_limit", std::to_string(limit_), std::move(remarks));
    draft_.set("mpi.detached_limit", std::to_string(limit_), {"the same"});
  }

  /// A message cannot follow another later than it is there itself, unless it rests somewhere.
  void find_contradictions() {
    if (stream_ == nullptr || latency_ == nullptr) return;
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      const Point& rate = stream_->points[i];
      const auto time = std::ranges::find(latency_->points, rate.bytes, &Point::bytes);
      if (time == latency_->points.end() || gaps_[i] <= 1.03 * time->value * kMicrosecond) continue;
      draft_.found().contradictions.push_back(
          fmt::format("{} and {}: a message of {} takes {} us alone, but {:.2f} us in a row",
                      latency_->place(*time), stream_->place(rate), shown_size(rate.bytes),
                      time->value, gaps_[i] / kMicrosecond));
    }
  }

  /// The latency without what is random about it.
  void find_quiet_latency() {
    if (latency_ == nullptr) return;
    quiet_ = *latency_;
    std::vector<double> parts;
    for (const Point& point : quiet_.points) parts.push_back(point.spread / point.value);
    std::ranges::sort(parts);
    varies_ = quantile(parts, 0.5) > kSteady;
    for (Point& point : quiet_.points) {
      if (varies_) point.value -= std::min(point.spread, 0.9 * point.value);
    }
  }

  void take_jitter() {
    if (!varies_) return;
    std::vector<CurvePoint> points;
    for (const Point& point : latency_->points) {
      const double mean = std::min(point.spread, 0.9 * point.value) * kMicrosecond;
      points.push_back({point.bytes, mean, 0.1 * mean});
    }
    draft_.set("mpi.jitter", times_text(points),
               {"how far repetitions vary: " + latency_->place(latency_->points.front())});
    draft_.found().findings.push_back(
        fmt::format("mpi.jitter: repetitions vary, by {:.2f} us on average at {} ({})",
                    latency_->points.front().spread, shown_size(latency_->points.front().bytes),
                    latency_->place(latency_->points.front())));
  }

  /// What is left of each test becomes a curve.
  void fit_curves(const NodeFit& node) {
    RestCurves curves(draft_);
    if (latency_ != nullptr) {
      curves.add({&quiet_, "mpi.delay", "what is left of the latency", limit_, {}});
    }
    if (stream_ != nullptr) {
      curves.add({stream_, "mpi.gap", "what is between messages of a window", limit_, gaps_});
    }
    node.add_curves(curves);
    curves.fit();
  }

  Draft draft_;
  const Measurement* latency_ = nullptr;
  const Measurement* stream_ = nullptr;
  Measurement quiet_;         ///< The latency without what is random about it.
  bool varies_ = false;       ///< Something is.
  std::vector<double> gaps_;  ///< Of the stream's points.
  std::int64_t limit_ = 0;
};

}  // namespace

Calibration fit(const FitInput& input) {
  return Fitter(input).run();
}

}  // namespace heddle::calibrate
