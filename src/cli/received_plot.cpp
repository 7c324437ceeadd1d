#include "cli/received_plot.hpp"

#include <algorithm>
#include <numeric>

#include "report/plot.hpp"

namespace heddle::cli {
namespace {

constexpr std::size_t kCurves = 8;
constexpr std::size_t kIntervals = 50;

double microseconds(double ps) {
  return ps / 1e6;
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

std::string ReceivedPlot::svg(const platform::Platform& platform,
                              const std::string& subtitle) const {
  const double interval = static_cast<double>(last().ps()) / static_cast<double>(kIntervals);
  report::Plot plot{"Received over time",
                    subtitle,
                    {.label = "time [us]", .min = 0},
                    {.label = "received [GB/s]", .min = 0},
                    {}};
  for (const NodeId node : largest_receivers()) {
    report::Series curve{platform.topology().name(static_cast<VertexId>(node)), {}, {}};
    curve.marks = false;
    std::vector<double> bytes(kIntervals);
    for (const Receipt& receipt : receipts_.at(node)) {
      const auto at = static_cast<std::size_t>(static_cast<double>(receipt.when.ps()) / interval);
      bytes[std::min(at, kIntervals - 1)] += static_cast<double>(receipt.size.count());
    }
    for (std::size_t i = 0; i < kIntervals; ++i) {
      curve.x.push_back(microseconds((static_cast<double>(i) + 0.5) * interval));
      curve.y.push_back(bytes[i] * 1e3 / interval);
    }
    plot.series.push_back(std::move(curve));
  }
  return report::plot_svg(plot);
}

}  // namespace heddle::cli
