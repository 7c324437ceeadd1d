// What a page may have done: commands of the program with options from a list, and files of one
// folder.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::serve {

/// What a page asked for is not done; says why.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A command line of `heddle`, without its name and without files that are written.
struct Order {
  std::string command;
  std::vector<std::string> words;   ///< Options, with their values in the same word.
  std::vector<std::string> behind;  ///< A program and its arguments.
  /// Of a machine that was edited; "" if it has a name. Its paths are those of the folder.
  std::string machine_text;
  std::vector<std::string> runs;  ///< Of a comparison: which.
};

/// Reads an order: `command`, `platform` or `machine` (text), `settings` and `options` (objects of
/// texts), `program` (array), `schedule`, `runs`. Throws Refused.
Order read_order(const nlohmann::json& order, const std::filesystem::path& folder);

/// Whether all paths in a value stay below the folder (a canonical path), also where they pass
/// links. Texts with backslashes do not: what those stand for is for others to say.
bool stays_below(const std::string& value, const std::filesystem::path& folder);

}  // namespace heddle::serve
