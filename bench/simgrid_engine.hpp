// A SimGrid engine for one measurement, quiet and with its fastest contexts.
#pragma once

#include <memory>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace heddle::bench {

/// Makes the process's one engine; `config` holds settings such as "network/model:CM02".
std::unique_ptr<simgrid::s4u::Engine> make_simgrid_engine(std::vector<std::string> config = {});

}  // namespace heddle::bench
