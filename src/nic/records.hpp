// What the adapters remember of a request, and of each message that it causes.
#pragma once

#include <cstdint>

#include "core/time.hpp"
#include "nic/observer.hpp"
#include "nic/software.hpp"
#include "nic/step.hpp"

namespace heddle::nic {

class Adapter;
struct Exchange;

/// The memory that an adapter keeps of a message until it is acknowledged.
struct Context {
  enum class State : std::uint8_t {
    closed,
    held,   ///< Its message waits to be transmitted once more.
    armed,  ///< Transmitted; sent again at the deadline.
  };
  Exchange* exchange = nullptr;
  Context* previous = nullptr;  ///< Among those armed, in the order of their deadlines.
  Context* next = nullptr;
  Time deadline{};
  State state = State::closed;
  std::uint8_t retries = 0;
};

/// A request and all that comes of it, at both ends. Many are under way at a time: what most steps
/// need is in its first line of the cache.
struct alignas(64) Exchange {
  bool carries_payload() const { return request.operation != Operation::get; }
  bool wants_response() const {
    return request.operation == Operation::get || request.operation == Operation::fetch_atomic;
  }

  /// Some step of it is near: fetches what that needs from memory.
  void foresee() const;
  void command_step();
  MemberStep<Exchange, &Exchange::command_step> command{*this};
  enum class CommandStage : std::uint8_t { payload, command };
  CommandStage command_stage{};

  bool reliable = false;     ///< With contexts and acknowledgements between adapters.
  bool quick = false;        ///< Its acknowledgements cost nothing.
  bool pio = false;          ///< The processor writes the payload to the adapter.
  bool transmitted = false;  ///< The request has left for the first time.
  bool sent = false;
  bool at_target = false;  ///< A copy has taken its place in the order of arrivals.
  bool arrived = false;
  bool reported = false;  ///< The target's events are on their way.
  bool lost = false;      ///< And not sent again.
  bool completed = false;
  std::uint32_t references = 0;  ///< Messages, armed contexts, and the initiator until completed.
  Adapter* initiator = nullptr;
  Adapter* target = nullptr;

  Request request;
  std::uint32_t number = 0;  ///< Among the ordered requests of the pair.
  std::uint64_t id = 0;
  Verdict verdict;
  Context asking;            ///< Of the request, at the initiator.
  Context answering;         ///< Of the response or Portals acknowledgement, at the target.
  Exchange* next = nullptr;  ///< In a command queue.
  Exchange* next_unfinished = nullptr;  ///< Of the machine, in order of their issue.
  Exchange* previous_unfinished = nullptr;
};

/// What travels between adapters.
enum class MessageKind : std::uint8_t {
  request,
  response,
  portals_ack,
  request_receipt,  ///< The BXI acknowledgement of a request that gets no other answer.
  answer_receipt,   ///< The BXI acknowledgement of a response or Portals acknowledgement.
  request_error,    ///< The request arrived damaged.
  answer_error,
};

/// Whether such messages are kept and sent again until they are acknowledged.
constexpr bool has_context(MessageKind kind) {
  return kind <= MessageKind::portals_ack;
}
/// Whether they go from the request's initiator to its target.
constexpr bool goes_forward(MessageKind kind) {
  return kind == MessageKind::request || kind == MessageKind::answer_receipt ||
         kind == MessageKind::answer_error;
}

/// The virtual network of requests: 0 for service, 1 for computing; that of answers is 2 more.
constexpr std::uint8_t request_network(const Request& request) {
  return request.service ? 0 : 1;
}

/// One message between two adapters, from the queue for transmission to the end of its reception.
/// Its steps come first, for their lines of the cache are fetched ahead.
struct alignas(64) Message {
  enum class Sending : std::uint8_t { preparing, requesting, reading, holding, reporting };
  enum class Receiving : std::uint8_t { reported, written, streamed, finished };

  /// A step of it is near: fetches what that needs from memory.
  void foresee() const;
  void send_step();
  void receive_step();
  MemberStep<Message, &Message::send_step> send{*this};
  MemberStep<Message, &Message::receive_step> receive{*this};

  Exchange& operator*() const { return *exchange; }
  Context& context() const {
    return kind == MessageKind::request ? exchange->asking : exchange->answering;
  }

  Exchange* exchange = nullptr;
  Adapter* from = nullptr;
  Adapter* to = nullptr;
  Message* next = nullptr;
  MessageKind kind{};
  std::uint8_t virtual_network = 0;
  Sending sending{};
  Receiving receiving{};
  bool dma = false;           ///< Its payload is read from memory.
  bool again = false;         ///< Not the first of its kind.
  bool repeated = false;      ///< A copy was at the target before.
  bool shortcut = false;      ///< Uses no engines.
  bool holds_engine = false;  ///< The sender's, until the message is delivered.
  bool drop = false;
  bool corrupt = false;
  Bytes payload;
  Bytes size;                ///< On the wire.
  std::uint8_t users = 0;    ///< Sender and receiver, while they work on it.
  std::uint32_t cookie = 0;  ///< Of the request.
  Time start;                ///< On the wire.
  Time read_end;             ///< When its payload has been read.
  Time write_end;            ///< When its payload has been written.
};

}  // namespace heddle::nic
