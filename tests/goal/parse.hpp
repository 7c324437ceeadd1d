// Schedules of tests, from their text.
#pragma once

#include <string>

#include "goal/formats/formats.hpp"

namespace heddle::goal {

inline Schedule parse(const std::string& text) {
  return parse_text(text, "test.goal");
}

}  // namespace heddle::goal
