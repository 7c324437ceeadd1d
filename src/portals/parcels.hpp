// Parcels: messages of libraries above Portals, from their being sent to what couriers are told.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "nic/adapters.hpp"
#include "portals/commands.hpp"
#include "portals/courier.hpp"
#include "portals/directory.hpp"

namespace heddle::portals {

class Parcels {
 public:
  /// All must outlive the parcels.
  Parcels(Directory& directory, Commands& commands, nic::Adapters& adapters, Bytes max_buffered)
      : directory_(directory),
        commands_(commands),
        adapters_(adapters),
        max_buffered_(max_buffered) {}

  /// Hands a parcel to the adapter of its initiator, from any code: it waits in the command queue
  /// without holding anybody up.
  void send(const Parcel& parcel, Courier& courier);

  // What the adapters report.

  void accepted(const Command& command);
  void sent(const Command& command);
  nic::Verdict arrive(Command& command);
  nic::EventTokens completed(const Command& command, nic::Outcome outcome);
  /// Whether an event's or counter's number is one of theirs.
  static bool owns(std::uint32_t number) { return (number & kBit) != 0; }
  void event_visible(nic::EventToken token);
  void counter_visible(std::uint32_t number);

 private:
  /// A rank's parcels that the adapter has not accepted: the first is with it.
  struct Queue {
    std::uint32_t last = kNone;
  };
  /// What an event tells a courier.
  struct Notice {
    Courier* courier = nullptr;
    std::uint64_t parcel = 0;
    nic::Operation operation{};
  };
  enum class End : std::uint8_t { initiator, target };
  /// A rank's counters of parcels, by End.
  struct Tallies {
    std::array<Courier*, 2> couriers{};  ///< Whom a value on its way to memory is for, or null.
  };
  /// Tells the numbers of notices from those of events, and those of tallies from those of
  /// counters.
  static constexpr std::uint32_t kBit = 1U << 31;

  std::uint32_t record(const Parcel& parcel, Courier& courier);
  void issue(const Command& command, std::uint32_t number);
  /// The event that tells the command's courier.
  nic::EventTokens notice(const Command& command);
  /// Counts at an end of a counted parcel.
  void count(const Command& command, End end);

  Directory& directory_;
  Commands& commands_;
  nic::Adapters& adapters_;
  const Bytes max_buffered_;
  IndexPool<Notice> notices_;
  std::vector<Queue> queues_;     ///< By rank; empty until there is one.
  std::vector<Tallies> tallies_;  ///< The same.
};

}  // namespace heddle::portals
