#include "goal/shown_text.hpp"

#include <fmt/core.h>

namespace heddle::goal {
namespace {

bool is_printable(char c) {
  return c >= ' ' && c <= '~';
}

}  // namespace

std::string shown_text(std::string_view text, std::size_t most) {
  std::string shown;
  for (const char c : text.substr(0, most)) {
    if (is_printable(c)) {
      shown += c;
    } else {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text.size() > most ? shown + "..." : shown;
}

std::string shown_byte(std::string_view text, bool at_beginning) {
  if (at_beginning && text.starts_with("\xef\xbb\xbf")) {
    return "a byte order mark (the file is to be saved as UTF-8 without one, or ASCII)";
  }
  if (at_beginning && (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))) {
    return "the beginning of a text in UTF-16 (ASCII or UTF-8 is read)";
  }
  if (text.front() == '\0') return "a NUL byte (this is not a text)";
  if (is_printable(text.front())) return fmt::format("'{}'", text.front());
  return fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(text.front()));
}

}  // namespace heddle::goal
