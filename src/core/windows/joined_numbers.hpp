// The numbers that the parts of a simulation give what a window has caused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/windows/numbering.hpp"

namespace heddle {

/// By part. Threads may work on them together, each for its part, between two barriers.
class JoinedNumbers {
 public:
  using Logs = std::vector<std::span<const EventRun>>;
  /// `first`: the number of what is caused first.
  JoinedNumbers(std::size_t parts, std::uint64_t first) : members_(parts), first_(first) {}

  /// Numbers what the last window of part `me` has caused. Where the logs are long each thread
  /// numbers a share of the events of all, else each those of all, for itself, which is done sooner
  /// than to wait for the others; `meet()` is a barrier.
  template <class Meet>
  void number(std::size_t me, const Logs& logs, Meet meet) {
    constexpr std::size_t kLong = 1024;
    const Numbering numbering(logs);
    Member& mine = members_[me];
    mine.numbers.clear();
    if (numbering.runs() > kLong) {
      number_share(numbering, mine, me, members_.size());
      meet();
      for (const Member& member : members_) mine.numbers.add(member.share[me]);
    } else {
      number_share(numbering, mine, 0, 1);
      mine.numbers.add(mine.share[me]);
    }
    mine.numbers.close();
    mine.caused = numbering.caused();
  }
  /// The same by one thread for all.
  void number_all(const Logs& logs);
  Numbers& of(std::size_t part) { return members_[part].numbers; }
  /// All have taken their numbers.
  void next_window() { first_ += members_.front().caused; }

 private:
  struct alignas(64) Member {
    std::vector<std::vector<Numbered>> share;  ///< By part: of the numbers that this one gives.
    Numbers numbers;                           ///< Of this part's events.
    std::uint64_t caused = 0;                  ///< By the last window, of all parts.
  };
  void number_share(const Numbering& numbering, Member& member, std::size_t share,
                    std::size_t shares) const;

  std::vector<Member> members_;
  std::uint64_t first_;  ///< Of the numbers that the last window's events are given.
};

}  // namespace heddle
