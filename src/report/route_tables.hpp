// Where messages go next at each vertex of a fabric, in few characters: the page finds routes by
// it.
#pragma once

#include <optional>

#include "platform/platform.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// The deterministic minimal routes between all nodes: `classes` of nodes, `ports` (by vertex, the
/// vertices at the other ends of its links) and `tables` (by class of the source and vertex with
/// more than one port: the port for each destination, told by how it differs from an earlier row),
/// packed, and `choice`, whether messages keep to them. Nothing where pairs have routes of their
/// own, and where it would be too much.
std::optional<Json> route_tables(const platform::Platform& platform);

}  // namespace heddle::report
