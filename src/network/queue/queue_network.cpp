#include "network/queue/queue_network.hpp"

#include <algorithm>

namespace heddle::network {

/// A message under way; as an event it is its head arriving at the next link or, at the end, its
/// tail. What a hop on a remembered route needs is in one line of the cache, the rest in the next.
struct alignas(64) QueueNetwork::Message final : public Event {
  explicit Message(QueueNetwork& network) : network(network), injected(*this) {}
  void fire() override { network.advance(*this); }
  void foresee() const override {
    if (travel.at_end) {
      client->foresee(Instant::tail, cookie);
    } else if (travel.next != kNoLink) {
      network.links_.prefetch(travel.next);
    }
  }

  void glimpse() const override {
    if (travel.at_end) {
      client->glimpse(cookie);
    } else {
      heddle::prefetch(travel.route);
    }
  }

  void expect() const override {
    if (travel.at_end) client->expect(Instant::tail, cookie);
  }

  void report(Instant instant) const { client->transfer_reached(instant, cookie); }
  /// As far as its client is told of it.
  Transfer transfer() const {
    Transfer result;
    result.wants = travel.wanted;
    result.client = client;
    result.cookie = cookie;
    return result;
  }

  /// The last byte has left.
  class Injection final : public Event {
   public:
    explicit Injection(Message& message) : message_(message) {}

   private:
    void fire() override { message_.report(Instant::injected); }
    void glimpse() const override { message_.client->glimpse(message_.cookie); }
    void foresee() const override { message_.client->foresee(Instant::injected, message_.cookie); }
    void expect() const override { message_.client->expect(Instant::injected, message_.cookie); }
    Message& message_;
  };

  QueueNetwork& network;
  QueueTravel travel;
  TransferClient* client = nullptr;
  std::uint64_t cookie = 0;
  std::vector<platform::RouteStep> own_route;  ///< Where it is not remembered.
  Injection injected;
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
      source_(simulation.new_source()),
      next_salt_(first_salt(simulation)),
      links_(platform, config),
      routes_(platform),
      bus_routes_(platform),
      notes_(platform.routing().new_notes()) {}

QueueNetwork::~QueueNetwork() = default;

// What every hop does is a part of advance().

[[gnu::always_inline]] inline LinkId QueueNetwork::next_link(Message& message) const {
  QueueTravel& travel = message.travel;
  return travel.route != nullptr ? travel.route->link : platform_.routes().next(travel.walk, *this);
}

[[gnu::always_inline]] inline void QueueNetwork::cross(Message& message, LinkId link) {
  if (links_.may_fail()) [[unlikely]] {
    return try_to_cross(message, link);
  }
  QueueTravel& travel = message.travel;
  const bool leaves = travel.first_link && travel.wants(Instant::injected);
  const auto crossing = links_.cross(travel, link, simulation_.now(), links_.crossings());
  if (leaves) simulation_.schedule(message.injected, crossing.passed, source_);
  simulation_.schedule(message, crossing.next, source_);
}

/// One that is lost ends here, once its last byte has left for this link.
void QueueNetwork::try_to_cross(Message& message, LinkId link) {
  QueueTravel& travel = message.travel;
  const bool leaves = travel.first_link && travel.wants(Instant::injected);
  const auto [crossing, lost] =
      links_.try_to_cross(travel, link, simulation_.now(), links_.crossings());
  if (leaves) simulation_.schedule(message.injected, crossing.passed, source_);
  if (lost == Time::never()) return simulation_.schedule(message, crossing.next, source_);
  travel.at_end = travel.lost = true;
  travel.next = link;
  simulation_.schedule(message, std::max(lost, crossing.passed), source_);
}

/// What is not remembered is worked out at once: hop by hop, each would look for it in memory that
/// others have used meanwhile.
const platform::RouteStep* QueueNetwork::fixed_route(Message& message, const Transfer& transfer) {
  const bool stays = transfer.source.node == transfer.destination.node;
  platform::RouteMemory& memory = stays ? bus_routes_ : routes_;
  if (const auto* const known = memory.find(transfer.source, transfer.destination)) return known;
  platform_.routes().find_fixed(transfer.source, transfer.destination, message.own_route, scratch_);
  return message.own_route.data();
}

void QueueNetwork::start(const Transfer& transfer) {
  Message& message = messages_.take(*this);
  message.client = transfer.client;
  message.cookie = transfer.cookie;
  QueueTravel& travel = message.travel;
  travel.size = transfer.size;
  travel.rate_cap = transfer.rate_cap;
  travel.wanted = transfer.wants;
  if (links_.fixed_routes()) {
    travel.route = fixed_route(message, transfer);
  } else {
    travel.walk = platform_.routes().walk(transfer.source, transfer.destination, next_salt_);
  }
  ++next_salt_;
  travel.tail = simulation_.now();
  travel.at_end = false;
  travel.lost = false;
  travel.first_link = true;
  travel.next = kNoLink;
  advance(message);
}

LinkBytes QueueNetwork::carried() const {
  LinkBytes carried(links_.size());
  links_.for_each_used([&](LinkId link, const QueueLinks::LinkState& state) {
    if (state.bytes == 0) return;
    std::int64_t& bytes = carried[index(link)];
    bytes = state.bytes;
    const Time waiting = state.free_at - simulation_.now();
    if (waiting <= Time::zero()) return;
    const std::int64_t bps = platform_.links()[link].bandwidth.bits_per_second();
    bytes -= rounded_quotient(static_cast<__int128>(waiting.ps()) * bps, 8'000'000'000'000);
  });
  return carried;
}

std::int64_t QueueNetwork::load(LinkId link) const {
  return std::max(free_at(platform_.links().capacity(link)) - simulation_.now(), Time::zero()).ps();
}

void QueueNetwork::advance(Message& message) {
  QueueTravel& travel = message.travel;
  if (travel.at_end) return arrive(message);
  const LinkId link = next_link(message);
  if (link != kNoLink) return cross(message, link);
  if (travel.first_link) return stay(message);
  travel.at_end = true;
  if (travel.wants(Instant::head)) message.report(Instant::head);
  simulation_.schedule(message, travel.tail, source_);
}

/// A message that crosses no link is there, but nothing is reported from within start().
void QueueNetwork::stay(Message& message) {
  QueueTravel& travel = message.travel;
  travel.first_link = false;
  travel.at_end = !travel.wants(Instant::head);
  if (travel.wants(Instant::injected)) {
    simulation_.schedule(message.injected, travel.tail, source_);
  }
  simulation_.schedule(message, travel.tail, source_);
}

void QueueNetwork::arrive(Message& message) {
  // The client may start transfers from within the report: the record is free for them by then.
  messages_.give_back(message);
  if (message.travel.lost) [[unlikely]] {
    return lose(message.transfer(), message.travel.next);
  }
  delivered_ += message.travel.size;
  if (message.travel.wants(Instant::tail)) message.report(Instant::tail);
}

QueueLinks* queue_links_of(Network& network) {
  auto* const queue = dynamic_cast<QueueNetwork*>(&network);
  return queue == nullptr ? nullptr : &queue->links();
}

}  // namespace heddle::network
