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
  SendClock clock;
};

struct Injector::InFlight {
  MessageRecord record;
  Sender* sender;  ///< None once it has arrived.
};

MessageRecord SendClock::record(NodeId source, std::uint64_t number) const {
  const std::uint64_t id = request.id == Request::kUnnumbered ? number : request.id;
  return {id, source,           request.destination,   request.size, request.created,
          {}, request.rate_cap, request.traffic_class, request.kind};
}

Injector::Injector(Simulation& simulation, const platform::Platform& platform,
                   network::Network& network, Workload& workload, MessageSink& sink, From from,
                   InjectorBorder* border)
    : simulation_(simulation),
      platform_(platform),
      network_(network),
      workload_(workload),
      sink_(sink),
      border_(border),
      port_(port_of(from)),
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
      if (sender.clock.request.created >= until) break;
      created.push_back(sender.clock.request.created);
    } while (workload_.next(sender.node, sender.clock.request));
  }
  return created;
}

platform::Endpoint Injector::endpoint(NodeId node) const {
  return {node, port_};
}

void Injector::arm(Sender& sender) {
  if (!workload_.next(sender.node, sender.clock.request)) return;
  simulation_.schedule(sender, sender.clock.next_start(platform_.nic(sender.node)), source_);
}

void Injector::send(Sender& sender) {
  const Request& request = sender.clock.request;
  InFlight& message = in_flight_.take();
  message = {sender.clock.record(sender.node, started_), &sender};
  ++started_;
  network::Transfer transfer{endpoint(sender.node), endpoint(request.destination), request.size,
                             request.rate_cap};
  transfer.traffic_class = request.traffic_class;
  transfer.client = border_ == nullptr ? this : &border_->client_at(request.destination);
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
  if (border_ != nullptr) return border_->tell(record.source, record.finished);
  if (workload_.finished(sender.node, record.finished) && !sender.scheduled()) arm(sender);
}

void Injector::heard(NodeId source, Time finished) {
  Sender& sender = *std::ranges::lower_bound(senders_, source, {}, &Sender::node);
  if (workload_.finished(source, finished) && !sender.scheduled()) arm(sender);
}

}  // namespace heddle::traffic
