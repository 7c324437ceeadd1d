// The records of requests and messages, from their beginning to when nobody needs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/containers/pool.hpp"
#include "nic/adapter_table.hpp"
#include "nic/records.hpp"

namespace heddle::nic {

/// Those of all adapters of a machine.
class Exchanges {
 public:
  Exchanges(AdapterTable& adapters, Software& software)
      : adapters_(adapters), software_(software) {}

  Exchange& begin(const Request& request);
  /// Where the exchange's request goes.
  Adapter& target(const Exchange& exchange) const {
    return adapters_.existing(adapter_of(exchange.request.target));
  }
  /// A message of the exchange for its sender to transmit.
  Message& make_message(Exchange& exchange, MessageKind kind);
  /// One of the message's two users is done with it.
  void release(Message& message);
  /// One reference to the exchange less: it is forgotten with the last.
  void release(Exchange& exchange);
  /// The initiator knows all it will know; false if it did before.
  bool complete(Exchange& exchange);

  /// What the oldest unfinished request waits for, and how many there are; else empty.
  std::string stuck() const;

 private:
  const Exchange& oldest_unfinished() const;

  AdapterTable& adapters_;
  Software& software_;
  Pool<Exchange> exchanges_;
  Pool<Message> messages_;
  std::uint64_t next_id_ = 1;
  std::size_t unfinished_ = 0;
};

}  // namespace heddle::nic
