// The links of the queue model, and what a message does to one: all of the model but who is next.
#pragma once

#include <algorithm>

#include "core/containers/sparse_vector.hpp"
#include "core/params.hpp"
#include "core/prefetch.hpp"
#include "network/crossing_hash.hpp"
#include "network/network.hpp"
#include "platform/route_memory.hpp"

namespace heddle::network {

enum class Forwarding { cut_through, store_and_forward };

struct QueueConfig {
  Forwarding forwarding = Forwarding::cut_through;
};

/// A message on its way over links.
struct QueueTravel {
  Bytes size;
  Time tail;                ///< When the last byte is where the head is now.
  std::uint8_t wanted = 0;  ///< Instants.
  bool at_end = false;
  bool first_link = true;
  bool lost = false;      ///< On the link `next`.
  LinkId next = kNoLink;  ///< Where routes are fixed: the link after the one being crossed.
  /// Where it is on a route that is remembered, or null: then its walk says where to go.
  const platform::RouteMemory::Step* route = nullptr;
  Bandwidth rate_cap;
  platform::Walk walk;

  bool wants(Instant instant) const { return wanted & static_cast<std::uint8_t>(instant); }
};

/// What messages have done to links; each thread that leads some has its own.
struct Crossings {
  /// Messages of one size cross links of one kind again and again: the time for it is worked out
  /// once, for a division takes longer than all else.
  class LastTime {
   public:
    Time of(Bandwidth bandwidth, Bytes size) {
      if (bandwidth != bandwidth_ || size != size_) {
        bandwidth_ = bandwidth;
        size_ = size;
        time_ = bandwidth.time_for(size);
      }
      return time_;
    }

   private:
    Bandwidth bandwidth_;
    Bytes size_;
    Time time_;
  };

  /// A sum over all crossings: it does not depend on the order in which different links are served.
  std::uint64_t fingerprint = 0;
  LastTime on_link;
  LastTime of_message;
};

/// A link works through the bytes of its messages one after another at its bandwidth; the head goes
/// on as soon as its turn comes, the tail when the link, the message's own cap and the links before
/// it have let it pass. Different threads may work on different links.
class QueueLinks {
 public:
  QueueLinks(const platform::Platform& platform, const QueueConfig& config)
      : platform_(platform),
        config_(config),
        fixed_routes_(platform.routing().choice() == platform::RouteChoice::fixed),
        may_fail_(platform.outages().any()),
        links_(platform.links().ids()) {}

  /// What there is of a link: a message needs all of it at once.
  struct LinkState {
    Time free_at;
    std::int64_t bytes = 0;  ///< Of the messages that have got their turn.
  };
  /// When the last byte has left for the link, and when something next happens to the message.
  struct Crossing {
    Time passed;
    Time next;
  };

  const platform::Platform& platform() const { return platform_; }
  /// The next link of a message is known when it takes one.
  bool fixed_routes() const { return fixed_routes_; }
  /// While messages are under way.
  bool may_fail() const { return may_fail_; }
  std::size_t size() const { return links_.size(); }
  const LinkState& operator[](LinkId link) const { return links_[index(link)]; }
  /// Calls `visit` with the link and state of all that messages may have crossed.
  template <class Visit>
  void for_each_used(Visit visit) const {
    links_.for_each_used([&](std::size_t number, const LinkState& state) {
      visit(LinkId{static_cast<std::uint32_t>(number)}, state);
    });
  }
  void prefetch(LinkId link) const { heddle::prefetch(&links_[index(link)]); }

  /// The message enters a link, which it has been led to, now.
  [[gnu::always_inline]] Crossing cross(QueueTravel& travel, LinkId link_id, Time now,
                                        Crossings& crossings) {
    const platform::Link& link = platform_.links()[link_id];
    LinkState& state = links_[index(link_id)];
    const Time start = std::max(now, state.free_at);
    const Time busy = crossings.on_link.of(link.bandwidth, travel.size);
    state.free_at = start + busy;
    state.bytes += travel.size.count();
    crossings.fingerprint += crossing_hash(state.free_at, link_id);
    const Bandwidth cap = tighter(link.flow_cap, travel.rate_cap);
    const Time own = cap.is_unlimited()
                         ? busy
                         : crossings.of_message.of(tighter(link.bandwidth, cap), travel.size);
    const Time passed = std::max(travel.tail, start + own);
    const Time latency = travel.route != nullptr ? follow(travel) : walk(travel, link_id);
    travel.first_link = false;
    travel.tail = passed + latency;
    const bool head_first = config_.forwarding == Forwarding::cut_through && !travel.at_end;
    return {passed, head_first ? start + latency : travel.tail};
  }

  /// What becomes of a message on a link that fails: when it is lost, or never.
  struct Attempt {
    Crossing crossing;
    Time lost = Time::never();
  };
  /// The same as cross() where links fail.
  Attempt try_to_cross(QueueTravel& travel, LinkId link, Time now, Crossings& crossings);

  Crossings& crossings() { return crossings_; }
  const Crossings& crossings() const { return crossings_; }

 private:
  // Nothing happens to a message between the last head and the tail unless somebody asks.

  /// Goes on to the next link of a remembered route; the latency of the one being crossed.
  static Time follow(QueueTravel& travel) {
    const Time latency = travel.route->latency;
    travel.next = (++travel.route)->link;
    travel.at_end = travel.next == kNoLink && !travel.wants(Instant::head);
    return latency;
  }
  /// The same where none is.
  [[gnu::noinline]] Time walk(QueueTravel& travel, LinkId link) const {
    const Time latency = platform_.routes().latency(travel.walk, link);
    travel.at_end = platform_.routes().at_end(travel.walk) && !travel.wants(Instant::head);
    if (fixed_routes_ && !travel.at_end) {
      travel.next = platform_.routes().next(travel.walk, platform::NoLoads{});
    }
    return latency;
  }

  const platform::Platform& platform_;
  QueueConfig config_;
  bool fixed_routes_;
  bool may_fail_;
  SparseVector<LinkState> links_;  ///< By link.
  Crossings crossings_;  ///< Of the thread that has all links, or of all threads at the end.
};

}  // namespace heddle::network
