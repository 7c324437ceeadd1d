// Schedules of tests, from their text.
#pragma once

#include <string>

#include "replay/formats/formats.hpp"

namespace heddle::replay {

inline Schedule parse(const std::string& text) {
  return parse_text(text, "test.goal");
}

}  // namespace heddle::replay
