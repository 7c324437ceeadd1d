#include "platform/topology/global_map.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "platform/text_file.hpp"

namespace heddle::platform {
namespace {

/// A switch: its group, and its number there.
using Place = std::pair<std::uint32_t, std::uint32_t>;

std::string name_of(std::int64_t group, std::int64_t number) {
  return fmt::format("g{}.s{}", group, number);
}

/// "g4.s0" as a place; nothing if it is no such name.
std::optional<Place> place_named(std::string_view word) {
  Place place;
  const char* const end = word.data() + word.size();
  if (!word.starts_with('g')) return std::nullopt;
  const auto group = std::from_chars(word.data() + 1, end, place.first);
  if (group.ec != std::errc() || !std::string_view(group.ptr, end).starts_with(".s")) {
    return std::nullopt;
  }
  const auto number = std::from_chars(group.ptr + 2, end, place.second);
  if (number.ec != std::errc() || number.ptr != end) return std::nullopt;
  return place;
}

class GlobalMapReader {
 public:
  GlobalMapReader(const GlobalMapShape& shape, const SourceLocation& start)
      : shape_(shape), start_(start) {}
  GlobalMap read(std::string_view text);

 private:
  void cable(const std::vector<Field>& words, std::uint32_t line);
  Place place(const Field& word, std::uint32_t line);
  SourceLocation where(const Field& word, std::uint32_t line) const {
    return {start_.file, start_.line + line, start_.column + word.column - 1};
  }
  /// More cannot all be joined by the ports of a group.
  std::int64_t most_groups() const {
    return shape_.groups.value_or(shape_.switches * shape_.per_switch + 1);
  }
  void check_joined() const;

  const GlobalMapShape& shape_;
  SourceLocation start_;
  std::map<Place, std::int64_t> at_switch_;  ///< Cables so far.
  GlobalMap map_{};
};

GlobalMap GlobalMapReader::read(std::string_view text) {
  std::uint32_t line = 0;
  std::vector<Field> words;
  for_each_line(text, [&](std::string_view whole) {
    split_by_blanks(whole.substr(0, whole.find('#')), words);
    if (!words.empty()) cable(words, line);
    ++line;
  });
  if (map_.cables.empty()) {
    throw InputError(start_,
                     "the map has no cables: accepted is a line such as 'g0.s1 g4.s0' for "
                     "each global cable");
  }
  if (shape_.groups) map_.groups = *shape_.groups;
  check_joined();
  return std::move(map_);
}

void GlobalMapReader::cable(const std::vector<Field>& words, std::uint32_t line) {
  if (words.size() != 2) {
    const Field& wrong = words[std::min<std::size_t>(2, words.size() - 1)];
    throw InputError(where(wrong, line),
                     fmt::format("{} names and not two in this line: accepted are two switches, "
                                 "such as g0.s1 g4.s0",
                                 words.size()));
  }
  const auto [a, switch_a] = place(words[0], line);
  const auto [b, switch_b] = place(words[1], line);
  if (a == b) {
    throw InputError(where(words[1], line),
                     fmt::format("both ends are in group {}: accepted are two switches of "
                                 "different groups",
                                 a));
  }
  map_.cables.push_back({a, switch_a, b, switch_b});
}

/// A switch that has room for a cable more.
Place GlobalMapReader::place(const Field& word, std::uint32_t line) {
  const auto place = place_named(word.text);
  if (!place || place->first >= most_groups() || place->second >= shape_.switches) {
    throw InputError(where(word, line),
                     fmt::format("{} is no switch for global cables: accepted are {} to {}",
                                 in_quotes(word.text), name_of(0, 0),
                                 name_of(most_groups() - 1, shape_.switches - 1)));
  }
  if (++at_switch_[*place] > shape_.per_switch) {
    throw InputError(
        where(word, line),
        fmt::format("cable number {} at {}: accepted are at most {} ({}.{})", at_switch_[*place],
                    word.text, shape_.per_switch, shape_.kind, shape_.per_switch_name));
  }
  map_.groups = std::max<std::int64_t>(map_.groups, std::int64_t{place->first} + 1);
  return *place;
}

/// Of the pairs that have cables, in order, the first that is not the next there could be.
void GlobalMapReader::check_joined() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const GroupCable& cable : map_.cables) pairs.emplace_back(std::minmax(cable.a, cable.b));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::pair<std::uint32_t, std::uint32_t> next{0, 1};
  for (const auto& pair : pairs) {
    if (pair != next) break;
    if (++next.second == map_.groups) next = {next.first + 1, next.first + 2};
  }
  if (next.second >= map_.groups) return;
  throw InputError(start_,
                   fmt::format("the map has no cable between groups {} and {}: accepted is at "
                               "least one between any two of the {} groups",
                               next.first, next.second, map_.groups));
}

}  // namespace

std::optional<GlobalMap> global_map(const GlobalMapConfig& config, const GlobalMapShape& shape,
                                    const Settings& settings) {
  const std::string in_line = shape.kind + ".global_cables";
  const std::string in_file = shape.kind + ".global_file";
  if (config.file.empty() && config.cables.empty()) return std::nullopt;
  if (config.file.empty()) {
    return GlobalMapReader(shape, settings.where(in_line)).read(config.cables);
  }
  if (!config.cables.empty()) {
    throw InputError(settings.where(in_line),
                     "global_cables beside global_file: accepted is one of them");
  }
  const std::string text = read_text_file(config.file, settings.where(in_file));
  require_text(text, config.file);
  return GlobalMapReader(shape, {config.file, 1, 1}).read(text);
}

}  // namespace heddle::platform
