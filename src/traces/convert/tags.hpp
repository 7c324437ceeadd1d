// Tags of a schedule, which has one space of them for all communicators.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace heddle::traces {

/// Gives every tag of every communicator, and every collective operation, a number of its own.
/// Small ones look as they do in LogGOPSim's schedules: communicator x 2^24 + tag, and for
/// collectives 2^31 + communicator x 2^24 + 1000000 + a running number: no receive of any tag takes
/// what has a tag of 2^31 or more.
class Tags {
 public:
  std::uint32_t message(std::uint32_t comm, std::int32_t tag);
  /// Of the `number`-th collective operation of a communicator; numbers come round after a long
  /// time.
  std::uint32_t collective(std::uint32_t comm, std::uint32_t number) const;
  /// Of the `number`-th one-sided transfer between two ranks; these come round, too.
  static std::uint32_t one_sided(std::uint32_t number);
  /// Of what says that the `number`-th synchronous message between two ranks was received.
  static std::uint32_t acknowledgement(std::uint32_t number);

 private:
  std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> others_;
};

}  // namespace heddle::traces
