// Links whose bandwidth or latency changes while a simulation runs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"

namespace heddle::platform {

/// A quantity over time: its values from certain instants on, once or again and again.
class Profile {
 public:
  struct Point {
    Time at;
    double value;
  };

  /// `points` are sorted by their instants, and of those of one instant the last counts; there is
  /// one at least. They come again `period` later, which is positive and not before the last of
  /// them; never, if it is zero.
  Profile(std::vector<Point> points, Time period);

  const std::vector<Point>& points() const { return points_; }
  Time period() const { return period_; }

  /// What is in force at `now`; nothing before the first point.
  std::optional<double> at(Time now) const;
  /// The first instant after `now` that has a point; never() if there is none.
  Time next_after(Time now) const;

 private:
  std::vector<Point> points_;
  Time period_;
};

enum class LinkQuantity : std::uint8_t {
  bandwidth,  ///< In bytes per second: what the link's own is, shared or for each message.
  latency,    ///< In seconds: of the wire.
};

/// One quantity of one link follows a profile.
struct LinkProfile {
  LinkId link;  ///< As Links::capacity() gives it.
  LinkQuantity quantity;
  std::uint32_t profile;  ///< Its place in LinkProfiles::profiles.
  SourceLocation where;   ///< Where the machine's description says so.
};

/// All that changes on a machine. Several links may follow one profile.
struct LinkProfiles {
  std::vector<Profile> profiles;
  std::vector<LinkProfile> links;
};

}  // namespace heddle::platform
