#include "mpi/engine/message_recorder.hpp"

#include "mpi/engine/message.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

void MessageRecorder::puts_off(Message& message) {
  message.because_of = recorder_.causes().acting();
}

void MessageRecorder::goes_on(const Message& message) {
  recorder_.causes().because_of(message.because_of);
}

void MessageRecorder::went_on(const Message& /*message*/) {
  recorder_.causes().because_of(0);
}

void MessageRecorder::sets_out(Message& message) {
  message.sender_thread = message.sender->rank().thread().number();
}

void MessageRecorder::meets(Message& message, const Buffer& /*buffer*/,
                            const Completion& /*completion*/) {
  message.receiver_later = message.stage != Message::Stage::posted;
  if (!message.arrived) message.met_or_there = world_.simulation().now();
}

void MessageRecorder::arrived(Message& message) {
  message.met_or_there = world_.simulation().now();
}

/// The first of both instants is known, the other one is now.
void MessageRecorder::delivered(const Message& message) {
  const Time now = world_.simulation().now();
  const host::Job& job = world_.job();
  record::MessageRecord entry;
  entry.sender = job.recorded_as(message.sender->rank().id());
  entry.receiver = job.recorded_as(message.receiver->rank().id());
  entry.bytes = message.bytes;
  entry.thread = message.sender_thread;
  entry.by_adapters = world_.config().transport == TransportKind::portals;
  entry.sent = message.posted;
  const bool arrived_first =
      message.protocol == Protocol::eager && message.receiver_later && message.met_or_there < now;
  entry.arrived = arrived_first ? message.met_or_there : now;
  entry.met = arrived_first ? now : message.met_or_there;
  if (message.protocol != Protocol::eager) {
    entry.way = message.receiver_later ? record::Way::waited_recv : record::Way::waited_send;
  }
  const std::uint64_t number = recorder_.message(entry);
  recorder_.causes().told(entry.receiver, number, now);
  if (message.sent != nullptr) recorder_.causes().told(entry.sender, number, now);
}

}  // namespace heddle::mpi
