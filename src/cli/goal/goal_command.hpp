// The subcommands of `heddle goal`.
#pragma once

#include "cli/command.hpp"

namespace heddle::cli {

/// "1us" for "us"; other texts as they are.
std::string one_of_unit(const std::string& text);

// goal_look.cpp
CommandKind goal_list_command();
CommandKind goal_info_command();
CommandKind goal_check_command();
// goal_generate.cpp
CommandKind goal_generate_command();
// goal_write.cpp
CommandKind goal_gen_command();
CommandKind goal_cat_command();
CommandKind goal_dot_command();
CommandKind goal_to_text_command();
CommandKind goal_to_binary_command();
CommandKind goal_to_compact_command();
CommandKind goal_to_chakra_command();
// goal_scale.cpp
CommandKind goal_scale_command();

}  // namespace heddle::cli
