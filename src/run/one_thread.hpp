// What keeps the ranks of a run on one thread of this computer.
#pragma once

#include <deque>
#include <string>

#include "host/program/loading/turn_stubs.hpp"
#include "host/rank/host_params.hpp"
#include "run/program_run.hpp"
#include "run/world.hpp"

namespace heddle::run {

/// Before programs are loaded, and when they are: completes "ranks stay on one thread: ...", empty
/// where nothing does.
std::string one_thread_for(const RunConfig& config, const host::HostParams& params);
std::string one_thread_for(const std::deque<World>& worlds, const host::TurnStubs& stubs);

}  // namespace heddle::run
