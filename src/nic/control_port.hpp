// What crosses the bus and is part of no request: commands that change tables, values of counters.
#pragma once

#include <cstdint>

#include "core/containers/pool.hpp"
#include "nic/bus.hpp"
#include "platform/platform.hpp"

namespace heddle::nic {

class ControlPort {
 public:
  /// All must outlive the port.
  ControlPort(Clock& clock, const platform::Platform& platform, Bus& bus, Software& software);
  ~ControlPort();

  /// A command of the process goes to its adapter; Software::accepted(cookie) follows.
  void command(ProcessId process, std::uint32_t cookie);
  /// A counter's value goes to the memory of the process; Software::counter_visible(cookie)
  /// follows.
  void write_counter(ProcessId process, std::uint32_t cookie);

 private:
  struct Write;
  Write& take(std::uint32_t cookie, bool counter);
  void finish(Write& write);

  Clock& clock_;
  const platform::Platform& platform_;
  Bus& bus_;
  Software& software_;
  Pool<Write> writes_;
};

}  // namespace heddle::nic
