// What the adapters and the software above them say to each other.
//
// The software (Portals, with its lists and memory) knows no time; the adapters know no lists and
// no memory. An operation is one record of the software's, which both sides call by its cookie: the
// adapters say when the software has to act on it, the software says what came of it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "core/ids.hpp"
#include "core/quantity.hpp"

namespace heddle::nic {

/// A process as the fabric knows it.
struct ProcessId {
  NodeId node{};
  std::uint32_t pid = 0;
  auto operator<=>(const ProcessId&) const = default;
};

enum class Operation : std::uint8_t { put, get, atomic, fetch_atomic };

/// One command of a process to its adapter.
struct Request {
  Bytes payload;  ///< What the request carries; zero for a get.
  ProcessId initiator;
  ProcessId target;
  std::uint32_t cookie = 0;
  Operation operation = Operation::put;
  bool matching = true;    ///< Match bits take room in the command, and leave less to the payload.
  bool buffered = false;   ///< The payload was taken when the command was given (a volatile MD).
  bool wants_ack = false;  ///< A Portals acknowledgement; a get or fetch has its response instead.
  bool wants_sent = true;  ///< Software::sent, if the request is answered.
  bool unordered = false;  ///< May overtake earlier requests of the pair.
  bool service = false;    ///< Travels on the service networks, not on those for computing.
  bool triggered = false;  ///< Waits in the adapter already: needs no command and no queue's room.
};

/// A full event on its way to the process: the software's number for it.
using EventToken = std::uint32_t;

/// The events of one step of an operation, in order.
struct EventTokens {
  std::uint8_t count = 0;
  std::array<EventToken, 4> token{};
  void add(EventToken t) { token[count++] = t; }
};

/// What the target's lists made of a request.
struct Verdict {
  Bytes length;              ///< Moved to or from the target's memory.
  bool acknowledge = false;  ///< A Portals acknowledgement goes back (put and atomic).
  EventTokens events;        ///< For the target process.
};

enum class Outcome : std::uint8_t {
  delivered,      ///< The target answered, or is known to have the request.
  undeliverable,  ///< Given up after the last retry.
};

/// What is reported to the software and needs much of its memory.
enum class Report : std::uint8_t { accepted, arrive, completed, counter_visible };

/// The software as the adapters see it. All calls come from within events, at the instant of what
/// they report. For each request, in this order: accepted (not if triggered), then sent and arrive
/// in any order, completed, released; arrive does not come if the request is lost for good. From
/// within any of them the software may issue further commands.
class Software {
 public:
  /// A command of a process has been taken over: its call may return. `cookie` is that of the
  /// request or resource command.
  virtual void accepted(std::uint32_t cookie) = 0;
  /// The request's payload is the adapter's own: its memory may be reused. The events are written
  /// at once. Comes only where it is wanted and earlier than completed.
  virtual EventTokens sent(std::uint32_t cookie) = 0;
  /// The request is at its target, in order: match it, move the data, count. Once per request,
  /// however often it was transmitted.
  virtual Verdict arrive(std::uint32_t cookie) = 0;
  /// The answer is back at the initiator, or everything it will ever know. The events are written
  /// at once.
  virtual EventTokens completed(std::uint32_t cookie, Outcome outcome) = 0;
  /// The adapters have forgotten the request; the cookie may be used again.
  virtual void released(std::uint32_t cookie) = 0;
  /// A full event is in the memory of its process.
  virtual void event_visible(EventToken token) = 0;
  /// A call for a process of `node` is near: what it is going to need may be fetched from memory.
  virtual void foresee(Report, std::uint32_t /*cookie*/, NodeId /*node*/) const {}
  /// The same a little later: what foresee() has fetched is there.
  virtual void expect(Report, std::uint32_t /*cookie*/, NodeId /*node*/) const {}
  /// A counter's value has crossed the bus (Adapters::write_counter).
  virtual void counter_visible(std::uint32_t cookie) = 0;

 protected:
  ~Software() = default;
};

}  // namespace heddle::nic
