// What a subcommand of `heddle` is. Each has a file of its own and one line in cli.cpp's table.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <string>

#include "cli/parser.hpp"

namespace heddle::cli {

/// Exit statuses.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongInput = 2;
inline constexpr int kFound = 3;  ///< Done, and --check has found something.

/// A subcommand with its options; made before the command line is parsed, run after.
class Command {
 public:
  virtual ~Command() = default;
  /// Does the work. Throws InputError or RunError.
  virtual void run() = 0;
  /// The exit status after a run() that threw nothing.
  virtual int status() const { return 0; }
};

/// An entry in the table of subcommands.
struct CommandKind {
  std::string name;
  std::string about;     ///< One line, for the list.
  std::string examples;  ///< Lines of "command  # what it does", for the end of --help.
  /// Declares the options on `line`.
  std::unique_ptr<Command> (*make)(CommandLine line);
};

template <class C>
std::unique_ptr<Command> make_command(CommandLine line) {
  return std::make_unique<C>(line);
}

/// The commands that hang on one command line, by their own.
class CommandSet {
 public:
  void add(CommandLine parent, const CommandKind& kind);
  /// Whether one of them was named on the command line.
  static bool named(CommandLine parent);
  /// Runs the one that was named on the command line, and answers its status.
  int run(CommandLine parent) const;

 private:
  std::map<const CLI::App*, std::unique_ptr<Command>> commands_;
};

/// A command that is nothing but the choice of one of its own.
class CommandGroup : public Command {
 public:
  CommandGroup(CommandLine line, std::initializer_list<CommandKind> kinds);
  void run() override { status_ = commands_.run(line_); }
  int status() const override { return status_; }

 private:
  CommandLine line_;
  CommandSet commands_;
  int status_ = 0;
};

CommandKind again_command();
CommandKind calibrate_command();
CommandKind testbed_command();
CommandKind convert_command();
CommandKind design_command();
CommandKind goal_command();
CommandKind jobs_command();
CommandKind params_command();
CommandKind platforms_command();
CommandKind coll_command();
CommandKind plot_command();
CommandKind replay_command();
CommandKind mpirun_command();
CommandKind report_command();
CommandKind run_command();
CommandKind serve_command();
CommandKind setup_command();
CommandKind sweep_command();
CommandKind topo_command();
CommandKind trace_command();
CommandKind traffic_command();
CommandKind tune_command();

/// Runs another command line, without the program's name, inside this one. Answers its exit status;
/// throws what its command throws.
int run_words(const std::vector<std::string>& words);
/// What is wrong with the options of such a command line and their values, or "". Nothing is run.
std::string problem_with_words(const std::vector<std::string>& words);

}  // namespace heddle::cli
