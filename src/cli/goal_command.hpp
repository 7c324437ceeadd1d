// The subcommands of `heddle goal`.
#pragma once

#include "cli/command.hpp"

namespace heddle::cli {

// goal_look.cpp
CommandKind goal_list_command();
CommandKind goal_info_command();
CommandKind goal_check_command();
// goal_write.cpp
CommandKind goal_gen_command();
CommandKind goal_cat_command();
CommandKind goal_dot_command();
CommandKind goal_to_text_command();
CommandKind goal_to_binary_command();
CommandKind goal_to_compact_command();

}  // namespace heddle::cli
