#include "mpi/engine/engine.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>

#include "core/prefetch.hpp"
#include "host/job.hpp"
#include "host/rank.hpp"
#include "mpi/engine/bsend_buffer.hpp"
#include "mpi/engine/transport_choice.hpp"
#include "mpi/objects/group.hpp"

namespace heddle::mpi {
namespace {

constexpr auto kMessage = Waiting::Kind::message;
constexpr auto kReceive = Waiting::Kind::receive;
constexpr Outcome kNoPeer{MPI_PROC_NULL, MPI_ANY_TAG, 0, 0, false};

bool takes(const Receive& receive, const MatchKey& key) {
  return receive.key.context == key.context &&
         (receive.key.source == MPI_ANY_SOURCE || receive.key.source == key.source) &&
         (receive.key.tag == MPI_ANY_TAG || receive.key.tag == key.tag);
}

bool is_wild(const MatchKey& key) {
  return key.source == MPI_ANY_SOURCE || key.tag == MPI_ANY_TAG;
}

bool may_be_wild(const MatchKey& key) {
  return key.context % kTraffics == static_cast<std::uint32_t>(Traffic::point_to_point);
}

/// It is this process's buffer, whoever runs now.
[[noreturn, gnu::cold]] void blame(Process& process, const NoSuchMemory& error) {
  host::Rank* const running = host::current_rank();
  if (running == &process.rank()) throw;  // Its call knows what to do.
  const std::string problem = fmt::format("rank {}: {}{}{}", process.id(), process.call,
                                          *process.call == '\0' ? "" : ": ", error.text);
  if (running != nullptr) running->fail_job(problem);
  throw FiberFailure(problem);
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

void Message::fire() {
  engine->due(*this);
}

void Message::foresee() const {
  stage == Stage::starting ? engine->foresee_post(*this) : engine->foresee_end(*this);
}

void Message::glimpse() const {
  if (stage == Stage::starting) engine->glimpse_post(*this);
}

std::uint64_t pair_of(const Message& message) {
  return (std::uint64_t{message.sender->id()} << 32) | message.key.receiver;
}

Engine::Engine(World& world, std::unique_ptr<Transport> transport)
    : world_(world), transport_(std::move(transport)), source_(world.simulation().new_source()) {}
Engine::~Engine() {
  messages_.for_each([this](const Message& message) {
    if (message.data != nullptr && message.data != message.inside.data()) {
      stages_.give_back(message.data, message.bytes);
    }
  });
}

// Steps of every send and receive, which are a part of those.

/// For the profile.
[[gnu::always_inline]] inline void Engine::count(Message& message) {
  Counters& counters = message.sender->counters;
  ++counters.messages;
  counters.bytes += message.bytes;
  world_.messages().note(message.sender->id(), message.key.receiver, message.bytes);
}

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
  message.protocol = message.transport->protocol(message.bytes, mode);
  message.stage = Message::Stage::starting;
  message.arrived = message.discarded = message.listed = false;
  count(message);
  return message;
}

/// The oldest receive for a message, taken out of the queues; or null.
[[gnu::always_inline]] inline Receive* Engine::take_posted(const Message& message,
                                                           MatchTable::Place& place) {
  Mailbox& box = message.receiver->mailbox;
  if (box.wild_first == nullptr || !may_be_wild(message.key)) {
    auto* const exact = static_cast<Receive*>(table_.take(message.key, kReceive, place));
    if (exact != nullptr) --box.receives;
    return exact;
  }
  auto* oldest = static_cast<Receive*>(table_.first(message.key, kReceive));
  Receive* const wild = wild_for(message);
  if (oldest == nullptr || (wild != nullptr && wild->serial < oldest->serial)) oldest = wild;
  if (oldest != nullptr) dequeue(*oldest);
  return oldest;
}

/// The message for a receive, taken out of the queues; or null.
[[gnu::always_inline]] inline Message* Engine::take_unexpected(const MatchKey& key,
                                                               MatchTable::Place& place) {
  if (is_wild(key)) {
    Message* const message =
        probe(world_.process(key.receiver), {key.context, key.source}, key.tag);
    if (message != nullptr) dequeue(*message);
    return message;
  }
  auto* const message = static_cast<Message*>(table_.take(key, kMessage, place));
  if (message != nullptr) unlist(*message);
  return message;
}

[[gnu::always_inline]] inline void Engine::copy_payload(Message& message, const Buffer& to,
                                                        Process& process) {
  if (message.outcome.bytes == 0 || !world_.config().carries(message.bytes)) return;
  const Writing writing(observers_, process, message);
  try {
    if (message.data != nullptr) {
      unpack(process.memory(), to, message.data, message.bytes);
    } else {
      move(process.memory(), to, message.sender->memory(), message.buffer);
    }
  } catch (const NoSuchMemory& error) {
    blame(error.space == &process.memory() ? process : *message.sender, error);
  }
}

[[gnu::always_inline]] inline SendHandle Engine::start(Process& process, const Address& address,
                                                       int tag, const Buffer& buffer, SendMode mode,
                                                       Completion& completion, SendCall call) {
  Message& message = new_message(process, address, tag, buffer, mode, completion);
  const SendHandle handle{&message, message.serial};
  observers_.tell([&](MessageObserver& one) { one.sends(message, call); });
  const Time start =
      process.occupy(message.transport->send_overhead(message.bytes, call, message.protocol));
  if (call == SendCall::nonblocking && start > process.now() && process.may_run_ahead()) {
    observers_.tell([&](MessageObserver& one) { one.puts_off(message); });
    world_.simulation().schedule(message, start, source_);
    return handle;
  }
  process.settle();
  post(message);
  return handle;
}

SendHandle Engine::send(Process& process, const Address& address, int tag, const Buffer& buffer,
                        SendMode mode, Completion& completion, SendCall call) {
  return start(process, address, tag, buffer, mode, completion, call);
}

SendHandle Engine::send(Process& process, const Channel& channel, int peer, int tag,
                        const Buffer& buffer, SendMode mode, Completion& completion,
                        SendCall call) {
  if (peer == MPI_PROC_NULL) {
    completion.completed(kNoPeer);
    return {};
  }
  const Correspondent& member = *channel.member;
  return start(process, Address{channel.context, member.rank, member.peers->process(peer)}, tag,
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

void Engine::glimpse_post(const Message& message) const {
  table_.foresee_first(message.key);
  prefetch(message.sent);
  message.receiver->foresee();
  message.sender->foresee();
}

void Engine::foresee_post(const Message& message) const {
  prefetch(&message.receiver->rank());
  prefetch(&message.sender->rank());
  if (const Waiting* const receive = table_.first(message.key, kReceive))
    foresee_copy(message, static_cast<const Receive&>(*receive).buffer);
}

/// A payload, and where it goes to. Of a long one the copy itself has enough under way at a time.
void Engine::foresee_copy(const Message& message, const Buffer& to) const {
  constexpr std::int64_t kMost = 1024;
  if (message.bytes > kMost || !world_.config().carries(message.bytes)) return;
  const auto* const source = static_cast<const char*>(message.buffer.address);
  const auto* const target = static_cast<const char*>(to.address);
  const auto bytes = static_cast<std::size_t>(message.bytes);
  for (std::size_t at = 0; at < bytes; at += kCacheLine) {
    prefetch(source + at);
    prefetch_to_write(target + at);
  }
}

void Engine::foresee_end(const Message& message) const {
  prefetch(message.received);
  message.receiver->foresee();
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
  MatchTable::Place place;
  if (Receive* receive = take_posted(message, place)) {
    receive->process->counters.late_senders += message.posted - receive->posted;
    meet(message, receive->buffer, *receive->process, *receive->completion);
    give_back(*receive);
    return;
  }
  enqueue(message, place);
  if (message.protocol == Protocol::rendezvous) return;
  if (may_stay(message)) {
    Mailbox& box = message.sender->mailbox;
    box.in_place.push_back({&message, message.serial});
    box.leaver = this;
  } else {
    stage(message);
  }
  tell_sender(message);
}

Receive* Engine::wild_for(const Message& message) const {
  Waiting* item = message.receiver->mailbox.wild_first;
  while (item != nullptr && !takes(static_cast<Receive&>(*item), message.key)) item = item->next;
  return static_cast<Receive*>(item);
}

void Engine::enqueue(Message& message, const MatchTable::Place& place) {
  message.stage = Message::Stage::unexpected;
  table_.append(message, place);
  if (!may_be_wild(message.key)) return;
  Mailbox& box = message.receiver->mailbox;
  message.listed = true;
  message.before = box.last;
  message.after = nullptr;
  (box.last != nullptr ? box.last->after : box.first) = &message;
  box.last = &message;
  if (box.probing > 0) message.receiver->notify();
}

void Engine::dequeue(Message& message) {
  table_.remove(message);
  unlist(message);
}

void Engine::unlist(Message& message) {
  if (!message.listed) return;
  Mailbox& box = message.receiver->mailbox;
  (message.before != nullptr ? message.before->after : box.first) = message.after;
  (message.after != nullptr ? message.after->before : box.last) = message.before;
  message.listed = false;
}

[[gnu::always_inline]] inline ReceiveHandle Engine::start(Process& process,
                                                          const SourceAddress& address, int tag,
                                                          const Buffer& buffer,
                                                          Completion& completion) {
  process.settle();
  const MatchKey key{process.id(), address.context, address.source, tag};
  observers_.tell([&](MessageObserver& one) { one.receives(process, key, buffer, completion); });
  MatchTable::Place place;
  if (Message* message = take_unexpected(key, place)) {
    if (message->protocol == Protocol::rendezvous)
      message->sender->counters.late_receivers += process.now() - message->posted;
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
  receive.wild = is_wild(key);
  ++process.mailbox.receives;
  if (receive.wild) {
    enqueue_wild(receive);
  } else {
    table_.append(receive, place);
  }
  return {&receive, receive.serial};
}

ReceiveHandle Engine::receive(Process& process, const SourceAddress& address, int tag,
                              const Buffer& buffer, Completion& completion) {
  return start(process, address, tag, buffer, completion);
}

ReceiveHandle Engine::receive(Process& process, const Channel& channel, int peer, int tag,
                              const Buffer& buffer, Completion& completion) {
  if (peer == MPI_PROC_NULL) {
    completion.completed(kNoPeer);
    return {};
  }
  return start(process, SourceAddress{channel.context, peer}, tag, buffer, completion);
}

Message* Engine::probe(Process& process, const SourceAddress& address, int tag) {
  const MatchKey key{process.id(), address.context, address.source, tag};
  if (!is_wild(key)) return static_cast<Message*>(table_.first(key, kMessage));
  Receive wanted;
  wanted.key = key;
  Message* message = process.mailbox.first;
  while (message != nullptr && !takes(wanted, message->key)) message = message->after;
  if (message != nullptr) observers_.tell([&](MessageObserver& one) { one.probed(*message); });
  return message;
}

void Engine::extract(Message& message) {
  dequeue(message);
  message.stage = Message::Stage::probed;
}

void Engine::receive_extracted(Message& message, const Buffer& buffer, Completion& completion) {
  observers_.tell([&](MessageObserver& one) { one.receives_extracted(message, completion); });
  meet(message, buffer, *message.receiver, completion);
}

void Engine::enqueue_wild(Receive& receive) {
  Mailbox& box = receive.process->mailbox;
  receive.previous = box.wild_last;
  receive.next = nullptr;
  if (box.wild_last != nullptr) {
    box.wild_last->next = &receive;
  } else {
    box.wild_first = &receive;
  }
  box.wild_last = &receive;
}

void Engine::dequeue(Receive& receive) {
  --receive.process->mailbox.receives;
  if (!receive.wild) return table_.remove(receive);
  Mailbox& box = receive.process->mailbox;
  auto* previous = static_cast<Receive*>(receive.previous);
  auto* next = static_cast<Receive*>(receive.next);
  if (previous != nullptr) {
    previous->next = next;
  } else {
    box.wild_first = next;
  }
  if (next != nullptr) {
    next->previous = previous;
  } else {
    box.wild_last = previous;
  }
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
  copy_payload(message, buffer, process);
  if (message.protocol != Protocol::rendezvous) tell_sender(message);
  if (message.arrived) {
    finish(message);
  } else {
    message.transport->match(message);
  }
}

/// Whether the payload may stay in the sender's memory until the sender goes on: often the receive
/// comes first, as between neighbours that wait for each other, and it is copied once. While an
/// event happens no program runs.
bool Engine::may_stay(const Message& message) const {
  return message.bytes > static_cast<std::int64_t>(Message::kInside) && message.sent != nullptr &&
         message.sent->keeps_buffer() && !message.sender->rank().over() &&
         message.sender->rank().fiber().scheduler().current() == nullptr;
}

void Engine::save_sent(Process& process) {
  for (const LeftInPlace& left : process.mailbox.in_place) {
    Message& message = *left.message;
    const bool waits = message.serial == left.serial && message.stage != Message::Stage::matched;
    if (waits) stage(message);
  }
  process.mailbox.in_place.clear();
}

void Engine::stage(Message& message) {
  if (message.bytes == 0 || !world_.config().carries(message.bytes)) return;
  message.data = message.bytes <= static_cast<std::int64_t>(Message::kInside)
                     ? message.inside.data()
                     : stages_.take(message.bytes);
  try {
    pack(message.sender->memory(), message.buffer, message.data);
  } catch (const NoSuchMemory& error) {
    blame(*message.sender, error);
  }
}

void Engine::tell_sender(Message& message) {
  if (message.sent == nullptr) return;
  std::exchange(message.sent, nullptr)->completed({});
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
  tell_sender(message);
  give_back(message);
  if (overhead > Time::zero()) receiver.owe(overhead);
  received.completed(outcome);
}

void Engine::give_back(Message& message) {
  if (message.data != nullptr && message.data != message.inside.data())
    stages_.give_back(message.data, message.bytes);
  if (message.mode == SendMode::buffered) {
    message.sender->part<BsendBuffer>().release(message.bytes);
    message.sender->notify();
  }
  message.data = nullptr;
  message.serial = 0;
  messages_.give_back(message);
}

void Engine::give_back(Receive& receive) {
  receive.serial = 0;
  receives_.give_back(receive);
}

bool Engine::cancel(const SendHandle& send) {
  if (send.message == nullptr || send.message->serial != send.serial) return false;
  Message& message = *send.message;
  if (message.stage != Message::Stage::unexpected) return false;
  dequeue(message);
  message.sent = nullptr;
  message.serial = 0;
  if (message.protocol == Protocol::eager && !message.arrived) {
    message.discarded = true;
  } else {
    give_back(message);
  }
  return true;
}

bool Engine::cancel(const ReceiveHandle& handle) {
  if (handle.receive == nullptr || handle.receive->serial != handle.serial) return false;
  const Receive& receive = *handle.receive;
  observers_.tell(
      [&](MessageObserver& one) { one.cancelled(*receive.process, *receive.completion); });
  dequeue(*handle.receive);
  give_back(*handle.receive);
  return true;
}

void Engine::ended(Process& process) {
  save_sent(process);
  if (process.mailbox.receives == 0) return;
  std::vector<Receive*> left;
  table_.for_each([&](Waiting& item) {
    if (item.kind == kReceive && item.key.receiver == process.id())
      left.push_back(static_cast<Receive*>(&item));
  });
  for (Waiting* w = process.mailbox.wild_first; w != nullptr; w = w->next)
    left.push_back(static_cast<Receive*>(w));
  for (Receive* receive : left) {
    dequeue(*receive);
    give_back(*receive);
  }
}

}  // namespace heddle::mpi
