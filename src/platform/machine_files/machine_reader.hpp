// The YAML reader, as the one who chooses machines sees it.
#pragma once

#include "platform/machine.hpp"

namespace heddle::platform {

/// As read_machine_text(), of a text that comes with the program: sections that `settings` does not
/// know are left out, for not every user of a machine needs all of them.
MachineDescription read_builtin_text(std::string_view text, const std::string& name,
                                     Settings& settings);

}  // namespace heddle::platform
