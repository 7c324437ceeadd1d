// The LogGOPS model: no topology; latency, and the overheads and gaps of the two ends.
#pragma once

#include <optional>

#include "core/containers/pool.hpp"
#include "core/containers/sparse_vector.hpp"
#include "network/network.hpp"

namespace heddle::network {

struct LogGopsConfig {
  std::optional<Time> latency;              ///< L; from the platform if not given.
  Time overhead;                            ///< o
  Time gap;                                 ///< g
  std::optional<TimePerByte> gap_per_byte;  ///< G; from the platform if not given.
  TimePerByte overhead_per_byte;            ///< O
};

/// An idle message of s bytes takes 2 (o + (s-1) O) + L + (s-1) G. Each end handles one message at
/// a time: the sender is busy for max(o + (s-1) O, g + (s-1) G) per message, and so is the
/// receiver. To and from memory the buses add their latency, and slow it down if they are slower
/// than G; they are always idle. Within a node a message takes its time on the idle bus between
/// memory and adapter and keeps nobody busy.
class LogGopsNetwork final : public Network {
 public:
  LogGopsNetwork(Simulation& simulation, const platform::Platform& platform,
                 const LogGopsConfig& config);
  ~LogGopsNetwork() override;
  static const ParamTable<LogGopsConfig>& table();
  /// The values in use on a machine: what `config` leaves to it is filled in.
  static LogGopsConfig on_platform(const platform::Platform& platform, LogGopsConfig config);

  void start(const Transfer& transfer) override;
  /// The values in use.
  const LogGopsConfig& config() const { return config_; }

 private:
  struct Message;
  enum class Step : std::uint8_t;
  /// When an end begins with a message, and what its bytes cost there.
  struct Turn {
    Time begin;
    Time overhead;
    Time wire;
  };

  void advance(Message& message);
  void cross_bus(Message& message);
  Time bus_time(const Message& message) const;
  /// Of one message.
  Bandwidth bus_bandwidth(NodeId node) const;
  /// What all but the first byte take on the wire: G, or the message's own cap or the buses that it
  /// crosses, if these are slower.
  Time wire_time(const Transfer& transfer) const;
  /// L, and the buses between memory and adapters.
  Time latency(const Transfer& transfer) const;
  /// A message is next at an end, which is busy with it afterwards.
  Turn take_turn(Time& free_at, const Transfer& transfer) const;
  void send(Message& message);
  void receive(Message& message);
  void finish(Message& message);

  Simulation& simulation_;
  const platform::Platform& platform_;
  LogGopsConfig config_;
  EventSource source_;
  SparseVector<Time> send_free_;     ///< By adapter.
  SparseVector<Time> receive_free_;  ///< By adapter.
  Pool<Message> messages_;
};

}  // namespace heddle::network
