// What the program that comes with Heddle prints: "# test NAME pairs=1 window=64 inside=0"
// and rows of bytes and microseconds (and the least of them), or MB/s of streams; and the eager
// limit.
#include <algorithm>
#include <array>

#include "calibrate/format.hpp"
#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

constexpr std::array<std::pair<std::string_view, Loop>, 9> kOwnTests = {{
    {"ping_pong", Loop::ping_pong},
    {"stream", Loop::stream},
    {"send_call", Loop::send_call},
    {"isend_call", Loop::isend_call},
    {"receive_call", Loop::receive_call},
    {"put", Loop::put},
    {"get", Loop::get},
    {"reduce_local", Loop::reduction},
    {"copy", Loop::copy},
}};
constexpr std::string_view kLimit = "# eager limit:";

bool is_test(const std::string& line) {
  return line.starts_with("# test ") && line.find("inside=") != line.npos;
}
bool is_own(const Text& text, std::size_t at) {
  const std::string& line = text.line(at);
  return is_test(line) || line.starts_with(kLimit);
}

std::size_t read_limit(const Text& text, std::size_t at, Readings& readings) {
  const auto limit = count_behind(text.line(at), kLimit);
  if (!limit) {
    throw InputError({text.file(), text.number(at)},
                     "a number of bytes was looked for in " + in_quotes(text.line(at)));
  }
  for (const char* parameter : {"mpi.eager_limit", "mpi.detached_limit"}) {
    readings.given.push_back({parameter, std::to_string(*limit), {text.file(), text.number(at)}});
  }
  return at + 1;
}

std::size_t read_own(const Text& text, std::size_t at, Readings& readings) {
  const std::string& line = text.line(at);
  if (!is_test(line)) return read_limit(text, at, readings);
  Measurement found;
  found.title = line;
  found.file = text.file();
  found.line = text.number(at);
  const auto words = words_of(line);
  found.program = std::string(words[2]);
  for (const auto& [name, loop] : kOwnTests) {
    if (name == found.program) found.loop = loop;
  }
  found.rate = found.loop == Loop::stream;
  found.pairs = count_behind(line, "pairs").value_or(1);
  found.window = count_behind(line, "window").value_or(1);
  found.inside = count_behind(line, "inside").value_or(0) != 0;
  for (++at; at < text.size(); ++at) {
    const auto row = words_of(text.line(at));
    const bool fits = row.size() == 2 || row.size() == 3;
    const auto bytes = fits ? number_in(row[0]) : std::nullopt;
    const auto value = fits ? number_in(row[1]) : std::nullopt;
    const auto least = row.size() == 3 ? number_in(row[2]) : value;
    if (!bytes || !value || !least) break;
    const double spread = found.rate ? 0 : spread_of(*value, *least);
    found.points.push_back({bytes_of(*bytes), *value, text.number(at), spread});
  }
  // What costs nothing, as only simulated machines have it, is no mistake.
  const bool some = std::ranges::any_of(found.points, [](const Point& p) { return p.value > 0; });
  if (some || found.points.empty()) add(readings, std::move(found));
  return at;
}

}  // namespace

const Format& heddle_format() {
  static const Format format = {"the program that comes with Heddle",
                                "# test ping_pong pairs=1 window=64 inside=0", is_own, read_own};
  return format;
}

}  // namespace heddle::calibrate
