// A part of traffic over the links of the queue model.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "core/containers/index_pool.hpp"
#include "core/windows/event_window.hpp"
#include "core/windows/outbox.hpp"
#include "network/queue/queue_links.hpp"
#include "platform/route_memory.hpp"
#include "traffic/parts/part_queue.hpp"
#include "traffic/parts/traffic_part.hpp"

namespace heddle::traffic {

/// Each hop does what QueueNetwork does with a message of which only the last byte's arrival is
/// wanted, each sender what an Injector does, in the order of a Simulation.
class QueueTrafficPart final : public TrafficPart {
 public:
  using Others = std::vector<QueueTrafficPart*>;
  /// `others` is by part; all are there when windows begin.
  QueueTrafficPart(PartBed bed, network::QueueLinks& links, const Others& others);

  void begin() override;
  void advance(Time start, Time limit) override;
  Time settle(Numbers& numbers) override;
  const EventLog& log() const override { return window_.log(); }
  Time now() const override { return now_; }
  std::uint64_t happened() const override { return events_; }

  std::uint64_t fingerprint() const override { return crossings_.fingerprint; }
  Bytes delivered() const override { return delivered_; }
  std::vector<Time> take_unfinished(Time until) override;

 private:
  /// A message under way.
  struct Travel {
    network::QueueTravel on_links;
    MessageRecord record;
    bool here = false;  ///< It is under way in this part.
  };
  /// One that comes to another part.
  struct Leaving {
    EventPlace place;
    network::QueueTravel on_links;
    MessageRecord record;
  };
  /// News for the source of a message that is going to arrive in another part.
  struct News {
    EventPlace place;
    NodeId source;
    Time finished;
  };
  struct Sender {
    NodeId node;
    SendClock clock;
    bool armed = false;
  };

  std::uint32_t take_travel() {
    const std::uint32_t number = travels_.take();
    made_ = std::max(made_, number + 1);
    return number;
  }
  void take();
  void execute(const PartQueue::Entry& entry);
  void look_ahead() const;
  void send(std::uint32_t sender);
  void arm(std::uint32_t sender);
  void depart(const MessageRecord& record);
  void step(std::uint32_t travel);
  void go_on(std::uint32_t travel, Time when);
  void tell(const Travel& travel, const EventPlace& place);
  void arrive(std::uint32_t travel);
  void heard(NodeId source, Time finished);
  Time finished(const MessageRecord& record, Time arrival) const;
  std::uint32_t sender_of(NodeId node) const { return sender_of_[index(node) - first_node_]; }

  const PartBed bed_;
  network::QueueLinks& links_;
  const Others& others_;
  EventWindow window_;
  PartQueue queue_;
  Time now_;
  std::uint64_t sequence_ = 0;  ///< Of the event that happens.
  std::uint64_t events_ = 0;
  Bytes delivered_;
  network::Crossings crossings_;
  platform::RouteMemory routes_;
  std::vector<Sender> senders_;
  std::uint32_t first_node_ = 0;
  std::vector<std::uint32_t> sender_of_;  ///< By node, from the first one of the senders on.
  IndexPool<Travel> travels_;
  std::uint32_t made_ = 0;                ///< Numbers of those that have been used are below.
  std::vector<News> heard_;               ///< What is to be heard here, by number.
  std::vector<std::uint32_t> free_news_;  ///< Numbers that are not in use.
  Outbox<Leaving> leaving_;
  Outbox<News> news_;
};

}  // namespace heddle::traffic
