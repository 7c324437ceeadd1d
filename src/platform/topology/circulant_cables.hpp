// Circulant cables between groups, as dragonflies have them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "platform/topology/shape.hpp"

namespace heddle::platform {

/// Circulant cables: the ports of a group lead in turn to the groups one further and one back, two
/// further and two back, and so on, and start again while ports are left, so that any two groups
/// are joined by as many cables as any others, give or take one. Ports that find no partner stay
/// free. Every group looks the same from inside.
class CirculantCables {
 public:
  /// A cable, its even link leading from group `a` to group `b`.
  struct Ends {
    std::uint32_t a;
    std::uint32_t port_a;  ///< Within its group.
    std::uint32_t b;
    std::uint32_t port_b;
  };
  /// A cable as one of its two groups sees it.
  struct Seen {
    std::uint32_t cable;
    bool back;  ///< The way there is the cable's odd link.
    std::uint32_t near_port;
    std::uint32_t far_port;
  };

  /// Throws ParamError if not every two groups can be joined; `ports_text` says how a group has so
  /// many.
  CirculantCables(std::int64_t groups, std::uint64_t ports, const std::string& ports_text);

  std::uint32_t groups() const { return groups_; }
  std::uint32_t cables() const { return whole_rounds_ * round_cables() + left_cables(); }
  Ends ends(std::uint32_t cable) const;
  /// How many cables of lower number join the groups of a cable.
  std::uint32_t round(std::uint32_t cable) const {
    return round_cables() == 0 ? 0 : std::min(cable / round_cables(), whole_rounds_);
  }
  /// Ports of a group that have a cable.
  std::uint32_t used_ports() const {
    return whole_rounds_ * (groups_ - 1) + 2 * left_chords_ + (left_facing_ ? 1 : 0);
  }
  /// Cables between two different groups, numbered as rounds in the order of their numbers,
  std::uint32_t joining(std::uint32_t from, std::uint32_t to) const;
  /// and one of them.
  Seen between(std::uint32_t from, std::uint32_t to, std::uint32_t round) const;

 private:
  /// Of a whole round, which joins every group to every other once.
  std::uint32_t round_cables() const { return static_cast<std::uint32_t>(pairs_.count()); }
  std::uint32_t left_cables() const {
    return left_chords_ * groups_ + (left_facing_ ? groups_ / 2 : 0);
  }
  bool is_facing(std::uint32_t chord) const { return 2 * chord == groups_; }
  /// The port of the cable of `round` to the group `chord` further or back.
  std::uint32_t port(std::uint32_t round, std::uint32_t chord, bool back) const;

  std::uint32_t groups_;
  std::uint32_t whole_rounds_;  ///< Times that every two groups are joined.
  std::uint32_t left_chords_;   ///< Chords of the last, incomplete round.
  bool left_facing_;            ///< Whether that round joins the groups that face each other.
  RingPairs pairs_;
};

}  // namespace heddle::platform
