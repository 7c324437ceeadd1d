// The transport `portals`: every message goes through the Portals layer and the adapters.
#pragma once

#include <deque>

#include "mpi/config.hpp"
#include "mpi/engine/transport.hpp"
#include "portals/machine.hpp"

namespace heddle::mpi {

/// As libraries on Portals do it: a short message is a put that the target's overflow list takes; a
/// long one is a put of its envelope alone, and a get by the receiver when it has been matched.
/// Events of a receiver are read in the order in which its adapter wrote them.
class PortalsTransport final : public Transport, private portals::Courier {
 public:
  /// All must outlive the transport.
  PortalsTransport(Simulation& simulation, portals::Machine& portals, const MpiConfig& config);

  Protocol protocol(std::int64_t bytes, SendMode mode) const override;
  Time send_overhead(std::int64_t bytes, SendCall call, Protocol protocol) const override;
  Time receive_overhead(const Message& message) const override;
  void post(Message& message) override;
  void match(Message& message) override;
  void due(Message& message) override;

 private:
  void matched(std::uint64_t cookie) override;
  void arrived(std::uint64_t cookie) override;
  void fetched(std::uint64_t cookie) override;
  [[noreturn]] void lost(std::uint64_t cookie) override;

  /// Messages of a receiver that its adapter has matched and the receiver has not seen.
  struct Arrivals {
    Message* first = nullptr;
    Message* last = nullptr;
  };

  void show(Message& message);
  bool within_node(const Message& message) const;
  void cross_node(Message& message);

  Simulation& simulation_;
  portals::Machine& portals_;
  MpiConfig config_;
  EventSource source_;
  std::deque<Arrivals> arrivals_;  ///< By receiver.
};

}  // namespace heddle::mpi
