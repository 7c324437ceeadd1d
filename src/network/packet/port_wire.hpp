// The wire of an output: one direction of a cable.
#pragma once

#include "core/prefetch.hpp"
#include "network/packet/credit_clock.hpp"

namespace heddle::network {

/// Until when a wire is kept. Of a half-duplex cable both directions have one time.
class WireTime {
 public:
  WireTime() = default;
  WireTime(const WireTime&) = delete;
  WireTime& operator=(const WireTime&) = delete;

  Time free() const { return *free_; }
  void keep_until(Time end) { *free_ = end; }
  void share(WireTime& other) { free_ = other.free_; }

 private:
  Time* free_ = &own_;
  Time own_;  ///< Unused if it is the other direction's that is shared.
};

/// The flow-control packets that a wire carries, for the other direction's credits, and those of
/// the other direction, which tell of this one's.
class CreditNews {
 public:
  explicit CreditNews(const CreditClock& own) : own_(own) {}
  /// The other direction's.
  void come_from(const CreditNews& back) { back_ = &back; }

  CreditClock& carried() { return own_; }
  /// Those that tell of this direction's credits; `idle` if no wire brings them.
  const CreditClock& told_by(const CreditClock& idle) const {
    return back_ == nullptr ? idle : back_->own_;
  }

  // Asks for the memory of its own, and of the other direction's.
  void foresee() const { prefetch_lines(this, 2); }
  void foresee_back() const {
    if (back_ != nullptr) back_->foresee();
  }

 private:
  const CreditNews* back_ = nullptr;
  CreditClock own_;
};

}  // namespace heddle::network
