// Functions that ranks share with each other, called by code that runs ahead of its turn.
#pragma once

#include <link.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace heddle::host {

/// Leads the calls of loaded programs to such functions over stubs that wait for the rank's turn
/// (FiberLead::come_back). The simulator's own functions do so themselves; those of the program are
/// no one else's, and some of the system's are known to concern nobody but their caller.
class TurnStubs {
 public:
  /// For this process, whose programs share its C library.
  static TurnStubs& instance();
  /// Whether they can be made on this kind of machine.
  static bool possible();

  /// From now on objects that are loaded are patched, or not.
  void want(bool wanted) { wanted_ = wanted; }
  bool wanted() const { return wanted_; }
  /// Patches an object that has just been loaded and bound.
  void patch(const link_map& object);
  /// A variable that code which was patched shares with others and may change or see changed, or
  /// nothing.
  const std::string& shared_variable() const { return shared_variable_; }

 private:
  void patch_table(const link_map& object, const void* table, std::size_t size);
  /// The stub for a function.
  void* stub_for(void* function);

  bool wanted_ = false;
  std::string shared_variable_;
  std::map<void*, void*> stubs_;  ///< By function.
  std::byte* room_ = nullptr;     ///< For the next,
  std::byte* end_ = nullptr;      ///< up to here.
};

}  // namespace heddle::host
