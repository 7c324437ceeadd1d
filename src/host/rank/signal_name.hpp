// Signals in words.
#pragma once

#include <string>

namespace heddle::host {

/// "SIGSEGV", or "signal 40".
std::string signal_name(int signal);

}  // namespace heddle::host
