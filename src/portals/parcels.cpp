// Parcels: what the adapters report of them, and what couriers are told.
#include "portals/machine.hpp"

namespace heddle::portals {

void Machine::send(const Parcel& parcel, Courier& courier) {
  Process& process = *Process::of(job_.rank(host::RankId{parcel.initiator}));
  const std::uint32_t number = new_command(process, CommandKind::parcel);
  Command& command = commands_[number];
  command.header.kind = parcel.operation;
  command.header.length = static_cast<ptl_size_t>(parcel.size.count());
  command.courier = &courier;
  command.parcel = parcel.cookie;
  const ptl_process_t target = physical(parcel.target);
  command.target = {NodeId{target.phys.nid}, target.phys.pid};
  link(number);
  nic::Request request;
  request.operation = parcel.operation;
  request.initiator = process.id();
  request.target = command.target;
  request.cookie = number;
  request.wants_sent = false;
  request.service = process.rank().uses_service_network();
  if (parcel.operation == nic::Operation::put) {
    request.payload = parcel.size;
    request.buffered = parcel.size <= config_.max_volatile_size;
  }
  adapters_.issue(request);
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

nic::Verdict Machine::arrive_parcel(Command& command) {
  command.arrived = true;
  nic::Verdict verdict;
  verdict.length = Bytes(static_cast<std::int64_t>(command.header.length));
  if (command.header.kind == nic::Operation::put) {
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
  return command.header.kind == nic::Operation::get ? notice(command) : nic::EventTokens{};
}

}  // namespace heddle::portals
