// The queue model: every link serves messages in the order in which their heads arrive.
#pragma once

#include "network/network.hpp"
#include "network/pool.hpp"

namespace heddle::network {

enum class Forwarding { cut_through, store_and_forward };

struct QueueConfig {
  Forwarding forwarding = Forwarding::cut_through;
};

/// One event per hop and message. A link works through the bytes of its messages one after another
/// at its bandwidth; the head goes on as soon as its turn comes, the tail when the link, the
/// message's own cap and the links before it have let it pass. Buffers are unlimited: a queue never
/// holds up the link before it.
class QueueNetwork final : public Network, private platform::LoadView {
 public:
  QueueNetwork(Simulation& simulation, const platform::Platform& platform,
               const QueueConfig& config);
  ~QueueNetwork() override;
  static const ParamTable<QueueConfig>& table();

  void start(const Transfer& transfer) override;
  LinkBytes carried() const override;
  /// When the work queued at `link` will be done.
  Time free_at(LinkId link) const { return links_[index(link)].free_at; }

 private:
  struct Message;

  std::int64_t load(LinkId link) const override;
  void advance(Message& message);
  void cross(Message& message, LinkId link);
  void stay(Message& message);
  void arrive(Message& message);

  /// What there is of a link: a message needs all of it at once.
  struct LinkState {
    Time free_at;
    std::int64_t bytes = 0;  ///< Of the messages that have got their turn.
  };
  LinkId next_link(Message& message) const;

  Simulation& simulation_;
  const platform::Platform& platform_;
  QueueConfig config_;
  bool fixed_routes_;  ///< The next link of a message is known when it takes one.
  EventSource source_;
  std::uint32_t next_salt_;
  std::vector<LinkState> links_;  ///< By link.
  Pool<Message> messages_;
};

}  // namespace heddle::network
