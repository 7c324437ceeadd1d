// A message of a replay, from its send until it is received.
#pragma once

#include <cstdint>

#include "core/quantity.hpp"
#include "goal/chunk_pool.hpp"
#include "network/queue/queue_links.hpp"
#include "replay/ids.hpp"

namespace heddle::replay {

/// Under way, waiting for its receiver's units, or unexpected.
struct alignas(64) Message {
  std::uint64_t sequence;
  Bytes size;
  Time since;     ///< Arrived; of an unexpected one: when it was handled.
  OpId op;        ///< The sender's operation.
  RankId source;  ///< The sender.
  Tag tag;
  PairId units;                       ///< The pair of cpu and nic it needs.
  std::uint32_t child = goal::kNone;  ///< In a line.
  std::uint32_t next = goal::kNone;
  bool departing = false;  ///< Its network has not been given it yet.
};

/// One on its way to a rank of another part.
struct RemoteMessage {
  Time arrival;
  std::uint64_t sequence;
  Bytes size;
  OpId op;
  RankId source;
  Tag tag;
  RankId receiver;
  PairId units;
};

/// One between the links of a fabric.
struct LinkMessage {
  network::QueueTravel travel;
  MessageId message;   ///< Its number.
  std::uint32_t next;  ///< In the pool.
};

/// One on its way to a link or node of another part.
struct RemoteLinkMessage {
  Time time;                ///< When it is there.
  std::uint64_t sequence;   ///< Of its being there.
  std::uint64_t of_launch;  ///< Of the message.
  OpId op;                  ///< The sender's operation.
  RankId source;            ///< The sender.
  PairId units;
  network::QueueTravel travel;
};

/// One that a packet network carries from one part to another.
struct PacketMessage {
  std::uint64_t sequence;  ///< Of its launch.
  RankId source;           ///< The sender.
  OpId op;                 ///< The sender's operation.
};

}  // namespace heddle::replay
