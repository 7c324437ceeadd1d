// Sends the messages of a workload through the adapters into a network.
#pragma once

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

/// One armed event per sending node. A message created at t starts in the network at
/// max(t, start of the one before - send_overhead + gap) + send_overhead, and is finished
/// receive_overhead after its last byte has arrived.
class Injector final : private network::TransferClient {
 public:
  /// Everything must outlive it. Messages begin and end where `from` says.
  Injector(Simulation& simulation, const platform::Platform& platform, network::Network& network,
           Workload& workload, MessageSink& sink, From from);
  ~Injector();
  /// Lets `node` send: takes its first message from the workload.
  void add_sender(NodeId node);
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
  platform::Port port_;
  EventSource source_;
  std::uint64_t started_ = 0;
  std::deque<Sender> senders_;
  Pool<InFlight> in_flight_;
};

}  // namespace heddle::traffic
