// What a subcommand of `heddle` is. Each has a file of its own and one line in cli.cpp's table.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>

namespace heddle::cli {

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
  /// Declares the options on `app`, which outlives the command.
  std::unique_ptr<Command> (*make)(CLI::App& app);
};

template <class C>
std::unique_ptr<Command> make_command(CLI::App& app) {
  return std::make_unique<C>(app);
}

/// The commands that hang on one app, by their own app.
class CommandSet {
 public:
  void add(CLI::App& parent, const CommandKind& kind) {
    CLI::App* sub = parent.add_subcommand(kind.name, kind.about);
    sub->footer("Examples:\n" + kind.examples);
    commands_[sub] = kind.make(*sub);
  }
  /// Runs the one that was named on the command line, and answers its status.
  int run(const CLI::App& parent) const {
    Command& command = *commands_.at(parent.get_subcommands().front());
    command.run();
    return command.status();
  }

 private:
  std::map<const CLI::App*, std::unique_ptr<Command>> commands_;
};

/// A command that is nothing but the choice of one of its own.
class CommandGroup : public Command {
 public:
  CommandGroup(CLI::App& app, std::initializer_list<CommandKind> kinds) : app_(app) {
    for (const CommandKind& kind : kinds) commands_.add(app, kind);
    app.require_subcommand(1);
  }
  void run() override { status_ = commands_.run(app_); }
  int status() const override { return status_; }

 private:
  CLI::App& app_;
  CommandSet commands_;
  int status_ = 0;
};

CommandKind convert_command();
CommandKind goal_command();
CommandKind params_command();
CommandKind platforms_command();
CommandKind plot_command();
CommandKind replay_command();
CommandKind run_command();
CommandKind topo_command();
CommandKind trace_command();
CommandKind traffic_command();

}  // namespace heddle::cli
