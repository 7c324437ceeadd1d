// What `heddle mpirun` adds to `heddle run`: how the installed Open MPI is started and which of its
// components carry the messages.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/parser.hpp"

namespace heddle::cli {

class OpenMpiOptions {
 public:
  void add_to(CommandLine line);
  /// What ranks find in their environment. Builds the components that Open MPI lacks if they are
  /// not there yet; throws RunError if that fails.
  std::vector<std::string> environment() const;
  /// The words that repeat the options.
  std::vector<std::string> words() const;

 private:
  std::string over_ = "mtl";
  bool coll_ = false;
  std::string osc_ = "portals4";
  bool shared_memory_ = false;
  std::vector<std::string> variables_;
};

/// Builds the Portals 4 components of the installed Open MPI, unless that is done; answers their
/// folder. Throws RunError.
std::string openmpi_components();

}  // namespace heddle::cli
