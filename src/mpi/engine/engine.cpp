#include "mpi/engine/engine.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>

#include "core/prefetch.hpp"
#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"
#include "mpi/engine/bsend_buffer.hpp"
#include "mpi/engine/transport_choice.hpp"
#include "mpi/objects/group.hpp"
#include "mpi/wait_ahead.hpp"

namespace heddle::mpi {
namespace {

/// Nothing is sent to MPI_PROC_NULL, and nothing comes from there: whatever it was, it is done.
void meet_nobody(Process& process, Completion& completion) {
  constexpr Outcome kNoPeer{MPI_PROC_NULL, MPI_ANY_TAG, 0, 0, false};
  process.await_turn();
  completion.completed(kNoPeer);
}

/// For those who may go on ahead of their turn.
void note_meeting(Message& message, const Process& receiver) {
  static constexpr Outcome kSent{};
  receiver.wait_ahead()->met(message.received, message.serial, message.outcome);
  WaitAhead* const sender = message.sender->wait_ahead();
  if (message.sent != nullptr && sender != nullptr) {
    sender->met(message.sent, message.serial, kSent);
  }
}

/// Tells observers that a message writes to its receiver's memory, for as long as it lives.
class Writing {
 public:
  Writing(const MessageObservers& observers, Process& process, const Message& message)
      : observers_(observers), process_(process), message_(message) {
    observers_.tell([&](MessageObserver& one) { one.writes(process_, message_); });
  }
  ~Writing() {
    observers_.tell([&](MessageObserver& one) { one.wrote(process_, message_); });
  }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

 private:
  const MessageObservers& observers_;
  Process& process_;
  const Message& message_;
};

}  // namespace

void Message::tell_sender() {
  if (sent != nullptr) std::exchange(sent, nullptr)->completed({});
}

void Message::fire() {
  engine->due(*this);
}

void Message::foresee() const {
  if (stage == Stage::starting) return engine->foresee_post(*this, Engine::Step::first);
  foresee_end();
}

void Message::expect() const {
  if (stage == Stage::starting) engine->foresee_post(*this, Engine::Step::second);
}

void Message::foresee_end() const {
  prefetch(received);
  receiver->foresee();
}

void Message::glimpse() const {
  if (stage != Stage::starting) return;
  prefetch(sent);
  receiver->foresee();
  sender->foresee();
}

std::uint64_t pair_of(const Message& message) {
  return (std::uint64_t{message.sender->id()} << 32) | message.key.receiver;
}

Engine::Engine(World& world, std::unique_ptr<Transport> transport)
    : world_(world),
      transport_(std::move(transport)),
      payloads_(world.config()),
      source_(world.simulation().new_source()) {}
Engine::~Engine() {
  messages_.for_each([this](const Message& message) { payloads_.release(message); });
}

// Steps of every send and receive, which are a part of those.

[[gnu::always_inline]] inline Message& Engine::new_message(Process& process, const Address& address,
                                                           int tag, const Buffer& buffer,
                                                           SendMode mode, Completion& completion) {
  Message& message = messages_.take();
  message.key = {address.receiver, address.context, address.source, tag};
  message.engine = this;
  message.sender = &process;
  message.receiver = &world_.process(address.receiver);
  message.buffer = buffer;
  message.bytes = bytes(buffer);
  message.sent = &completion;
  message.received = nullptr;
  message.data = nullptr;
  message.serial = ++serials_;
  message.mode = mode;
  message.transport = transport_.get();
  if (choice_ != nullptr) choice_->choose(message);
  message.stage = Message::Stage::starting;
  message.arrived = message.discarded = message.listed = false;
  ++process.counters.messages;
  process.counters.bytes += message.bytes;
  world_.messages().note(process.id(), message.key.receiver, message.bytes);
  return message;
}

SendHandle Engine::send(Process& process, const Address& address, int tag, const Buffer& buffer,
                        SendMode mode, Completion& completion, SendCall call) {
  process.await_turn();
  Message& message = new_message(process, address, tag, buffer, mode, completion);
  const SendHandle handle{&message, message.serial};
  const Time overhead = message.transport->begin(message, call);
  observers_.tell([&](MessageObserver& one) { one.sends(message, call); });
  const Time start = process.occupy(overhead);
  if (call == SendCall::nonblocking && start > process.now() && process.may_run_ahead()) {
    observers_.tell([&](MessageObserver& one) { one.puts_off(message); });
    world_.simulation().schedule(message, start, source_);
    return handle;
  }
  process.settle();
  post(message);
  return handle;
}

SendHandle Engine::send(Process& process, const Channel& channel, int peer, int tag,
                        const Buffer& buffer, SendMode mode, Completion& completion,
                        SendCall call) {
  if (peer == MPI_PROC_NULL) {
    meet_nobody(process, completion);
    return {};
  }
  const Correspondent& member = *channel.member;
  return send(process, Address{channel.context, member.rank, member.peers->process(peer)}, tag,
              buffer, mode, completion, call);
}

void Engine::post(Message& message) {
  message.posted = message.sender->now();
  observers_.tell([&](MessageObserver& one) { one.sets_out(message); });
  message.stage = Message::Stage::posted;
  message.transport->post(message);
}

void Engine::due(Message& message) {
  if (message.stage != Message::Stage::starting) return message.transport->due(message);
  if (observers_.empty()) return post(message);
  observers_.tell([&](MessageObserver& one) { one.goes_on(message); });
  post(message);
  observers_.tell([&](MessageObserver& one) { one.went_on(message); });
}

void Engine::foresee_post(const Message& message, Step step) const {
  if (step == Step::first) {
    queues_.foresee(message);
    prefetch(&message.receiver->rank());
    prefetch(&message.sender->rank());
  } else if (const Receive* const receive = queues_.receive_for(message)) {
    payloads_.foresee(message, receive->buffer);
  }
}

void Engine::visible(Message& message) {
  if (choice_ == nullptr) return show(message);
  if (!choice_->is_turn(message)) return;
  const std::uint64_t pair = pair_of(message);
  show(message);
  // The message may be gone.
  while (Message* next = choice_->next(pair)) show(*next);
}

/// A message that its receiver sees for the first time.
void Engine::show(Message& message) {
  MessageQueues::Place place;
  if (Receive* receive = queues_.take_receive(message, place)) {
    receive->process->counters.late_senders += message.posted - receive->posted;
    meet(message, receive->buffer, *receive->process, *receive->completion);
    receive->serial = 0;
    receives_.give_back(*receive);
    return;
  }
  message.stage = Message::Stage::unexpected;
  queues_.add(message, place);
  if (message.listed && message.receiver->mailbox.probing > 0) message.receiver->notify();
  if (message.protocol == Protocol::rendezvous) return;
  payloads_.keep(message);
  message.tell_sender();
}

ReceiveHandle Engine::receive(Process& process, const SourceAddress& address, int tag,
                              const Buffer& buffer, Completion& completion) {
  process.await_turn();
  process.settle();
  const MatchKey key{process.id(), address.context, address.source, tag};
  observers_.tell([&](MessageObserver& one) { one.receives(process, key, buffer, completion); });
  MessageQueues::Place place;
  const bool wild = is_wild(key);
  Message* const message =
      wild ? probe(process, address, tag) : queues_.take_message(process, key, place);
  if (message != nullptr) {
    if (wild) queues_.remove(*message);
    if (message->protocol == Protocol::rendezvous) {
      message->sender->counters.late_receivers += process.now() - message->posted;
    }
    meet(*message, buffer, process, completion);
    return {};
  }
  Receive& receive = receives_.take();
  receive.key = key;
  receive.process = &process;
  receive.buffer = buffer;
  receive.completion = &completion;
  receive.serial = ++serials_;
  receive.posted = process.now();
  receive.wild = wild;
  queues_.add(receive, place);
  return {&receive, receive.serial};
}

ReceiveHandle Engine::receive(Process& process, const Channel& channel, int peer, int tag,
                              const Buffer& buffer, Completion& completion) {
  if (peer == MPI_PROC_NULL) {
    meet_nobody(process, completion);
    return {};
  }
  return receive(process, SourceAddress{channel.context, peer}, tag, buffer, completion);
}

Message* Engine::probe(Process& process, const SourceAddress& address, int tag) {
  const MatchKey key{process.id(), address.context, address.source, tag};
  Message* const message = queues_.find(process, key);
  if (message != nullptr && is_wild(key)) {
    observers_.tell([&](MessageObserver& one) { one.probed(*message); });
  }
  return message;
}

void Engine::extract(Message& message) {
  queues_.remove(message);
  message.stage = Message::Stage::probed;
}

void Engine::receive_extracted(Message& message, const Buffer& buffer, Completion& completion) {
  observers_.tell([&](MessageObserver& one) { one.receives_extracted(message, completion); });
  meet(message, buffer, *message.receiver, completion);
}

/// A message and its receive have met: the payload crosses now, for neither side may touch it until
/// it is told that time has done so, too.
void Engine::meet(Message& message, const Buffer& buffer, Process& process,
                  Completion& completion) {
  message.received = &completion;
  message.outcome = {message.key.source, message.key.tag, std::min(message.bytes, bytes(buffer)),
                     message.bytes > bytes(buffer) ? MPI_ERR_TRUNCATE : MPI_SUCCESS, false};
  observers_.tell([&](MessageObserver& one) { one.meets(message, buffer, completion); });
  message.stage = Message::Stage::matched;
  if (message.outcome.bytes > 0 && payloads_.carried(message.bytes)) {
    const Writing writing(observers_, process, message);
    payloads_.copy(message, buffer, process);
  }
  if (message.protocol != Protocol::rendezvous) message.tell_sender();
  if (message.arrived) {
    finish(message);
  } else {
    if (process.wait_ahead() != nullptr) note_meeting(message, process);
    message.transport->match(message);
  }
}

void Engine::delivered(Message& message) {
  message.arrived = true;
  if (message.discarded) return give_back(message);
  if (message.stage == Message::Stage::matched) return finish(message);
  observers_.tell([&](MessageObserver& one) { one.arrived(message); });
}

void Engine::finish(Message& message) {
  Process& receiver = *message.receiver;
  Completion& received = *message.received;
  const Outcome outcome = message.outcome;
  const Time overhead = message.transport->receive_overhead(message);
  observers_.tell([&](MessageObserver& one) { one.delivered(message); });
  message.tell_sender();
  give_back(message);
  if (overhead > Time::zero()) receiver.owe(overhead);
  received.completed(outcome);
}

void Engine::give_back(Message& message) {
  payloads_.release(message);
  if (message.mode == SendMode::buffered) {
    message.sender->part<BsendBuffer>().release(message.bytes);
    message.sender->notify();
  }
  message.data = nullptr;
  message.serial = 0;
  messages_.give_back(message);
}

bool Engine::cancel(const SendHandle& send) {
  if (send.message == nullptr || send.message->serial != send.serial) return false;
  Message& message = *send.message;
  if (message.stage != Message::Stage::unexpected) return false;
  queues_.remove(message);
  message.sent = nullptr;
  message.serial = 0;
  if (message.under_way()) {
    message.discarded = true;
  } else {
    give_back(message);
  }
  return true;
}

bool Engine::cancel(const ReceiveHandle& handle) {
  if (handle.receive == nullptr || handle.receive->serial != handle.serial) return false;
  Receive& receive = *handle.receive;
  observers_.tell(
      [&](MessageObserver& one) { one.cancelled(*receive.process, *receive.completion); });
  drop(receive);
  return true;
}

void Engine::drop(Receive& receive) {
  queues_.remove(receive);
  receive.serial = 0;
  receives_.give_back(receive);
}

void Engine::ended(Process& process) {
  payloads_.save_sent(process);
  for (Receive* receive : queues_.receives_of(process)) drop(*receive);
}

}  // namespace heddle::mpi
