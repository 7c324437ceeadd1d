#include "coll/rules/attendance.hpp"

namespace heddle::coll {

std::optional<Attendance::Clash> Attendance::enter(std::uint32_t number, std::uint32_t member,
                                                   Collective operation) {
  while (number >= begin_ + calls_.size()) calls_.emplace_back();
  Call& call = calls_[number - begin_];
  if (call.entered == 0) {
    call.operation = operation;
    call.first = member;
    call.present.resize(members_);
  }
  if (call.operation != operation) return Clash{call.operation, call.first};
  call.present[member] = true;
  ++call.entered;
  while (!calls_.empty() && calls_.front().entered == members_) {
    calls_.pop_front();
    ++begin_;
  }
  return std::nullopt;
}

bool Attendance::complete(std::uint32_t number) const {
  return number < begin_ ||
         (number < begin_ + calls_.size() && calls_[number - begin_].entered == members_);
}

std::vector<std::uint32_t> Attendance::missing(std::uint32_t number) const {
  std::vector<std::uint32_t> absent;
  if (number < begin_ || number >= begin_ + calls_.size()) return absent;
  const Call& call = calls_[number - begin_];
  for (std::uint32_t member = 0; member < members_; ++member) {
    if (!call.present[member]) absent.push_back(member);
  }
  return absent;
}

}  // namespace heddle::coll
