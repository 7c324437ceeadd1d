// Sends the messages of a workload through the adapters into a network.
#pragma once

#include <algorithm>
#include <deque>

#include "core/containers/pool.hpp"
#include "network/network.hpp"
#include "traffic/workload.hpp"

namespace heddle::traffic {

/// A message that has arrived.
struct MessageRecord {
  std::uint64_t id;
  NodeId source;
  NodeId destination;
  Bytes size;
  Time created;   ///< When the sender asked for it.
  Time finished;  ///< When the receiver knew of it.
  Bandwidth rate_cap = Bandwidth::unlimited();
  std::uint8_t traffic_class = 0;
  FlowKind kind = FlowKind::pattern;
};

/// Who wants to know of every message that arrives.
class MessageSink {
 public:
  virtual void message_finished(const MessageRecord& record) = 0;

 protected:
  ~MessageSink() = default;
};

/// When the messages of a node enter the network.
struct SendClock {
  Request request;  ///< The next message.
  Time free_at;     ///< When the adapter accepts it, unless it is created later.

  /// When that one enters; the one after it finds the adapter busy for a while.
  Time next_start(const platform::NicParams& nic) {
    const Time begin = std::max(request.created, free_at);
    free_at = begin + nic.gap;
    return begin + nic.send_overhead;
  }
  /// Of that message, where one without a number gets this one.
  MessageRecord record(NodeId source, std::uint64_t number) const;
};

/// Where messages begin and end within a node. A memory without a bus is as near to the fabric as
/// the adapter.
inline platform::Port port_of(From from) {
  return from == From::nic ? platform::Port::nic : platform::Port::memory;
}

/// Where the nodes of an injector are some of many.
class InjectorBorder {
 public:
  /// Who takes in what arrives at `destination`.
  virtual network::TransferClient& client_at(NodeId destination) = 0;
  /// Sees to it that `source` hears that a message of its has arrived.
  virtual void tell(NodeId source, Time finished) = 0;

 protected:
  ~InjectorBorder() = default;
};

/// One armed event per sending node. A message created at t starts in the network at
/// max(t, start of the one before - send_overhead + gap) + send_overhead, and is finished
/// receive_overhead after its last byte has arrived.
class Injector final : private network::TransferClient {
 public:
  /// Everything must outlive it. Messages begin and end where `from` says.
  Injector(Simulation& simulation, const platform::Platform& platform, network::Network& network,
           Workload& workload, MessageSink& sink, From from, InjectorBorder* border = nullptr);
  ~Injector();
  /// Lets `node` send: takes its first message from the workload.
  void add_sender(NodeId node);
  /// For an injector whose messages arrive here.
  network::TransferClient& client() { return *this; }
  /// One of the nodes hears that a message of its has arrived.
  void heard(NodeId source, Time finished);
  /// When the messages were created that were so before `until` and have not arrived: those under
  /// way, and those that wait for their adapter. The latter are not sent any more, nor are others.
  std::vector<Time> take_unfinished(Time until);
  /// Messages that have begun their way.
  std::uint64_t started() const { return started_; }

 private:
  class Sender;
  struct InFlight;

  void transfer_reached(network::Instant instant, std::uint64_t cookie) override;
  void arm(Sender& sender);
  void send(Sender& sender);
  platform::Endpoint endpoint(NodeId node) const;

  Simulation& simulation_;
  const platform::Platform& platform_;
  network::Network& network_;
  Workload& workload_;
  MessageSink& sink_;
  InjectorBorder* const border_;  ///< Null: all nodes are here.
  platform::Port port_;
  EventSource source_;
  std::uint64_t started_ = 0;
  std::deque<Sender> senders_;
  Pool<InFlight> in_flight_;
};

}  // namespace heddle::traffic
