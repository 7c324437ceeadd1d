#include "cli/cli.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "cli/command.hpp"
#include "core/error.hpp"
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
    "`heddle COMMAND --help` explains a command.";

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
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return explain(error);
    }
    return commands_.run(app_);
  }

 private:
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
    const auto unknown = app_.remaining(true);
    fmt::print(stderr, "error: {}\nTry `{} --help`.\n",
               unknown.empty() ? error.what() : unknown_word(unknown.front()), chosen_name());
    return kWrongInput;
  }

  std::string unknown_word(const std::string& word) const {
    const bool is_option = word.starts_with('-');
    const bool is_command = !is_option && !command_names().empty();
    const auto names = is_option ? option_names() : command_names();
    if (!is_option && !is_command) return "unexpected argument '" + word + "'";
    return fmt::format("unknown {} '{}'{}: accepted are {}", is_option ? "option" : "command", word,
                       did_you_mean(word.substr(0, word.find('=')), names), joined(names));
  }

  std::vector<std::string> option_names() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : chosen()->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
  }

  std::vector<std::string> command_names() const {
    std::vector<std::string> names;
    for (const CLI::App* sub : chosen()->get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(sub->get_name());
    }
    return names;
  }

  CLI::App app_{"Heddle simulates fabrics of high-performance computers.", "heddle"};
  CommandSet commands_;
};

int fail(int status, const char* problem) {
  std::fflush(stdout);
  fmt::print(stderr, "error: {}\n", problem);
  return status;
}

}  // namespace

int run(int argc, char** argv) {
  try {
    const int status = Program().run(argc, argv);
    return std::fflush(stdout) == 0 ? status : fail(kFailed, "cannot write the standard output");
  } catch (const InputError& error) {
    return fail(kWrongInput, error.what());
  } catch (const host::CrashError& error) {
    return fail(error.status(), error.what());
  } catch (const RunError& error) {
    return fail(kFailed, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kFailed, "not enough memory");
  }
}

}  // namespace heddle::cli
