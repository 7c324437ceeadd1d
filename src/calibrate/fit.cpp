#include "calibrate/fit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "calibrate/curve.hpp"
#include "calibrate/eager_step.hpp"
#include "calibrate/loops.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "mpi/config.hpp"
#include "platform/nic_params.hpp"

namespace heddle::calibrate {
namespace {

constexpr double kUs = 1e-6;
/// How often what was simulated is used to correct what was assumed.
constexpr int kCorrections = 4;
/// Of a measured time: what lines may miss it by, so that there are fewer of them.
constexpr double kLineError = 0.0005;

/// How long a window and its answer take, or a message: what the clock of the test saw, in seconds.
double seconds_of(const Measurement& test, const Point& point) {
  if (!test.rate) return point.value * kUs;
  const double directions = test.loop == Loop::both_streams ? 2 : 1;
  const double messages = test.window * directions * std::max(1U, test.pairs);
  return messages * static_cast<double>(point.bytes) / (point.value * 1e6);
}

std::string text_of_time(double seconds) {
  return fmt::format("{:.3f}ns", std::max(0.0, seconds) * 1e9);
}
std::string shown_size(std::int64_t bytes) {
  return format_bytes(Bytes(bytes));
}

/// A fit: what is found first is what later steps build on.
class Fitter {
 public:
  explicit Fitter(const FitInput& input)
      : input_(input), found_{input.settings, input.description, nullptr, {}, {}, {}, {}} {}

  Calibration run() {
    choose_tests();
    take_given();
    find_gaps();
    if (!input_.machine_given) find_links();
    find_overheads();
    find_eager_limit();
    find_contradictions();
    find_message_rate();
    begin_inside();
    found_.platform = platform::build_platform(found_.description, found_.settings);
    fit_curves();
    correct_message_rate();
    return std::move(found_);
  }

 private:
  using Tests = std::vector<Measurement>;

  /// The first table of a kind between two nodes, or inside of one; tables of pairs by the thousand
  /// tell of something else.
  const Measurement* find_test(Loop loop, bool inside) const {
    for (const Measurement& test : input_.readings.measurements) {
      const bool fits = test.loop == loop && test.inside == inside && !test.device &&
                        test.pairs == 1 && test.ranks <= 2;
      if (fits) return &test;
    }
    return nullptr;
  }

  void choose_tests() {
    latency_ = find_test(Loop::ping_pong, false);
    stream_ = find_test(Loop::stream, false);
    if (stream_ == nullptr) stream_ = find_test(Loop::both_streams, false);
    inside_ = find_test(Loop::ping_pong, true);
    if (latency_ == nullptr && inside_ == nullptr && input_.readings.given.empty() &&
        !input_.machine_given) {
      throw InputError({},
                       "no latency between two nodes was found: accepted is a ping-pong such as "
                       "osu_latency or PingPong of IMB, or a machine to compare others with");
    }
  }

  void set(const std::string& parameter, const std::string& value,
           std::vector<std::string> remarks) {
    found_.settings.assign(parameter, value, {"calibrate"});
    std::erase_if(found_.values,
                  [&](const FittedValue& one) { return one.parameter == parameter; });
    found_.values.push_back({parameter, value, std::move(remarks)});
  }
  void guess(const std::string& parameter, const std::string& value, const std::string& why) {
    set(parameter, value, {"guessed: " + why});
    found_.guesses.push_back(fmt::format("{}={}: {}", parameter, value, why));
  }
  bool is_given(const std::string& parameter) const {
    return std::ranges::any_of(input_.readings.given, [&](const GivenValue& value) {
      return value.parameter == parameter;
    });
  }

  void take_given() {
    for (const GivenValue& value : input_.readings.given) {
      found_.settings.assign(value.parameter, value.value, value.where);
      set(value.parameter, value.value, {"as " + value.where.str() + " has it"});
    }
    limit_ = found_.settings.get(mpi::mpi_table()).eager_limit.value_or(Bytes(0)).count();
  }

  double latency_at(std::int64_t bytes) const {
    const auto& points = latency_->points;
    const auto next =
        std::ranges::find_if(points, [&](const Point& p) { return p.bytes >= bytes; });
    return (next == points.end() ? points.back() : *next).value * kUs;
  }

  /// What lies between messages of a window: its time without that of the last message and of the
  /// answer.
  double gap_at(const Measurement& test, const Point& point) const {
    const double whole = seconds_of(test, point);
    const double each = whole / test.window;
    if (latency_ == nullptr || test.window < 2) return each;
    const bool one_way = test.loop != Loop::both_streams;
    const double rest = latency_at(point.bytes) + (one_way ? latency_at(test.answer) : 0);
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
    for (const Measurement& test : input_.readings.measurements) {
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
      consider(static_cast<double>(point.bytes) / gaps_[i],
               fmt::format("{}: {} every {:.3f} us, without the first and the answer",
                           stream_->place(point), shown_size(point.bytes), gaps_[i] / kUs));
    }
    const bool by_slope = best == 0 && latency_ != nullptr && latency_->points.size() > 1;
    if (by_slope) {
      const Point& a = latency_->points[latency_->points.size() - 2];
      const Point& b = latency_->points.back();
      if (b.value > a.value) {
        consider(static_cast<double>(b.bytes - a.bytes) / ((b.value - a.value) * kUs),
                 fmt::format("{}: from {} to {}; a test with several messages in flight would tell "
                             "more",
                             latency_->place(b), shown_size(a.bytes), shown_size(b.bytes)));
      }
    }
    set("topology.kind", "single-switch", {"two links between any two nodes"});
    set("single-switch.nodes", std::to_string(input_.nodes.value_or(most_nodes())), {});
    if (best > 0) set("link.bandwidth", fmt::format("{:.0f}bps", best * 8), {from});
    set("switch.latency", "0ns", {"it is in the links'"});
    find_link_latency();
    set("network.model", "queue", {});
  }

  /// As many as tests need.
  std::uint32_t most_nodes() const {
    std::uint32_t most = 2;
    for (const Measurement& test : input_.readings.measurements) {
      if (!why_not_simulated(test).empty() || test.inside) continue;
      const LoopRanks ranks = ranks_of(test);
      most = std::max(most, (ranks.ranks + ranks.per_node - 1) / ranks.per_node);
    }
    return most;
  }

  void find_link_latency() {
    const Measurement* wire = find_test(Loop::wire_ping_pong, false);
    if (wire != nullptr) {
      const Point& point = wire->points.front();
      set("link.latency", text_of_time(point.value * kUs / 2),
          {fmt::format("{}: {} in {} us over two links, without MPI", wire->place(point),
                       shown_size(point.bytes), point.value)});
      return;
    }
    if (latency_ == nullptr) return;
    const Point& shortest = shortest_time();
    const double rest = shortest.value * kUs - 2 * overhead_guess();
    guess("link.latency", text_of_time(std::min(0.5 * shortest.value * kUs, 0.9 * rest) / 2),
          fmt::format("of the {} us of the shortest message at most a half is on its way over two "
                      "links ({}); a ping-pong tells the sum only",
                      shortest.value, latency_->place(shortest)));
  }

  const Point& shortest_time() const {
    return *std::ranges::min_element(latency_->points, {}, &Point::value);
  }

  /// Processor time of a short message: no more than passes between two of a window.
  double overhead_guess() const {
    const double shortest = latency_ == nullptr ? 0 : shortest_time().value * kUs;
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
      if (is_given(call.parameter)) continue;
      if (const Measurement* test = find_test(call.loop, false)) {
        take_curve(call.parameter, *test, call.what);
      } else if (latency_ != nullptr) {
        guess(call.parameter, text_of_time(overhead_guess()), why_overhead());
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

  /// Times of calls, as they are. A send that waits for its receiver is none of the processor's.
  void take_curve(const char* parameter, const Measurement& test, const char* what) {
    std::vector<CurvePoint> points;
    std::vector<std::string> remarks = {fmt::format("time of {} by itself: {}, {} sizes", what,
                                                    test.place(test.points.front()),
                                                    test.points.size())};
    for (const Point& point : test.points) {
      const double seconds = point.value * kUs;
      points.push_back({point.bytes, seconds, 0.02 * seconds});
    }
    set(parameter, times_text(points), std::move(remarks));
  }

  void find_eager_limit() {
    if (latency_ == nullptr || is_given("mpi.eager_limit")) return;
    if (input_.eager_limit) {
      limit_ = input_.eager_limit->count();
      return set_limit({"as was said"});
    }
    const EagerStep step = find_eager_step(*latency_, stream_, gaps_);
    limit_ = step.limit;
    found_.findings.push_back(step.why);
    if (!step.seen) found_.guesses.push_back(step.why);
    set_limit({step.why});
  }
  void set_limit(std::vector<std::string> remarks) {
    set("mpi.eager_limit", std::to_string(limit_), remarks);
    set("mpi.detached_limit", std::to_string(limit_), {"the same"});
  }

  /// A message cannot follow another later than it is there itself, unless it rests somewhere.
  void find_contradictions() {
    if (stream_ == nullptr || latency_ == nullptr) return;
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      const Point& rate = stream_->points[i];
      const auto time = std::ranges::find(latency_->points, rate.bytes, &Point::bytes);
      if (time == latency_->points.end() || gaps_[i] <= 1.03 * time->value * kUs) continue;
      found_.contradictions.push_back(
          fmt::format("{} and {}: a message of {} takes {} us alone, but {:.2f} us in a row",
                      latency_->place(*time), stream_->place(rate), shown_size(rate.bytes),
                      time->value, gaps_[i] / kUs));
    }
  }

  /// What lies between messages of all pairs.
  double gap_of_node(const Measurement& test, const Point& point) const {
    const double rest = latency_ == nullptr ? 0 : latency_at(point.bytes) + latency_at(test.answer);
    const double messages = static_cast<double>(test.window) * test.pairs;
    const double whole = seconds_of(test, point);
    return std::max(whole / 2 / messages, (whole - rest) / std::max(1.0, messages - 1));
  }

  /// From several pairs: how fast a node sends at most.
  void find_message_rate() {
    for (const Measurement& test : input_.readings.measurements) {
      if (test.loop != Loop::stream || test.pairs <= 1 || test.inside || !test.rate) continue;
      const auto best = std::ranges::min_element(
          test.points, {}, [&](const Point& point) { return gap_of_node(test, point); });
      const double rate = 1 / gap_of_node(test, *best);
      const double alone = gaps_.empty() ? 0 : 1 / gaps_.front();
      if (alone > 0 && rate > 0.9 * alone * test.pairs) {
        found_.findings.push_back(fmt::format(
            "{}: {} pairs send {:.3g} messages a second, {} times what one does: no limit of the "
            "adapter was reached",
            test.place(*best), test.pairs, rate, test.pairs));
        continue;
      }
      limited_ = test;
      limited_.points = {*best};
      set("nic.gap", text_of_time(1 / rate),
          {fmt::format("{}: {} pairs send {:.4g} messages of {} a second", test.place(*best),
                       test.pairs, rate, shown_size(best->bytes))});
      found_.findings.push_back(fmt::format("nic.gap: {} pairs send {:.3g} messages a second ({})",
                                            test.pairs, rate, test.place(*best)));
    }
  }

  /// Windows of several pairs fill each other's gaps: how well, the simulator knows.
  void correct_message_rate() {
    if (limited_.points.empty()) return;
    const auto value = std::ranges::find(found_.values, "nic.gap", &FittedValue::parameter);
    const std::vector<std::string> remarks = value->remarks;
    for (int i = 0; i < kCorrections; ++i) {
      const double ratio =
          simulate(*found_.platform, found_.settings, limited_)[0] / limited_.points[0].value;
      const platform::NicParams nic = found_.settings.get(platform::nic_table());
      set("nic.gap", text_of_time(nic.gap.seconds() * ratio), remarks);
      found_.platform = platform::build_platform(found_.description, found_.settings);
    }
  }

  /// What ranks of a node do with each other, if tests have several on one.
  void guess_inside() {
    const bool several =
        std::ranges::any_of(input_.readings.measurements, [](const Measurement& test) {
          return why_not_simulated(test).empty() && !test.inside && ranks_of(test).per_node > 1;
        });
    if (!several || input_.machine_given || latency_ == nullptr) return;
    const std::string why = "no file says it; a test inside of a node would";
    guess("mpi.node_latency", "400ns", why);
    guess("mpi.node_bandwidth", "8GBps", why);
  }

  void begin_inside() {
    if (inside_ == nullptr) return guess_inside();
    const Point& first = inside_->points.front();
    const Point& last = inside_->points.back();
    set("mpi.node_latency", text_of_time(0.2 * first.value * kUs),
        {"a fifth of " + inside_->place(first) + "; the rest is in mpi.node_delay and overheads"});
    const double rate = static_cast<double>(last.bytes) / (last.value * kUs);
    if (last.bytes > 0) {
      set("mpi.node_bandwidth", fmt::format("{:.0f}bps", rate * 8),
          {fmt::format("{}: {} in {} us", inside_->place(last), shown_size(last.bytes),
                       last.value)});
    }
  }

  /// A parameter that takes up what all others leave of a test.
  struct Rest {
    const Measurement* test;
    const char* parameter;
    const char* what;
    bool at_limit;  ///< Another line begins at the eager limit.
    std::vector<double> seconds = {};
  };

  /// What is left of each test becomes a curve: first nothing, then more by what is missing.
  void fit_curves() {
    std::vector<Rest> rests;
    if (latency_ != nullptr) {
      rests.push_back({latency_, "mpi.delay", "what is left of the latency", true});
    }
    if (stream_ != nullptr) {
      rests.push_back({stream_, "mpi.gap", "what is between messages of a window", true});
    }
    if (inside_ != nullptr) {
      rests.push_back({inside_, "mpi.node_delay", "what is left of the latency inside", true});
    }
    for (Rest& rest : rests) {
      if (rest.test == stream_) rest.seconds = gaps_;
      rest.seconds.resize(rest.test->points.size());
      write_curve(rest);
    }
    for (int i = 0; i < kCorrections; ++i) {
      for (Rest& rest : rests) correct(rest);
    }
  }

  void correct(Rest& rest) {
    const Measurement& test = *rest.test;
    const std::vector<double> simulated = simulate(*found_.platform, found_.settings, test);
    for (std::size_t i = 0; i < test.points.size(); ++i) {
      Point point = test.points[i];
      const double measured = seconds_of(test, point);
      point.value = simulated[i];
      double missing = measured - seconds_of(test, point);
      if (rest.test == stream_) missing /= std::max(1U, test.window - 1);
      rest.seconds[i] = std::max(0.0, rest.seconds[i] + missing);
    }
    write_curve(rest);
  }

  void write_curve(const Rest& rest) {
    std::vector<CurvePoint> points;
    std::vector<std::string> remarks = {rest.what + std::string(", from")};
    for (std::size_t i = 0; i < rest.seconds.size(); ++i) {
      const Point& point = rest.test->points[i];
      const double whole = seconds_of(*rest.test, point);
      const double allowed =
          kLineError * (rest.test == stream_ ? whole / rest.test->window : whole);
      points.push_back({point.bytes, rest.seconds[i], allowed});
      remarks.push_back(fmt::format("  {}: {} B, {} {}", rest.test->place(point), point.bytes,
                                    point.value, rest.test->rate ? "MB/s" : "us"));
    }
    std::vector<std::int64_t> breaks;
    if (rest.at_limit && limit_ > 0) breaks.push_back(limit_);
    set(rest.parameter, times_text(points, breaks), std::move(remarks));
  }

  const FitInput& input_;
  Calibration found_;
  const Measurement* latency_ = nullptr;
  const Measurement* stream_ = nullptr;
  const Measurement* inside_ = nullptr;
  std::vector<double> gaps_;  ///< Of the stream's points.
  std::int64_t limit_ = 0;
  Measurement limited_;  ///< The point at which a node's message rate ends, if any.
};

bool is_fitted(Loop loop) {
  return loop == Loop::ping_pong || loop == Loop::stream || loop == Loop::both_streams;
}

}  // namespace

double Comparison::error(std::size_t point) const {
  const double ratio = simulated[point] / measurement.points[point].value;
  return measurement.rate ? 1 / ratio - 1 : ratio - 1;
}

std::vector<double> Comparison::sorted_errors() const {
  std::vector<double> errors;
  for (std::size_t i = 0; i < simulated.size(); ++i) errors.push_back(std::abs(error(i)));
  std::ranges::sort(errors);
  return errors;
}

double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto at = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(at, 1, sorted.size()) - 1];
}

Calibration fit(const FitInput& input) {
  return Fitter(input).run();
}

std::vector<Comparison> compare(const Calibration& found, const Readings& readings) {
  std::vector<Comparison> list;
  for (const Measurement& test : readings.measurements) {
    Comparison one{test, {}, why_not_simulated(test)};
    if (one.reason.empty()) one.simulated = simulate(*found.platform, found.settings, test);
    list.push_back(std::move(one));
  }
  return list;
}

bool left_out(const Measurement& measurement, std::size_t point) {
  return is_fitted(measurement.loop) && point % 2 == 1 && point + 1 < measurement.points.size();
}

FitInput without_half(const FitInput& input) {
  FitInput half = input;
  for (Measurement& test : half.readings.measurements) {
    std::vector<Point> kept;
    for (std::size_t i = 0; i < test.points.size(); ++i) {
      if (!left_out(test, i)) kept.push_back(test.points[i]);
    }
    test.points = std::move(kept);
  }
  return half;
}

}  // namespace heddle::calibrate
