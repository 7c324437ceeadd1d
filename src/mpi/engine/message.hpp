// Messages and receives under way.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/simulation.hpp"
#include "mpi/completion.hpp"
#include "mpi/datatypes.hpp"

namespace heddle::mpi {

class Engine;
class Process;
class Transport;

/// The largest tag.
inline constexpr std::int32_t kLargestTag = 0x7fffffff;

enum class SendMode : std::uint8_t { standard, buffered, synchronous, ready };

/// How a message gets across.
enum class Protocol : std::uint8_t {
  eager,       ///< Travels at once; the sender goes on.
  detached,    ///< Travels when its receive is there; the sender goes on.
  rendezvous,  ///< Travels when its receive is there; the sender waits.
};

/// What a message is known by, or a receive without wildcards.
struct MatchKey {
  std::uint32_t receiver = 0;  ///< Number in MPI_COMM_WORLD.
  std::uint32_t context = 0;
  std::int32_t source = 0;  ///< Rank in the sender's group.
  std::int32_t tag = 0;
  /// Differs between most keys of one receiver.
  std::uint8_t mark() const {
    return static_cast<std::uint8_t>(static_cast<std::uint32_t>(source) ^
                                     static_cast<std::uint32_t>(tag) * 37 ^ context);
  }
  /// In two steps rather than four: there is one for every look into the table of matches.
  bool operator==(const MatchKey& other) const {
    return std::bit_cast<Words>(*this) == std::bit_cast<Words>(other);
  }

 private:
  using Words = std::array<std::uint64_t, 2>;
};

/// Something that waits to be matched, in a list of others with its key.
struct Waiting {
  enum class Kind : std::uint32_t { message, receive };
  explicit Waiting(Kind what) : kind(what) {}
  MatchKey key;
  Kind kind;
  Waiting* previous = nullptr;
  Waiting* next = nullptr;
};

/// A message from its posting until it has been received. Many are under way at a time: what is
/// needed together is in one line of the cache.
struct alignas(64) Message final : Event, Waiting {
  Message() : Waiting(Kind::message) {}
  static constexpr std::size_t kInside = 64;
  enum class Stage : std::uint8_t {
    starting,    ///< Its overhead is being paid.
    posted,      ///< On its way to its receiver's eyes.
    unexpected,  ///< Waits for a receive.
    probed,      ///< Taken by a matched probe.
    matched,
  };
  /// What of it is in the network, where its handshake is.
  enum class Leg : std::uint8_t {
    payload,
    request,    ///< To its receiver.
    requested,  ///< Nothing: its receiver has been asked, and has no receive yet.
    clearance,  ///< Back to its sender.
  };

  Engine* engine = nullptr;

  // Until it is delivered:
  SendMode mode = SendMode::standard;
  Protocol protocol = Protocol::eager;
  Stage stage = Stage::starting;
  bool arrived = false;             ///< All of it has reached the receiver's node.
  bool discarded = false;           ///< Cancelled while it travelled.
  bool receiver_later : 1 = false;  ///< Than the sight of it; for recorders.
  bool has_turn : 1 = false;        ///< Of the transport: its node sends it next.
  Leg leg : 2 = Leg::payload;       ///< Of the transport.
  bool listed = false;              ///< In the receiver's list.
  bool in_network = false;          ///< Of the transport: its event is that of the arrival.
  Process* receiver = nullptr;
  std::int64_t bytes = 0;
  Completion* sent = nullptr;      ///< Null once told.
  Completion* received = nullptr;  ///< Of the receive that it has met.
  Outcome outcome;                 ///< Of that.

  // Until it is matched:
  Process* sender = nullptr;
  Buffer buffer;              ///< The sender's.
  std::byte* data = nullptr;  ///< The payload kept aside, or null.
  std::uint64_t serial = 0;   ///< Another in each use of the record.
  Time posted;
  Transport* transport = nullptr;   ///< By which it travels.
  std::uint32_t pair_number = 0;    ///< Among those of its pair, where transports change.
  std::uint32_t sender_thread = 0;  ///< For recorders.
  Message* before = nullptr;        ///< In the receiver's list of unexpected messages.
  Message* after = nullptr;
  Time met_or_there;  ///< What came first: that it met its receive, or all of it; for recorders.
  std::uint64_t because_of = 0;  ///< The step of adapters that had it sent; for recorders.
  std::array<std::byte, kInside> inside;

  /// Whether the network is going to tell of something that nobody asked the receiver for.
  bool under_way() const {
    return leg == Leg::request || (protocol == Protocol::eager && !arrived);
  }

  /// Its sender need not wait for it any longer, though it may be under way.
  void tell_sender();
  /// All of it is going to be there: what that needs is fetched from memory.
  void foresee_end() const;

 private:
  void fire() override;
  void foresee() const override;
  void glimpse() const override;
  void expect() const override;
};

/// A receive that has met no message yet.
struct alignas(64) Receive final : Waiting {
  Receive() : Waiting(Kind::receive) {}
  Process* process = nullptr;
  Buffer buffer;
  Completion* completion = nullptr;
  std::uint64_t serial = 0;  ///< Counts the receives of a job; zero if it is over.
  Time posted;
  bool wild = false;
};

}  // namespace heddle::mpi
