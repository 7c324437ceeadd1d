// Credits of one lane of a link: what the sender knows of the room in the receiver's buffer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/time.hpp"

namespace heddle::network {

/// Counts flits. The receiver frees them at known times; the sender learns of it by flow-control
/// packets.
class Credits {
 public:
  explicit Credits(std::int64_t buffer) : buffer_(buffer) {}

  void sent(std::int64_t flits) { sent_ += flits; }
  /// `flits` flits leave the receiver's buffer at `when`.
  void free_at(Time when, std::int64_t flits) {
    auto at = releases_.end();
    while (at != releases_.begin() + static_cast<std::ptrdiff_t>(first_) && when < (at - 1)->when)
      --at;
    releases_.insert(at, {when, flits});
  }
  /// What the sender may send if it knows the receiver's state as of `known`; asked in order of
  /// time.
  std::int64_t available(Time known) {
    while (first_ < releases_.size() && releases_[first_].when <= known)
      freed_ += releases_[first_++].flits;
    if (first_ == releases_.size()) {
      releases_.clear();
      first_ = 0;
    }
    return buffer_ + freed_ - sent_;
  }
  /// When the receiver will have freed enough for `flits` more, as far as is known now;
  /// Time::never() if it is not.
  Time enough_at(std::int64_t flits) const {
    std::int64_t room = buffer_ + freed_ - sent_;
    if (room >= flits) return Time::zero();
    for (std::size_t i = first_; i < releases_.size(); ++i) {
      room += releases_[i].flits;
      if (room >= flits) return releases_[i].when;
    }
    return Time::never();
  }
  /// Flits sent and not yet freed, as of the last question.
  std::int64_t outstanding() const { return sent_ - freed_; }

 private:
  struct Release {
    Time when;
    std::int64_t flits;
  };
  std::int64_t buffer_;
  std::int64_t sent_ = 0;
  std::int64_t freed_ = 0;
  std::vector<Release> releases_;
  std::size_t first_ = 0;
};

}  // namespace heddle::network
