#include "cli/manual.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

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
  std::string text = in_bold(path) + " [" + in_italics("options") + "]";
  for (const OptionDescription& option : command.options) {
    if (option.positional) text += " " + in_italics(option.names.front());
  }
  if (!command.commands.empty()) text += " " + in_italics("command");
  return text + "\n";
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

// --- Completions ---

/// The long and short names of all options.
std::vector<std::string> option_names(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const OptionDescription& option : command.options) {
    if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::vector<std::string> command_names(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const CommandDescription& sub : command.commands) names.push_back(sub.name);
  return names;
}

/// Calls `use` with each command and its path below the program ("goal gen"), outermost first.
void for_each_command(
    const CommandDescription& command, const std::string& path,
    const std::function<void(const CommandDescription&, const std::string&)>& use) {
  use(command, path);
  for (const CommandDescription& sub : command.commands) {
    for_each_command(sub, path.empty() ? sub.name : path + " " + sub.name, use);
  }
}

std::string bash_completion(const CommandDescription& program) {
  std::string cases;
  std::vector<std::string> paths;
  for_each_command(program, "", [&](const CommandDescription& command, const std::string& path) {
    std::vector<std::string> words = command_names(command);
    const std::vector<std::string> options = option_names(command);
    words.insert(words.end(), options.begin(), options.end());
    cases += fmt::format("    \"{}\") words=\"{}\" ;;\n", path, joined(words, " "));
    if (!path.empty()) paths.push_back("\"" + path + "\"");
  });
  return "# Completion of heddle for bash.\n"
         "_heddle() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} path='' word words=''\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case \"$word\" in -*) break ;; esac\n"
         "    case \"${path:+$path }$word\" in\n"
         "      " +
         joined(paths, "|") +
         ") path=\"${path:+$path }$word\" ;;\n"
         "      *) break ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$path\" in\n" +
         cases +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "}\n"
         "complete -o filenames -F _heddle heddle\n";
}

/// In single quotes, as shells read them.
std::string shell_word(const std::string& text) {
  std::string result = "'";
  for (const char c : on_one_line(text)) {
    if (c == '\'') result += "'\\'";
    result += c;
  }
  return result + "'";
}

std::string zsh_completion(const CommandDescription& program) {
  std::string cases;
  for_each_command(program, "", [&](const CommandDescription& command, const std::string& path) {
    std::string entries;
    const auto add = [&](const std::string& name, const std::string& help) {
      entries += " " + shell_word(name + ":" + help);
    };
    for (const CommandDescription& sub : command.commands) add(sub.name, sub.about);
    for (const OptionDescription& option : command.options) {
      if (!option.positional) add(option.names.back(), option.help);
    }
    cases += fmt::format("    {}) entries=({}) ;;\n", shell_word(path), entries);
  });
  return "#compdef heddle\n"
         "_heddle() {\n"
         "  local -a entries\n"
         "  local path_='' word\n"
         "  for word in ${words[2,CURRENT-1]}; do\n"
         "    [[ $word == -* ]] && break\n"
         "    path_=\"${path_:+$path_ }$word\"\n"
         "  done\n"
         "  case $path_ in\n" +
         cases +
         "  esac\n"
         "  _describe 'heddle' entries || _files\n"
         "}\n"
         "_heddle \"$@\"\n";
}

std::string fish_completion(const CommandDescription& program) {
  std::string text = "# Completion of heddle for fish.\n";
  for_each_command(program, "", [&](const CommandDescription& command, const std::string& path) {
    std::string condition = "__fish_use_subcommand";
    if (!path.empty()) {
      condition = "__fish_seen_subcommand_from " + path.substr(path.rfind(' ') + 1);
    }
    const std::string begin = "complete -c heddle -n " + shell_word(condition);
    for (const CommandDescription& sub : command.commands) {
      text += fmt::format("{} -f -a {} -d {}\n", begin, sub.name, shell_word(sub.about));
    }
    for (const OptionDescription& option : command.options) {
      if (option.positional) continue;
      text += fmt::format("{} -l {}{} -d {}\n", begin, option.names.back().substr(2),
                          option.type.empty() ? "" : " -r", shell_word(option.help));
    }
  });
  return text;
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
  return text +
         ".SH EXIT STATUS\n0 done, 1 the run failed, 2 the input is wrong, 3 --check has found "
         "something. "
         "A program that is run answers with its own status if that is not 0.\n";
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

std::string completion(const CommandDescription& program, const std::string& shell) {
  if (shell == "bash") return bash_completion(program);
  if (shell == "zsh") return zsh_completion(program);
  if (shell == "fish") return fish_completion(program);
  throw InputError({"--completion"}, in_quotes(shell) + ": accepted are bash, zsh and fish");
}

}  // namespace heddle::cli
