#include <algorithm>
#include <optional>
#include <unordered_map>

#include "network/packet/ramp_marks.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

enum class DcqcnPreset { sigcomm15, cx4 };

struct DcqcnSettings {
  DcqcnPreset preset = DcqcnPreset::sigcomm15;
  std::optional<double> gain;
  std::optional<Time> alpha_timer;
  std::optional<Time> cut_timer;
  std::optional<Time> increase_timer;
  std::optional<Bytes> byte_counter;
  std::optional<std::int64_t> recovery_steps;
  std::optional<Bandwidth> additive;
  std::optional<Bandwidth> hyper;
  std::optional<Bandwidth> min_rate;
  Time notification_interval;
  std::optional<Bytes> mark_low;
  std::optional<Bytes> mark_high;
  std::optional<double> mark_chance;
};

const ParamTable<DcqcnSettings>& dcqcn_table() {
  using C = DcqcnSettings;
  static const auto table = [] {
    ParamTable<C> t("dcqcn", "congestion control dcqcn: marks, notifications and rates");
    t.add_choice("preset", &C::preset, "sigcomm15",
                 {{"sigcomm15", DcqcnPreset::sigcomm15}, {"cx4", DcqcnPreset::cx4}},
                 "where auto values come from, and the rule: sigcomm15: as published; cx4: as an "
                 "adapter does it, which cuts by a timer and increases by another");
    t.add("gain", &C::gain, "auto", {"0", "1"},
          "g, with which alpha follows the marks; auto: 1/256");
    t.add("alpha_timer", &C::alpha_timer, "auto", {"1ns", "1s"},
          "time without a notification after which alpha falls; auto: 55us, cx4 1us");
    t.add("cut_timer", &C::cut_timer, "auto", {"1ns", "1s"},
          "of cx4: time between two looks for notifications, after which the rate is cut; auto: "
          "4us");
    t.add("increase_timer", &C::increase_timer, "auto", {"1ns", "1s"},
          "time between two increases; auto: 55us, cx4 300us");
    t.add("byte_counter", &C::byte_counter, "auto", {"1B", "1TB"},
          "bytes between two increases, besides; auto: 10MB; cx4 goes by the timer alone");
    t.add("recovery_steps", &C::recovery_steps, "auto", {"0", "1000"},
          "F, increases after a cut that only go back towards the rate before; auto: 5, cx4 1");
    t.add("additive", &C::additive, "auto", {"1bps", "1000000Tbps"},
          "additive increase; auto: 40Mbps, cx4 5Mbps per 25Gbps of the link");
    t.add("hyper", &C::hyper, "auto", {"1bps", "1000000Tbps"},
          "hyper increase; auto: 400Mbps, cx4 50Mbps per 25Gbps of the link");
    t.add("min_rate", &C::min_rate, "auto", {"1bps", "1000000Tbps"},
          "below which no cut leads; auto: as additive, cx4 1Gbps");
    t.add("notification_interval", &C::notification_interval, "50us", {"", "1s"},
          "least time between two notifications of one flow");
    t.add("mark_low", &C::mark_low, "auto", {"0B", "1TB"},
          "Kmin, queue of an output up to which nothing is marked; auto: 5kB, cx4 100kB per 25Gbps "
          "of the link");
    t.add("mark_high", &C::mark_high, "auto", {"0B", "1TB"},
          "Kmax, queue beyond which everything is; auto: 200kB, cx4 400kB per 25Gbps");
    t.add("mark_chance", &C::mark_chance, "auto", {"0", "1"},
          "Pmax, part of the packets that is marked at mark_high; auto: 0.01, cx4 0.2");
    return t;
  }();
  return table;
}

/// The settings with no auto left, of a flow; rates in parts of the link's.
struct DcqcnConfig {
  double gain;
  Time alpha_timer;
  Time cut_timer;
  Time increase_timer;
  Bytes byte_counter;
  std::int64_t recovery_steps;
  double additive;
  double hyper;
  double min_rate;
};

DcqcnConfig dcqcn_config(const DcqcnSettings& set, Bandwidth line) {
  const bool cx4 = set.preset == DcqcnPreset::cx4;
  const auto part = [line](const std::optional<Bandwidth>& rate, double otherwise) {
    if (!rate || rate->is_unlimited() || line.is_unlimited()) return otherwise;
    const auto bps = static_cast<double>(rate->bits_per_second());
    return std::min(1.0, bps / static_cast<double>(line.bits_per_second()));
  };
  const double mbps = line.is_unlimited() ? 0 : 1e6 / static_cast<double>(line.bits_per_second());
  DcqcnConfig config{};
  config.gain = set.gain.value_or(1.0 / 256);
  config.alpha_timer = set.alpha_timer.value_or(Time::us(cx4 ? 1 : 55));
  config.cut_timer = set.cut_timer.value_or(Time::us(4));
  config.increase_timer = set.increase_timer.value_or(Time::us(cx4 ? 300 : 55));
  config.byte_counter =
      cx4 && !set.byte_counter ? kNoLimit : set.byte_counter.value_or(Bytes(10'000'000));
  config.recovery_steps = set.recovery_steps.value_or(cx4 ? 1 : 5);
  config.additive = part(set.additive, cx4 ? 5.0 / 25'000 : 40 * mbps);
  config.hyper = part(set.hyper, cx4 ? 50.0 / 25'000 : 400 * mbps);
  config.min_rate = part(set.min_rate, cx4 ? std::min(1.0, 1000 * mbps) : config.additive);
  return config;
}

/// By multiplications only, whose results are the same on every machine.
double whole_power(double base, std::int64_t times) {
  double power = 1;
  for (; times > 0; times /= 2, base *= base) {
    if (times % 2 != 0) power *= base;
  }
  return power;
}

/// What both kinds of sources have: the rate at which they send and the one to which they come
/// back, in parts of the link's rate, and alpha, their estimate of how congested it is.
class DcqcnFlow : public ReactionPoint {
 public:
  DcqcnFlow(const DcqcnConfig& config, Bandwidth line) : config_(config), line_(line) {}
  Time allowed() const final { return allowed_; }
  void sent(const Departure& packet) final {
    settle(packet.now);
    const auto length = static_cast<double>(line_.time_for(packet.bytes).ps());
    allowed_ = packet.now + Time::whole_ps(length / rate_);
    count_sent(packet.bytes);
  }

 protected:
  /// What timers have done by `now`.
  virtual void settle(Time now) = 0;
  virtual void count_sent(Bytes) {}

  void cut() { rate_ = std::max(rate_ * (1 - alpha_ / 2), config_.min_rate); }
  void recover() {
    rate_ = (target_ + rate_) / 2;
    constexpr double kAsGood = 1 - 1e-6;
    if (rate_ > kAsGood) rate_ = target_ = 1;
  }
  void raise(double by) {
    target_ = std::min(1.0, target_ + by);
    recover();
  }
  bool at_full_rate() const { return rate_ == 1 && target_ == 1; }
  void decay_alpha(Time& next, Time until) {
    if (next > until) return;
    const std::int64_t times = (until - next).ps() / config_.alpha_timer.ps() + 1;
    alpha_ *= whole_power(1 - config_.gain, times);
    next += config_.alpha_timer * times;
  }
  void feed_alpha() { alpha_ = (1 - config_.gain) * alpha_ + config_.gain; }

  const DcqcnConfig config_;
  double rate_ = 1;
  double target_ = 1;
  double alpha_ = 1;

 private:
  Bandwidth line_;
  Time allowed_;
};

/// As published: notifications cut at once; a timer and a byte counter increase.
class PublishedDcqcn final : public DcqcnFlow {
 public:
  using DcqcnFlow::DcqcnFlow;
  void notified(Time now) override {
    settle(now);
    target_ = rate_;
    cut();
    feed_alpha();
    timer_steps_ = byte_steps_ = 0;
    counted_ = Bytes(0);
    next_decay_ = now + config_.alpha_timer;
    next_increase_ = now + config_.increase_timer;
  }

 protected:
  void settle(Time now) override {
    decay_alpha(next_decay_, now);
    for (; next_increase_ <= now && !at_full_rate(); next_increase_ += config_.increase_timer) {
      ++timer_steps_;
      increase();
    }
  }
  void count_sent(Bytes bytes) override {
    if (at_full_rate()) return;
    counted_ += bytes;
    if (counted_ < config_.byte_counter) return;
    counted_ = Bytes(0);
    ++byte_steps_;
    increase();
  }

 private:
  void increase() {
    const auto [fewer, more] = std::minmax(timer_steps_, byte_steps_);
    const std::int64_t beyond = fewer - config_.recovery_steps;
    if (more <= config_.recovery_steps) return recover();
    raise(beyond > 0 ? static_cast<double>(beyond) * config_.hyper : config_.additive);
  }

  std::int64_t timer_steps_ = 0;  ///< Since the last cut.
  std::int64_t byte_steps_ = 0;
  Bytes counted_;  ///< Sent since the last of these.
  Time next_decay_ = Time::never();
  Time next_increase_ = Time::never();
};

/// As an adapter does it: timers look whether there were notifications since their last turn.
class Cx4Dcqcn final : public DcqcnFlow {
 public:
  using DcqcnFlow::DcqcnFlow;
  /// The first only starts the timers.
  void notified(Time now) override {
    settle(now);
    if (next_cut_ == Time::never()) {
      next_alpha_ = now + config_.alpha_timer;
      next_cut_ = now + config_.cut_timer;
      return;
    }
    feeds_alpha_ = cuts_ = true;
  }

 protected:
  /// At most one turn of the timers finds notifications.
  void settle(Time now) override {
    if (next_cut_ == Time::never()) return;
    if (cuts_ && next_cut_ <= now) {
      pass(next_cut_);
      cut_to_target();
    }
    pass(now);
    if (next_cut_ <= now) {
      const std::int64_t turns = (now - next_cut_).ps() / config_.cut_timer.ps() + 1;
      next_cut_ += config_.cut_timer * turns;
    }
  }

 private:
  /// All until then but cuts.
  void pass(Time until) {
    if (feeds_alpha_ && next_alpha_ <= until) {
      feed_alpha();
      next_alpha_ += config_.alpha_timer;
      feeds_alpha_ = false;
    }
    decay_alpha(next_alpha_, until);
    for (; next_increase_ <= until && !at_full_rate(); next_increase_ += config_.increase_timer) {
      increase();
    }
  }
  void cut_to_target() {
    if (steps_ > 0 || !was_cut_) target_ = rate_;
    cut();
    was_cut_ = true;
    cuts_ = false;
    steps_ = 0;
    next_increase_ = next_cut_ + config_.increase_timer;
  }
  void increase() {
    if (steps_ < config_.recovery_steps) {
      recover();
    } else {
      raise(steps_ == config_.recovery_steps ? config_.additive : config_.hyper);
    }
    ++steps_;
  }

  bool feeds_alpha_ = false;  ///< There were notifications.
  bool cuts_ = false;
  bool was_cut_ = false;
  std::int64_t steps_ = 0;  ///< Increases since the last cut.
  Time next_alpha_ = Time::never();
  Time next_cut_ = Time::never();
  Time next_increase_ = Time::never();
};

/// At most one notification of a source in so much time.
class SpacedNotifications final : public NotificationPoint {
 public:
  explicit SpacedNotifications(Time interval) : interval_(interval) {}
  bool notifies(NodeId source, Time now) override {
    const auto [last, is_first] = last_.try_emplace(index(source), now);
    if (!is_first && now - last->second < interval_) return false;
    last->second = now;
    return true;
  }

 private:
  Time interval_;
  std::unordered_map<std::size_t, Time> last_;  ///< By source; looked up only.
};

class Dcqcn final : public CongestionControl {
 public:
  explicit Dcqcn(const DcqcnSettings& settings) : settings_(settings) {}
  std::unique_ptr<CongestionPoint> new_point(const CongestedOutput& output) const override {
    const bool cx4 = settings_.preset == DcqcnPreset::cx4;
    const auto by_rate = [&output](std::int64_t bytes) {
      return Bytes(output.rate.bits_per_second() / 1'000 * bytes / 25'000'000);
    };
    const MarkRamp ramp = {settings_.mark_low.value_or(cx4 ? by_rate(100'000) : Bytes(5'000)),
                           settings_.mark_high.value_or(cx4 ? by_rate(400'000) : Bytes(200'000)),
                           settings_.mark_chance.value_or(cx4 ? 0.2 : 0.01)};
    return std::make_unique<RampMarks>(ramp, output);
  }
  std::unique_ptr<NotificationPoint> new_notification_point(const ReceivingEnd&) const override {
    return std::make_unique<SpacedNotifications>(settings_.notification_interval);
  }
  std::unique_ptr<ReactionPoint> new_flow(const FlowPath& path) const override {
    const DcqcnConfig config = dcqcn_config(settings_, path.rate);
    if (settings_.preset == DcqcnPreset::cx4) {
      return std::make_unique<Cx4Dcqcn>(config, path.rate);
    }
    return std::make_unique<PublishedDcqcn>(config, path.rate);
  }

 private:
  DcqcnSettings settings_;
};

}  // namespace

const PacketRule<CongestionControl>& dcqcn() {
  static const PacketRule<CongestionControl> rule = {
      "dcqcn", "rates cut by notifications of marked packets", &dcqcn_table(),
      [](const RuleInputs& inputs) -> std::unique_ptr<const CongestionControl> {
        const auto settings = inputs.settings.get(dcqcn_table());
        if (settings.mark_low && settings.mark_high && *settings.mark_high < *settings.mark_low) {
          throw ParamError({"dcqcn.mark_high"}, "accepted is at least dcqcn.mark_low");
        }
        return std::make_unique<Dcqcn>(settings);
      }};
  return rule;
}

}  // namespace heddle::network
