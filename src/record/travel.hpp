// What a message's time on its way was spent on, and what wider links would have made of it.
#pragma once

#include "record/critical_path.hpp"

namespace heddle::record {

/// A stretch of time.
struct Stretch {
  Time begin;
  Time end;
  Time length() const { return end - begin; }
};

/// Shares out the time of messages, and adds up what links have to do with it.
class Travel {
 public:
  /// Both must outlive it.
  Travel(const LinkSamples& samples, CriticalPath& path) : samples_(samples), path_(path) {}

  /// Latency first, then the bytes, and what is left is because of others.
  Shares share(const WayCost& cost, Stretch when) { return share(cost, cost, when); }
  /// The same where the others take more of the way than the message itself, as `crowd` does.
  Shares share(const WayCost& cost, const WayCost& crowd, Stretch when);

 private:
  struct Doubled;
  struct Uses;

  static const WayLink* narrowest_of(const WayCost& cost);
  static double slowest(const WayCost& cost, const Doubled& doubled);
  Uses uses_of(const WayCost& cost, Stretch when) const;
  static std::size_t most_of(const Uses& uses, const WayCost& cost);
  double used(std::uint32_t link, Stretch when) const;
  void add_bytes(const WayCost& cost, const WayLink& narrowest, Time bytes);
  void add_contention(const WayCost& cost, const Uses& uses, Time contention);

  const LinkSamples& samples_;
  CriticalPath& path_;
};

}  // namespace heddle::record
