#include "network/packet/rules.hpp"
#include "network/packet/throttle.hpp"

namespace heddle::network {
namespace {

/// Marks one of so many packets that leave an output with a long queue. A packet that lacked
/// credits is a victim of congestion elsewhere, and passes unmarked.
class ThresholdPoint final : public CongestionPoint {
 public:
  ThresholdPoint(const PacketConfig& config, const CongestedOutput& output)
      : threshold_(config.mark_threshold * static_cast<double>(output.buffer_flits)),
        rate_(config.marking_rate),
        to_host_(output.to_host) {}
  bool marks(const QueueSight& queue) override {
    if (queue.lacked_credits && !to_host_) return false;
    if (static_cast<double>(queue.waiting) <= threshold_) return false;
    return could_be_marked_++ % rate_ == 0;
  }

 private:
  double threshold_;
  std::int64_t rate_;
  bool to_host_;
  std::int64_t could_be_marked_ = 0;
};

/// Each marked packet is told of.
class EveryMark final : public NotificationPoint {
 public:
  bool notifies(NodeId, Time) override { return true; }
};

class ThrottledFlow final : public ReactionPoint {
 public:
  explicit ThrottledFlow(const PacketConfig& config) : config_(config) {}
  Time allowed() const override { return throttle_.allowed(); }
  void sent(const Departure& packet) override {
    throttle_.sent(packet.now, packet.due, packet.length, config_);
  }
  void notified(Time now) override { throttle_.notified(now, config_); }

 private:
  const PacketConfig& config_;
  Throttle throttle_;
};

/// InfiniBand's: a table of pauses, in which notifications move a flow up and time moves it down.
class CongestionTable final : public CongestionControl {
 public:
  explicit CongestionTable(const PacketConfig& config) : config_(config) {}
  std::unique_ptr<CongestionPoint> new_point(const CongestedOutput& output) const override {
    return std::make_unique<ThresholdPoint>(config_, output);
  }
  std::unique_ptr<NotificationPoint> new_notification_point(const ReceivingEnd&) const override {
    return std::make_unique<EveryMark>();
  }
  std::unique_ptr<ReactionPoint> new_flow(const FlowPath&) const override {
    return std::make_unique<ThrottledFlow>(config_);
  }

 private:
  PacketConfig config_;
};

}  // namespace

const PacketRule<CongestionControl>& congestion_table() {
  static const PacketRule<CongestionControl> rule = {
      "ib", "InfiniBand's table of pauses, by mark_threshold, marking_rate and cct_*", nullptr,
      [](const RuleInputs& inputs) -> std::unique_ptr<const CongestionControl> {
        return std::make_unique<CongestionTable>(inputs.config);
      }};
  return rule;
}

}  // namespace heddle::network
