// Functions that ranks share with each other, called by code that runs ahead of its turn.
#pragma once

#include <link.h>

#include <string>

namespace heddle::host {

/// Leads the calls of a run's programs to such functions over stubs that wait for the rank's turn
/// (FiberLead::come_back). The simulator's own functions do so themselves; those of the program are
/// no one else's, and some of the system's are known to concern nobody but their caller.
class TurnStubs {
 public:
  /// Whether they can be made on this kind of machine.
  static bool possible();

  /// Patches an object that has just been loaded and bound.
  void patch(const link_map& object);
  /// A variable that code which was patched shares with others and may change or see changed, or
  /// nothing.
  const std::string& shared_variable() const { return shared_variable_; }

 private:
  std::string shared_variable_;
};

}  // namespace heddle::host
