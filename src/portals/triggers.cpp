#include "portals/triggers.hpp"

#include "portals/process.hpp"

namespace heddle::portals {

void Triggers::submit(std::uint32_t number, std::uint32_t counter) {
  Command& command = commands_[number];
  command.triggered = true;
  ++command.origin->triggered;
  counters_.trigger(counter, number);
  settle(*command.process);
}

void Triggers::cancel(Interface& interface, std::uint32_t counter) {
  for (const std::uint32_t number : counters_.cancel(counter)) {
    Command& command = commands_[number];
    release(interface, command.out);
    release(interface, command.in);
    if (command.kind == CommandKind::append) {
      const auto entry = decode(command.object, ObjectKind::entry);
      if (interface.entry(command.object)) interface.entries.remove(entry->index);
    }
    --interface.triggered;
    commands_.discard(number);
  }
}

void Triggers::settle(Process& process) {
  write_posted(process);
  settle();
}

void Triggers::write_posted(Process& process) {
  std::vector<nic::EventToken>& posted = emitter_.posted();
  for (std::size_t i = 0; i < posted.size();) {
    nic::EventTokens tokens;
    while (i < posted.size() && tokens.count < tokens.token.size()) tokens.add(posted[i++]);
    adapters_.write_events(process.id(), tokens);
  }
  posted.clear();
}

void Triggers::carry_out() {
  if (settling_) return;
  settling_ = true;
  CounterStore::Changes& changes = counters_.changes;
  // Carrying out one may make others due.
  for (std::size_t i = 0; i < changes.due.size(); ++i) fire(changes.due[i]);
  changes.due.clear();
  for (const std::uint32_t counter : changes.written) {
    if (Process* process = counters_[counter].process) {
      adapters_.write_counter(process->id(), counter);
    } else {
      counters_.arrived(counter);
    }
  }
  changes.written.clear();
  settling_ = false;
}

/// Carries out a triggered command.
void Triggers::fire(std::uint32_t number) {
  Command& command = commands_[number];
  Interface& interface = *command.origin;
  --interface.triggered;
  if (command.kind == CommandKind::request) {
    commands_.link(number);
    initiator_.issue(number);
    return;
  }
  change(command, interface);
  Process& process = *command.process;
  commands_.discard(number);
  write_posted(process);
}

/// Changes the counter or the entry that a command is about, if it is still there.
void Triggers::change(const Command& command, Interface& interface) {
  const std::uint32_t counter = interface.counter(command.object);
  const Entry* entry = interface.entry(command.object);
  const auto place = static_cast<std::uint32_t>(command.object);
  if (command.kind == CommandKind::increment && counter != kNone) {
    counters_.add(counter, command.change);
  } else if (command.kind == CommandKind::set && counter != kNone) {
    counters_.set(counter, command.change);
  } else if (command.kind == CommandKind::append && entry) {
    lists_.append(interface, place);
  } else if (command.kind == CommandKind::unlink && entry) {
    lists_.unlink(interface, place);
  }
}

}  // namespace heddle::portals
