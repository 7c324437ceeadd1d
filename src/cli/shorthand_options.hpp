// Options that are short for setting a parameter.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "cli/parser.hpp"
#include "core/params.hpp"

namespace heddle::cli {

/// An option that is short for setting a parameter, and what it sets besides.
struct Shorthand {
  std::string option;
  std::string parameter;
  std::string type;
  std::string help;
  std::string also = {};      ///< Another assignment that it implies.
  bool shows_default = true;  ///< Whether the help tells the parameter's default.
};

/// Assigns `value` as `option` asks for. Throws InputError if `--set` has said otherwise.
void assign_short(Settings& settings, const std::string& parameter, const std::string& value,
                  const std::string& option);

/// The shorthands of a command.
class ShorthandOptions {
 public:
  void add_to(CommandLine line, const std::vector<Shorthand>& shorthands);
  /// Assigns what the user gave; throws InputError for what contradicts a `--set`.
  void assign(Settings& settings) const;
  /// Whether the user gave any of them.
  bool given() const;

 private:
  struct Given {
    Shorthand shorthand;
    std::string value = {};
    Option option = Option();
  };
  std::deque<Given> list_;  ///< They stay where they are: the parser fills in the values.
};

}  // namespace heddle::cli
