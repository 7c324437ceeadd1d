// Man pages, made from what the commands say of themselves.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

/// An option or an argument as the help has it.
struct OptionDescription {
  std::vector<std::string> names;  ///< "-o", "--output"; of an argument its one name.
  std::string type;                ///< What its value is called, or "" for a flag.
  std::string help;
  std::string fallback;     ///< Its default, or "".
  bool positional = false;  ///< It has no other name.
  bool unnamed = false;     ///< It may be given without its name.
  bool required = false;
};

struct CommandDescription {
  std::string name;    ///< "heddle", "goal", "gen".
  std::string about;   ///< One line.
  std::string footer;  ///< Examples, and what else ends the help.
  std::vector<OptionDescription> options;
  std::vector<CommandDescription> commands;
  bool takes_program = false;      ///< What follows the options is a program with its own.
  std::string program_usage = {};  ///< What the help calls that: "PROGRAM [ARGUMENTS]".
};

/// The man page of `command`, whose full name is `path` ("heddle goal gen"), with its commands.
std::string man_page(const CommandDescription& command, const std::string& path);
/// Writes a page for `program` and for each of its commands: FOLDER/heddle.1, heddle-run.1, ...
/// Throws RunError if one cannot be written.
void write_man_pages(const CommandDescription& program, const std::string& folder);

}  // namespace heddle::cli
