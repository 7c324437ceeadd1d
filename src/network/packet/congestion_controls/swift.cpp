#include <algorithm>
#include <cmath>
#include <optional>

#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

struct SwiftConfig {
  std::optional<Time> base;
  std::optional<Time> per_hop;
  std::optional<Time> flow_range;
  double flow_min;
  double flow_max;
  double additive;
  double decrease;
  double most_decrease;
  double min_window;
  std::optional<double> max_window;
  std::int64_t retries;
};

const ParamTable<SwiftConfig>& swift_table() {
  using C = SwiftConfig;
  static const auto table = [] {
    ParamTable<C> t("swift", "congestion control swift: windows by a target of the delay");
    t.add("base", &C::base, "auto", {"1ps", "1s"},
          "of the target; auto: the round trip of the idle network");
    t.add("per_hop", &C::per_hop, "auto", {"", "1s"},
          "added to the target for each link; auto: base / 6.55");
    t.add("flow_range", &C::flow_range, "auto", {"", "1s"},
          "most that is added for small windows, of which there are many flows; auto: 5 base");
    t.add("flow_min", &C::flow_min, "0.1", {"0.001", "1000"},
          "window in packets from which down that is so");
    t.add("flow_max", &C::flow_max, "100", {"0.001", "1000000"},
          "window in packets from which up nothing is added");
    t.add("additive", &C::additive, "1", {"0", "1000"},
          "packets that windows grow by a round trip");
    t.add("decrease", &C::decrease, "0.8", {"0", "1"}, "beta, how strongly they shrink");
    t.add("most_decrease", &C::most_decrease, "0.5", {"0", "1"},
          "the most that they shrink by at once");
    t.add("min_window", &C::min_window, "0.001", {"0.000001", "1"}, "smallest window, in packets");
    t.add("max_window", &C::max_window, "auto", {"1", "1000000"},
          "largest, in packets; auto: what the way of a flow holds in the longest target");
    t.add("retries", &C::retries, "5", {"1", "1000"},
          "time-outs in a row after which the window is the smallest");
    return t;
  }();
  return table;
}

/// Windows are in packets. One below 1 is a packet now and then.
class SwiftFlow final : public ReactionPoint {
 public:
  SwiftFlow(const SwiftConfig& config, const FlowPath& path)
      : config_(config),
        packet_(path.packet),
        base_(config.base.value_or(path.rtt)),
        per_hop_(
            config.per_hop.value_or(Time::whole_ps(static_cast<double>(base_.ps()) / kHopsOfBase))),
        range_(static_cast<double>(config.flow_range.value_or(base_ * 5).ps())),
        slope_(range_ / (1 / std::sqrt(config.flow_min) - 1 / std::sqrt(config.flow_max))),
        most_(config.max_window.value_or(std::max(
            1.0, packets_in(path, base_ + per_hop_ * path.links + Time::whole_ps(range_))))),
        window_(std::clamp(packets_in(path, base_), 1.0, most_)),
        rtt_(path.rtt) {}

  Time allowed() const override { return allowed_; }
  Bytes window() const override {
    return Bytes(
        static_cast<std::int64_t>(std::max(1.0, window_) * static_cast<double>(packet_.count())));
  }
  void sent(const Departure& packet) override {
    if (window_ < 1) {
      allowed_ = packet.now + Time::whole_ps(static_cast<double>(rtt_.ps()) / window_);
    }
  }
  void acknowledged(const AckNews& news) override {
    rtt_ = news.rtt;
    time_outs_ = 0;
    const double packets =
        static_cast<double>(news.bytes.count()) / static_cast<double>(packet_.count());
    const Time target = target_delay(news.hops);
    if (news.rtt < target) {
      window_ += config_.additive * packets / std::max(1.0, window_);
    } else {
      const double above = static_cast<double>((news.rtt - target).ps());
      shrink(news.now, 1 - config_.decrease * above / static_cast<double>(news.rtt.ps()));
    }
    bound();
  }
  void lost(const LossNews& news) override {
    shrink(news.now, 0);
    bound();
  }
  void timed_out(Time now) override {
    if (++time_outs_ >= config_.retries) window_ = config_.min_window;
    shrink(now, 0);
    bound();
  }

 private:
  static constexpr double kHopsOfBase = 6.55;

  static double packets_in(const FlowPath& path, Time time) {
    const double bytes = path.rate.bytes_per_ps() * static_cast<double>(time.ps());
    return bytes / static_cast<double>(path.packet.count());
  }

  Time target_delay(std::uint32_t hops) const {
    const double scaled = slope_ * (1 / std::sqrt(window_) - 1 / std::sqrt(config_.flow_max));
    return base_ + per_hop_ * hops + Time::whole_ps(std::clamp(scaled, 0.0, range_));
  }
  /// At most once in a round trip.
  void shrink(Time now, double factor) {
    if (now - last_shrunk_ < rtt_) return;
    last_shrunk_ = now;
    window_ *= std::max(factor, 1 - config_.most_decrease);
  }
  void bound() {
    window_ = std::clamp(window_, config_.min_window, most_);
    if (window_ >= 1) allowed_ = Time::zero();
  }

  const SwiftConfig& config_;
  Bytes packet_;
  Time base_;
  Time per_hop_;
  double range_;
  double slope_;
  double most_;
  double window_;
  Time rtt_;  ///< The last.
  Time last_shrunk_ = Time::zero() - Time::s(1);
  std::int64_t time_outs_ = 0;
  Time allowed_;
};

class Swift final : public CongestionControl {
 public:
  explicit Swift(const SwiftConfig& config) : config_(config) {}
  std::unique_ptr<ReactionPoint> new_flow(const FlowPath& path) const override {
    return std::make_unique<SwiftFlow>(config_, path);
  }
  bool acknowledges() const override { return true; }

 private:
  SwiftConfig config_;
};

}  // namespace

const PacketRule<CongestionControl>& swift() {
  static const PacketRule<CongestionControl> rule = {
      "swift", "windows by a target of the delay", &swift_table(),
      [](const RuleInputs& inputs) -> std::unique_ptr<const CongestionControl> {
        const auto config = inputs.settings.get(swift_table());
        if (config.flow_max <= config.flow_min) {
          throw ParamError({"swift.flow_max"}, "accepted is more than swift.flow_min");
        }
        return std::make_unique<Swift>(config);
      }};
  return rule;
}

}  // namespace heddle::network
