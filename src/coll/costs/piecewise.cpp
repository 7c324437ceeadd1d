#include "coll/costs/piecewise.hpp"

#include <algorithm>
#include <charconv>

namespace heddle::coll {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0)) return {};
  return value < 1e300 ? std::optional(value) : std::nullopt;
}

constexpr double kPicoseconds = 1e12;

/// What `read` makes of a text without its sign, with it.
std::optional<double> with_sign(std::string_view text,
                                std::optional<double> (*read)(std::string_view)) {
  if (!text.starts_with('-')) return read(text);
  const auto value = read(text.substr(1));
  return value ? std::optional(-*value) : std::nullopt;
}

std::optional<double> time_ps(std::string_view text) {
  if (const auto seconds = number(text)) return *seconds * kPicoseconds;
  const auto time = parse_time(text);
  return time ? std::optional(static_cast<double>(time->ps())) : std::nullopt;
}

std::optional<double> ps_per_byte(std::string_view text) {
  if (const auto seconds = number(text)) return *seconds * kPicoseconds;
  const auto time = parse_time_per_byte(text);
  return time ? std::optional(static_cast<double>(time->attoseconds()) * 1e-6) : std::nullopt;
}

/// The words of each class: its threshold, then its values. A single one without a threshold is
/// for all sizes. Empty if the text is not of this form.
std::vector<std::pair<std::int64_t, std::vector<std::string_view>>> classes(std::string_view text,
                                                                            std::size_t values) {
  std::vector<std::pair<std::int64_t, std::vector<std::string_view>>> found;
  const auto parts = split(text, ';');
  for (std::string_view part : parts) {
    auto words = split(part, ':');
    const auto threshold = parse_count(words.front());
    const bool for_all = parts.size() == 1 && (words.size() == 1 || !threshold);
    if (!for_all) words.erase(words.begin());
    if ((!for_all && !threshold) || words.empty() || words.size() > values) return {};
    found.emplace_back(for_all ? -1 : *threshold, std::move(words));
  }
  return found;
}

template <class Class>
void sort(std::vector<Class>& classes) {
  std::ranges::stable_sort(classes, std::greater{}, &Class::above);
}

}  // namespace

std::optional<Factors> Factors::parse(std::string_view text) {
  Factors factors;
  factors.text_ = text;
  for (const auto& [above, words] : classes(text, 1)) {
    const auto value = number(words[0]);
    if (!value || *value == 0) return std::nullopt;
    factors.classes_.push_back({above, *value});
  }
  if (factors.classes_.empty()) return std::nullopt;
  sort(factors.classes_);
  return factors;
}

double Factors::at(std::int64_t size) const {
  for (const Class& c : classes_) {
    if (size > c.above || (size == 0 && c.above == 0)) return c.value;
  }
  return 1;
}

double Factors::least() const {
  double least = 1;
  for (const Class& c : classes_) least = std::min(least, c.value);
  return least;
}

bool Factors::neutral() const {
  return std::ranges::all_of(classes_, [](const Class& c) { return c.value == 1; });
}

std::optional<Overheads> Overheads::parse(std::string_view text) {
  // Of sizes and seconds, as SMPI has them, the first says what the others are; one alone does not.
  if (number(text).value_or(0) > 0) return std::nullopt;
  Overheads overheads;
  overheads.text_ = text;
  for (const auto& [above, words] : classes(text, 2)) {
    const auto fixed = with_sign(words[0], time_ps);
    const auto per_byte = words.size() > 1 ? with_sign(words[1], ps_per_byte) : std::optional(0.0);
    if (!fixed || !per_byte) return std::nullopt;
    overheads.classes_.push_back({above, *fixed, *per_byte});
  }
  if (overheads.classes_.empty()) return std::nullopt;
  sort(overheads.classes_);
  return overheads;
}

bool Overheads::zero() const {
  return std::ranges::all_of(classes_,
                             [](const Class& c) { return c.fixed_ps == 0 && c.ps_per_byte == 0; });
}

Time Overheads::work_out(std::int64_t size) const {
  for (const Class& c : classes_) {
    if (size > c.above || (size == c.above && &c == &classes_.back())) {
      return Time::whole_ps(
          std::max(0.0, c.fixed_ps + c.ps_per_byte * static_cast<double>(size) + 0.5));
    }
  }
  return Time::zero();
}

}  // namespace heddle::coll
