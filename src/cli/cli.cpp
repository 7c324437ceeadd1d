#include "cli/cli.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "cli/command.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "host/crash.hpp"
#include "report/version.hpp"

namespace heddle::cli {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongInput = 2;

constexpr const char* kExamples =
    "Examples:\n"
    "  heddle run -n 4 ./hello              # a program, on a simulated machine\n"
    "  heddle platforms                     # the machines that come with the program\n"
    "  heddle topo bxi-v2 --svg bxi.svg     # describe one, and draw it\n"
    "  heddle traffic                       # latency against load, on a fat tree\n"
    "  heddle replay app.goal               # when each rank of a schedule is done\n"
    "  heddle params link                   # the parameters of cables\n"
    "`heddle help COMMAND` or `heddle COMMAND --help` explains a command.";

/// Every subcommand, in the order of the help.
std::vector<CommandKind> command_kinds() {
  return {run_command(),    platforms_command(), topo_command(),    traffic_command(),
          replay_command(), goal_command(),      convert_command(), trace_command(),
          plot_command(),   params_command()};
}

/// The parsed command line: CLI11's tree and the commands that hang on it.
class Program {
 public:
  Program() {
    app_.set_version_flag("--version", fmt::format("heddle {}", report::version()));
    app_.footer(kExamples);
    for (const CommandKind& kind : command_kinds()) commands_.add(app_, kind);
    app_.require_subcommand(1);
  }

  int run(int argc, char** argv) {
    if (argc <= 1) {
      fmt::print("{}", app_.help());
      return kDone;
    }
    try {
      if (std::string_view(argv[1]) == "help") return help({argv + 2, argv + argc});
      app_.parse(words_of(argc, argv));
    } catch (const CLI::ParseError& error) {
      return explain(error);
    }
    return commands_.run(app_);
  }

 private:
  /// `heddle help goal gen` is `heddle goal gen --help`.
  int help(std::vector<std::string> words) {
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

  static const CLI::App* find_command(const CLI::App& app, const std::string& name) {
    for (const CLI::App* sub : commands_of(app)) {
      if (sub->get_name() == name) return sub;
    }
    return nullptr;
  }

  static std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
  }

  std::string unknown_command(const CLI::App& app, const std::string& word) const {
    std::vector<std::string> names;
    for (const CLI::App* sub : commands_of(app)) names.push_back(sub->get_name());
    if (names.empty()) return "unexpected argument '" + word + "'";
    if (&app == &app_) names.emplace_back("help");
    return fmt::format("unknown command '{}'{}: accepted are {}", word, did_you_mean(word, names),
                       joined(names));
  }

  /// The command line in the order that CLI11 wants, last word first. What stands behind the
  /// options of `heddle run` is the program's, also if the two are parted by "--".
  std::vector<std::string> words_of(int argc, char** argv) const {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (words.front() == "run") {
      const auto place = words.begin() + static_cast<std::ptrdiff_t>(behind_options(words));
      if (place != words.end() && *place == "--") words.erase(place);
    }
    std::reverse(words.begin(), words.end());
    return words;
  }

  /// Where the options of the subcommand end that is the first word.
  std::size_t behind_options(const std::vector<std::string>& words) const {
    const CLI::App* sub = app_.get_subcommand(words.front());
    std::size_t i = 1;
    for (; i < words.size() && words[i].starts_with('-') && words[i] != "--"; ++i) {
      const CLI::Option* option = sub->get_option_no_throw(words[i]);
      if (option != nullptr && option->get_items_expected_max() > 0) ++i;
    }
    return std::min(i, words.size());
  }

  /// The innermost subcommand that was named, or the whole program if none was.
  const CLI::App* chosen() const {
    const CLI::App* app = &app_;
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
    fmt::print(stderr, "error: {}\nTry `{} --help`.\n",
               value || unknown.empty() ? error.what() : unknown_word(unknown.front()),
               chosen_name());
    return kWrongInput;
  }

  std::string unknown_word(const std::string& word) const {
    if (!word.starts_with('-')) return unknown_command(*chosen(), word);
    const std::vector<std::string> names = option_names();
    return fmt::format("unknown option '{}'{}: accepted are {}", word,
                       did_you_mean(word.substr(0, word.find('=')), names), joined(names));
  }

  std::vector<std::string> option_names() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : chosen()->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
  }

  CLI::App app_{"Heddle simulates fabrics of high-performance computers.", "heddle"};
  CommandSet commands_;
};

int fail(int status, const char* problem) {
  std::fflush(stdout);
  Logger().error("{}", problem);
  return status;
}

}  // namespace

int run(int argc, char** argv) {
  try {
    const int status = Program().run(argc, argv);
    return std::fflush(stdout) == 0 ? status : fail(kFailed, "cannot write the standard output");
  } catch (const InputError& error) {
    return fail(kWrongInput, error.what());
  } catch (const host::StopError& error) {
    fail(kFailed, error.what());
    std::signal(error.signal(), SIG_DFL);
    std::raise(error.signal());
    return kFailed;
  } catch (const host::CrashError& error) {
    return fail(error.status(), error.what());
  } catch (const RunError& error) {
    return fail(kFailed, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kFailed, "not enough memory");
  } catch (const std::exception& error) {  // Such as a path that no system would take.
    return fail(kFailed, error.what());
  }
}

}  // namespace heddle::cli
