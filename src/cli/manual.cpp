#include "cli/manual.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "report/output_file.hpp"
#include "report/version.hpp"

namespace heddle::cli {
namespace {

/// `text` in which nothing is a command of troff.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) {
      result += std::string("\\&") + c;
    } else {
      result += c;
    }
  }
  return result;
}

std::string in_bold(const std::string& text) {
  return "\\fB" + plain(text) + "\\fR";
}

std::string in_italics(const std::string& text) {
  return "\\fI" + plain(text) + "\\fR";
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string option_entry(const OptionDescription& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) {
    names.push_back(option.positional ? in_italics(name) : in_bold(name));
  }
  std::string text = ".TP\n" + joined(names);
  if (!option.type.empty() && !option.positional) text += " " + in_italics(option.type);
  text += "\n" + plain(on_one_line(option.help));
  if (!option.fallback.empty()) text += " (default: " + plain(option.fallback) + ")";
  return text + "\n";
}

std::string synopsis(const CommandDescription& command, const std::string& path) {
  const std::string begin = in_bold(path) + " [" + in_italics("options") + "]";
  std::string arguments;
  for (const OptionDescription& option : command.options) {
    if (!option.positional) continue;
    const std::string name = in_italics(option.names.front());
    arguments += option.required ? " " + name : " [" + name + "]";
  }
  if (command.takes_program) arguments += " " + in_italics(command.program_usage);
  if (command.commands.empty()) return begin + arguments + "\n";
  const std::string with_command = begin + " " + in_italics("command") + " ...\n";
  return arguments.empty() ? with_command : begin + arguments + "\n.br\n" + with_command;
}

/// Of what runs programs their own status comes first.
std::string exit_status(const CommandDescription& command) {
  std::string text = ".SH EXIT STATUS\n";
  if (command.takes_program) {
    text +=
        "That of the program: of the first rank that does not end with 0, or 128 + the signal "
        "that a rank crashed with. Otherwise:\n";
  }
  for (const auto& [status, meaning] :
       {std::pair{"0", "done."},
        {"1", "the run failed: a deadlock, a result that cannot be written, or too little memory."},
        {"2", "the input is wrong."},
        {"3", "--check has found something."}}) {
    text += fmt::format(".TP\n{}\n{}\n", in_bold(status), plain(meaning));
  }
  return text + ".TP\n" + in_bold("128 + N") + "\nended by signal N, as by Ctrl\\-C.\n";
}

std::string options_text(const CommandDescription& command) {
  std::string text;
  for (const OptionDescription& option : command.options) text += option_entry(option);
  return text;
}

std::string page_name(std::string path) {
  std::replace(path.begin(), path.end(), ' ', '-');
  return path;
}

}  // namespace

std::string man_page(const CommandDescription& command, const std::string& path) {
  std::string text = fmt::format(".TH \"{}\" 1 \"\" \"heddle {}\" \"Heddle\"\n", page_name(path),
                                 report::version());
  text += ".SH NAME\n" + plain(page_name(path)) + " \\- " + plain(command.about) + "\n";
  text += ".SH SYNOPSIS\n" + synopsis(command, path);
  text += ".SH OPTIONS\n" + options_text(command);
  if (!command.commands.empty()) text += ".SH COMMANDS\n";
  for (const CommandDescription& sub : command.commands) {
    text += ".SS " + in_bold(path + " " + sub.name) + "\n" + plain(sub.about) + "\n";
    if (path != "heddle") text += options_text(sub);
  }
  text += ".SH EXAMPLES AND NOTES\n.nf\n" + plain(command.footer) + "\n.fi\n";
  return text + exit_status(command);
}

void write_man_pages(const CommandDescription& program, const std::string& folder) {
  const auto write = [&](const CommandDescription& command, const std::string& path) {
    report::OutputFile("--man-pages", folder + "/" + page_name(path) + ".1")
        .write(man_page(command, path));
  };
  write(program, program.name);
  for (const CommandDescription& command : program.commands) {
    write(command, program.name + " " + command.name);
  }
}

}  // namespace heddle::cli
