// Loads programs, in the way that suits them.
#pragma once

#include <memory>

#include "host/program/hosted_program.hpp"

namespace heddle::host {

/// Loads a program. Throws InputError if there is none, or it was not built to be loaded.
std::unique_ptr<HostedProgram> load_program(const ProgramConfig& config);

}  // namespace heddle::host
