#include "portals/parcels.hpp"

#include <utility>

namespace heddle::portals {

void Parcels::send(const Parcel& parcel, Courier& courier) {
  const std::uint32_t number = record(parcel, courier);
  const Command& command = commands_[number];
  const std::uint32_t ranks = directory_.ranks();
  if (queues_.size() < ranks) queues_.resize(ranks);
  if (command.counted && tallies_.size() < ranks) tallies_.resize(ranks);
  if (parcel.triggered) return issue(command, number);
  Queue& queue = queues_[parcel.initiator];
  if (queue.last == kNone) {
    queue.last = number;
    issue(command, number);
  } else {
    commands_[queue.last].next_parcel = number;
    queue.last = number;
  }
}

std::uint32_t Parcels::record(const Parcel& parcel, Courier& courier) {
  Process* const process = Process::of(directory_.rank(parcel.initiator));
  const std::uint32_t number = commands_.add_parcel(process);
  Command& command = commands_[number];
  command.header.kind = parcel.operation;
  command.header.length = static_cast<ptl_size_t>(parcel.size.count());
  command.courier = &courier;
  command.parcel = parcel.cookie;
  command.initiator = parcel.initiator;
  command.target_rank = parcel.target;
  command.counted = parcel.told == Told::by_counters;
  command.buffered = parcel.buffered;
  command.wants_sent = parcel.wants_sent;
  command.acknowledged = parcel.acknowledged || fetches(command.header);
  command.triggered = parcel.triggered;
  command.target = directory_.address(parcel.target);
  if (process != nullptr) commands_.link(number);
  return number;
}

/// A process gives its adapter one command after the other.
void Parcels::accepted(const Command& command) {
  if (command.counted) command.courier->accepted(command.parcel);
  if (command.next_parcel == kNone) {
    queues_[command.initiator].last = kNone;
  } else {
    issue(commands_[command.next_parcel], command.next_parcel);
  }
}

void Parcels::issue(const Command& command, std::uint32_t number) {
  nic::Request request;
  request.operation = command.header.kind;
  request.initiator = directory_.address(command.initiator);
  request.target = command.target;
  request.cookie = number;
  request.wants_sent = command.wants_sent;
  request.wants_ack = command.counted && command.acknowledged;
  request.matching = !command.counted;
  request.triggered = command.triggered;
  request.service = directory_.rank(command.initiator).uses_service_network();
  if (sends(command.header)) {
    request.payload = Bytes(static_cast<std::int64_t>(command.header.length));
    request.buffered = !command.triggered && (!command.counted || command.buffered) &&
                       request.payload <= max_buffered_;
  }
  adapters_.issue(request);
}

nic::EventTokens Parcels::notice(const Command& command) {
  const std::uint32_t number = notices_.take();
  notices_[number] = {command.courier, command.parcel, command.header.kind};
  nic::EventTokens tokens;
  tokens.add(number | kBit);
  return tokens;
}

void Parcels::event_visible(nic::EventToken token) {
  const std::uint32_t number = token & ~kBit;
  const Notice notice = notices_[number];
  notices_.give_back(number);
  if (notice.operation == nic::Operation::put) {
    notice.courier->arrived(notice.parcel);
  } else {
    notice.courier->fetched(notice.parcel);
  }
}

void Parcels::count(const Command& command, End end) {
  const std::uint32_t rank = end == End::target ? command.target_rank : command.initiator;
  Courier*& courier = tallies_[rank].couriers[static_cast<std::size_t>(end)];
  if (courier != nullptr) return;  // What is on its way will show it.
  courier = command.courier;
  adapters_.write_counter(directory_.address(rank),
                          (2 * rank + static_cast<std::uint32_t>(end)) | kBit);
}

void Parcels::counter_visible(std::uint32_t number) {
  const std::uint32_t tally = number & ~kBit;
  const std::uint32_t rank = tally / 2;
  Courier& courier = *std::exchange(tallies_[rank].couriers[tally % 2], nullptr);
  if (tally % 2 == static_cast<std::uint32_t>(End::target)) {
    courier.target_counted(rank);
  } else {
    courier.initiator_counted(rank);
  }
}

nic::Verdict Parcels::arrive(Command& command) {
  command.arrived = true;
  nic::Verdict verdict;
  verdict.length = Bytes(static_cast<std::int64_t>(command.header.length));
  if (command.counted) {
    verdict.acknowledge = command.acknowledged && !fetches(command.header);
    command.courier->matched(command.parcel);
    if (command.header.kind != nic::Operation::get) count(command, End::target);
  } else if (command.header.kind == nic::Operation::put) {
    verdict.events = notice(command);
    command.courier->matched(command.parcel);
  }
  return verdict;
}

nic::EventTokens Parcels::completed(const Command& command, nic::Outcome outcome) {
  if (outcome == nic::Outcome::undeliverable) {
    command.courier->lost(command.parcel);
    return {};
  }
  if (command.counted) {
    if (command.acknowledged) {
      command.courier->completed(command.parcel);
      count(command, End::initiator);
    }
    return {};
  }
  return command.header.kind == nic::Operation::get ? notice(command) : nic::EventTokens{};
}

void Parcels::sent(const Command& command) {
  command.courier->sent(command.parcel);
  count(command, End::initiator);
}

}  // namespace heddle::portals
