// The whole command line: which command is meant, and what to say when none is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace heddle::cli {

/// The commands of `heddle`, ready to be run.
class CommandTree {
 public:
  /// `version` is what --version prints, `examples` end the help.
  CommandTree(const std::string& version, const std::string& examples,
              std::vector<CommandKind> kinds);
  ~CommandTree();

  /// Runs what the words of the command line ask for; answers the exit status. Throws what the
  /// command throws.
  int run(const std::vector<std::string>& words);
  /// What is wrong with the words, or "": they are parsed and nothing is run.
  std::string problem_with(const std::vector<std::string>& words);

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace heddle::cli
