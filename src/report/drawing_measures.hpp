// How large the parts of a drawing of a fabric are.
#pragma once

#include <cstddef>
#include <string>

#include "report/drawing_graph.hpp"
#include "report/layout.hpp"

namespace heddle::report {

enum class HostStyle {
  labelled,  ///< A dot with its name below.
  upright,   ///< A dot with its name written downwards.
  stacked,   ///< One below the other, each with its name in it.
  dots,      ///< Dots only.
  badge,     ///< One box per switch that says how many there are.
};

/// Whether many nodes on a switch may be counted in a badge.
enum class HostDetail { as_room_allows, each };

/// Sizes in units of the page, chosen so that nothing overlaps and names are readable.
struct Measures {
  bool switch_names = true;  ///< Whether boxes have names.
  double switch_name = 0;    ///< Room for one.
  double box_width = 0;      ///< Of a switch.
  double box_height = 0;
  HostStyle hosts = HostStyle::labelled;
  double host_name = 0;  ///< Room for the name of a node.
  double host_radius = 0;
  double host_column = 0;  ///< From one node to the next in a row.
  double host_row = 0;
  double name_below = 0;    ///< What names written downwards need below the last row.
  std::size_t columns = 1;  ///< Nodes in a row below one switch.
  double block_width = 0;   ///< Of the nodes of one switch, names included.
  double block_height = 0;
  double cell_width = 0;  ///< A switch with its nodes and the space around them.
  double cell_height = 0;
};

inline constexpr double kSwitchLetters = 11;  ///< Sizes of the letters of names.
inline constexpr double kHostLetters = 9;

/// The name itself, or its begin and end where it would be wider than `width` in letters of that
/// size.
std::string shortened(const std::string& name, double letters, double width);

Measures measure(const DrawingGraph& graph, bool in_rows,
                 HostDetail detail = HostDetail::as_room_allows);

}  // namespace heddle::report
