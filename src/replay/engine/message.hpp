// A message of a replay, from its send until it is received.
#pragma once

#include <cstdint>

#include "goal/chunk_pool.hpp"
#include "network/queue/queue_links.hpp"

namespace heddle::replay {

/// Under way, waiting for its receiver's units, or unexpected.
struct alignas(64) Message {
  std::uint64_t sequence;
  std::uint64_t size;
  std::int64_t since;    ///< Arrived; of an unexpected one: when it was handled.
  std::uint32_t op;      ///< The sender's operation.
  std::uint32_t source;  ///< The sender.
  std::uint32_t tag;
  std::uint32_t units;                ///< The pair of cpu and nic it needs.
  std::uint32_t child = goal::kNone;  ///< In a line.
  std::uint32_t next = goal::kNone;
  bool departing = false;  ///< Its network has not been given it yet.
};

/// One on its way to a rank of another part.
struct RemoteMessage {
  std::int64_t arrival;
  std::uint64_t sequence;
  std::uint64_t size;
  std::uint32_t op;
  std::uint32_t source;
  std::uint32_t tag;
  std::uint32_t receiver;
  std::uint32_t units;
};

/// One between the links of a fabric.
struct LinkMessage {
  network::QueueTravel travel;
  std::uint32_t message;  ///< Its number.
  std::uint32_t next;     ///< In the pool.
};

/// One on its way to a link or node of another part.
struct RemoteLinkMessage {
  std::int64_t time;        ///< When it is there.
  std::uint64_t sequence;   ///< Of its being there.
  std::uint64_t of_launch;  ///< Of the message.
  std::uint32_t op;         ///< The sender's operation.
  std::uint32_t source;     ///< The sender.
  std::uint32_t units;
  network::QueueTravel travel;
};

/// One that a packet network carries from one part to another.
struct PacketMessage {
  std::uint64_t sequence;  ///< Of its launch.
  std::uint32_t source;    ///< The sender.
  std::uint32_t op;        ///< The sender's operation.
};

}  // namespace heddle::replay
