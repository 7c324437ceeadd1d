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
};

class Observer {
 public:
  virtual void ended(const ActivityRecord& record) = 0;

 protected:
  ~Observer() = default;
};

}  // namespace heddle::nic
