#include "core/error.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "core/text.hpp"

namespace heddle {

std::string SourceLocation::str() const {
  std::string text = file;
  if (line != 0) text += ":" + std::to_string(line);
  if (line != 0 && column != 0) text += ":" + std::to_string(column);
  return text;
}

namespace {

/// A line of which the beginning and the end can be read, however long a user's word in it is.
std::string shortened(std::string_view line) {
  constexpr std::size_t kMost = 4000;
  constexpr std::size_t kEnd = 1000;
  if (line.size() <= kMost) return std::string(line);
  std::string text;
  text += line.substr(0, kMost - kEnd);
  text += " ... ";
  text += line.substr(line.size() - kEnd);
  return text;
}

/// Errors quote files of any contents: bytes that are no text, or that move a terminal's cursor,
/// are shown as \x1b.
std::string presentable(std::string_view problem) {
  std::string lines;
  for (std::string_view line : split(problem, '\n')) {
    lines += (lines.empty() && line.data() == problem.data() ? "" : "\n") + shortened(line);
  }
  std::string_view rest = lines;
  std::string text;
  for (;;) {
    const std::size_t at = first_not_text(rest);
    text += rest.substr(0, at);
    if (at == rest.npos) return text;
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(rest[at]);
    text += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    rest.remove_prefix(at + 1);
  }
}

std::string about(const std::string& what, std::string_view problem) {
  return what.empty() ? std::string(problem) : what + ": " + std::string(problem);
}

}  // namespace

InputError::InputError(const SourceLocation& where, std::string_view problem, std::string_view text)
    : std::runtime_error(presentable(text)), where_(where), problem_(problem) {}

InputError::InputError(const SourceLocation& where, std::string_view problem)
    : InputError(where, problem, about(where.str(), problem)) {}

ParamError::ParamError(std::vector<std::string> names, std::string_view problem)
    : InputError({}, problem, about(joined(names), problem)), names_(std::move(names)) {}

ParamError::ParamError(std::string_view name, const InputError& of_file)
    : InputError(of_file.where(), of_file.problem()), names_{std::string(name)} {}

namespace {

int lower(char c) {
  return std::tolower(static_cast<unsigned char>(c));
}

/// Insertions, deletions, substitutions and swaps of neighbours from one to the other; case does
/// not matter.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  // A short word must not be turned into something else altogether.
  const std::size_t limit = word.size() < 3   ? word.size() / 2
                            : word.size() < 5 ? 1
                                              : std::max<std::size_t>(2, word.size() / 3);
  std::string best;
  std::size_t best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest_name(word, candidates);
  return near.empty() ? "" : " (did you mean '" + near + "'?)";
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

}  // namespace heddle
