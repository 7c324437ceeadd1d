// The links of the queue model, and what a message does to one: all of the model but who is next.
#pragma once

#include <algorithm>
#include <vector>

#include "core/params.hpp"
#include "network/crossing_hash.hpp"
#include "network/network.hpp"

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
  LinkId next = kNoLink;  ///< Where routes are fixed: the link after the one being crossed.
  platform::Walk walk;
  Bandwidth rate_cap;

  bool wants(Instant instant) const { return wanted & static_cast<std::uint8_t>(instant); }
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
        links_(platform.link_ids()) {}

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
  std::size_t size() const { return links_.size(); }
  const LinkState& operator[](LinkId link) const { return links_[index(link)]; }
  void prefetch(LinkId link) const { __builtin_prefetch(&links_[index(link)]); }

  /// The message enters a link, which it has been led to, now. What happened is added to
  /// `fingerprint`.
  Crossing cross(QueueTravel& travel, LinkId link_id, Time now, std::uint64_t& fingerprint) {
    const platform::Link& link = platform_.link(link_id);
    LinkState& state = links_[index(link_id)];
    const Time start = std::max(now, state.free_at);
    const Time busy = link.bandwidth.time_for(travel.size);
    state.free_at = start + busy;
    state.bytes += travel.size.count();
    fingerprint += crossing_hash(state.free_at, link_id);
    const Bandwidth own_rate = tighter(link.bandwidth, tighter(link.flow_cap, travel.rate_cap));
    const Time own = own_rate == link.bandwidth ? busy : own_rate.time_for(travel.size);
    const Time passed = std::max(travel.tail, start + own);
    const Time latency = platform_.latency(travel.walk, link_id);
    travel.first_link = false;
    travel.tail = passed + latency;
    // Nothing happens to a message between the last head and the tail unless somebody asks.
    travel.at_end = platform_.at_end(travel.walk) && !travel.wants(Instant::head);
    const bool head_first = config_.forwarding == Forwarding::cut_through && !travel.at_end;
    if (fixed_routes_ && !travel.at_end) {
      travel.next = platform_.next(travel.walk, platform::NoLoads{});
    }
    return {passed, head_first ? start + latency : travel.tail};
  }

  /// A sum over all crossings: it does not depend on the order in which different links are served.
  std::uint64_t& fingerprint() { return fingerprint_; }
  std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  const platform::Platform& platform_;
  QueueConfig config_;
  bool fixed_routes_;
  std::vector<LinkState> links_;  ///< By link.
  std::uint64_t fingerprint_ = 0;
};

}  // namespace heddle::network
