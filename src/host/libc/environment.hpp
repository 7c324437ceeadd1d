// The environment variables of one hosted process.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::host {

/// Changes to a process's `environ`, in a vector of its own; it stays shared with everybody as long
/// as nothing is changed.
class Environment {
 public:
  /// As setenv(3).
  void set(const char* name, const char* value, bool overwrite);
  /// As putenv(3): the string itself becomes part of the environment.
  void put(char* text);
  void unset(const char* name);
  void clear();

 private:
  void own();
  char** find(std::string_view name);
  void publish();

  std::vector<char*> entries_;                         ///< Ends with a null, once owned.
  std::vector<std::unique_ptr<std::string>> strings_;  ///< What set() made.
};

}  // namespace heddle::host
