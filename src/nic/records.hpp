// What the adapters remember of a request, and of each message that it causes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/time.hpp"
#include "nic/observer.hpp"
#include "nic/software.hpp"
#include "nic/step.hpp"

namespace heddle::nic {

class Adapter;

/// Which message of an exchange an adapter remembers: the request, at its initiator, or the
/// response or Portals ACK, at its target.
enum class Half : std::uint8_t { request, answer };

/// The memory that an adapter keeps of a message until it is acknowledged.
struct Context {
  enum class State : std::uint8_t {
    closed,
    held,   ///< Its message waits to be transmitted once more.
    armed,  ///< Transmitted; sent again at the deadline.
  };
  std::uint32_t place = 0;  ///< Among those armed.
  State state = State::closed;
  std::uint8_t retries = 0;
};

/// A request and all that comes of it, at both ends; as a step it is the next of its command. There
/// may be a million of them at a time, most of which only wait: it has two lines of the cache.
struct alignas(64) Exchange final : public Step {
  bool carries_payload() const { return request.operation != Operation::get; }
  bool wants_response() const {
    return request.operation == Operation::get || request.operation == Operation::fetch_atomic;
  }
  Context& context(Half half) { return contexts[static_cast<std::size_t>(half)]; }

  void fire() override;
  /// Its next step is near: fetch from memory what that needs.
  void glimpse() const override { fetch(); }
  void foresee() const override;
  void expect() const override;
  /// Fetches itself from memory.
  void fetch() const;

  bool reliable : 1 = false;     ///< With contexts and acknowledgements between adapters.
  bool quick : 1 = false;        ///< Its acknowledgements cost nothing.
  bool pio : 1 = false;          ///< The processor writes the payload to the adapter.
  bool transmitted : 1 = false;  ///< The request has left for the first time.
  bool sent : 1 = false;
  bool at_target : 1 = false;  ///< A copy has taken its place in the order of arrivals.
  bool arrived : 1 = false;
  bool reported : 1 = false;  ///< The target's events are on their way.
  bool lost : 1 = false;      ///< And not sent again.
  bool completed : 1 = true;  ///< As long as it is in use, until the initiator knows.
  enum class CommandStage : std::uint8_t { payload, command };
  CommandStage command_stage{};
  /// Messages, armed contexts, and the initiator until completed.
  std::uint32_t references = 0;
  std::uint32_t number = 0;  ///< Among the ordered requests of the pair.
  Adapter* initiator = nullptr;
  Request request;
  std::uint64_t id = 0;
  std::array<Context, 2> contexts;  ///< By Half.
  Verdict verdict;
};
static_assert(sizeof(void*) != 8 || sizeof(Exchange) == 128);

/// What travels between adapters.
enum class MessageKind : std::uint8_t {
  request,
  response,
  portals_ack,
  request_ack,   ///< The BXI ACK of a request that gets no other answer.
  answer_ack,    ///< The BXI ACK of a response or of a Portals ACK.
  request_nack,  ///< The request arrived damaged and is to be sent again.
  answer_nack,   ///< The same of a response or Portals ACK.
};

/// Whether such messages are kept and sent again until they are acknowledged.
constexpr bool has_context(MessageKind kind) {
  return kind <= MessageKind::portals_ack;
}
/// Whether they go from the request's initiator to its target.
constexpr bool goes_forward(MessageKind kind) {
  return kind == MessageKind::request || kind == MessageKind::answer_ack ||
         kind == MessageKind::answer_nack;
}

/// Service and compute requests, service and compute answers.
inline constexpr std::size_t kVirtualNetworks = 4;

/// The virtual network of requests: 0 for service, 1 for computing; that of answers is 2 more.
constexpr std::uint8_t request_network(const Request& request) {
  return request.service ? 0 : 1;
}
constexpr std::uint8_t network_of(const Request& request, MessageKind kind) {
  return static_cast<std::uint8_t>(request_network(request) +
                                   (kind == MessageKind::request ? 0 : 2));
}

/// Where answers to what came on a virtual network go, and ACKs of answers.
constexpr std::uint8_t answer_network(std::uint8_t virtual_network) {
  return virtual_network | 2U;
}

/// One message between two adapters, from its turn at a transmit engine to the end of its
/// reception; as a step it is the next of its transmission. It has two lines of the cache, which
/// are fetched ahead of its steps.
struct alignas(64) Message final : public Step {
  enum class Sending : std::uint8_t { preparing, requesting, reading, holding, reporting };
  enum class Receiving : std::uint8_t { reported, written, streamed, finished };

  void fire() override;
  /// A step of it is near: fetch from memory what that needs.
  void glimpse() const override;
  void foresee() const override;
  void receive_step();

  Exchange& operator*() const { return *exchange; }
  Half half() const { return kind == MessageKind::request ? Half::request : Half::answer; }
  Context& context() const { return exchange->context(half()); }
  /// Whom it leaves and where it goes. The adapters themselves are better not asked: the other
  /// one's memory is far.
  NodeId source() const {
    return goes_forward(kind) ? exchange->request.initiator.node : exchange->request.target.node;
  }
  NodeId destination() const { return end; }

  std::uint32_t cookie = 0;  ///< Of the request.
  MemberStep<Message, &Message::receive_step> receive{*this};
  Exchange* exchange = nullptr;
  Adapter* from = nullptr;
  Adapter* to = nullptr;
  Message* next = nullptr;
  MessageKind kind{};
  std::uint8_t virtual_network = 0;
  Sending sending{};
  Receiving receiving{};
  std::uint8_t users = 0;      ///< Sender and receiver, while they work on it.
  bool dma : 1 = false;        ///< Its payload is read from memory,
  bool to_memory : 1 = false;  ///< and streamed to memory as it comes.
  bool again = false;          ///< Not the first of its kind.
  bool repeated = false;       ///< A copy was at the target before.
  bool shortcut = false;       ///< Uses no engines.
  bool holds_engine = false;   ///< The sender's, until the message is delivered.
  bool drop = false;
  bool corrupt = false;
  NodeId end{};
  Bytes payload;
  Bytes size;      ///< On the wire.
  Time start;      ///< On the wire.
  Time read_end;   ///< When its payload has been read.
  Time write_end;  ///< When its payload has been written.
};
static_assert(sizeof(void*) != 8 || sizeof(Message) == 128);

}  // namespace heddle::nic
