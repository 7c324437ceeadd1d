// The chain of activities and messages that made a run as long as it was.
//
// From the end of the last rank to finish, time is walked back: through what the rank did, and
// where it waited through the message that ended the wait, to the rank that sent it (or, where the
// message had to wait for its receiver, to that one; of an answer, to whoever sent what it
// answers), or to the other thread that did. Where adapters carry messages, each of their steps
// knows the one that had it begin, and the chain follows these to the rank that gave the command:
// through the queue before an engine to the message that the engine was busy with. The chain has no
// gaps, so its parts add up to the length of the run: what none of them contains cannot have made
// the run longer.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record/recording.hpp"

namespace heddle::record {

/// What time on the path is spent on.
enum class Resource : std::uint8_t {
  compute,
  overhead,    ///< Software of messages and calls.
  nic,         ///< Adapters.
  pcie,        ///< Buses between memory and adapters.
  latency,     ///< Of wires and switches.
  bandwidth,   ///< Bytes one after another through the narrowest link of their way.
  contention,  ///< Because of other messages.
  wait,        ///< For what is not known.
  storage,     ///< File systems.
  sleep,       ///< By the program's own wish.
};
inline constexpr std::size_t kResources = 10;
/// In summaries and files.
std::string_view name_of(Resource resource);
std::string_view name_of(Activity activity);

using Shares = std::array<Time, kResources>;

/// A link on a message's way.
struct WayLink {
  std::uint32_t link = 0;
  double bytes_per_ps = 0;      ///< What a message gets of it; 0: no limit.
  bool bus = false;             ///< Of a node's memory.
  double all_bytes_per_ps = 0;  ///< What all messages together get of it.
};
/// What a message costs that is alone on its way.
struct WayCost {
  Time latency;
  Time bus_latency;
  std::int64_t bytes = 0;  ///< That travel, with what the protocol adds.
  std::vector<WayLink> links;
  Time alone;  ///< All of it, where the model of the network says so; zero: add the above up.
};
/// What travels: a message from memory to memory, or what adapters send each other.
struct Carried {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t bytes = 0;
  bool by_adapters = false;
  bool from_memory = false;  ///< Of what adapters send: it streams from memory,
  bool to_memory = false;    ///< or to it.
};
using CostOf = std::function<WayCost(const Carried&)>;

/// A part of the path: of a rank, or of a message from it to another.
struct PathPiece {
  std::uint32_t rank = 0;
  std::uint32_t to = 0;  ///< The same: it is no message.
  Resource resource{};   ///< What most of it is spent on.
  Time begin;
  Time end;
  std::int64_t bytes = 0;
  std::uint32_t thread = 0;  ///< Of the rank.
};

/// What the path owes to one link.
struct PathLink {
  Time bandwidth;   ///< Bytes one after another, where no other link of the way is narrower.
  Time contention;  ///< Told of the link of the way that was used most meanwhile.
  Time if_twice;    ///< What the path would be shorter by if the link were twice as wide.
  std::uint64_t messages = 0;
};

/// What the path would be shorter by if things were twice as wide.
struct IfTwice {
  Time links;  ///< All of the fabric,
  Time buses;  ///< all between memory and adapters,
  Time both;
};

struct CriticalPath {
  Time length;
  Shares shares{};
  std::vector<Shares> by_rank;              ///< Messages belong to their sender.
  std::map<std::uint32_t, PathLink> links;  ///< By number.
  IfTwice if_twice;                         ///< Of bytes and of what is held up; not of latencies.
  Time bus_bytes;  ///< What of the shares of buses and contention is such time of buses.
  std::uint64_t messages = 0;
  std::uint64_t late_receivers = 0;  ///< Messages of those that waited for their receivers.
  /// First to last, at most kMostPieces: where there were more, neighbours were put together.
  std::vector<PathPiece> pieces;
  static constexpr std::size_t kMostPieces = 20'000;
};

/// `cost_of` may be null where messages travel over no links: all their time is latency then.
CriticalPath find_critical_path(const Recording& recorder, const CostOf& cost_of);

}  // namespace heddle::record
