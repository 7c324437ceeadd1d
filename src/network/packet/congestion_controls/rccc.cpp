#include <algorithm>
#include <deque>
#include <unordered_map>

#include "network/packet/rules.hpp"

namespace heddle::network {

const PacketRule<CongestionControl>& nscc();

namespace {

enum class RcccWindows { none, nscc };

struct RcccConfig {
  RcccWindows windows = RcccWindows::none;
  double pace;
  std::int64_t grant_packets;
  double free;
};

const ParamTable<RcccConfig>& rccc_table() {
  using C = RcccConfig;
  static const auto table = [] {
    ParamTable<C> t("rccc", "congestion control rccc: sources send what receivers grant");
    t.add_choice("windows", &C::windows, "none",
                 {{"none", RcccWindows::none}, {"nscc", RcccWindows::nscc}},
                 "what limits sources besides");
    t.add("pace", &C::pace, "0.99", {"0.01", "1"},
          "rate of all grants of a receiver, in that of its link");
    t.add("grant_packets", &C::grant_packets, "4", {"1", "1000000"}, "packets that a grant is for");
    t.add("free", &C::free, "1.5", {"0", "1000"},
          "what a source may send before it is granted anything, in what the longest way holds");
    return t;
  }();
  return table;
}

/// What may be sent to a receiver without grants.
Bytes free_bytes(double free, Bandwidth rate, Time longest_rtt) {
  const double held = rate.bytes_per_ps() * static_cast<double>(longest_rtt.ps());
  return Bytes(static_cast<std::int64_t>(free * held));
}

/// Grants by turns, to one source after another that wants some.
class PacedGrants final : public NotificationPoint {
 public:
  PacedGrants(const RcccConfig& config, const ReceivingEnd& end)
      : size_(end.packet * config.grant_packets),
        pace_(config.pace),
        rate_(end.rate),
        free_(free_bytes(config.free, end.rate, end.longest_rtt)) {}

  void wanted(NodeId source, Bytes total, Time now) override {
    Wish& wish = wishes_[index(source)];
    wish.wanted = std::max(wish.wanted, total - free_);
    if (wish.waits || wish.wanted <= wish.granted) return;
    wish.waits = true;
    if (line_.empty()) next_ = std::max(next_, now);
    line_.push_back(source);
  }
  Time next_grant() const override { return line_.empty() ? Time::never() : next_; }
  Grant grant(Time now) override {
    const NodeId source = line_.front();
    line_.pop_front();
    Wish& wish = wishes_[index(source)];
    const Bytes bytes = std::min(size_, wish.wanted - wish.granted);
    wish.granted += bytes;
    wish.waits = wish.granted < wish.wanted;
    if (wish.waits) line_.push_back(source);
    next_ = now + Time::whole_ps(static_cast<double>(rate_.time_for(bytes).ps()) / pace_);
    return {source, bytes};
  }

 private:
  struct Wish {
    Bytes wanted;
    Bytes granted;
    bool waits = false;
  };

  Bytes size_;
  double pace_;
  Bandwidth rate_;
  Bytes free_;
  Time next_;  ///< From when the next grant may be.
  std::deque<NodeId> line_;
  std::unordered_map<std::size_t, Wish> wishes_;  ///< By source; looked up only.
};

/// Sends what it is granted, within what another control allows besides, if there is one.
class GrantedFlow final : public ReactionPoint {
 public:
  GrantedFlow(Bytes free, std::unique_ptr<ReactionPoint> besides)
      : credit_(free), besides_(std::move(besides)) {}
  Time allowed() const override { return besides_->allowed(); }
  Bytes window() const override { return besides_->window(); }
  Bytes credit() const override { return credit_; }
  void sent(const Departure& packet) override {
    credit_ = credit_ - packet.bytes;
    besides_->sent(packet);
  }
  void granted(Time, Bytes bytes) override { credit_ += bytes; }
  void notified(Time now) override { besides_->notified(now); }
  void acknowledged(const AckNews& news) override { besides_->acknowledged(news); }
  /// What is lost at the last link is the receiver's affair.
  void lost(const LossNews& news) override {
    if (!news.at_last_hop) besides_->lost(news);
  }
  void timed_out(Time now) override { besides_->timed_out(now); }

 private:
  Bytes credit_;
  std::unique_ptr<ReactionPoint> besides_;
};

class Rccc final : public CongestionControl {
 public:
  Rccc(const RcccConfig& config, std::unique_ptr<const CongestionControl> besides)
      : config_(config), besides_(std::move(besides)) {}
  std::unique_ptr<CongestionPoint> new_point(const CongestedOutput& output) const override {
    return besides_ == nullptr ? nullptr : besides_->new_point(output);
  }
  std::unique_ptr<NotificationPoint> new_notification_point(
      const ReceivingEnd& end) const override {
    return std::make_unique<PacedGrants>(config_, end);
  }
  std::unique_ptr<ReactionPoint> new_flow(const FlowPath& path) const override {
    auto besides =
        besides_ == nullptr ? std::make_unique<ReactionPoint>() : besides_->new_flow(path);
    return std::make_unique<GrantedFlow>(free_bytes(config_.free, path.rate, path.longest_rtt),
                                         std::move(besides));
  }
  bool acknowledges() const override { return besides_ != nullptr && besides_->acknowledges(); }
  bool grants() const override { return true; }

 private:
  RcccConfig config_;
  std::unique_ptr<const CongestionControl> besides_;  ///< Null: none.
};

}  // namespace

const PacketRule<CongestionControl>& rccc() {
  static const PacketRule<CongestionControl> rule = {
      "rccc", "Ultra Ethernet's credits, which receivers grant at the pace of their link",
      &rccc_table(), [](const RuleInputs& inputs) -> std::unique_ptr<const CongestionControl> {
        const auto config = inputs.settings.get(rccc_table());
        return std::make_unique<Rccc>(
            config, config.windows == RcccWindows::nscc ? nscc().make(inputs) : nullptr);
      }};
  return rule;
}

}  // namespace heddle::network
