#include "network/queue/queue_network.hpp"

#include <algorithm>

namespace heddle::network {

/// A message under way; as an event it is its head arriving at the next link or, at the end, its
/// tail. What a hop needs is in two lines of the cache.
struct alignas(64) QueueNetwork::Message final : public Event {
  explicit Message(QueueNetwork& network) : network(network), injected(*this) {}
  void fire() override { network.advance(*this); }
  void foresee() const override {
    if (at_end) {
      client->foresee(cookie);
    } else if (next != kNoLink) {
      __builtin_prefetch(&network.links_[index(next)]);
    }
  }

  bool wants(Instant instant) const { return wanted & static_cast<std::uint8_t>(instant); }
  void report(Instant instant) const { client->transfer_reached(instant, cookie); }
  void report_injected() { report(Instant::injected); }

  QueueNetwork& network;
  TransferClient* client = nullptr;
  std::uint64_t cookie = 0;
  Bytes size;
  Time tail;                ///< When the last byte is where the head is now.
  std::uint8_t wanted = 0;  ///< Instants.
  bool at_end = false;
  bool first_link = true;
  LinkId next = kNoLink;  ///< Where routes are fixed: the link after the one being crossed.
  platform::Walk walk;
  Bandwidth rate_cap;
  MemberEvent<Message, &Message::report_injected> injected;
};

const ParamTable<QueueConfig>& QueueNetwork::table() {
  static const auto table = [] {
    ParamTable<QueueConfig> t("queue",
                              "network model 'queue': a first-in-first-out queue per link");
    t.add_choice("forwarding", &QueueConfig::forwarding, "cut-through",
                 {{"cut-through", Forwarding::cut_through},
                  {"store-and-forward", Forwarding::store_and_forward}},
                 "whether a switch passes a message on from its first byte or after its last");
    return t;
  }();
  return table;
}

QueueNetwork::QueueNetwork(Simulation& simulation, const platform::Platform& platform,
                           const QueueConfig& config)
    : simulation_(simulation),
      platform_(platform),
      config_(config),
      fixed_routes_(platform.routing().choice() == platform::RouteChoice::fixed),
      source_(simulation.new_source()),
      next_salt_(first_salt(simulation)),
      links_(platform.link_ids()) {}

QueueNetwork::~QueueNetwork() = default;

void QueueNetwork::start(const Transfer& transfer) {
  Message& message = messages_.take(*this);
  message.client = transfer.client;
  message.cookie = transfer.cookie;
  message.size = transfer.size;
  message.rate_cap = transfer.rate_cap;
  message.wanted = transfer.wants;
  message.walk = platform_.walk(transfer.source, transfer.destination, next_salt_++);
  message.tail = simulation_.now();
  message.at_end = false;
  message.first_link = true;
  message.next = kNoLink;
  advance(message);
}

LinkBytes QueueNetwork::carried() const {
  LinkBytes carried(links_.size());
  for (std::size_t i = 0; i < carried.size(); ++i) {
    carried[i] = links_[i].bytes;
    const Time waiting = links_[i].free_at - simulation_.now();
    if (waiting <= Time::zero()) continue;
    const std::int64_t bps =
        platform_.link(LinkId{static_cast<std::uint32_t>(i)}).bandwidth.bits_per_second();
    carried[i] -= rounded_quotient(static_cast<__int128>(waiting.ps()) * bps, 8'000'000'000'000);
  }
  return carried;
}

std::int64_t QueueNetwork::load(LinkId link) const {
  return std::max(free_at(platform_.capacity(link)), simulation_.now()).ps();
}

LinkId QueueNetwork::next_link(Message& message) const {
  return message.first_link || !fixed_routes_ ? platform_.next(message.walk, *this) : message.next;
}

void QueueNetwork::advance(Message& message) {
  if (message.at_end) return arrive(message);
  const LinkId link = next_link(message);
  if (link != kNoLink) return cross(message, link);
  if (message.first_link) return stay(message);
  message.at_end = true;
  if (message.wants(Instant::head)) message.report(Instant::head);
  simulation_.schedule(message, message.tail, source_);
}

/// A message that crosses no link is there, but nothing is reported from within start().
void QueueNetwork::stay(Message& message) {
  message.first_link = false;
  message.at_end = !message.wants(Instant::head);
  if (message.wants(Instant::injected)) {
    simulation_.schedule(message.injected, message.tail, source_);
  }
  simulation_.schedule(message, message.tail, source_);
}

void QueueNetwork::cross(Message& message, LinkId link_id) {
  const platform::Link& link = platform_.link(link_id);
  LinkState& state = links_[index(link_id)];
  const Time start = std::max(simulation_.now(), state.free_at);
  const Time busy = link.bandwidth.time_for(message.size);
  state.free_at = start + busy;
  state.bytes += message.size.count();
  const Bandwidth own_rate = tighter(link.bandwidth, tighter(link.flow_cap, message.rate_cap));
  const Time own = own_rate == link.bandwidth ? busy : own_rate.time_for(message.size);
  const Time passed = std::max(message.tail, start + own);
  if (message.first_link && message.wants(Instant::injected)) {
    simulation_.schedule(message.injected, passed, source_);
  }
  message.first_link = false;
  const Time latency = platform_.latency(message.walk, link_id);
  message.tail = passed + latency;
  // Nothing happens to a message between the last head and the tail unless somebody asks.
  message.at_end = platform_.at_end(message.walk) && !message.wants(Instant::head);
  const bool head_first = config_.forwarding == Forwarding::cut_through && !message.at_end;
  simulation_.schedule(message, head_first ? start + latency : message.tail, source_);
  if (fixed_routes_ && !message.at_end) message.next = platform_.next(message.walk, *this);
}

void QueueNetwork::arrive(Message& message) {
  // The client may start transfers from within the report: the record is free for them by then.
  messages_.give_back(message);
  delivered_ += message.size;
  if (message.wants(Instant::tail)) message.report(Instant::tail);
}

}  // namespace heddle::network
