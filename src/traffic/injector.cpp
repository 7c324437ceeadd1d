#include "traffic/injector.hpp"

#include <algorithm>

namespace heddle::traffic {

/// A node that sends; as an event it is the start of its next message in the network.
class Injector::Sender final : public Event {
 public:
  Sender(Injector& injector, NodeId node) : injector(injector), node(node) {}
  void fire() override { injector.send(*this); }

  Injector& injector;
  NodeId node;
  Request request;
  Time free_at;  ///< When the adapter accepts its next message.
};

struct Injector::InFlight {
  MessageRecord record;
  Sender* sender;  ///< None once it has arrived.
};

Injector::Injector(Simulation& simulation, const platform::Platform& platform,
                   network::Network& network, Workload& workload, MessageSink& sink, From from)
    : simulation_(simulation),
      platform_(platform),
      network_(network),
      workload_(workload),
      sink_(sink),
      // A memory without a bus is as near to the fabric as the adapter.
      port_(from == From::nic ? platform::Port::nic : platform::Port::memory),
      source_(simulation.new_source()) {}

Injector::~Injector() = default;

void Injector::add_sender(NodeId node) {
  arm(senders_.emplace_back(*this, node));
}

std::vector<Time> Injector::take_unfinished(Time until) {
  std::vector<Time> created;
  in_flight_.for_each([&](const InFlight& message) {
    if (message.sender != nullptr && message.record.created < until) {
      created.push_back(message.record.created);
    }
  });
  for (Sender& sender : senders_) {
    if (!sender.scheduled()) continue;
    simulation_.cancel(sender);
    do {
      if (sender.request.created >= until) break;
      created.push_back(sender.request.created);
    } while (workload_.next(sender.node, sender.request));
  }
  return created;
}

platform::Endpoint Injector::endpoint(NodeId node) const {
  return {node, port_};
}

void Injector::arm(Sender& sender) {
  if (!workload_.next(sender.node, sender.request)) return;
  const platform::NicParams& nic = platform_.nic(sender.node);
  const Time begin = std::max(sender.request.created, sender.free_at);
  sender.free_at = begin + nic.gap;
  simulation_.schedule(sender, begin + nic.send_overhead, source_);
}

void Injector::send(Sender& sender) {
  const Request& request = sender.request;
  InFlight& message = in_flight_.take();
  const std::uint64_t id = request.id == Request::kUnnumbered ? started_ : request.id;
  message = {{id,
              sender.node,
              request.destination,
              request.size,
              request.created,
              {},
              request.rate_cap,
              request.traffic_class,
              request.kind},
             &sender};
  ++started_;
  network::Transfer transfer{endpoint(sender.node), endpoint(request.destination), request.size,
                             request.rate_cap};
  transfer.traffic_class = request.traffic_class;
  transfer.client = this;
  transfer.cookie = reinterpret_cast<std::uint64_t>(&message);
  network_.start(transfer);
  if (!sender.scheduled()) arm(sender);
}

void Injector::transfer_reached(network::Instant, std::uint64_t cookie) {
  auto& message = *reinterpret_cast<InFlight*>(cookie);
  MessageRecord record = message.record;
  Sender& sender = *message.sender;
  message.sender = nullptr;
  in_flight_.give_back(message);
  record.finished = simulation_.now() + platform_.nic(record.destination).receive_overhead;
  sink_.message_finished(record);
  if (workload_.finished(sender.node, record.finished) && !sender.scheduled()) arm(sender);
}

}  // namespace heddle::traffic
