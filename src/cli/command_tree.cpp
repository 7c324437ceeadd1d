#include "cli/command_tree.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "cli/completion.hpp"
#include "cli/manual.hpp"
#include "cli/notes.hpp"
#include "core/error.hpp"
#include "core/log.hpp"

namespace heddle::cli {

void CommandSet::add(CommandLine parent, const CommandKind& kind) {
  CLI::App* sub = parent.app()->add_subcommand(kind.name, kind.about);
  sub->footer("Examples:\n" + kind.examples);
  commands_[sub] = kind.make(CommandLine(sub));
}

bool CommandSet::named(CommandLine parent) {
  return !parent.app()->get_subcommands().empty();
}

int CommandSet::run(CommandLine parent) const {
  Command& command = *commands_.at(parent.app()->get_subcommands().front());
  command.run();
  return command.status();
}

CommandGroup::CommandGroup(CommandLine line, std::initializer_list<CommandKind> kinds)
    : line_(line) {
  for (const CommandKind& kind : kinds) commands_.add(line, kind);
  line.app()->require_subcommand(1);
}

/// The parsed command line: CLI11's tree and the commands that hang on it.
class CommandTree::Parser {
 public:
  Parser(const std::string& version, const std::string& examples, std::vector<CommandKind> kinds)
      : kinds_(std::move(kinds)) {
    app_.set_version_flag("--version", version);
    app_.footer(examples);
    app_.require_subcommand(1);
  }

  int run(const std::vector<std::string>& words) {
    add_commands(words);
    if (words.empty()) {
      fmt::print("{}", app_.help());
      return kDone;
    }
    try {
      if (words.front() == "help") return help({words.begin() + 1, words.end()});
      app_.parse(in_parsing_order(words));
    } catch (const CLI::ParseError& error) {
      return explain(error);
    }
    return commands_.run(CommandLine(&app_));
  }

  std::string problem_with(const std::vector<std::string>& words) {
    add_commands(words);
    try {
      app_.parse(in_parsing_order(words));
    } catch (const CLI::ParseError& error) {
      return error.what();
    }
    return "";
  }

 private:
  /// The one that is named alone: nobody is told of others then, nor where the version is all that
  /// is asked for. Of those that are only told of, no more than the name is needed.
  void add_commands(const std::vector<std::string>& words) {
    if (words == std::vector<std::string>{"--version"}) return;
    const std::string word = words.empty() ? "" : words.front();
    for (const CommandKind& kind : kinds_) {
      if (kind.name == word) return commands_.add(CommandLine(&app_), kind);
    }
    for (const CommandKind& kind : kinds_) {
      if (word == "help") {
        commands_.add(CommandLine(&app_), kind);
      } else {
        app_.add_subcommand(kind.name, kind.about);
      }
    }
  }

  /// `heddle help goal gen` is `heddle goal gen --help`; `heddle help --man-pages FOLDER` writes
  /// the same for man(1). `heddle help --completion SHELL` is for shells, which then ask `heddle
  /// help --complete WORDS`.
  int help(std::vector<std::string> words) {
    if (words.size() == 2 && words[0] == "--completion") {
      fmt::print("{}", completion_script(words[1]));
      return kDone;
    }
    if (!words.empty() && words[0] == "--complete") {
      fmt::print("{}",
                 completion_lines(complete(whole_program(), {words.begin() + 1, words.end()})));
      return kDone;
    }
    if (words.size() == 2 && words[0] == "--man-pages") {
      write_man_pages(describe(app_), words[1]);
      return kDone;
    }
    const CLI::App* app = &app_;
    for (const std::string& word : words) {
      const CLI::App* sub = find_command(*app, word);
      if (sub == nullptr) throw InputError({}, unknown_command(*app, word));
      app = sub;
    }
    words.emplace_back("--help");
    std::reverse(words.begin(), words.end());
    app_.parse(words);
    return kDone;
  }

  static OptionDescription describe(const CLI::Option& option) {
    OptionDescription description;
    description.unnamed = option.get_positional();
    description.positional = option.get_positional() && option.get_lnames().empty();
    if (description.positional) description.names.push_back(option.get_name(true));
    for (const std::string& name : option.get_snames()) description.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) description.names.push_back("--" + name);
    if (option.get_items_expected_max() > 0) description.type = option.get_type_name();
    description.help = option.get_description();
    description.fallback = option.get_default_str();
    description.required = option.get_required();
    return description;
  }

  static CommandDescription describe(const CLI::App& app) {
    CommandDescription description{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
    for (const CLI::Option* option : app.get_options()) {
      description.options.push_back(describe(*option));
    }
    for (const CLI::App* sub : commands_of(app)) description.commands.push_back(describe(*sub));
    description.program_usage = rest_usage(app);
    description.takes_program = !description.program_usage.empty();
    return description;
  }

  /// With `help`, which is no command of CLI11's.
  CommandDescription whole_program() const {
    CommandDescription program = describe(app_);
    CommandDescription help{"help", "Explain a command", "", {}, {}};
    for (const CommandDescription& sub : program.commands) {
      help.commands.push_back({sub.name, sub.about, "", {}, {}});
    }
    program.commands.push_back(std::move(help));
    return program;
  }

  static const CLI::App* find_command(const CLI::App& app, const std::string& name) {
    for (const CLI::App* sub : commands_of(app)) {
      if (sub->get_name() == name) return sub;
    }
    return nullptr;
  }

  static std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
  }

  std::vector<std::string> command_names(const CLI::App& app) const {
    std::vector<std::string> names;
    for (const CLI::App* sub : commands_of(app)) names.push_back(sub->get_name());
    if (&app == &app_) names.emplace_back("help");
    return names;
  }

  std::string unknown_command(const CLI::App& app, const std::string& word) const {
    const std::vector<std::string> names = command_names(app);
    if (names.empty()) return "unexpected argument '" + word + "'";
    return fmt::format("unknown command '{}'{}: accepted are {}", word, did_you_mean(word, names),
                       joined(names));
  }

  /// The command line in the order that CLI11 wants, last word first. What stands behind the
  /// options of `heddle run` is the program's, also if the two are parted by "--".
  std::vector<std::string> in_parsing_order(std::vector<std::string> words) const {
    if (words.front() == "run") {
      const auto place = words.begin() + static_cast<std::ptrdiff_t>(behind_options(words));
      if (place != words.end() && *place == "--") words.erase(place);
    }
    std::reverse(words.begin(), words.end());
    return words;
  }

  /// Where the options of the subcommand end that is the first word.
  std::size_t behind_options(std::vector<std::string>& words) const {
    const CLI::App* sub = app_.get_subcommand(words.front());
    std::size_t i = 1;
    for (; i < words.size() && words[i].starts_with('-') && words[i] != "--"; ++i) {
      if (words[i] == "-np") words[i] = "-n";  // As other launchers have it.
      const CLI::Option* option = sub->get_option_no_throw(words[i]);
      if (option != nullptr && option->get_items_expected_max() > 0) ++i;
    }
    return std::min(i, words.size());
  }

  /// The innermost subcommand that was named, or the whole program if none was.
  CLI::App* chosen() {
    CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return app;
  }

  /// "heddle goal gen"
  std::string chosen_name() const {
    std::string name = "heddle";
    for (const CLI::App* app = &app_; !app->get_subcommands().empty();) {
      app = app->get_subcommands().front();
      name += " " + app->get_name();
    }
    return name;
  }

  int explain(const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app_.exit(error);  // --help, --version
    // What follows a bad value has not been looked at.
    const bool value =
        error.get_name() == "ValidationError" || error.get_name() == "ConversionError";
    const auto unknown = app_.remaining(true);
    const std::string problem =
        value || unknown.empty() ? problem_of(error) : unknown_word(unknown.front());
    Logger().error("{}\nTry `{} --help`.", problem, chosen_name());
    Notes::wrong_words(problem);
    return kWrongInput;
  }

  std::string problem_of(const CLI::ParseError& error) {
    const CLI::App& app = *chosen();
    const bool command =
        error.get_name() == "RequiredError" && app.get_require_subcommand_min() > 0;
    if (!command) return error.what();
    return fmt::format("a command of `{}` is missing: accepted are {}", chosen_name(),
                       joined(command_names(app)));
  }

  std::string unknown_word(const std::string& word) {
    if (!word.starts_with('-')) return unknown_command(*chosen(), word);
    const std::vector<std::string> names = CommandLine(chosen()).option_names();
    return fmt::format("unknown option '{}'{}: accepted are {}", word,
                       did_you_mean(word.substr(0, word.find('=')), names), joined(names));
  }

  CLI::App app_{"Heddle simulates fabrics of high-performance computers.", "heddle"};
  std::vector<CommandKind> kinds_;
  CommandSet commands_;
};

CommandTree::CommandTree(const std::string& version, const std::string& examples,
                         std::vector<CommandKind> kinds)
    : parser_(std::make_unique<Parser>(version, examples, std::move(kinds))) {}

CommandTree::~CommandTree() = default;

std::string CommandTree::problem_with(const std::vector<std::string>& words) {
  return parser_->problem_with(words);
}

int CommandTree::run(const std::vector<std::string>& words) {
  return parser_->run(words);
}

}  // namespace heddle::cli
