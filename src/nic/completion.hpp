// How a request ends: what the processes at both ends are told of it.
#pragma once

#include "nic/records.hpp"
#include "nic/services.hpp"

namespace heddle::nic {

class Transmitter;

/// Of the requests that one adapter has issued, and of those that have come to it.
class Completion {
 public:
  Completion(const Services& services, Transmitter& transmitter)
      : services_(services), transmitter_(transmitter) {}

  /// The initiator knows all it will know: its events go to memory, then `then` runs (which may be
  /// null).
  void complete(Exchange& exchange, Outcome outcome, Step* then);
  /// An unreliable request to which no answer comes ends when it has left and is at its target, or
  /// lost.
  void conclude(Exchange& exchange);
  /// Writes the events of the request's target, once per exchange; then runs `then` (which may be
  /// null).
  void tell_target(Exchange& exchange, Step* then);

 private:
  const Services& services_;
  Transmitter& transmitter_;
};

}  // namespace heddle::nic
