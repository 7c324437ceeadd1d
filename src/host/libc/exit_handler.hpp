// What programs want to be called at their end.
#pragma once

namespace heddle::host {

/// A function to call at the end, with its argument, and with the status if it wants it.
struct ExitHandler {
  void (*plain)(void* argument) = nullptr;
  void (*with_status)(int status, void* argument) = nullptr;
  void* argument = nullptr;

  void run(int status) const {
    if (plain != nullptr) {
      plain(argument);
    } else {
      with_status(status, argument);
    }
  }
};

}  // namespace heddle::host
