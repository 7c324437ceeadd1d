#include "portals/commands.hpp"

#include "portals/process.hpp"

namespace heddle::portals {

std::uint32_t Commands::add(Process& process, CommandKind kind) {
  const std::uint32_t number = records_.take();
  Command& command = records_[number];
  static_cast<CommandState&>(command) = {};
  command.kind = kind;
  command.process = &process;
  return number;
}

std::uint32_t Commands::add_parcel(Process* process) {
  const std::uint32_t number = records_.take();
  Command& command = records_[number];
  static_cast<CommandState&>(command) = {};
  static_cast<ParcelState&>(command) = {};
  command.kind = CommandKind::parcel;
  command.process = process;
  return number;
}

void Commands::link(std::uint32_t number) {
  Command& command = records_[number];
  command.place = command.process->commands.add(number);
}

void Commands::unlink(std::uint32_t number) {
  const Command& command = records_[number];
  if (command.process) command.process->commands.remove(command.place);
}

void Commands::discard(std::uint32_t number) {
  constexpr std::size_t kKeptPayload = 4096;
  Command& command = records_[number];
  if (command.staged && command.payload.capacity() > kKeptPayload) {
    std::vector<std::byte>().swap(command.payload);
  }
  records_.give_back(number);
}

}  // namespace heddle::portals
