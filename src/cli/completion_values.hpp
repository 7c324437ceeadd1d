// What values options and arguments take, as far as they can be listed.
#pragma once

#include <string>

#include "cli/completion.hpp"

namespace heddle::cli {

/// The values of an option ("--network") or an argument ("platform") of the command called
/// `command` ("goal gen") whose value the help calls `type`; `begun` is what there is of it. Empty
/// for numbers, times and other free text.
Candidates values_of(const std::string& command, const std::string& option, const std::string& type,
                     const std::string& begun);

}  // namespace heddle::cli
