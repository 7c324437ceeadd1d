// One rank's part of a communication pattern.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "goal/schedule_builder.hpp"

namespace heddle::goal {

/// How long it takes to reduce so many bytes, in the schedule's time unit.
using WorkFor = std::function<std::uint64_t(std::uint64_t bytes)>;

/// Member 0 and the root change places: trees are written for the root 0.
constexpr std::uint32_t swap_root(std::uint32_t member, std::uint32_t root) {
  if (member == 0) return root;
  return member == root ? 0 : member;
}

/// What a pattern is written against: ranks are counted within the group that takes part, which may
/// be part of a schedule's ranks; all messages carry one tag.
struct Side {
  ScheduleBuilder& out;
  std::uint32_t me;                             ///< Within the group.
  std::uint32_t size;                           ///< Of the group.
  std::span<const std::uint32_t> members = {};  ///< Ranks of the schedule; empty: all, in order.
  std::uint32_t tag = 0;
  std::uint32_t first = 0;  ///< Member 0 and this one have changed places.

  std::uint32_t rank_of(std::uint32_t member) const {
    const std::uint32_t place = swap_root(member, first);
    return members.empty() ? place : members[place];
  }
  std::uint32_t send(std::uint64_t bytes, std::uint32_t to) const {
    return out.send(bytes, rank_of(to), tag);
  }
  std::uint32_t recv(std::uint64_t bytes, std::uint32_t from) const {
    return out.recv(bytes, rank_of(from), tag);
  }
  std::uint32_t calc(std::uint64_t duration) const { return out.calc(duration); }
  void after(std::uint32_t later, std::uint32_t earlier) const { out.requires_end(later, earlier); }
  /// The same group, of which `root` is member 0.
  Side led_by(std::uint32_t root) const {
    return {out, swap_root(me, root), size, members, tag, root};
  }
  /// The member `distance` further round the group, or back.
  std::uint32_t right(std::uint64_t distance = 1) const {
    return static_cast<std::uint32_t>((me + distance) % size);
  }
  std::uint32_t left(std::uint64_t distance = 1) const {
    return static_cast<std::uint32_t>((me + size - distance % size) % size);
  }
};

}  // namespace heddle::goal
