// What `heddle mpirun` adds to `heddle run`: how the installed Open MPI is started and which of its
// components carry the messages.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/parser.hpp"
#include "files/temporary_folder.hpp"

namespace heddle::cli {

/// Name and value of one of Open MPI's variables.
using Variable = std::pair<std::string, std::string>;

class OpenMpiOptions {
 public:
  void add_to(CommandLine line);
  /// What ranks find in their environment. Builds the components that Open MPI lacks if they are
  /// not there yet; throws RunError if that fails.
  std::vector<std::string> environment();
  /// The words that repeat the options.
  std::vector<std::string> words() const;

 private:
  std::vector<Variable> components() const;
  /// What the user has set a variable to, or what it is without.
  std::string value_of(const std::string& name, const std::string& usual) const;

  std::string over_ = "mtl";
  bool coll_ = false;
  std::string osc_;  ///< Empty: what suits.
  bool shared_memory_ = false;
  std::vector<std::string> variables_;
  /// For Open MPI's own files; it goes with this.
  std::optional<files::ScratchFolder> scratch_;
};

/// Builds the Portals 4 components of the installed Open MPI, unless that is done; answers their
/// folder. Throws RunError.
std::string openmpi_components();

}  // namespace heddle::cli
