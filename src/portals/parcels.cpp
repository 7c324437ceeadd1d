// Parcels: what the adapters report of them, and what couriers are told.
#include <utility>

#include "portals/machine.hpp"

namespace heddle::portals {

void Machine::send(const Parcel& parcel, Courier& courier) {
  Process* process = Process::of(job_.rank(host::RankId{parcel.initiator}));
  const std::uint32_t number = commands_.take();
  Command& command = commands_[number];
  static_cast<CommandState&>(command) = {};
  static_cast<ParcelState&>(command) = {};
  command.kind = CommandKind::parcel;
  command.process = process;
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
  command.target = id_of(parcel.target);
  if (process != nullptr) link(number);
  if (parcels_.size() < ranks()) parcels_.resize(ranks());
  if (command.counted && tallies_.size() < ranks()) tallies_.resize(ranks());
  if (parcel.triggered) return issue_parcel(command, number);
  ParcelQueue& queue = parcels_[parcel.initiator];
  if (queue.last == kNone) {
    queue.last = number;
    issue_parcel(command, number);
  } else {
    commands_[queue.last].next_parcel = number;
    queue.last = number;
  }
}

/// A process gives its adapter one command after the other.
void Machine::parcel_accepted(const Command& command) {
  if (command.counted) command.courier->accepted(command.parcel);
  if (command.next_parcel == kNone) {
    parcels_[command.initiator].last = kNone;
  } else {
    issue_parcel(commands_[command.next_parcel], command.next_parcel);
  }
}

void Machine::issue_parcel(const Command& command, std::uint32_t number) {
  nic::Request request;
  request.operation = command.header.kind;
  request.initiator = id_of(command.initiator);
  request.target = command.target;
  request.cookie = number;
  request.wants_sent = command.wants_sent;
  request.wants_ack = command.counted && command.acknowledged;
  request.matching = !command.counted;
  request.triggered = command.triggered;
  request.service = job_.rank(host::RankId{command.initiator}).uses_service_network();
  if (sends(command.header)) {
    request.payload = Bytes(static_cast<std::int64_t>(command.header.length));
    request.buffered = !command.triggered && (!command.counted || command.buffered) &&
                       request.payload <= config_.max_volatile_size;
  }
  adapters_.issue(request);
}

nic::ProcessId Machine::id_of(std::uint32_t rank) const {
  return addresses_[rank];
}

nic::EventTokens Machine::notice(const Command& command) {
  const std::uint32_t number = notices_.take();
  notices_[number] = {command.courier, command.parcel, command.header.kind};
  nic::EventTokens tokens;
  tokens.add(number | kNoticeBit);
  return tokens;
}

void Machine::deliver_notice(std::uint32_t number) {
  const Notice notice = notices_[number];
  notices_.give_back(number);
  if (notice.operation == nic::Operation::put) {
    notice.courier->arrived(notice.parcel);
  } else {
    notice.courier->fetched(notice.parcel);
  }
}

void Machine::count(const Command& command, End end) {
  const std::uint32_t rank = end == End::target ? command.target_rank : command.initiator;
  Courier*& courier = tallies_[rank].couriers[static_cast<std::size_t>(end)];
  if (courier != nullptr) return;  // What is on its way will show it.
  courier = command.courier;
  adapters_.write_counter(id_of(rank), (2 * rank + static_cast<std::uint32_t>(end)) | kNoticeBit);
}

void Machine::deliver_tally(std::uint32_t number) {
  const std::uint32_t rank = number / 2;
  Courier& courier = *std::exchange(tallies_[rank].couriers[number % 2], nullptr);
  if (number % 2 == static_cast<std::uint32_t>(End::target)) {
    courier.target_counted(rank);
  } else {
    courier.initiator_counted(rank);
  }
}

nic::Verdict Machine::arrive_parcel(Command& command) {
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

nic::EventTokens Machine::complete_parcel(const Command& command, nic::Outcome outcome) {
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

void Machine::sent_parcel(const Command& command) {
  command.courier->sent(command.parcel);
  count(command, End::initiator);
}

}  // namespace heddle::portals
