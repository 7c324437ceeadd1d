// Whether all members of a group make the same collective calls.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "coll/rules/operation.hpp"

namespace heddle::coll {

/// Who has entered the collective calls of a group, as long as not all have.
class Attendance {
 public:
  /// Both groups of an intercommunicator count.
  explicit Attendance(std::uint32_t members) : members_(members) {}

  /// A member makes its call with this number. Answers what another member has called as its call
  /// with this number, if that is another operation.
  struct Clash {
    Collective operation;
    std::uint32_t member;
  };
  std::optional<Clash> enter(std::uint32_t number, std::uint32_t member, Collective operation);
  /// Whether all members have made the call with this number.
  bool complete(std::uint32_t number) const;
  /// Members that have not made the call with this number.
  std::vector<std::uint32_t> missing(std::uint32_t number) const;

 private:
  struct Call {
    Collective operation{};
    std::uint32_t first = 0;  ///< Who made it first.
    std::uint32_t entered = 0;
    std::vector<bool> present;
  };
  std::uint32_t members_;
  std::uint32_t begin_ = 0;  ///< The number of the first call of the list.
  std::deque<Call> calls_;
};

}  // namespace heddle::coll
