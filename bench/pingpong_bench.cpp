// Two programs that send eight bytes to and fro over one switch: ours over `queue`, SimGrid's over
// mailboxes.
#include <cstdint>
#include <stdexcept>

#include "cases.hpp"
#include "core/fiber.hpp"
#include "network/queue/queue_network.hpp"
#include "platform/routing.hpp"
#include "platform/topology/single_switch.hpp"
#include "simgrid_engine.hpp"

namespace heddle::bench {
namespace {

constexpr std::int64_t kBytes = 8;
constexpr std::int64_t kGbps = 100;
constexpr std::int64_t kLinkLatencyNs = 200;

platform::Platform two_nodes() {
  auto topology = std::make_unique<platform::SingleSwitch>(2);
  auto routing = platform::make_routing("minimal", *topology);
  const platform::LinkParams link{Bandwidth::gbps(kGbps), {}, Time::ns(kLinkLatencyNs)};
  return {"two nodes", std::move(topology), std::move(routing), link, {}, {}, {}};
}

/// What has arrived for one program.
class Inbox final : public network::TransferClient {
 public:
  void receive(Fiber& self) {
    reader_ = &self;
    while (arrived_ == 0) self.suspend("waits for a message");
    --arrived_;
  }
  void transfer_reached(network::Instant, std::uint64_t) override {
    ++arrived_;
    if (reader_ != nullptr) reader_->wake();
  }

 private:
  Fiber* reader_ = nullptr;
  int arrived_ = 0;
};

/// An idle message crosses two links: twice the latency and, cut through, once the bytes.
void check_duration(Time duration, std::int64_t messages) {
  const Time each = Time::ns(2 * kLinkLatencyNs) + Bandwidth::gbps(kGbps).time_for(Bytes(kBytes));
  if (duration != each * messages) throw std::runtime_error("the ping-pong took a wrong time");
}

Sample our_pingpong(std::int64_t rounds) {
  const platform::Platform platform = two_nodes();
  Simulation simulation;
  network::QueueNetwork network(simulation, platform, {});
  FiberScheduler fibers(simulation);
  Inbox inboxes[2];
  const auto send = [&](std::uint32_t from) {
    const std::uint32_t to = 1 - from;
    network::Transfer transfer{{NodeId{from}}, {NodeId{to}}, Bytes(kBytes)};
    transfer.client = &inboxes[to];
    network.start(transfer);
  };
  fibers.spawn("ping", [&](Fiber& self) {
    for (std::int64_t i = 0; i < rounds; ++i) {
      send(0);
      inboxes[0].receive(self);
    }
  });
  fibers.spawn("pong", [&](Fiber& self) {
    for (std::int64_t i = 0; i < rounds; ++i) {
      inboxes[1].receive(self);
      send(1);
    }
  });
  const Sample sample = timed(static_cast<double>(2 * rounds), [&] { fibers.run(); });
  check_duration(simulation.now(), 2 * rounds);
  return sample;
}

namespace s4u = simgrid::s4u;

/// The same two nodes, each on a full-duplex cable.
void build_two_hosts() {
  s4u::NetZone* zone = s4u::create_star_zone("zone");
  for (const char* name : {"node-0", "node-1"}) {
    s4u::Host* host = zone->create_host(name, 1e9);
    const s4u::Link* link =
        zone->create_split_duplex_link(std::string(name) + "-cable", 1e9 / 8 * kGbps)
            ->set_latency(1e-9 * kLinkLatencyNs);
    zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr,
                    {{link, s4u::LinkInRoute::Direction::UP}}, true);
  }
  zone->seal();
}

Sample simgrid_pingpong(std::int64_t rounds) {
  const auto engine = make_simgrid_engine();
  build_two_hosts();
  static int payload = 0;
  s4u::Mailbox* const to_pong = s4u::Mailbox::by_name("pong");
  s4u::Mailbox* const to_ping = s4u::Mailbox::by_name("ping");
  s4u::Actor::create("ping", engine->host_by_name("node-0"), [=] {
    for (std::int64_t i = 0; i < rounds; ++i) {
      to_pong->put(&payload, kBytes);
      to_ping->get<int>();
    }
  });
  s4u::Actor::create("pong", engine->host_by_name("node-1"), [=] {
    for (std::int64_t i = 0; i < rounds; ++i) {
      to_pong->get<int>();
      to_ping->put(&payload, kBytes);
    }
  });
  return timed(static_cast<double>(2 * rounds), [&] { engine->run(); });
}

}  // namespace

void add_pingpong_cases(Suite& suite) {
  suite.cases.push_back({"ping-pong",
                         "two programs, 8 B messages, one switch",
                         {1e9, "ns/message"},
                         [] { return our_pingpong(200'000); },
                         [] { return simgrid_pingpong(10'000); },
                         20});
}

}  // namespace heddle::bench
