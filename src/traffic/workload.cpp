#include "traffic/workload.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/normal.hpp"

namespace heddle::traffic {
namespace {

/// With the mean of the pace: that of the exponential of a normal number is e^(sigma^2 / 2).
double log_normal_interval(const OpenLoop::Pace& pace, RandomStream& random) {
  const double sigma = pace.sigma;
  return pace.interval * portable_exp(sigma * standard_normal(random) - sigma * sigma / 2);
}

}  // namespace

MessageDrawer::MessageDrawer(const Pattern& pattern, const TrafficConfig& config,
                             std::uint32_t nodes, const RandomStream& random)
    : pattern_(pattern), config_(config), random_(random), nodes_(nodes) {}

void MessageDrawer::draw(NodeId source, Request& out) {
  Node& node = sender(source);
  out.destination = pattern_.destination(source, node.drawn++, node.random);
  out.size = config_.size.draw(node.random);
  out.traffic_class = static_cast<std::uint8_t>(config_.traffic_class);
}

OpenLoop::OpenLoop(MessageDrawer drawer, const std::vector<Pace>& paces, Spacing spacing,
                   Window window, std::optional<Bursts> bursts)
    : drawer_(std::move(drawer)), spacing_(spacing), window_(window), bursts_(std::move(bursts)) {
  for (const Pace& pace : paces) nodes_.push_back({pace});
}

/// Constant spacing counts from a random phase, so that nodes do not march in step.
Time OpenLoop::next_creation(Node& node, NodeId source) {
  RandomStream& random = drawer_.random(source);
  if (spacing_ == Spacing::exponential) {
    return node.own.created +
           Time::ps(static_cast<std::int64_t>(random.exponential(node.pace.interval) + 0.5));
  }
  if (spacing_ == Spacing::log_normal) {
    return node.own.created +
           Time::ps(static_cast<std::int64_t>(log_normal_interval(node.pace, random) + 0.5));
  }
  if (spacing_ == Spacing::bernoulli) return next_slot(node, random);
  const double interval = node.pace.interval;
  if (node.constant_phase < 0) node.constant_phase = random.uniform() * interval;
  const auto number = static_cast<double>(drawer_.drawn(source));
  return Time::ps(static_cast<std::int64_t>(node.constant_phase + number * interval + 0.5));
}

/// Each slot has a message with the probability p = slot / interval, so the number of slots to the
/// next one is geometric: k with the probability (1 - p)^(k - 1) p.
Time OpenLoop::next_slot(Node& node, RandomStream& random) {
  const double p = node.pace.slot / node.pace.interval;
  std::uint64_t slots = 1;
  if (p < 1) {
    const double empty = portable_log(1 - random.uniform()) / portable_log(1 - p);
    slots += static_cast<std::uint64_t>(std::min(empty, 1e15));
  }
  node.slots += slots;
  const double passed = static_cast<double>(node.slots) * node.pace.slot;
  return Time::ps(static_cast<std::int64_t>(passed + 0.5));
}

void OpenLoop::draw_own(Node& node, NodeId source) {
  if (std::exchange(node.drawn, true)) return;
  node.own.created = next_creation(node, source);
  drawer_.draw(source, node.own);
}

bool OpenLoop::next(NodeId source, Request& out) {
  Node& node = nodes_[index(source)];
  const Time before = node.created;
  draw_own(node, source);
  if (!bursts_ || !bursts_->next(source, node.own.created, out)) {
    out = node.own;
    node.drawn = false;
  }
  node.created = out.created;
  node.size = out.size;
  if (before < window_.end && node.created >= window_.end) ++nodes_past_window_;
  if (window_.contains(out.created)) {
    ++offered_messages_;
    offered_bytes_ += out.size;
  }
  return true;
}

/// Of the messages created so far, the last of each node may lie in the new window.
void OpenLoop::move_to(Window window) {
  window_ = window;
  offered_messages_ = 0;
  offered_bytes_ = {};
  nodes_past_window_ = 0;
  for (const Node& node : nodes_) {
    if (window.contains(node.created)) {
      ++offered_messages_;
      offered_bytes_ += node.size;
    }
    nodes_past_window_ += node.created >= window.end ? 1 : 0;
  }
}

/// Every node has created at most one message beyond the new end.
void OpenLoop::close(Time end) {
  for (const Node& node : nodes_) {
    if (node.created < end || !window_.contains(node.created)) continue;
    --offered_messages_;
    offered_bytes_ = offered_bytes_ - node.size;
    ++nodes_past_window_;
  }
  window_.end = end;
}

Bytes OpenLoop::created_before(Time end) const {
  OpenLoop ahead = *this;
  ahead.close(end);
  Request request;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    while (ahead.nodes_[n].pace.interval > 0 && ahead.nodes_[n].created < end) {
      ahead.next(NodeId{n}, request);
    }
  }
  return ahead.offered_bytes_;
}

ClosedLoop::ClosedLoop(MessageDrawer drawer, std::uint32_t nodes, std::uint64_t messages,
                       std::uint64_t window)
    : drawer_(std::move(drawer)),
      messages_(messages),
      window_(std::min(window, messages)),
      nodes_(nodes),
      instants_(nodes * window_) {}

/// The first messages may be created at once.
bool ClosedLoop::next(NodeId source, Request& out) {
  Node& node = nodes_[index(source)];
  if (node.begun == node.arrived + window_ || node.begun == messages_) return false;
  out.created = instant(source, node.begun++);
  drawer_.draw(source, out);
  return true;
}

bool ClosedLoop::finished(NodeId source, Time when) {
  instant(source, nodes_[index(source)].arrived++) = when;
  return true;
}

FileLoop::FileLoop(const std::vector<FileMessage>& messages, std::uint32_t nodes)
    : messages_(messages), order_(messages.size()), next_(nodes) {
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const FileMessage& x = messages[a];
    const FileMessage& y = messages[b];
    return x.source != y.source ? x.source < y.source : x.start < y.start;
  });
  for (std::size_t i = order_.size(); i-- > 0;) next_[index(messages[order_[i]].source)] = i + 1;
}

bool FileLoop::next(NodeId source, Request& out) {
  std::size_t& place = next_[index(source)];
  if (place == 0 || place > order_.size()) return false;
  const std::uint32_t id = order_[place - 1];
  if (messages_[id].source != source) return false;
  ++place;
  const FileMessage& message = messages_[id];
  out = {message.start,        message.destination, message.size, message.rate_cap, id,
         message.traffic_class};
  return true;
}

}  // namespace heddle::traffic
