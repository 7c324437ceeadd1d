#include <algorithm>

#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

struct TimelyConfig {
  Time low;
  Time high;
  Time min_rtt;
  double ewma;
  double decrease;
  Bandwidth additive;
  std::int64_t hyper_after;
  Bandwidth min_rate;
};

const ParamTable<TimelyConfig>& timely_table() {
  using C = TimelyConfig;
  static const auto table = [] {
    ParamTable<C> t("timely", "congestion control timely: rates by the gradient of round trips");
    t.add("low", &C::low, "50us", {"", "1s"}, "round trip below which rates rise");
    t.add("high", &C::high, "500us", {"1ps", "1s"}, "round trip above which they fall");
    t.add("min_rtt", &C::min_rtt, "20us", {"1ps", "1s"}, "what gradients are measured by");
    t.add("ewma", &C::ewma, "0.875", {"0", "1"},
          "weight of the newest difference of two round trips");
    t.add("decrease", &C::decrease, "0.8", {"0", "1"}, "beta, how strongly rates fall");
    t.add("additive", &C::additive, "10Mbps", {"1bps", "1000000Tbps"},
          "delta, by which rates rise");
    t.add("hyper_after", &C::hyper_after, "5", {"1", "1000000"},
          "falling round trips in a row after which they rise by five times that");
    t.add("min_rate", &C::min_rate, "100Mbps", {"1bps", "1000000Tbps"},
          "below which rates do not fall");
    return t;
  }();
  return table;
}

class TimelyFlow final : public ReactionPoint {
 public:
  TimelyFlow(const TimelyConfig& config, const FlowPath& path)
      : config_(config),
        line_(path.rate),
        additive_(part_of(config.additive, path.rate)),
        least_(std::min(1.0, part_of(config.min_rate, path.rate))) {}
  Time allowed() const override { return allowed_; }
  void sent(const Departure& packet) override {
    const auto length = static_cast<double>(line_.time_for(packet.bytes).ps());
    allowed_ = packet.now + Time::whole_ps(length / rate_);
  }
  /// Once per round trip: by a packet that was sent after the last change.
  void acknowledged(const AckNews& news) override {
    if (news.packet < next_sample_) return;
    next_sample_ = news.next;
    if (last_ != Time::zero()) sample(news.rtt);
    last_ = news.rtt;
  }

 private:
  static double part_of(Bandwidth rate, Bandwidth line) {
    if (line.is_unlimited()) return 1;
    return static_cast<double>(rate.bits_per_second()) /
           static_cast<double>(line.bits_per_second());
  }
  void sample(Time rtt) {
    const auto change = static_cast<double>((rtt - last_).ps());
    difference_ += config_.ewma * (change - difference_);
    const double gradient = difference_ / static_cast<double>(config_.min_rtt.ps());
    if (rtt < config_.low) return rise(1);
    if (rtt > config_.high) {
      const double part = static_cast<double>(config_.high.ps()) / static_cast<double>(rtt.ps());
      return fall(1 - part);
    }
    if (gradient > 0) return fall(gradient);
    constexpr int kHyper = 5;
    rise(++falling_ >= config_.hyper_after ? kHyper : 1);
  }
  void rise(int times) { rate_ = std::min(1.0, rate_ + times * additive_); }
  void fall(double by) {
    falling_ = 0;
    rate_ = std::max(least_, rate_ * std::max(0.0, 1 - config_.decrease * by));
  }

  const TimelyConfig& config_;
  Bandwidth line_;
  double additive_;  ///< Rates are in parts of the link's.
  double least_;
  double rate_ = 1;
  double difference_ = 0;  ///< Of two round trips, on average.
  Time last_;
  std::int64_t falling_ = 0;      ///< How often the round trip has fallen in a row.
  std::int64_t next_sample_ = 0;  ///< The packet from which on acknowledgements are looked at.
  Time allowed_;
};

class Timely final : public CongestionControl {
 public:
  explicit Timely(const TimelyConfig& config) : config_(config) {}
  std::unique_ptr<ReactionPoint> new_flow(const FlowPath& path) const override {
    return std::make_unique<TimelyFlow>(config_, path);
  }
  bool acknowledges() const override { return true; }

 private:
  TimelyConfig config_;
};

}  // namespace

const PacketRule<CongestionControl>& timely() {
  static const PacketRule<CongestionControl> rule = {
      "timely", "rates by how fast round trips grow", &timely_table(),
      [](const RuleInputs& inputs) -> std::unique_ptr<const CongestionControl> {
        const auto config = inputs.settings.get(timely_table());
        if (config.high < config.low) {
          throw ParamError({"timely.high"}, "accepted is at least timely.low");
        }
        return std::make_unique<Timely>(config);
      }};
  return rule;
}

}  // namespace heddle::network
