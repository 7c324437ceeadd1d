#include "traces/readers/fields.hpp"

#include <algorithm>

#include "goal/shown_text.hpp"

namespace heddle::traces {

void Fields::fail_at_end(std::string_view what) {
  token_ = line_.substr(line_.size());
  throw InputError(where(), "the line ends where " + std::string(what) + " is expected");
}

/// What was taken as a number, whatever sign and length it has.
std::int64_t Fields::checked_integer(std::string_view what, std::int64_t least) const {
  const auto value = whole_number<std::int64_t>(token_);
  if (!value) reject(std::string(what) + ", a whole number");
  if (*value < least) reject(std::string(what) + " of at least " + std::to_string(least));
  return *value;
}

std::uint64_t Fields::address(std::string_view what) {
  const auto value = whole_number<std::uint64_t>(take(what));
  if (!value) reject(std::string(what) + ", a whole number without sign");
  return *value;
}

Fields Fields::parts(std::string_view what, char separator) {
  const std::string_view field = take(what);
  return {field, number_, *file_, separator, column(field) - 1};
}

void Fields::expect_done() const {
  if (done()) return;
  const std::string_view rest = line_.substr(std::min(at_, line_.size()));
  throw InputError({*file_, number_, column(rest)},
                   "'" + goal::shown_text(rest, 60) + "' is left over: the line should end");
}

void Fields::reject(std::string_view accepted) const {
  throw InputError(where(), "'" + goal::shown_text(token_, 60) + "' is not accepted here: " +
                                std::string(accepted) + " is expected");
}

std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty() && !line.starts_with('#')) return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return text;
}

}  // namespace heddle::traces
