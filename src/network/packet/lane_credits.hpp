// What an output knows of the room in the buffer at the end of its link, for one lane.
#pragma once

#include <cstdint>

#include "core/time.hpp"
#include "network/packet/credits.hpp"

namespace heddle::network {

/// The host at the end of a link, whose drains are the credits.
class DrainingEnd {
 public:
  /// Takes the flits due by `until`.
  virtual void drain(Time until) = 0;
  /// When so many flits of `account` will have been drained, as far as is known now.
  virtual Time drained_at(std::uint32_t account, std::int64_t flits) const = 0;
  /// Asks for the memory that drains need of the host itself.
  virtual void foresee_sink() const = 0;

 protected:
  ~DrainingEnd() = default;
};

/// Credits, who waits for them, and for how long. Of a buffer at a host whose sink takes time, that
/// host's drains are the credits.
class LaneCredits {
 public:
  explicit LaneCredits(std::int64_t buffer_flits = 0) : credits_(buffer_flits) {}

  void sent(std::int64_t flits) { credits_.sent(flits); }
  void free_at(Time when, std::int64_t flits) { credits_.free_at(when, flits); }
  /// Without waiting for it: whether `flits` may be sent by what was known at `known`.
  bool suffice_at(Time known, std::int64_t flits) {
    return end_host_ == nullptr && credits_.available(known) >= flits;
  }

  /// Flits that may be sent by what was known at `known`.
  std::int64_t available_at(Time known) const { return credits_.available_at(known); }

  /// When flits leave the buffer next after `known`; Time::never() if none are known to.
  Time next_freed(Time known) const { return credits_.next_after(known); }

  /// Whether a packet of `flits` may be sent at `now`, when the buffer is known as it was at
  /// `known`. If not, lack() notes it.
  bool allow(std::int64_t flits, Time known, Time now);
  void lack(std::int64_t flits, Time now);
  /// Looks are taken anew.
  void forget_lack() { lacking_ = 0; }
  bool lacking() const { return lacking_ > 0; }
  /// Whether packets have waited for credits at or after `t`.
  bool lacked_since(Time t) const { return last_lack_ >= t; }
  /// When the buffer will have room for what is lacking, as far as is known now; Time::never() if
  /// it is not.
  Time enough_freed() const;

  /// The link ends at `host`, whose sink counts the lane's flits under `account`.
  void end_at(DrainingEnd& host, std::uint32_t account);
  const DrainingEnd* end_host() const { return end_host_; }
  std::uint32_t sink_account() const { return sink_account_; }
  /// The host's sink has drained so many flits, the last at `when`.
  void credit_drained(std::int64_t drained, Time when);

  std::int64_t stalls() const { return stalls_; }  ///< Times that a packet had to wait for credits.
  Time stalled() const { return stalled_; }        ///< How long, in all, ...
  /// ... the one that waits at `now` included.
  Time stalled_until(Time now) const {
    return stalled_since_ == Time::never() ? stalled_ : stalled_ + (now - stalled_since_);
  }

  // What comes soon asks for memory: what news of credits needs, then what is freed next.
  void foresee_news() const { prefetch(&lacking_); }
  void foresee_freed() const { credits_.foresee(); }

 private:
  Time stalled_since_ = Time::never();
  DrainingEnd* end_host_ = nullptr;
  std::int64_t sink_freed_ = 0;  ///< Of its drained flits, those counted as credits.

  /// Flits for which no credits were known; of several, the least.
  std::int64_t lacking_ = 0;
  Credits credits_;

  std::uint32_t sink_account_ = 0;
  Time last_lack_ = Time::ps(-1);
  std::int64_t stalls_ = 0;
  Time stalled_;
};

}  // namespace heddle::network
