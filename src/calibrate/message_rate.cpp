#include "calibrate/message_rate.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "platform/nic_params.hpp"

namespace heddle::calibrate {
namespace {

constexpr int kRateCorrections = 4;
/// What the shared part of a message's way takes at most of its latency, when it leaves a node and
/// when it comes to one.
constexpr double kSharedPart = 1.0 / 6;

}  // namespace

/// What lies between messages of all pairs.
double MessageRate::gap_of_node(const Measurement& test, const Point& point) const {
  const double rest =
      latency_ == nullptr ? 0 : time_at(*latency_, point.bytes) + time_at(*latency_, test.answer);
  const double messages = static_cast<double>(test.window) * test.pairs;
  const double whole = seconds_of(test, point);
  return std::max(whole / 2 / messages, (whole - rest) / std::max(1.0, messages - 1));
}

void MessageRate::find() {
  for (const Measurement& test : draft_.tests()) {
    if (test.loop != Loop::stream || test.pairs <= 1 || test.inside || !test.rate) continue;
    measured_ = true;
    take(test);
  }
  if (!measured_) guess();
}

void MessageRate::take(const Measurement& test) {
  const auto best = std::ranges::min_element(
      test.points, {}, [&](const Point& point) { return gap_of_node(test, point); });
  const double rate = 1 / gap_of_node(test, *best);
  auto& findings = draft_.found().findings;
  if (alone_ > 0 && rate > 0.9 / alone_ * test.pairs) {
    findings.push_back(
        fmt::format("{}: {} pairs send {:.3g} messages a second, {} times what one does: no limit "
                    "of the adapter was reached",
                    test.place(*best), test.pairs, rate, test.pairs));
    return;
  }
  limited_ = test;
  limited_.points = {*best};
  draft_.set("nic.gap", text_of_time(1 / rate),
             {fmt::format("{}: {} pairs send {:.4g} messages of {} a second", test.place(*best),
                          test.pairs, rate, shown_size(best->bytes))});
  findings.push_back(fmt::format("nic.gap: {} pairs send {:.3g} messages a second ({})", test.pairs,
                                 rate, test.place(*best)));
}

/// Adapters that programs reach without a kernel pass messages of many ranks much faster than one
/// rank makes them; virtual ones and sockets hardly do.
void MessageRate::guess() {
  if (draft_.input().machine_given || !draft_.shares_nodes() || latency_ == nullptr) return;
  const double shortest = time_at(*latency_, 0);
  if (alone_ == 0 || shortest < kBehindSoftware) return;
  draft_.guess(
      "nic.gap", text_of_time(std::min(alone_, kSharedPart * shortest)),
      fmt::format("messages that take {:.0f} us pass a kernel or a hypervisor, which ranks "
                  "of a node share: no faster than those of one rank, and at most a sixth "
                  "of that time; a stream of several pairs such as osu_mbw_mr would tell",
                  shortest / kMicrosecond));
}

void MessageRate::correct() {
  if (limited_.points.empty()) return;
  const auto& values = draft_.found().values;
  const std::vector<std::string> remarks =
      std::ranges::find(values, "nic.gap", &FittedValue::parameter)->remarks;
  for (int i = 0; i < kRateCorrections; ++i) {
    const double ratio = draft_.simulated(limited_)[0] / limited_.points[0].value;
    const platform::NicParams nic = draft_.found().settings.get(platform::nic_table());
    draft_.set("nic.gap", text_of_time(nic.gap.seconds() * ratio), remarks);
    draft_.rebuild();
  }
}

}  // namespace heddle::calibrate
