#include "calibrate/node_fit.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "calibrate/eager_step.hpp"
#include "mpi/config.hpp"

namespace heddle::calibrate {
namespace {

/// Between ranks of a node that is full of them.
constexpr double kNodeLatency = 1.5 * kMicrosecond;

/// What a message between ranks of a node takes where no file says it, by the shortest time between
/// nodes. Ranks that wait look at all that may bring them something, one after another: where
/// looking at the network is a matter of the kernel, messages from memory wait for that.
double guessed_latency(double between_nodes) {
  if (between_nodes > kBehindSoftware) return between_nodes / 3;
  return std::min(kNodeLatency, between_nodes / 4);
}

std::string bits_per_second(double bytes_per_second) {
  return fmt::format("{:.0f}bps", bytes_per_second * 8);
}

}  // namespace

void NodeFit::begin() {
  limit_ = draft_.found().settings.get(mpi::mpi_table()).eager_limit.value_or(Bytes(0)).count();
  take_data_costs();
  if (latency_ == nullptr) return guess();
  take_latency();
  find_eager_limit();
  find_memory();
}

/// Of the time of the shortest message a fifth is the latency, and as much at most each overhead.
void NodeFit::take_latency() {
  const Point& first = latency_->points.front();
  const Point& last = latency_->points.back();
  const double fifth = 0.2 * first.value * kMicrosecond;
  draft_.set(
      "mpi.node_latency", text_of_time(fifth),
      {"a fifth of " + latency_->place(first) + "; the rest is in mpi.node_delay and overheads"});
  if (last.bytes > 0) {
    const double rate = static_cast<double>(last.bytes) / (last.value * kMicrosecond);
    draft_.set("mpi.node_bandwidth", bits_per_second(rate),
               {fmt::format("{}: {} in {} us", latency_->place(last), shown_size(last.bytes),
                            last.value)});
  }
  const mpi::MpiConfig between = draft_.found().settings.get(mpi::mpi_table()).resolved();
  const auto limit_overhead = [&](const char* parameter, const coll::Overheads& far) {
    if (far.at(0).seconds() <= fifth) return;
    draft_.guess(parameter, text_of_time(fifth),
                 "a fifth of " + latency_->place(first) + ", which is less than between nodes");
  };
  limit_overhead("mpi.node_send_overhead", *between.send_overhead);
  limit_overhead("mpi.node_isend_overhead", *between.isend_overhead);
  limit_overhead("mpi.node_receive_overhead", *between.receive_overhead);
}

/// Where the limit between nodes was measured, steps of curves tell less than that.
void NodeFit::find_eager_limit() {
  if (draft_.is_given("mpi.eager_limit")) return;
  const EagerStep step = find_eager_step(*latency_, nullptr, {});
  if (!step.seen) return;
  limit_ = step.limit;
  draft_.set("mpi.node_eager_limit", std::to_string(limit_), {step.why});
  draft_.found().findings.push_back("inside of a node: " + step.why);
}

/// The highest rate of several pairs is what they share, if each has less than one alone.
void NodeFit::find_memory() {
  double best = 0;
  std::string from;
  for (const Measurement& test : draft_.tests()) {
    if (test.loop != Loop::stream || !test.inside || !test.rate || test.pairs <= 1) continue;
    for (const Point& point : test.points) {
      if (point.value * 1e6 <= best) continue;
      best = point.value * 1e6;
      from = fmt::format("{}: {} pairs, {} at {} MB/s together", test.place(point), test.pairs,
                         shown_size(point.bytes), point.value);
    }
  }
  if (best > 0) draft_.set("mpi.node_memory_bandwidth", bits_per_second(best), {from});
}

void NodeFit::take_data_costs() {
  if (const Measurement* test = draft_.find_test(Loop::reduction, true)) {
    draft_.take_curve("mpi.reduction_cost", *test, "a sum of two vectors");
  }
  if (const Measurement* test = draft_.find_test(Loop::copy, true)) {
    draft_.take_curve("mpi.copy_cost", *test, "a copy");
  }
}

/// What ranks of a node do with each other, if tests have several on one.
void NodeFit::guess() {
  if (!draft_.shares_nodes() || draft_.input().machine_given) return;
  const std::string why = "no file says it; a test inside of a node would";
  const Measurement* far = draft_.find_test(Loop::ping_pong, false);
  const double latency = far == nullptr ? kNodeLatency : guessed_latency(time_at(*far, 0));
  draft_.guess("mpi.node_latency", text_of_time(latency), why);
  draft_.guess("mpi.node_bandwidth", "8GBps", why);
  draft_.guess("mpi.node_memory_bandwidth", "100GBps",
               "no file says it; a stream of several pairs inside of a node would");
  const std::string of_data = "no file says it; the program that comes with this would";
  if (draft_.find_test(Loop::reduction, true) == nullptr) {
    draft_.guess("mpi.reduction_cost", "0ns:0.2ns/B", of_data);
  }
  if (draft_.find_test(Loop::copy, true) == nullptr) {
    draft_.guess("mpi.copy_cost", "0ns:0.1ns/B", of_data);
  }
}

void NodeFit::add_curves(RestCurves& curves) const {
  if (latency_ == nullptr) return;
  curves.add({latency_, "mpi.node_delay", "what is left of the latency inside", limit_, {}});
  if (stream_ == nullptr) return;
  std::vector<double> gaps;
  for (const Point& point : stream_->points) {
    gaps.push_back(seconds_of(*stream_, point) / stream_->window);
  }
  curves.add({stream_, "mpi.node_gap", "what is between messages of a window inside", limit_,
              std::move(gaps)});
}

}  // namespace heddle::calibrate
