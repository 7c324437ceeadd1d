// Taking text apart: lines, words, fields between commas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// `text` without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// 'text' as errors show what they are about; of a long one the beginning.
std::string in_quotes(std::string_view text);

/// 'text' as shells read it.
std::string shell_quoted(std::string_view text);
/// A word as shells read it, in quotes if need be; control characters as $'\x1b', so that they can
/// be shown.
std::string shell_word(std::string_view text);

/// Where the first byte is that no text has: not UTF-8, or a character that controls a terminal;
/// npos if there is none.
std::size_t first_not_text(std::string_view text);

/// The parts of `text` between separators, in order; one (empty) part for empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

/// A part of a line and where it begins.
struct Field {
  std::string_view text;
  std::uint32_t column;  ///< From 1.
};

/// Fills in the words of a line; none for a blank one.
void split_by_blanks(std::string_view line, std::vector<Field>& fields);
/// Fills in what stands between the commas of a line, without blanks around it; nothing for a blank
/// line.
void split_by_commas(std::string_view line, std::vector<Field>& fields);

/// Calls `use` with each line of `text`, without its end.
template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace heddle
