// Teams and active sets: which PEs belong together.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "coll/rules/attendance.hpp"
#include "coll/steps/places.hpp"
#include "core/time.hpp"
#include "shmem/knot.hpp"

namespace heddle::shmem {

/// PEs of the world: an arithmetic sequence, or a list in ascending order.
class Members {
 public:
  Members(int start, int stride, int size) : start_(start), stride_(stride), size_(size) {}
  explicit Members(std::vector<int> list)
      : size_(static_cast<int>(list.size())), list_(std::move(list)) {}

  int size() const { return size_; }
  /// The PE of the world that has this number here.
  int pe(int number) const {
    return list_.empty() ? start_ + number * stride_ : list_[static_cast<std::size_t>(number)];
  }
  /// Its number here, or -1.
  int number(int pe) const;
  /// Every so many-th of them, from one on.
  Members part(int start, int stride, int size) const;

 private:
  int start_ = 0;
  int stride_ = 1;
  int size_ = 0;
  std::vector<int> list_;
};

/// How unevenly members came to what they do together.
struct Imbalance {
  std::uint64_t meetings = 0;
  Time total = {};  ///< From the first member's coming to the last one's, of all meetings.
  Time worst = {};
};

/// What all members must say alike in a collective call.
struct Agreed {
  std::size_t bytes = 0;
  int root = 0;
};
/// What the first of them has said, and by which call.
struct FirstSaid {
  Agreed agreed;
  int pe = 0;
  const char* call = "";
};

/// A team, or an active set; the same object for all its members.
class Team {
 public:
  Team(std::uint32_t number, std::string label, Members who, coll::Places where)
      : members(std::move(who)),
        places(std::move(where)),
        attendance(static_cast<std::uint32_t>(members.size())),
        number_(number),
        label_(std::move(label)) {}

  std::uint32_t number() const { return number_; }
  /// "SHMEM_TEAM_WORLD", "team 3".
  const std::string& label() const { return label_; }

  /// A member comes to the meeting with this number; answers what the first to come has said.
  FirstSaid came(std::uint32_t meeting, Time now, const FirstSaid& says);
  /// A member's place in the team's trees, which stays where it is.
  Knot& knot(int member) {
    if (knots_.empty()) knots_.resize(static_cast<std::size_t>(members.size()));
    return knots_[static_cast<std::size_t>(member)];
  }

  Members members;
  coll::Places places;
  coll::Attendance attendance;
  Imbalance imbalance;

 private:
  /// A meeting that not all have come to.
  struct Meeting {
    Time first;
    int came = 0;
    FirstSaid said;
  };
  std::uint32_t number_;
  std::string label_;
  std::uint32_t begin_ = 0;  ///< The number of the first of the list.
  std::deque<Meeting> meetings_;
  std::vector<Knot> knots_;  ///< By member; empty until there is a collective along a tree.
};

/// What one PE keeps for a team that it is a member of.
struct Membership {
  Team* team = nullptr;
  int number = 0;                 ///< Of this PE in the team.
  std::uint32_t collectives = 0;  ///< That it has made.
  int contexts = 0;               ///< As the program asked for.
};

}  // namespace heddle::shmem
