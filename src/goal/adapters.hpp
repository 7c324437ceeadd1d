// Adapters of a schedule's ranks, by what their messages stand for where schedules are made of
// traces. Numbers, because the formats of schedules have nothing else; replays over LogGOPS take
// them for adapters of their own, and their messages for messages like any other.
#pragma once

#include <cstdint>

namespace heddle::goal {

inline constexpr std::uint8_t kMessages = 0;  ///< What ranks send and receive.
/// Transfers that need no doing of their receiver's.
inline constexpr std::uint8_t kTransfers = 1;
/// No bytes, sent back when a synchronous send has been received; the receive follows the send.
inline constexpr std::uint8_t kAcknowledgements = 2;
/// Questions for data, and the answers, whose receives follow the start of the question: transfers
/// where adapters do not fetch by themselves.
inline constexpr std::uint8_t kFetches = 3;
/// Messages of which the sender keeps a copy: it goes on at once, however long they are. They are
/// received like any other.
inline constexpr std::uint8_t kBuffered = 4;

}  // namespace heddle::goal
