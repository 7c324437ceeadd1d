#include <algorithm>
#include <optional>
#include <vector>

#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

struct HpccConfig {
  std::optional<Time> rtt;
  double utilisation;
  std::int64_t stages;
  std::optional<Bytes> additive;
  std::int64_t flows;
};

const ParamTable<HpccConfig>& hpcc_table() {
  using C = HpccConfig;
  static const auto table = [] {
    ParamTable<C> t("hpcc", "congestion control hpcc: windows by what outputs tell of their load");
    t.add("rtt", &C::rtt, "auto", {"1ps", "1s"},
          "T, round trip of the idle network; auto: the longest there is");
    t.add("utilisation", &C::utilisation, "0.95", {"0.01", "1"}, "eta, of links, that is aimed at");
    t.add("stages", &C::stages, "5", {"0", "1000"},
          "round trips in a row in which a window may grow by the additive part alone");
    t.add("additive", &C::additive, "auto", {"0B", "1GB"},
          "that windows grow by; auto: rate * rtt * (1 - utilisation) / flows");
    t.add("flows", &C::flows, "100", {"1", "1G"}, "of one link, that this is meant for");
    return t;
  }();
  return table;
}

/// Sizes in bytes, times in ps.
class HpccFlow final : public ReactionPoint {
 public:
  HpccFlow(const HpccConfig& config, const FlowPath& path)
      : config_(config),
        rtt_(static_cast<double>(config.rtt.value_or(path.longest_rtt).ps())),
        largest_(std::max(1.0, path.rate.bytes_per_ps() * rtt_)),
        additive_(config.additive
                      ? static_cast<double>(config.additive->count())
                      : largest_ * (1 - config.utilisation) / static_cast<double>(config.flows)),
        window_(largest_),
        committed_(largest_) {}

  Time allowed() const override { return allowed_; }
  Bytes window() const override { return Bytes(static_cast<std::int64_t>(window_)); }
  /// The window spread over a round trip.
  void sent(const Departure& packet) override {
    const double gap = static_cast<double>(packet.bytes.count()) * rtt_ / window_;
    allowed_ = packet.now + Time::whole_ps(gap);
  }
  void acknowledged(const AckNews& news) override {
    const bool has_before = before_.size() == news.path.size();
    if (has_before) measure(news.path);
    before_.assign(news.path.begin(), news.path.end());
    if (!has_before) return;
    const bool commits = news.packet >= next_commit_;
    react(commits);
    if (commits) next_commit_ = news.next;
  }

 private:
  /// The load of the link that is loaded most, averaged over a round trip.
  void measure(std::span<const HopNews> path) {
    double most = 0;
    double during = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const auto time = static_cast<double>((path[i].at - before_[i].at).ps());
      const double rate = path[i].rate.bytes_per_ps();
      if (time <= 0 || rate == 0) continue;
      const auto queued = static_cast<double>(std::min(path[i].queued, before_[i].queued).count());
      const auto carried = static_cast<double>((path[i].carried - before_[i].carried).count());
      const double load = queued / (rate * rtt_) + carried / time / rate;
      if (load <= most) continue;
      most = load;
      during = std::min(time, rtt_);
    }
    load_ += during / rtt_ * (most - load_);
  }
  void react(bool commits) {
    const bool scales = load_ >= config_.utilisation || stage_ >= config_.stages;
    const double scaled = scales ? committed_ * config_.utilisation / load_ : committed_;
    window_ = std::clamp(scaled + additive_, 1.0, largest_);
    if (!commits) return;
    stage_ = scales ? 0 : stage_ + 1;
    committed_ = window_;
  }

  const HpccConfig& config_;
  double rtt_;
  double largest_;  ///< What the link carries in a round trip.
  double additive_;
  double window_;
  double committed_;  ///< That of the last round trip.
  double load_ = 1;
  std::int64_t stage_ = 0;
  std::int64_t next_commit_ = 0;  ///< The packet whose acknowledgement ends this round trip.
  std::vector<HopNews> before_;   ///< Of the last acknowledgement.
  Time allowed_;
};

class Hpcc final : public CongestionControl {
 public:
  explicit Hpcc(const HpccConfig& config) : config_(config) {}
  std::unique_ptr<ReactionPoint> new_flow(const FlowPath& path) const override {
    return std::make_unique<HpccFlow>(config_, path);
  }
  bool acknowledges() const override { return true; }
  bool measures_paths() const override { return true; }

 private:
  HpccConfig config_;
};

}  // namespace

const PacketRule<CongestionControl>& hpcc() {
  static const PacketRule<CongestionControl> rule = {
      "hpcc", "windows by the load that outputs tell of", &hpcc_table(),
      [](const RuleInputs& inputs) -> std::unique_ptr<const CongestionControl> {
        return std::make_unique<Hpcc>(inputs.settings.get(hpcc_table()));
      }};
  return rule;
}

}  // namespace heddle::network
