// What the adapters tell a recorder: one record per message and per crossing of a bus.
#pragma once

#include <cstdint>

#include "core/time.hpp"
#include "nic/software.hpp"

namespace heddle::nic {

/// The kinds of activity that can be recorded, with S4BXI's numbers.
enum class Activity : std::uint8_t {
  bxi_ack = 0,
  portals_ack = 1,
  get_response = 2,
  put = 3,
  get = 4,
  atomic = 5,
  fetch_atomic = 6,
  fetch_atomic_response = 7,
  pci_pio_payload = 8,
  pci_dma_payload = 9,
  pci_dma_request = 10,
  pci_payload_write = 11,
  pci_event = 12,
  pci_command = 13,
  compute = 14,
};

/// Why an activity began.
struct Cause {
  std::uint64_t activity = 0;  ///< The number of the one that led to it; 0: its process wanted it.
  Time since;                  ///< When the process did.
};

/// One activity that has ended.
struct ActivityRecord {
  Activity activity{};
  std::uint64_t operation = 0;  ///< The same for everything that one request caused; 0: none.
  ProcessId initiator;          ///< Where it starts: of an acknowledgement, the request's target.
  ProcessId target;             ///< Where it ends; the initiator itself for a crossing of the bus.
  Bytes size;
  std::uint8_t virtual_network = 0;
  Time start;
  Time end;
  bool failed = false;  ///< Lost or corrupted on the way.
  Cause cause = {};
  bool from_memory = false;  ///< On the wire: streamed from memory while it travels,
  bool to_memory = false;    ///< or to memory.
};

class Observer {
 public:
  /// Answers a number to know it by; 0: nobody will ask.
  virtual std::uint64_t ended(const ActivityRecord& record) = 0;
  /// A message has left its sender, which the adapter was waiting for; `ended` tells of the whole.
  virtual std::uint64_t injected(const ActivityRecord& /*record*/) { return 0; }
  /// A process has noticed an event, so long after it was written.
  virtual std::uint64_t noticed(const ActivityRecord& /*record*/) { return 0; }
  /// What happens from now on happens because of this activity; 0: of none.
  virtual void because_of(std::uint64_t /*activity*/) {}
  /// Of which it does now.
  virtual std::uint64_t acting() const { return 0; }

 protected:
  ~Observer() = default;
};

}  // namespace heddle::nic
