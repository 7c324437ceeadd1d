#include "report/traffic/received_plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/plot.hpp"
#include "traffic/open_phases.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kCurves = 8;
constexpr std::size_t kIntervals = 50;

/// Adds `bytes` that arrive evenly between `begin` and `end`, in intervals.
void spread(std::vector<double>& intervals, double bytes, double begin, double end) {
  const auto last = static_cast<double>(intervals.size() - 1);
  end = std::max(end, begin + 1e-9);
  for (double i = std::floor(std::min(begin, last)); i <= std::min(end, last); ++i) {
    const double upper = i == last ? end : std::min(end, i + 1);
    intervals[static_cast<std::size_t>(i)] += bytes * (upper - std::max(begin, i)) / (end - begin);
  }
}

}  // namespace

void ReceivedPlot::message_finished(const traffic::MessageRecord& record) {
  receipts_[record.destination].push_back({record.finished, record.size});
  if (also_ != nullptr) also_->message_finished(record);
}

/// By their numbers.
std::vector<NodeId> ReceivedPlot::largest_receivers() const {
  std::vector<std::pair<std::int64_t, NodeId>> nodes;
  for (const auto& [node, list] : receipts_) {
    const auto add = [](std::int64_t sum, const Receipt& r) { return sum + r.size.count(); };
    nodes.emplace_back(-std::accumulate(list.begin(), list.end(), std::int64_t{0}, add), node);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.resize(std::min(nodes.size(), kCurves));
  std::vector<NodeId> largest;
  for (const auto& [bytes, node] : nodes) largest.push_back(node);
  std::sort(largest.begin(), largest.end());
  return largest;
}

Time ReceivedPlot::last() const {
  Time latest = Time::ps(1);
  for (const auto& [node, list] : receipts_) latest = std::max(latest, list.back().when);
  return latest;
}

/// When the bytes of messages came is not known, only that they were there when their message was
/// complete, and that they came no faster than the node can take them: as late as that allows.
std::vector<double> ReceivedPlot::arrivals(const std::vector<Receipt>& receipts, double interval,
                                           Bandwidth bandwidth) {
  std::vector<double> bytes(kIntervals);
  double free = static_cast<double>(kIntervals);
  for (auto receipt = receipts.rbegin(); receipt != receipts.rend(); ++receipt) {
    const auto duration = static_cast<double>(bandwidth.time_for(receipt->size).ps()) / interval;
    const double end = std::min(free, static_cast<double>(receipt->when.ps()) / interval);
    free = std::max(0.0, end - duration);
    spread(bytes, static_cast<double>(receipt->size.count()), free, end);
  }
  return bytes;
}

std::string ReceivedPlot::svg(const platform::Platform& platform, traffic::From from,
                              const std::string& subtitle) const {
  const std::vector<NodeId> nodes = largest_receivers();
  const std::string which =
      nodes.size() == receipts_.size()
          ? ""
          : fmt::format("; the {} of {} nodes that received most", nodes.size(), receipts_.size());
  Plot plot{"Received over time",
            subtitle + which,
            {.label = "time [us]", .min = 0},
            {.label = "received [GB/s]", .min = 0},
            {}};
  const double interval = static_cast<double>(last().ps()) / static_cast<double>(kIntervals);
  for (const NodeId node : nodes) {
    Series curve{platform.topology().name(static_cast<VertexId>(node)), {}, {}};
    curve.marks = false;
    const Bandwidth most = traffic::injection_bandwidth(platform, node, from);
    double middle = 0.5;
    for (const double bytes : arrivals(receipts_.at(node), interval, most)) {
      curve.x.push_back(middle++ * interval / 1e6);
      curve.y.push_back(bytes * 1e3 / interval);
    }
    plot.series.push_back(std::move(curve));
  }
  return plot_svg(plot);
}

}  // namespace heddle::report
