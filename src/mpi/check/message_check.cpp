#include "mpi/check/message_check.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>

#include "mpi/check/check.hpp"
#include "mpi/comm/communicator.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {
namespace {

bool is_point_to_point(std::uint32_t context) {
  return context % kTraffics == static_cast<std::uint32_t>(Traffic::point_to_point);
}

/// Calls of several threads come in no order that the program must keep.
bool has_an_order(const Process& process) {
  return process.thread_level <= MPI_THREAD_FUNNELED;
}

/// What a receive with this tag would have got from a source.
const MessageCheck::LaterMessages* first_of(const MessageCheck::LaterByTag& by_tag,
                                            std::int32_t tag) {
  const MessageCheck::LaterMessages* first = nullptr;
  for (const auto& [one, later] : by_tag) {
    if (tag != MPI_ANY_TAG && tag != one) continue;
    if (first == nullptr || later.first < first->first) first = &later;
  }
  return first;
}

}  // namespace

std::string label_of(std::uint32_t context) {
  const std::uint32_t number = context / kTraffics;
  return number == 0 ? "MPI_COMM_WORLD" : fmt::format("communicator {}", number);
}

void MessageCheck::sent(const Message& message) {
  Sent& sent = under_way_[message.serial];
  sent.typed = message.bytes > 0 && !is_untyped(*message.buffer.type);
  if (sent.typed) sent.signature = signature(*message.buffer.type, message.bytes);
  sent.stamp = causality_.stamp(message.sender->id());
  taken_.erase(message.sent);
  if (!is_point_to_point(message.key.context) || !has_an_order(*message.sender)) return;
  sent.communicator = message.key.context / kTraffics;
  sent.ended = collectives_.progress(message.sender->id(), sent.communicator).ended;
  if (message.mode == SendMode::buffered) return;
  sent.completion = message.sent;
  sends_[message.sent] = message.serial;
}

void MessageCheck::posted(const Process& process, const MatchKey& key,
                          const Completion& completion) {
  got_.erase(&completion);
  if (!is_point_to_point(key.context)) return;
  const std::uint32_t ended = collectives_.progress(process.id(), key.context / kTraffics).ended;
  posted_[&completion] = {key, ++orders_, ended};
  if (key.source == MPI_ANY_SOURCE) receptions_.try_emplace({process.id(), key.context});
}

void MessageCheck::probed(const Message& message) {
  const auto found = under_way_.find(message.serial);
  if (found != under_way_.end()) found->second.probed = true;
}

void MessageCheck::met(const Message& message, const Buffer& buffer, const Completion& completion) {
  const auto found = under_way_.find(message.serial);
  if (found == under_way_.end()) return;
  const Sent& sent = found->second;
  compare_types(message, sent, buffer);
  if (!is_point_to_point(message.key.context)) return;
  Posted posted;
  posted.key = message.key;
  posted.key.source = MPI_ANY_SOURCE;  // Unless something is known: by a matched probe.
  posted.order = ++orders_;
  if (const auto receive = posted_.find(&completion); receive != posted_.end()) {
    posted = receive->second;
    posted_.erase(receive);
    compare_order(message, sent, posted);
    got_[&completion] = {message.key.context, message.key.source, message.key.tag,
                         message.sender->id(), sent.ended};
  }
  note(message, sent, posted);
}

void MessageCheck::compare_types(const Message& message, const Sent& sent, const Buffer& buffer) {
  if (!sent.typed || is_untyped(*buffer.type) || message.bytes > bytes(buffer)) return;
  if (buffer.type->size() == 0) return;
  const Signature wanted = signature(*buffer.type, message.bytes);
  if (wanted.hash == sent.signature.hash && wanted.elements == sent.signature.elements) return;
  const MatchKey& key = message.key;
  if (is_point_to_point(key.context)) {
    findings_.add(key.receiver,
                  fmt::format("received other types than were sent: {} bytes from {}, tag {}, {}",
                              message.bytes, key.source, key.tag, label_of(key.context)));
    return;
  }
  findings_.add(key.receiver, fmt::format("{} gets other types than rank {} gives: {} bytes",
                                          collectives_.name(key.context / kTraffics,
                                                            static_cast<std::uint32_t>(key.tag)),
                                          message.sender->id(), message.bytes));
}

/// A receive posted behind a collective call, for a message sent before it.
void MessageCheck::compare_order(const Message& message, const Sent& sent, const Posted& posted) {
  if (sent.completion == nullptr || !has_an_order(*message.receiver)) return;
  if (sent.seen) {
    if (posted.ended > sent.begun_at_end) {
      complain_of_buffering(message.sender->id(), message.key, sent.begun_at_end);
    }
    return;
  }
  sends_.erase(sent.completion);
  taken_[sent.completion] = {message.key, posted.ended};
}

void MessageCheck::complain_of_buffering(std::uint32_t sender, const MatchKey& key,
                                         std::uint32_t begun) {
  const std::uint32_t communicator = key.context / kTraffics;
  findings_.add(sender,
                fmt::format("sends to rank {} of MPI_COMM_WORLD, tag {}, {}, before {}, and that "
                            "receives it after the same call: both wait for ever where sends are "
                            "not buffered",
                            key.receiver, key.tag, label_of(key.context),
                            collectives_.name(communicator, begun)));
}

void MessageCheck::delivered(const Message& message) {
  const auto found = under_way_.find(message.serial);
  if (found == under_way_.end()) return;
  causality_.learns(message.receiver->id(), found->second.stamp);
  if (message.mode == SendMode::synchronous) {
    causality_.learns(message.sender->id(), causality_.stamp(message.receiver->id()));
  }
  under_way_.erase(found);
}

void MessageCheck::sees_end(const Process& process, const Completion& completion) {
  if (const auto got = got_.find(&completion); got != got_.end()) {
    sees_receive(process, got->second);
    got_.erase(got);
    return;
  }
  if (const auto send = sends_.find(&completion); send != sends_.end()) {
    if (const auto message = under_way_.find(send->second); message != under_way_.end()) {
      Sent& sent = message->second;
      sent.seen = true;
      sent.begun_at_end = collectives_.progress(process.id(), sent.communicator).begun;
    }
    sends_.erase(send);
    return;
  }
  const auto taken = taken_.find(&completion);
  if (taken == taken_.end()) return;
  const MatchKey& key = taken->second.key;
  const std::uint32_t begun = collectives_.progress(process.id(), key.context / kTraffics).begun;
  if (taken->second.receiver_ended > begun) complain_of_buffering(process.id(), key, begun);
  taken_.erase(taken);
}

/// A message sent behind a collective call, that is received before it.
void MessageCheck::sees_receive(const Process& process, const Got& got) {
  const std::uint32_t communicator = got.context / kTraffics;
  const std::uint32_t begun = collectives_.progress(process.id(), communicator).begun;
  if (got.sender_ended <= begun || !has_an_order(process)) return;
  findings_.add(process.id(),
                fmt::format("receives from {}, tag {}, {}, before {}, and rank {} of "
                            "MPI_COMM_WORLD sends it after the same call: both wait for ever "
                            "where that waits for all",
                            got.source, got.tag, label_of(got.context),
                            collectives_.name(communicator, begun), got.sender));
}

void MessageCheck::note(const Message& message, const Sent& sent, const Posted& posted) {
  constexpr std::size_t kMost = 200'000;
  const auto found = receptions_.find({message.key.receiver, message.key.context});
  if (found == receptions_.end() || found->second.size() >= kMost) return;
  const bool from_any = posted.key.source == MPI_ANY_SOURCE;
  found->second.push_back({posted.order, message.serial, message.key.source, message.key.tag,
                           posted.key.tag, from_any, from_any || sent.probed,
                           causality_.happens(message.key.receiver), sent.stamp});
}

void MessageCheck::look_at_races() {
  for (auto& [box, receptions] : receptions_) look_at(box, receptions);
}

/// A receive from anybody could have got the first message of another source if that was sent
/// without knowledge of its end. It matters where all messages of that source are asked for by
/// name: then one of those receives is left without.
void MessageCheck::look_at(const Box& box, std::vector<Reception>& receptions) {
  std::ranges::sort(receptions, {}, &Reception::order);
  LaterBySource later;
  for (auto one = receptions.rbegin(); one != receptions.rend(); ++one) {
    if (one->from_any) compare(box, *one, later);
    LaterMessages& own = later[one->source][one->tag];
    if (own.all++ == 0 || one->serial < own.first) {
      own.first = one->serial;
      own.first_knew = one->sender_knew;
    }
    own.asked_for += one->wild ? 0 : 1;
  }
}

void MessageCheck::compare(const Box& box, const Reception& one, const LaterBySource& later) {
  for (const auto& [source, by_tag] : later) {
    if (source == one.source) continue;
    const LaterMessages* other = first_of(by_tag, one.wanted_tag);
    if (other == nullptr || other->asked_for < other->all) continue;
    if (Causality::knows(other->first_knew, box.first, one.event)) continue;
    findings_.add(box.first,
                  fmt::format("a receive from any rank, {}, got the message of rank {}, tag {}; "
                              "that of rank {} could have come first, and the receive that asks "
                              "for it would wait for ever",
                              label_of(box.second), one.source, one.tag, source));
  }
}

}  // namespace heddle::mpi
