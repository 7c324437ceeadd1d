// What every network model offers: move so many bytes from here to there, and say when.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/containers/sparse_vector.hpp"
#include "core/params.hpp"
#include "core/simulation.hpp"
#include "platform/platform.hpp"

namespace heddle::network {

/// The instants of a transfer that can be reported.
enum class Instant : std::uint8_t {
  injected = 1,  ///< The last byte has left the source: its buffer may be reused.
  head = 2,      ///< The first byte is at the destination: matching can begin.
  tail = 4,      ///< The last byte is at the destination.
  lost = 8,      ///< It never will be, as something failed on the way: nothing else is reported.
};

/// Who wants to know. Called from within the simulation, at the instant itself, by an event: never
/// from within Network::start().
class TransferClient {
 public:
  virtual void transfer_reached(Instant instant, std::uint64_t cookie) = 0;

  // What an instant is going to need may be fetched from memory before it comes, in three steps:
  // what one of them has fetched is there when the next looks into it.
  virtual void glimpse(std::uint64_t) const {}
  virtual void foresee(Instant, std::uint64_t) const {}
  virtual void expect(Instant, std::uint64_t) const {}

 protected:
  ~TransferClient() = default;
};

/// One message for the network.
struct Transfer {
  platform::Endpoint source;
  platform::Endpoint destination;
  Bytes size;
  Bandwidth rate_cap = Bandwidth::unlimited();  ///< Of this message alone.
  std::uint8_t traffic_class = 0;
  std::uint8_t wants = static_cast<std::uint8_t>(Instant::tail);  ///< Instants to report, or-ed.
  TransferClient* client = nullptr;  ///< Must live until the last instant it wants.
  std::uint64_t cookie = 0;          ///< Handed back to the client.

  bool wants_instant(Instant i) const { return wants & static_cast<std::uint8_t>(i); }
  /// Tells the client, if it wants to know.
  void report(Instant i) const {
    if (wants_instant(i)) client->transfer_reached(i, cookie);
  }
};

/// Messages that failures have hit.
struct Losses {
  std::uint64_t lost = 0;    ///< On their way; one that was sent again may be lost again.
  std::uint64_t resent = 0;  ///< By the network, not by adapters.

  Losses& operator+=(const Losses& other) {
    lost += other.lost;
    resent += other.resent;
    return *this;
  }
};

/// Bytes that crossed each link, by LinkId.
using LinkBytes = SparseVector<std::int64_t>;

/// Something that a model knows of a link; the name says the unit, such as "credit_stalled_ps".
struct LinkStatistic {
  std::string_view name;
  std::int64_t value = 0;
};

/// What a link is like whose packets wait for it, at an instant.
struct LinkState {
  std::int64_t queued = 0;   ///< Bytes that wait for it now.
  Time held_up;              ///< Since the beginning: it was paused, or packets lacked credits.
  std::int64_t marked = 0;   ///< Packets, since the beginning, ...
  std::int64_t lost = 0;     ///< ... and those that were dropped or cut before it.
  std::int64_t carried = 0;  ///< Bytes, since the beginning.
};

/// Packets that have reached their destinations, and what became of them on the way. One is out of
/// order if it arrives behind one of the same source and class that was sent later.
struct PacketCounts {
  std::uint64_t arrived = 0;
  std::uint64_t out_of_order = 0;
  std::uint64_t marked = 0;
  // Where packets may be lost.
  std::uint64_t dropped = 0;
  std::uint64_t trimmed = 0;
  std::uint64_t sent_again = 0;
  std::uint64_t timeouts = 0;
  // Where links are paused.
  std::uint64_t pauses = 0;
  Time paused;                    ///< Of all links together.
  Time longest_pause;             ///< Since the beginning, as the next one.
  std::uint64_t most_paused = 0;  ///< Links at a time.

  PacketCounts& operator+=(const PacketCounts& other) { return add(other, 1); }
  PacketCounts& operator-=(const PacketCounts& other) { return add(other, -1); }

 private:
  PacketCounts& add(const PacketCounts& other, int sign) {
    const auto times = static_cast<std::uint64_t>(sign);
    arrived += times * other.arrived;
    out_of_order += times * other.out_of_order;
    marked += times * other.marked;
    dropped += times * other.dropped;
    trimmed += times * other.trimmed;
    sent_again += times * other.sent_again;
    timeouts += times * other.timeouts;
    pauses += times * other.pauses;
    paused += other.paused * sign;
    longest_pause = std::max(longest_pause, other.longest_pause);
    most_paused = std::max(most_paused, other.most_paused);
    return *this;
  }
};

/// A model of the fabric. Models keep what they know of a transfer in pools of their own: starting
/// one allocates nothing once the pools have grown to the number in flight.
class Network {
 public:
  virtual ~Network() = default;
  /// Starts a transfer now. The model copies the request.
  virtual void start(const Transfer& transfer) = 0;
  /// Bytes carried so far by each link, or empty for a model without links.
  virtual LinkBytes carried() const { return link_bytes_; }
  /// Bytes that have reached their destinations so far, those of messages still under way included.
  /// Models that serve messages one after another count them when they are complete, which is less
  /// by no more than the message under way to each destination.
  virtual Bytes delivered() const { return delivered_; }
  /// Packets so far; none in a model without packets.
  virtual PacketCounts packets_arrived() const { return {}; }
  /// What the model knows of a link besides its bytes, from the beginning of the simulation: the
  /// same names for every link.
  virtual std::vector<LinkStatistic> link_statistics(LinkId) const { return {}; }
  /// Of every link now, by LinkId; empty in a model without packets.
  virtual std::vector<LinkState> link_states() const { return {}; }
  virtual Losses losses() const { return {lost_, 0}; }
  /// Of the transfer whose loss is being reported: the link that it was lost on.
  virtual LinkId lost_on() const { return lost_on_; }
  /// With transfers unfinished and no event left: a sentence that says what they wait for. Empty if
  /// nothing is under way, and always in a model that cannot get stuck.
  virtual std::string stuck() const { return ""; }

  /// The number from which a model counts its messages for random routes: it follows from the seed.
  static std::uint32_t first_salt(const Simulation& simulation) {
    return static_cast<std::uint32_t>(simulation.random("routes").next());
  }

 protected:
  /// Of every message that has got its turn, or none in a model without links.
  LinkBytes link_bytes_;
  Bytes delivered_;

  /// Of the whole transfer; tells its client, who must want to know.
  void lose(const Transfer& transfer, LinkId link) {
    ++lost_;
    lost_on_ = link;
    transfer.report(Instant::lost);
  }
  std::uint64_t lost_ = 0;
  LinkId lost_on_ = kNoLink;
};

/// One entry of the list of models: a name, a sentence, and how to make it.
struct NetworkModel {
  std::string_view name;
  std::string_view about;
  std::unique_ptr<Network> (*make)(Simulation&, const platform::Platform&, const Settings&);
};

/// Every model there is, cheapest first.
const std::vector<NetworkModel>& network_models();
/// Makes the model called `name`; throws InputError for an unknown one.
std::unique_ptr<Network> make_network(std::string_view name, Simulation&, const platform::Platform&,
                                      const Settings&);
/// Which model to use: the section `network`.
struct NetworkChoice {
  std::string model;
};
const ParamTable<NetworkChoice>& network_choice_table();
/// Makes the model that the settings choose.
std::unique_ptr<Network> make_network(Simulation&, const platform::Platform&, const Settings&);

/// The parameter sections of the choice of a model and of all models.
std::vector<const ParamSection*> network_sections();

}  // namespace heddle::network
