#include "core/error.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace heddle {

std::string SourceLocation::str() const {
  std::string text = file;
  if (line != 0) text += ":" + std::to_string(line);
  if (line != 0 && column != 0) text += ":" + std::to_string(column);
  return text;
}

InputError::InputError(const SourceLocation& where, std::string_view problem)
    : std::runtime_error(where.str().empty() ? std::string(problem)
                                             : where.str() + ": " + std::string(problem)),
      where_(where),
      problem_(problem) {}

namespace {

int lower(char c) {
  return std::tolower(static_cast<unsigned char>(c));
}

/// Insertions, deletions and substitutions from one to the other; case does not matter.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  // A short word must not be turned into something else altogether.
  const std::size_t limit =
      word.size() < 3 ? word.size() / 2 : std::max<std::size_t>(2, word.size() / 3);
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
