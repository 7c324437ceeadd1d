// A machine's fabric in the language of Graphviz.
#pragma once

#include <string>

#include "platform/platform.hpp"

namespace heddle::report {

/// An undirected graph with an edge per cable; `dot -Tsvg` and its relatives draw it.
std::string topology_dot(const platform::Platform& platform);

}  // namespace heddle::report
