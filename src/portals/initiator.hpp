// The initiator's side: requests, and what their process learns of them.
#pragma once

#include <portals4.h>

#include "nic/adapters.hpp"
#include "portals/commands.hpp"
#include "portals/emitter.hpp"

namespace heddle::portals {

/// Makes requests of commands, takes their payload when the adapter does, and posts the events of
/// their descriptors.
class Initiator {
 public:
  /// All must outlive the initiator.
  Initiator(Commands& commands, Emitter& emitter, nic::Adapters& adapters, bool copy_payload)
      : commands_(commands), emitter_(emitter), adapters_(adapters), copy_payload_(copy_payload) {}

  /// Hands a request to the adapter.
  void issue(std::uint32_t number);
  /// The adapter has the payload: the program's memory is its own again.
  void sent(Command& command);
  /// The answer is here, or everything that will ever be known.
  void completed(std::uint32_t number, nic::Outcome outcome);
  /// The request goes on without its interface: what it still has to read is kept for it.
  void abandon(Command& command);

 private:
  void stage(Command& command);
  void report(Command& command, ptl_event_kind_t type, const Buffer& buffer, ptl_ni_fail_t fail);
  void report_sent(Command& command, ptl_ni_fail_t fail);

  Commands& commands_;
  Emitter& emitter_;
  nic::Adapters& adapters_;
  const bool copy_payload_;
};

/// Whether the request asks its target for a Portals ACK.
bool wants_ack(const Command& command);
/// The buffer's descriptor is not in use by the request any longer.
void release(Interface& interface, Buffer& buffer);

}  // namespace heddle::portals
