#include "cli/received_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heddle::cli {
namespace {

constexpr std::size_t kCurves = 8;
constexpr std::size_t kIntervals = 50;

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

/// What a node has received by the end of each interval.
report::Series ReceivedPlot::curve(const std::vector<Receipt>& receipts, std::string name) const {
  report::Series curve{std::move(name), {0}, {0}};
  curve.marks = false;
  const double interval = static_cast<double>(last().ps()) / static_cast<double>(kIntervals);
  std::int64_t bytes = 0;
  auto next = receipts.begin();
  for (std::size_t i = 1; i <= kIntervals; ++i) {
    const double end = static_cast<double>(i) * interval;
    for (; next != receipts.end() && static_cast<double>(next->when.ps()) <= end; ++next)
      bytes += next->size.count();
    curve.x.push_back(end / 1e6);
    curve.y.push_back(static_cast<double>(bytes) / 1e6);
  }
  return curve;
}

std::string ReceivedPlot::svg(const platform::Platform& platform,
                              const std::string& subtitle) const {
  const std::vector<NodeId> nodes = largest_receivers();
  const std::string which =
      nodes.size() == receipts_.size()
          ? ""
          : fmt::format("; the {} of {} nodes that received most", nodes.size(), receipts_.size());
  report::Plot plot{"Received by now",
                    subtitle + which,
                    {.label = "time [us]", .min = 0},
                    {.label = "received in whole messages [MB]", .min = 0},
                    {}};
  for (const NodeId node : nodes) {
    plot.series.push_back(
        curve(receipts_.at(node), platform.topology().name(static_cast<VertexId>(node))));
  }
  return report::plot_svg(plot);
}

}  // namespace heddle::cli
