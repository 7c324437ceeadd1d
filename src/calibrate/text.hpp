// Lines of a benchmark's output, as they were before logs, mails and Markdown had them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::calibrate {

/// The lines of a file without what stands in front of them: marks of quotation, ranks, times and
/// bars of tables, and without the tags of mails in archives. What has nothing else is left out.
class Text {
 public:
  Text(std::string_view text, std::string file);

  const std::string& file() const { return file_; }
  std::size_t size() const { return lines_.size(); }
  /// "" behind the last.
  const std::string& line(std::size_t at) const { return at < lines_.size() ? lines_[at] : empty_; }
  /// As errors and remarks number it.
  std::uint32_t number(std::size_t at) const { return at < numbers_.size() ? numbers_[at] : 0; }

 private:
  std::string file_;
  std::vector<std::string> lines_;
  std::vector<std::uint32_t> numbers_;  ///< Of the lines, in the file.
  std::string empty_;
};

/// A number without a unit, "1.2e+06" too; nothing for other text and what is not finite.
std::optional<double> number_in(std::string_view word);
/// The whole number behind `key` and blanks, '=' or ':', wherever it is: "pairs: 4".
std::optional<std::uint32_t> count_behind(std::string_view line, std::string_view key);
/// Whether `line` has `part`, in whatever letters.
bool has_word(std::string_view line, std::string_view part);
/// In small letters.
std::string lowered(std::string_view text);
/// The words of a line.
std::vector<std::string_view> words_of(std::string_view line);

/// Rows of numbers under titles.
struct TextTable {
  struct Row {
    std::vector<double> values;  ///< Not a number for words such as N/A.
    std::uint32_t line = 0;
  };
  std::vector<std::string> titles;  ///< In small letters, without a '#' in front.
  std::vector<Row> rows;
  std::size_t end = 0;  ///< The first line behind it.

  /// The first column whose title is or begins with one of these.
  std::optional<std::size_t> column(std::initializer_list<std::string_view> names) const;
  /// The same; throws InputError if there is none.
  std::size_t need(const Text& text, std::size_t at,
                   std::initializer_list<std::string_view> names) const;
};

/// The table whose titles are in line `at`: all rows up to the first line without numbers; remarks
/// and a few warnings may be in front of them. Throws InputError if it has no rows, or if these do
/// not go with the titles.
TextTable table_at(const Text& text, std::size_t at);

}  // namespace heddle::calibrate
