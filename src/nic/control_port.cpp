#include "nic/control_port.hpp"

namespace heddle::nic {

/// A command or a counter's value on its way.
struct ControlPort::Write {
  explicit Write(ControlPort& port) : port(port) {}
  void done() { port.finish(*this); }
  void foresee() const {
    if (counter) port.software_.foresee(Report::counter_visible, cookie, {});
  }
  void expect() const {
    if (counter) port.software_.expect(Report::counter_visible, cookie, {});
  }

  ControlPort& port;
  std::uint32_t cookie = 0;
  bool counter = false;
  MemberStep<Write, &Write::done> step{*this};
};

ControlPort::ControlPort(Clock& clock, const platform::Platform& platform, Bus& bus,
                         Software& software)
    : clock_(clock), platform_(platform), bus_(bus), software_(software) {}

ControlPort::~ControlPort() = default;

void ControlPort::command(ProcessId process, std::uint32_t cookie) {
  const platform::NicParams& nic = platform_.nic(process.node);
  Write& write = take(cookie, false);
  bus_.control({Activity::pci_command, process, 0, nic.command_size, &write.step}, nic);
}

void ControlPort::write_counter(ProcessId process, std::uint32_t cookie) {
  const platform::NicParams& nic = platform_.nic(process.node);
  Write& write = take(cookie, true);
  bus_.control({Activity::pci_event, process, 0, nic.counter_size, &write.step}, nic);
}

ControlPort::Write& ControlPort::take(std::uint32_t cookie, bool counter) {
  Write& write = writes_.take(*this);
  write.cookie = cookie;
  write.counter = counter;
  return write;
}

void ControlPort::finish(Write& write) {
  const Causes::Scope scope(clock_.causes(), &write.step);
  const std::uint32_t cookie = write.cookie;
  const bool counter = write.counter;
  writes_.give_back(write);
  if (counter) return software_.counter_visible(cookie);
  software_.accepted(cookie);
}

}  // namespace heddle::nic
