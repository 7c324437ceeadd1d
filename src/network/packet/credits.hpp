// Credits of one lane of a link: what the sender knows of the room in the receiver's buffer.
#pragma once

#include <cstdint>
#include <utility>

#include "core/containers/ring.hpp"
#include "core/prefetch.hpp"
#include "core/time.hpp"

namespace heddle::network {

/// Counts flits. The receiver frees them at known times; the sender learns of it by flow-control
/// packets.
class Credits {
 public:
  explicit Credits(std::int64_t buffer = 0) : available_(buffer) {}

  void sent(std::int64_t flits) { available_ -= flits; }
  /// `flits` flits leave the receiver's buffer at `when`.
  void free_at(Time when, std::int64_t flits) {
    releases_.push_back({when.ps(), static_cast<std::uint32_t>(flits)});
    for (std::size_t i = releases_.size() - 1; i > 0 && when < releases_[i - 1].when(); --i) {
      std::swap(releases_[i], releases_[i - 1]);
    }
  }
  /// What the sender may send if it knows the receiver's state as of `known`; asked in order of
  /// time.
  std::int64_t available(Time known) {
    for (; !releases_.empty() && releases_.front().when() <= known; releases_.pop_front()) {
      available_ += releases_.front().flits;
    }
    return available_;
  }
  /// The same at any time.
  std::int64_t available_at(Time known) const {
    std::int64_t flits = available_;
    for (std::size_t i = 0; i < releases_.size() && releases_[i].when() <= known; ++i) {
      flits += releases_[i].flits;
    }
    return flits;
  }
  /// When the receiver frees some next after `known`; Time::never() if it is not known to.
  Time next_after(Time known) const {
    for (std::size_t i = 0; i < releases_.size(); ++i) {
      if (releases_[i].when() > known) return releases_[i].when();
    }
    return Time::never();
  }
  /// Asks for the memory of what the receiver frees next.
  void foresee() const {
    if (!releases_.empty()) prefetch(&releases_.front());
  }
  /// What `flits` more lack of what was available when last asked.
  std::int64_t missing(std::int64_t flits) const { return flits - available_; }
  /// The same, with all that the receiver is known to free.
  std::int64_t missing_at_last(std::int64_t flits) const {
    std::int64_t lacking = missing(flits);
    for (std::size_t i = 0; i < releases_.size(); ++i) lacking -= releases_[i].flits;
    return lacking;
  }
  /// When the receiver will have freed enough for `flits` more, as far as is known now;
  /// Time::never() if it is not.
  Time enough_at(std::int64_t flits) const {
    std::int64_t lacking = missing(flits);
    if (lacking <= 0) return Time::zero();
    for (std::size_t i = 0; i < releases_.size(); ++i) {
      lacking -= releases_[i].flits;
      if (lacking <= 0) return releases_[i].when();
    }
    return Time::never();
  }

 private:
  /// In 12 bytes: with two of them, all that is needed is in one line of the cache.
  struct [[gnu::packed]] Release {
    std::int64_t ps;
    std::uint32_t flits;
    Time when() const { return Time::ps(ps); }
  };
  std::int64_t available_;
  Ring<Release, 4> releases_;  ///< In order of time.
};

}  // namespace heddle::network
