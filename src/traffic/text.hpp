// Small helpers of the readers of this layer.
#pragma once

#include <string_view>
#include <vector>

namespace heddle::traffic {

/// The parts of `text` between separators, in order; one (empty) part for empty text.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace heddle::traffic
