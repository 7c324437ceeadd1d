// Where the messages of the nodes come from: a rate, a window, or a file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/containers/sparse_vector.hpp"
#include "core/random.hpp"
#include "traffic/bursts.hpp"
#include "traffic/pattern.hpp"
#include "traffic/traffic_config.hpp"
#include "traffic/traffic_file.hpp"

namespace heddle::traffic {

/// Hands out each node's messages one at a time, in the order of their creation.
class Workload {
 public:
  virtual ~Workload() = default;
  /// The next message of `source`; false if there is none, or none before one under way finishes.
  virtual bool next(NodeId source, Request& out) = 0;
  /// A message of `source` is known to have arrived at `when`, now or later. True if next() may
  /// answer again.
  virtual bool finished(NodeId /*source*/, Time /*when*/) { return false; }
};

/// Draws destinations and sizes: what open and closed loop have in common.
class MessageDrawer {
 public:
  /// `pattern` and `config` must outlive it. Each node that sends has a random stream of its own.
  MessageDrawer(const Pattern& pattern, const TrafficConfig& config, std::uint32_t nodes,
                const RandomStream& random);
  /// Fills in destination, size and class of the next message of `source`.
  void draw(NodeId source, Request& out);
  std::uint64_t drawn(NodeId source) const { return nodes_[index(source)].drawn; }
  RandomStream& random(NodeId source) { return sender(source).random; }

 private:
  struct Node {
    RandomStream random;
    std::uint64_t drawn;
    bool begun;  ///< It has a stream.
  };
  Node& sender(NodeId source) {
    Node& node = nodes_[index(source)];
    if (!node.begun) node = {random_.split(index(source)), 0, true};
    return node;
  }

  const Pattern& pattern_;
  const TrafficConfig& config_;
  RandomStream random_;
  SparseVector<Node> nodes_;
};

/// A span of time, its end excluded.
struct Window {
  Time begin;
  Time end = Time::never();
  bool contains(Time t) const { return begin <= t && t < end; }
};

/// Nodes create messages at mean intervals of their own, for ever, and count those of a window.
class OpenLoop final : public Workload {
 public:
  /// How often a node sends, in picoseconds; 0 for one that does not.
  struct Pace {
    double interval = 0;  ///< Between messages, on the average.
    double slot = 0;      ///< That holds one message or none, for Spacing::bernoulli.
    double sigma = 0;     ///< Of the logarithm of an interval, for Spacing::log_normal.
  };
  /// Bursts, if any, come on top.
  OpenLoop(MessageDrawer drawer, const std::vector<Pace>& paces, Spacing spacing, Window window,
           std::optional<Bursts> bursts = std::nullopt);
  bool next(NodeId source, Request& out) override;
  /// Another window, later than all messages sent so far.
  void move_to(Window window);
  /// Ends the window at `end`, which is not after its end so far nor before the last message sent.
  void close(Time end);
  /// Bytes created in the window before `end`, by messages that nobody has asked for yet as well.
  Bytes created_before(Time end) const;

  /// Messages and bytes created in the window so far.
  std::uint64_t offered_messages() const { return offered_messages_; }
  Bytes offered_bytes() const { return offered_bytes_; }
  /// Nodes that have created all their messages of the window.
  std::uint32_t nodes_past_window() const { return nodes_past_window_; }

 private:
  struct Node {
    Pace pace;
    double constant_phase = -1;  ///< Picoseconds of the first message; drawn when it is negative.
    std::uint64_t slots = 0;     ///< That have passed.
    Time created = {};           ///< The last message, ...
    Bytes size = {};             ///< ... and its size.
    Request own = {};            ///< The next message but for bursts, ...
    bool drawn = false;          ///< ... if it is known.
  };
  void draw_own(Node& node, NodeId source);
  Time next_creation(Node& node, NodeId source);
  static Time next_slot(Node& node, RandomStream& random);

  MessageDrawer drawer_;
  Spacing spacing_;
  Window window_;
  std::optional<Bursts> bursts_;
  std::vector<Node> nodes_;
  std::uint64_t offered_messages_ = 0;
  Bytes offered_bytes_;
  std::uint32_t nodes_past_window_ = 0;
};

/// Each node sends so many messages; a new one is created when one under way has arrived.
class ClosedLoop final : public Workload {
 public:
  ClosedLoop(MessageDrawer drawer, std::uint32_t nodes, std::uint64_t messages,
             std::uint64_t window);
  bool next(NodeId source, Request& out) override;
  bool finished(NodeId source, Time when) override;

 private:
  /// How many messages have begun, and how many of those have arrived.
  struct Node {
    std::uint64_t begun = 0;
    std::uint64_t arrived = 0;
  };
  /// When message `number` of a node may be created: a ring for each, in which that instant is
  /// written over one of a message that has begun.
  Time& instant(NodeId node, std::uint64_t number) {
    return instants_[index(node) * window_ + number % window_];
  }

  MessageDrawer drawer_;
  std::uint64_t messages_;
  std::uint64_t window_;
  SparseVector<Node> nodes_;
  SparseVector<Time> instants_;
};

/// The messages of a file, each at its own time.
class FileLoop final : public Workload {
 public:
  /// `messages` must outlive it.
  FileLoop(const std::vector<FileMessage>& messages, std::uint32_t nodes);
  bool next(NodeId source, Request& out) override;

 private:
  const std::vector<FileMessage>& messages_;
  std::vector<std::uint32_t> order_;  ///< Messages by source, then start, then line.
  SparseVector<std::size_t> next_;    ///< By node: place in order_, counted from 1, or 0.
};

}  // namespace heddle::traffic
