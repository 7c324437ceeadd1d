// What tests of mistakes share.
#pragma once

#include <string>

#include "core/error.hpp"

namespace heddle {

/// What is said by the `Error` that `action` throws; "no error" if it throws nothing.
template <class Error = InputError, class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace heddle
