#include <algorithm>
#include <optional>

#include "network/packet/ramp_marks.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

struct NsccConfig {
  std::optional<Time> target;
  double proportional;
  double fair;
  double fast;
  double steady;
  double decrease;
  double most_decrease;
  double average;
  std::int64_t adjust_packets;
  Time idle_delay;
  std::int64_t quick_gate;
  double quick_delay;
  double window;
  double mark_low;
  double mark_high;
};

const ParamTable<NsccConfig>& nscc_table() {
  using C = NsccConfig;
  static const auto table = [] {
    ParamTable<C> t("nscc", "congestion control nscc: windows by delays and marks");
    t.add("target", &C::target, "auto", {"1ps", "1s"},
          "Q, delay in queues that is aimed at; auto: the longest round trip of the idle network, "
          "0.75 of it where packets are trimmed");
    t.add("proportional", &C::proportional, "4", {"0", "1000"},
          "packets that windows grow by below the target, by how far");
    t.add("fair", &C::fair, "5", {"0", "1000"},
          "packets that they grow by beyond the target without marks");
    t.add("fast", &C::fast, "0.25", {"0", "1000"},
          "part of what arrives that they grow by where nothing queues");
    t.add("steady", &C::steady, "0.15", {"0", "1000"},
          "packets that they grow by each round trip, whatever happens");
    t.add("decrease", &C::decrease, "0.8", {"0", "1"}, "gamma, how strongly they shrink");
    t.add("most_decrease", &C::most_decrease, "0.5", {"0", "1"},
          "the most that they shrink by at once");
    t.add("average", &C::average, "0.0125", {"0", "1"}, "weight of a new delay in the mean");
    t.add("adjust_packets", &C::adjust_packets, "8", {"1", "1000000"},
          "packets after whose arrival windows grow by what has come together");
    t.add("idle_delay", &C::idle_delay, "1us", {"", "1s"}, "delay below which nothing queues");
    t.add("quick_gate", &C::quick_gate, "3", {"0", "60"},
          "with losses or long delays, a window is what arrived last, if less than its most / "
          "2^quick_gate did");
    t.add("quick_delay", &C::quick_delay, "4", {"0", "1000"}, "long delays, in targets");
    t.add("window", &C::window, "1.5", {"0.01", "1000"},
          "largest window, and the first, in what the way of a flow holds");
    t.add("mark_low", &C::mark_low, "0.2", {"0", "1000"},
          "queue up to which nothing is marked, in what the longest way holds");
    t.add("mark_high", &C::mark_high, "0.8", {"0", "1000"}, "queue beyond which everything is");
    return t;
  }();
  return table;
}

/// What a way of such a rate and round trip holds, in bytes.
double held(Bandwidth rate, Time rtt) {
  return rate.bytes_per_ps() * static_cast<double>(rtt.ps());
}

/// Sizes in bytes, times in ps.
class NsccFlow final : public ReactionPoint {
 public:
  NsccFlow(const NsccConfig& config, Time target, const FlowPath& path)
      : config_(config),
        target_(target),
        rtt_(path.rtt),
        network_rtt_(path.longest_rtt),
        packet_(static_cast<double>(path.packet.count())),
        most_(std::max(packet_, config.window * held(path.rate, path.rtt))),
        window_(most_) {
    constexpr double kReferenceHeld = 150'000;  // 100 Gb/s for 12 us.
    constexpr double kReferenceRtt = 12e6;
    scale_ = held(path.rate, path.longest_rtt) / kReferenceHeld;
    const double step = static_cast<double>(path.payload.count()) * scale_;
    proportional_ = config.proportional * step / kReferenceRtt;
    fair_ = config.fair * step;
    steady_ = config.steady * step;
  }

  Bytes window() const override { return Bytes(static_cast<std::int64_t>(window_)); }

  void acknowledged(const AckNews& news) override {
    const Time delay = std::max(Time::zero(), news.rtt - rtt_);
    const auto bytes = static_cast<double>(news.bytes.count());
    note_delay(delay, news.marked);
    delivered_ += bytes;
    arrived_ += bytes;
    const bool heeds = unheeded_ <= 0;
    unheeded_ -= bytes;
    if (news.marked && !heeds) return;
    const double long_delay = config_.quick_delay * static_cast<double>(target_.ps());
    const bool severe = lossy_ || static_cast<double>(delay.ps()) > long_delay;
    if (quick_adapt(news.now, severe, news.unacknowledged)) return;
    if (!news.marked) {
      grow(delay, bytes);
    } else if (delay >= target_) {
      shrink(news.now);
    }
    adjust(news.now);
  }

  /// Of packets that were cut, and of others.
  void lost(const LossNews& news) override {
    note_delay(network_rtt_, true);
    lossy_ = true;
    const auto bytes = static_cast<double>(news.bytes.count());
    const bool heeds = unheeded_ <= 0;
    unheeded_ -= bytes;
    if (quick_adapt(news.now, true, news.unacknowledged) || !heeds) return;
    window_ -= bytes;
    bound();
  }

 private:
  /// A delay beyond the target that is not marked belongs to a queue that is just vanishing.
  void note_delay(Time delay, bool marked) {
    const Time counted = !marked && delay > target_ ? rtt_ / 4 : delay;
    mean_delay_ += config_.average * (static_cast<double>(counted.ps()) - mean_delay_);
  }

  /// At the end of each period in which a window passes, the window may become what did; then marks
  /// and losses of what is under way are not heeded.
  bool quick_adapt(Time now, bool severe, Bytes under_way) {
    if (now < period_end_) return false;
    const double gate = most_ / static_cast<double>(std::int64_t{1} << config_.quick_gate);
    const bool adapts = period_end_ != Time::zero() && severe && delivered_ < gate;
    if (adapts) {
      window_ = delivered_;
      bound();
      unheeded_ = static_cast<double>(under_way.count());
      lossy_ = false;
    }
    delivered_ = 0;
    period_end_ = now + rtt_ + target_;
    return adapts;
  }

  void grow(Time delay, double bytes) {
    if (delay >= target_) {
      together_ += fair_ * bytes;
    } else if (!grows_fast(delay, bytes)) {
      together_ += proportional_ * bytes * static_cast<double>((target_ - delay).ps());
    }
  }

  bool grows_fast(Time delay, double bytes) {
    if (delay >= config_.idle_delay) {
      idle_bytes_ = 0;
      fast_ = false;
      return false;
    }
    idle_bytes_ += bytes;
    fast_ = fast_ || idle_bytes_ > window_;
    if (!fast_) return false;
    window_ += config_.fast * scale_ * bytes;
    bound();
    return true;
  }

  void shrink(Time now) {
    fast_ = false;
    idle_bytes_ = 0;
    const auto target = static_cast<double>(target_.ps());
    if (mean_delay_ <= target || now - last_shrunk_ <= rtt_) return;
    last_shrunk_ = now;
    window_ *= std::max(1 - config_.most_decrease,
                        1 - config_.decrease * (mean_delay_ - target) / mean_delay_);
    bound();
  }

  void adjust(Time now) {
    if (arrived_ < static_cast<double>(config_.adjust_packets) * packet_ &&
        now - last_adjusted_ < rtt_) {
      return;
    }
    window_ += together_ / window_;
    if (now - last_steady_ >= rtt_) {
      window_ += steady_;
      last_steady_ = now;
    }
    bound();
    together_ = arrived_ = 0;
    last_adjusted_ = now;
  }

  void bound() { window_ = std::clamp(window_, packet_, most_); }

  const NsccConfig& config_;
  Time target_;
  Time rtt_;
  Time network_rtt_;
  double packet_;
  double most_;
  double window_;
  double scale_ = 1;         ///< What the longest way holds, in what a usual one does.
  double proportional_ = 0;  ///< Per byte and ps.
  double fair_ = 0;          ///< Per byte.
  double steady_ = 0;

  double mean_delay_ = 0;
  double together_ = 0;  ///< What is added, times the window, and not yet done ...
  double arrived_ = 0;   ///< ... and the bytes since that was.
  Time last_adjusted_;
  Time last_steady_;
  Time last_shrunk_ = Time::zero() - Time::s(1);
  double idle_bytes_ = 0;  ///< That have arrived one after another where nothing queued.
  bool fast_ = false;
  bool lossy_ = false;    ///< There were losses since the last quick adaptation.
  double delivered_ = 0;  ///< In this period.
  Time period_end_;
  double unheeded_ = 0;  ///< Bytes that were under way at the last adaptation, and still are.
};

class Nscc final : public CongestionControl {
 public:
  Nscc(const NsccConfig& config, bool trims) : config_(config), trims_(trims) {}
  std::unique_ptr<CongestionPoint> new_point(const CongestedOutput& output) const override {
    const double bytes = held(output.rate, output.longest_rtt);
    const auto part = [bytes](double of) { return Bytes(static_cast<std::int64_t>(of * bytes)); };
    return std::make_unique<RampMarks>(
        MarkRamp{part(config_.mark_low), part(config_.mark_high), 1.0}, output);
  }
  std::unique_ptr<ReactionPoint> new_flow(const FlowPath& path) const override {
    const Time rtt = path.longest_rtt;
    return std::make_unique<NsccFlow>(config_, config_.target.value_or(trims_ ? rtt * 3 / 4 : rtt),
                                      path);
  }
  bool acknowledges() const override { return true; }

 private:
  NsccConfig config_;
  bool trims_;
};

}  // namespace

const PacketRule<CongestionControl>& nscc() {
  static const PacketRule<CongestionControl> rule = {
      "nscc", "Ultra Ethernet's windows at the sender, by delays and marks", &nscc_table(),
      [](const RuleInputs& inputs) -> std::unique_ptr<const CongestionControl> {
        const auto config = inputs.settings.get(nscc_table());
        if (config.mark_high < config.mark_low) {
          throw ParamError({"nscc.mark_high"}, "accepted is at least nscc.mark_low");
        }
        const bool trims = inputs.config.flow_control == FlowControl::lossy &&
                           inputs.settings.get(lossy_table()).full == LossyConfig::Full::trim;
        return std::make_unique<Nscc>(config, trims);
      }};
  return rule;
}

}  // namespace heddle::network
