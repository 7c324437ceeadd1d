// What links are at an instant, where profiles of a platform or failures change them.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "platform/platform.hpp"

namespace heddle::network {

/// Follows the profiles and the failures of a platform in time. No clock, no events.
class LinkChanges {
 public:
  /// The platform must live as long.
  explicit LinkChanges(const platform::Platform& platform);

  /// When something changes next; never() if nothing does any more.
  Time next() const { return next_; }

  struct Change {
    LinkId link;
    bool bandwidth = false;  ///< It may be another now.
    Time more_latency;       ///< What has been added, perhaps a negative time.
  };
  /// Goes on to `now`; gives each link that has changed, once. Valid until the next call.
  std::span<const Change> advance(Time now);

  /// In bytes per ps, of a link that is followed; otherwise `plain`.
  double bandwidth(LinkId link, double plain) const;
  /// By how much its latency is more than the platform says, perhaps a negative time.
  Time more_latency(LinkId link) const;

 private:
  struct Track {
    const platform::LinkProfile* link;
    const platform::Profile* profile;
    Time next;
  };
  /// The bandwidth of a link that fails, or is slow for a while.
  struct Failing {
    LinkId link;
    const platform::CableHistory* history;
    Time next;
  };
  struct State {
    double share = 1;       ///< Of its bandwidth, that failures leave.
    double bandwidth = -1;  ///< In bytes per ps; negative if it is what the platform says.
    Time more_latency;
    std::size_t change = SIZE_MAX;  ///< Its place among those of this advance.
  };

  void follow(Track& track, Time now);
  void follow(Failing& failing, Time now);
  Change& change_of(LinkId link, State& state);

  const platform::Platform& platform_;
  std::vector<Track> tracks_;
  std::vector<Failing> failing_;
  std::unordered_map<std::size_t, State> states_;  ///< By link.
  std::vector<Change> changes_;
  Time next_;
};

}  // namespace heddle::network
