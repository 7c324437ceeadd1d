// Whoever shows something on the terminal while ranks write to it, too.
#pragma once

namespace heddle::host {

class TerminalUser {
 public:
  /// The one there is, or null.
  inline static TerminalUser* current = nullptr;
  /// Something else is written next.
  virtual void give_way() = 0;

 protected:
  ~TerminalUser() = default;
};

}  // namespace heddle::host
