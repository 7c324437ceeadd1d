// Reading SimGrid platform files, version 4 and 4.1.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "platform/platform.hpp"
#include "platform/simgrid/model.hpp"

namespace heddle::platform {

/// Reads the platform in the file at `path`: zones with routing Full, Floyd, Dijkstra and
/// DijkstraCache, hosts, routers, links, routes, zoneRoutes, and clusters FLAT, TORUS, FAT_TREE and
/// DRAGONFLY. Hosts are the nodes, in the order of the file; routers the switches. Links and routes
/// are those that SimGrid 3.32 makes of the file, and are called by its names. What the file asks
/// for and does not get stands in the platform's warnings(). It is called `name`, or like the file.
///
/// Throws InputError, with the place in the file, for what is wrong or not supported; at `named_at`
/// if another file names this one and it cannot be read.
std::unique_ptr<Platform> read_simgrid_platform(const std::string& path,
                                                const std::string& name = "",
                                                const SourceLocation& named_at = {});

/// The same for text that came from elsewhere; `file_name` stands in error messages.
std::unique_ptr<Platform> read_simgrid_platform_text(std::string_view text,
                                                     const std::string& file_name,
                                                     const simgrid::Limits& limits = {});

}  // namespace heddle::platform
