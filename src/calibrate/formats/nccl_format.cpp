// nccl-tests: lines of ranks, then "# size count type redop root time algbw busbw #wrong ...",
// whose units are in the next line.
#include <algorithm>
#include <set>

#include "calibrate/format.hpp"
#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

bool is_rank_line(const std::string& line) {
  return line.starts_with('#') && has_word(line, " rank ") && has_word(line, " pid ") &&
         has_word(line, " on ");
}
bool is_nccl_columns(const std::string& line) {
  return line.starts_with('#') && has_word(line, " size ") && has_word(line, " algbw ") &&
         has_word(line, " busbw");
}

bool is_nccl(const Text& text, std::size_t at) {
  return is_rank_line(text.line(at)) || is_nccl_columns(text.line(at));
}

/// The host in "#  Rank  0 Group  0 Pid 92057 on host device  0 [...] ...".
std::string host_in(const std::string& line) {
  const auto words = words_of(line);
  const auto on = std::ranges::find(words, "on");
  return on != words.end() && on + 1 != words.end() ? std::string(on[1]) : "";
}

/// Words of a row, which has no number in the columns of type and operation.
std::optional<Point> nccl_row(const Text& text, std::size_t at, std::size_t time) {
  const auto words = words_of(text.line(at));
  const auto size = words.empty() ? std::nullopt : number_in(words[0]);
  const auto us = words.size() > time ? number_in(words[time]) : std::nullopt;
  if (!size || !us) return std::nullopt;
  return Point{bytes_of(*size), *us, text.number(at)};
}

std::size_t read_nccl(const Text& text, std::size_t at, Readings& readings) {
  Measurement found;
  found.title = text.line(at);
  found.file = text.file();
  found.line = text.number(at);
  found.device = true;
  std::set<std::string> hosts;
  for (; at < text.size() && !is_nccl_columns(text.line(at)); ++at) {
    if (!is_rank_line(text.line(at))) continue;
    ++found.ranks;
    hosts.insert(host_in(text.line(at)));
  }
  if (!hosts.empty()) found.nodes = static_cast<std::uint32_t>(hosts.size());
  if (at == text.size()) {
    throw InputError({text.file(), found.line},
                     "a line of columns such as '# size count type redop root time algbw busbw' "
                     "was looked for below " +
                         in_quotes(found.title) + ", and none was found");
  }
  auto titles = words_of(text.line(at));
  if (!titles.empty() && titles.front() == "#") titles.erase(titles.begin());
  const auto time = static_cast<std::size_t>(std::ranges::find(titles, "time") - titles.begin());
  const bool reduces = std::ranges::find(titles, "redop") != titles.end();
  found.program = reduces ? "nccl-tests, reducing" : "nccl-tests";
  for (++at; at < text.size(); ++at) {
    const auto point = nccl_row(text, at, time);
    if (!point && !text.line(at).starts_with('#') && !found.points.empty()) break;
    if (point) found.points.push_back(*point);
  }
  add(readings, std::move(found));
  return at;
}

}  // namespace

const Format& nccl_format() {
  static const Format format = {"nccl-tests", "# size count type redop root time algbw busbw",
                                is_nccl, read_nccl};
  return format;
}

}  // namespace heddle::calibrate
