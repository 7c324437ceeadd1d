// Any machine as an edge list that reads back as the same.
#pragma once

#include <string>

#include "platform/platform.hpp"

namespace heddle::platform {

/// The nodes, switches and cables of a machine, in the order of their numbers, with their names,
/// groups and parameters, and the parameters of switches, nodes and adapters (edge_list.hpp says
/// how). Routes are given where the machine is a graph with routes of its own; otherwise a reader
/// of the list takes shortest paths. `routing` is what the machine calls its routing.
///
/// Throws InputError if a list cannot say it: cables without fixed ends or without a limit, links
/// that change, names of several words.
std::string edge_list_text(const Platform& platform, const std::string& routing);

}  // namespace heddle::platform
