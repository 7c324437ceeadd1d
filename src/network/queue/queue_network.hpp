// The queue model: every link serves messages in the order in which their heads arrive.
#pragma once

#include "core/containers/pool.hpp"
#include "network/network.hpp"
#include "network/queue/queue_links.hpp"

namespace heddle::network {

/// One event per hop and message. Buffers are unlimited: a queue never holds up the link before it.
class QueueNetwork final : public Network, private platform::LoadView {
 public:
  QueueNetwork(Simulation& simulation, const platform::Platform& platform,
               const QueueConfig& config);
  ~QueueNetwork() override;
  static const ParamTable<QueueConfig>& table();

  void start(const Transfer& transfer) override;
  LinkBytes carried() const override;
  /// When the work queued at `link` will be done.
  Time free_at(LinkId link) const { return links_[link].free_at; }
  QueueLinks& links() { return links_; }

 private:
  struct Message;

  std::int64_t load(LinkId link) const override;
  Time now() const override { return simulation_.now(); }
  platform::RouteNotes* notes() const override { return notes_.get(); }
  void advance(Message& message);
  void cross(Message& message, LinkId link);
  void try_to_cross(Message& message, LinkId link);
  void stay(Message& message);
  void arrive(Message& message);
  LinkId next_link(Message& message) const;
  const platform::RouteStep* fixed_route(Message& message, const Transfer& transfer);

  Simulation& simulation_;
  const platform::Platform& platform_;
  EventSource source_;
  std::uint32_t next_salt_;
  QueueLinks links_;
  // If routes are fixed. Those over the buses of nodes are in constant use and few: apart, they lie
  // close together, and finding them gives no hope to those who look for one of too many others.
  platform::RouteMemory routes_;
  platform::RouteMemory bus_routes_;
  platform::LinkSet scratch_;
  std::unique_ptr<platform::RouteNotes> notes_;  ///< Of the routing, if it makes any.
  Pool<Message> messages_;
};

/// The links of a network of this model, of which several threads may each work on some; null of
/// another model.
QueueLinks* queue_links_of(Network& network);

}  // namespace heddle::network
