// One copy of a program for all ranks, whose globals are exchanged when another rank runs.
#pragma once

#include <memory>

#include "host/program/hosted_program.hpp"

namespace heddle::host {

std::unique_ptr<HostedProgram> make_swap_program(const ProgramConfig& config,
                                                 const ProgramFiles& files);

}  // namespace heddle::host
