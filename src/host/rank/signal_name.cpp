#include "host/rank/signal_name.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <string.h>

namespace heddle::host {

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : std::string("SIG") + name;
}

}  // namespace heddle::host
