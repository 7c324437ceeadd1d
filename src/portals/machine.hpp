// Portals on a machine of BXI adapters, for the ranks of one job.
#pragma once

#include <portals4.h>

#include <cstdint>

#include "host/rank/job.hpp"
#include "network/network.hpp"
#include "nic/adapters.hpp"
#include "portals/config.hpp"
#include "portals/reports.hpp"

namespace heddle::portals {

/// Binds the processes' Portals state to the adapters: commands become requests, and what the
/// adapters report (Reports) moves data, counts and posts events. The extern "C" functions work on
/// it.
class Machine final : public ProcessMaker {
 public:
  /// All must outlive the machine; `observer` may be null.
  Machine(host::Job& job, network::Network& network, const PortalsConfig& config,
          const nic::Faults& faults = {}, nic::Observer* observer = nullptr);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine();
  /// When its process is first asked for.
  Process& make_process(host::Rank& rank) override { return directory_.make_process(*this, rank); }

  const PortalsConfig& config() const { return config_; }
  const ptl_ni_limits_t& limits() const { return limits_; }

  /// The job has got further ranks.
  void grow() { directory_.grow(); }
  /// Hands a parcel to the adapter of its initiator, from any code.
  void send(const Parcel& parcel, Courier& courier) { parcels_.send(parcel, courier); }

  // What calls of the running rank do.

  /// A command that changes tables only has crossed the bus when this returns.
  void perform(Process& process);
  /// Hands a request to the adapter, and returns when it has taken it.
  void submit(std::uint32_t command);
  void free_counter(Interface& interface, ptl_handle_ct_t handle);
  void free_queue(Interface& interface, ptl_handle_eq_t handle);
  /// An interface has been opened.
  void opened(Interface& interface) { foresight_.opened(interface, directory_.nodes()); }
  /// Closes an interface: what is under way from it goes on without it.
  void close(Interface& interface);

  // Its parts.

  nic::Adapters& adapters() { return adapters_; }
  Directory& directory() { return directory_; }
  const Directory& directory() const { return directory_; }
  Commands& commands() { return commands_; }
  EventStore& events() { return events_; }
  CounterStore& counters() { return counters_; }
  EntryLists& lists() { return lists_; }
  Triggers& triggers() { return triggers_; }

 private:
  void ended(host::Rank& rank);

  host::Job& job_;
  PortalsConfig config_;
  ptl_ni_limits_t limits_;
  Directory directory_;
  Commands commands_;
  EventStore events_;
  CounterStore counters_{commands_.records()};
  Emitter emitter_{events_, counters_};
  EntryLists lists_{emitter_};
  Target target_;
  Initiator initiator_;
  Parcels parcels_;
  Triggers triggers_;
  Foresight foresight_{commands_, counters_};
  Reports reports_;
  nic::Adapters adapters_;
};

}  // namespace heddle::portals
