#include "mpi/engine/payloads.hpp"

#include <fmt/core.h>

#include "core/prefetch.hpp"

namespace heddle::mpi {
namespace {

/// Whether the payload may stay in the sender's memory until the sender goes on: often the receive
/// comes first, as between neighbours that wait for each other, and it is copied once. While an
/// event happens no program runs.
bool may_stay(const Message& message) {
  return message.bytes > static_cast<std::int64_t>(Message::kInside) && message.sent != nullptr &&
         message.sent->keeps_buffer() && !message.sender->rank().ending().over() &&
         message.sender->rank().fiber().scheduler().current() == nullptr;
}

}  // namespace

void Payloads::blame(Process& process, const NoSuchMemory& error) {
  host::Rank* const running = host::current_rank();
  if (running == &process.rank()) throw;  // Its call knows what to do.
  const std::string problem = fmt::format("rank {}: {}{}{}", process.id(), process.call,
                                          *process.call == '\0' ? "" : ": ", error.text);
  if (running != nullptr) running->ending().fail_job(problem);
  throw FiberFailure(problem);
}

void Payloads::keep(Message& message) {
  if (!may_stay(message)) return stage(message);
  Mailbox& box = message.sender->mailbox;
  box.in_place.push_back({&message, message.serial});
  box.leaver = this;
}

void Payloads::save_sent(Process& process) {
  for (const LeftInPlace& left : process.mailbox.in_place) {
    Message& message = *left.message;
    const bool waits = message.serial == left.serial && message.stage != Message::Stage::matched;
    if (waits) stage(message);
  }
  process.mailbox.in_place.clear();
}

void Payloads::stage(Message& message) {
  if (message.bytes == 0 || !carried(message.bytes)) return;
  message.data = message.bytes <= static_cast<std::int64_t>(Message::kInside)
                     ? message.inside.data()
                     : stages_.take(message.bytes);
  try {
    pack(message.sender->memory(), message.buffer, message.data);
  } catch (const NoSuchMemory& error) {
    blame(*message.sender, error);
  }
}

/// Of a long one the copy itself has enough under way at a time.
void Payloads::foresee(const Message& message, const Buffer& to) const {
  constexpr std::int64_t kMost = 1024;
  if (message.bytes > kMost || !carried(message.bytes)) return;
  const auto* const source = static_cast<const char*>(message.buffer.address);
  const auto* const target = static_cast<const char*>(to.address);
  const auto bytes = static_cast<std::size_t>(message.bytes);
  for (std::size_t at = 0; at < bytes; at += kCacheLine) {
    prefetch(source + at);
    prefetch_to_write(target + at);
  }
}

}  // namespace heddle::mpi
