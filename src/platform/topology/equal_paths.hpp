// The parameter that says which of several shortest paths are taken.
#pragma once

#include "core/params.hpp"
#include "platform/topology/graph.hpp"

namespace heddle::platform {

/// Adds it to the table of a kind whose config has it as a member.
template <class Config>
void add_equal_paths(ParamTable<Config>& table, const char* usual) {
  table.add_choice("equal_paths", &Config::equal_paths, usual,
                   {{"lowest", EqualPaths::lowest}, {"spread", EqualPaths::spread}},
                   "of several shortest paths, the fixed one; lowest: of the lowest latency, then "
                   "the lowest numbers; spread: hop by hop one that source and destination draw");
}

}  // namespace heddle::platform
