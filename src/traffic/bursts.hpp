// Incasts and outcasts among other traffic.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "core/quantity.hpp"
#include "core/random.hpp"
#include "core/time.hpp"
#include "traffic/traffic_config.hpp"
#include "traffic/workload_request.hpp"

namespace heddle::traffic {

/// Many nodes that send to one at the same time, or one that sends to many; at random times,
/// between random nodes. Messages are made as far ahead as they are asked for.
class Bursts {
 public:
  /// A kind of burst, and the mean time between two of them in picoseconds.
  struct Stream {
    FlowKind kind;
    double interval;
    std::uint32_t degree;  ///< Nodes besides the one.
    Bytes size;            ///< Of each message.
  };
  /// `senders` are those that may send; all `nodes` may be sent to.
  Bursts(const std::vector<Stream>& streams, std::vector<NodeId> senders, std::uint32_t nodes,
         std::uint8_t traffic_class, const RandomStream& random);

  /// No others than these are going to be asked for.
  void keep(const std::vector<NodeId>& sources);
  /// The next message of `source` that is created before `until`; false if there is none. Its
  /// messages come in the order of their creation.
  bool next(NodeId source, Time until, Request& out);

 private:
  struct Made {
    Stream stream;
    RandomStream random;
    Time last = {};  ///< When the last burst was, made or not: the next one is later.
  };
  Made& soonest();
  void make(Made& made);
  NodeId any_but(NodeId other, RandomStream& random) const;
  void make_incast(Made& made);
  void make_outcast(Made& made);
  void add(const Made& made, NodeId source, NodeId destination);
  static void wait(Made& made);

  std::vector<Made> streams_;
  std::vector<NodeId> senders_;
  std::uint32_t nodes_;
  std::uint8_t class_;
  std::vector<std::list<Request>> waiting_;  ///< By node; most are empty.
  std::vector<bool> kept_;                   ///< By node; empty: all are.
  std::vector<NodeId> others_;
};

/// What `config` asks for, where all nodes together offer so many bytes per picosecond.
std::vector<Bursts::Stream> burst_streams(const TrafficConfig& config, double bytes_per_ps);

}  // namespace heddle::traffic
