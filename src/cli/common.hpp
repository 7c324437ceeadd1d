// Options that several subcommands share.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/output_options.hpp"
#include "cli/parser.hpp"
#include "cli/setting_notes.hpp"
#include "core/params.hpp"
#include "platform/machine.hpp"
#include "platform/platform.hpp"

namespace heddle::cli {

/// Every section of parameters there is; the one list of them.
std::vector<const ParamSection*> all_sections();

using platform::Machine;

/// Reads the machine called `name_or_path`, lets `change` set parameters over those it sets itself,
/// and builds it. If that makes another machine of it, its sentence says so.
Machine read_machine(
    const std::string& name_or_path,
    const std::function<void(Settings&)>& change = [](Settings&) {});

/// The error with the place where the user last set one of what it is about; as it is if none was
/// set.
InputError with_place(const ParamError& error, const Settings& settings);

/// What `work` returns; its errors about parameters say where those were set.
template <class Work>
auto with_places(const Settings& settings, Work work) {
  try {
    return work();
  } catch (const ParamError& error) {
    throw with_place(error, settings);
  }
}

/// Assigns what `--set` was given with.
void assign_all(Settings& settings, const std::vector<std::string>& assignments);

/// Says on the standard error that each of these is to be looked at.
void warn(const std::vector<std::string>& warnings);

/// Which machine, and with what changes: `--platform`, `--set`, `--routing`, `--print-config`.
class MachineOptions {
 public:
  enum class Platform { option, positional };
  /// Declares the options; `positional` lets the platform be named without `--platform`, too.
  void add_to(CommandLine line, Platform platform = Platform::option);
  /// The platform if the user names none; without, naming none is an error.
  void set_default(const std::string& platform);
  /// What the command looks at besides the fabric: sections ("traffic"), with "network" that of the
  /// chosen model too, and single parameters ("nic.gap"). Users are warned if they set others.
  void uses(std::vector<std::string> names) { uses_.names = std::move(names); }
  void uses(Uses uses) { uses_ = std::move(uses); }
  /// Whether the user has left everything as it is.
  bool untouched() const { return platform_.empty() && assignments_.empty() && routing_.empty(); }
  bool names_platform() const { return !platform_.empty(); }
  /// Applies what `--set` and `--routing` say.
  void apply(Settings& settings) const;
  /// Reads the machine and applies what `--set` and `--routing` say, then `change`. Throws
  /// InputError.
  Machine read(const std::function<void(Settings&)>& change = [](Settings&) {}) const;
  /// Warns of options that have no effect on what is done with `machine`, unless it is only
  /// printed.
  void warn_of_idle(const Machine& machine) const;
  /// Whether the user wants to see the configuration and nothing else.
  bool print_config() const { return print_config_; }

 private:
  Option platform_option_;
  std::string platform_;
  std::string default_platform_;
  std::vector<std::string> assignments_;
  std::string routing_;
  bool print_config_ = false;
  Uses uses_;
};

/// The default of the parameter "section.name", for the help of an option that is short for it.
std::string default_of(std::string_view full_name);
/// "loggops, queue, ...": what `--network` accepts, and what it is without.
std::string network_help();

}  // namespace heddle::cli
