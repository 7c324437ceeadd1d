// Portals on a machine of BXI adapters, for the ranks of one job.
#pragma once

#include <portals4.h>

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "host/job.hpp"
#include "network/network.hpp"
#include "nic/adapters.hpp"
#include "portals/command.hpp"
#include "portals/config.hpp"
#include "portals/counter_store.hpp"
#include "portals/courier.hpp"
#include "portals/emitter.hpp"
#include "portals/event_store.hpp"
#include "portals/process.hpp"
#include "portals/rank_maps.hpp"
#include "portals/target.hpp"

namespace heddle::portals {

/// Binds the processes' Portals state to the adapters: commands become requests, and what the
/// adapters report moves data, counts and posts events. The extern "C" functions work on it.
class Machine final : public nic::Software {
 public:
  /// Gives every rank of the job its Process. All must outlive the machine; `observer` may be null.
  Machine(host::Job& job, network::Network& network, const PortalsConfig& config,
          const nic::Faults& faults = {}, nic::Observer* observer = nullptr);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const PortalsConfig& config() const { return config_; }
  const ptl_ni_limits_t& limits() const { return limits_; }
  nic::Adapters& adapters() { return adapters_; }

  /// A rank that the job has got since.
  void add(host::Rank& rank);

  // Who is where.

  std::uint32_t ranks() const { return job_.size(); }
  std::uint32_t nodes() const { return job_.platform().nodes(); }
  /// Node and process id of a rank.
  ptl_process_t physical(std::uint32_t rank) const;
  /// Null if there is no such process, or it has ended.
  Process* process_at(const nic::ProcessId& id) const;
  /// What processes have set.
  RankMaps& maps() { return maps_; }
  /// Gives the process the id it asks for: PTL_OK, PTL_PID_IN_USE.
  int claim(Process& process, ptl_pid_t pid);

  // What calls of the running rank do.

  /// A command that changes tables only has crossed the bus when this returns.
  void perform(Process& process);
  /// A new record for a command of `process`.
  std::uint32_t new_command(Process& process, CommandKind kind);
  Command& command(std::uint32_t number) { return commands_[number]; }
  /// Hands a request to the adapter, and returns when it has taken it.
  void submit(std::uint32_t command);
  /// Hands a parcel to the adapter of its initiator, from any code: it waits in the command queue
  /// without holding anybody up.
  void send(const Parcel& parcel, Courier& courier);
  /// Carries a command out when the counter of its interface reaches its threshold.
  void submit_triggered(std::uint32_t command, std::uint32_t counter);
  /// Takes back what waits for a counter.
  void cancel_triggered(Interface& interface, std::uint32_t counter);
  void free_counter(Interface& interface, ptl_handle_ct_t handle);
  void free_queue(Interface& interface, ptl_handle_eq_t handle);
  /// An interface has been opened.
  void opened(Interface& interface);
  /// Closes an interface: what is under way from it goes on without it.
  void close(Interface& interface);
  /// Writes the events that have been posted for `process`, and carries out what counters caused.
  void settle(Process& process);

  EventStore& events() { return events_; }
  CounterStore& counters() { return counters_; }
  Target& target() { return target_; }
  std::size_t commands_in_use() const { return commands_.in_use(); }

  // nic::Software

  void accepted(std::uint32_t cookie) override;
  nic::EventTokens sent(std::uint32_t cookie) override;
  nic::Verdict arrive(std::uint32_t cookie) override;
  nic::EventTokens completed(std::uint32_t cookie, nic::Outcome outcome) override;
  void released(std::uint32_t cookie) override;
  void event_visible(nic::EventToken token) override;
  void counter_visible(std::uint32_t cookie) override;
  void foresee(nic::Report report, std::uint32_t cookie, NodeId node) const override;
  void expect(nic::Report report, std::uint32_t cookie, NodeId node) const override;

 private:
  void settle();
  void fire(std::uint32_t command);
  void write_posted(Process& process);
  void link(std::uint32_t command);
  void unlink(std::uint32_t command);
  void discard(std::uint32_t command);
  void issue(std::uint32_t command);
  void stage(Command& command);
  void release(Interface& interface, Buffer& buffer);
  void issue_parcel(const Command& command, std::uint32_t number);
  void parcel_accepted(const Command& command);
  nic::ProcessId id_of(std::uint32_t rank) const;
  /// The event that tells the command's courier.
  nic::EventTokens notice(const Command& command);
  void deliver_notice(std::uint32_t number);
  /// Counts at an end of a counted parcel.
  enum class End : std::uint8_t { initiator, target };
  void count(const Command& command, End end);
  void deliver_tally(std::uint32_t number);
  nic::Verdict arrive_parcel(Command& command);
  void sent_parcel(const Command& command);
  nic::EventTokens complete_parcel(const Command& command, nic::Outcome outcome);
  void abandon(Command& command);
  void ended(host::Rank& rank);

  ptl_event_t initiator_event(const Command& command, ptl_event_kind_t type, const Buffer& buffer,
                              ptl_ni_fail_t fail) const;
  void report(Command& command, ptl_event_kind_t type, const Buffer& buffer, ptl_ni_fail_t fail);
  void report_sent(Command& command, ptl_ni_fail_t fail);

  host::Job& job_;
  PortalsConfig config_;
  ptl_ni_limits_t limits_;
  std::unordered_map<std::uint64_t, std::uint32_t> chosen_;  ///< Ranks that asked for a process id.
  RankMaps maps_;
  std::vector<nic::ProcessId> addresses_;  ///< By rank, also of those that have ended.
  std::vector<Process*> processes_;        ///< By rank.

  /// What foresight needs of the process of a node that has opened an interface last.
  struct Reach {
    const Interface* interface = nullptr;
    const Process* process = nullptr;
    const Fiber* fiber = nullptr;
  };
  const Reach& reach(NodeId node) const {
    static constexpr Reach kNobody;
    return reach_.empty() ? kNobody : reach_[index(node)];
  }
  std::vector<Reach> reach_;  ///< By node; empty until there is one.

  /// A rank's parcels that the adapter has not accepted: the first is with it.
  struct ParcelQueue {
    std::uint32_t last = kNone;
  };
  /// What an event tells a courier.
  struct Notice {
    Courier* courier = nullptr;
    std::uint64_t parcel = 0;
    nic::Operation operation{};
  };

  /// A rank's counters of parcels, by End.
  struct Tallies {
    std::array<Courier*, 2> couriers{};  ///< Whom a value on its way to memory is for, or null.
  };

  /// Tells the numbers of notices from those of events, and those of tallies from those of
  /// counters.
  static constexpr nic::EventToken kNoticeBit = 1U << 31;

  EventStore events_;
  IndexPool<Notice> notices_;
  std::vector<ParcelQueue> parcels_;  ///< By rank; empty until there is one.
  std::vector<Tallies> tallies_;      ///< The same.
  IndexPool<Command> commands_;
  CounterStore counters_{commands_};
  Emitter emitter_{events_, counters_};
  Target target_;
  bool settling_ = false;
  nic::Adapters adapters_;
};

}  // namespace heddle::portals
