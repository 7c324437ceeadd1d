// NetPIPE: np.out of 3.x (bytes, Mb/s of 2^20, seconds), 4.x (bytes, three rates, seconds) and 5.x
// (bytes, three rates in Gb/s, microseconds), which have no titles, and what it shows on the
// screen. Rows are known by their rate, which must be that of the bytes in the time.
#include <cmath>

#include "calibrate/format.hpp"
#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

constexpr double kSecondsInUs = 1e6;

/// Whether a rate of so many units is that of the bytes, to the precision that is printed.
bool is_rate(double rate, double unit, double bytes, double seconds) {
  if (!(seconds > 0) || !(rate > 0)) return false;
  const double real = bytes * 8 / seconds / unit;
  return std::abs(real - rate) <= 0.02 * real + 0.006;
}

/// The time one way, if the words are a row of some version.
std::optional<double> row_us(const std::vector<std::string_view>& words) {
  std::vector<double> values;
  for (const std::string_view word : words) {
    const auto value = number_in(word);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.size() != 3 && values.size() != 5) return std::nullopt;
  const double bytes = values[0];
  const double time = values.back();
  if (bytes_of(bytes) <= 0) return std::nullopt;
  constexpr double kMega = 0x1p20;
  if (values.size() == 3) {
    return is_rate(values[1], kMega, bytes, time) ? std::optional(time * kSecondsInUs)
                                                  : std::nullopt;
  }
  // 5.x: the mean, the least and the largest rate; 4.x: the least, the mean and the largest.
  if (is_rate(values[1], 1e9, bytes, time / kSecondsInUs)) return time;
  const bool seconds =
      is_rate(values[3], kMega, bytes, time) || is_rate(values[3], 1e6, bytes, time);
  return seconds ? std::optional(time * kSecondsInUs) : std::nullopt;
}

/// The same of "1: 2 bytes 440 times --> 0.05 Mbps in 293.11 usec".
std::optional<Point> screen_row(const std::string& line) {
  if (line.find("-->") == line.npos || line.find("bytes") == line.npos) return std::nullopt;
  const auto words = words_of(line);
  Point point{-1, 0, 0};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const double number = number_in(words[i - 1]).value_or(-1);
    if (words[i] == "bytes") point.bytes = bytes_of(number);
    if (words[i] == "usec" || words[i] == "usecs") point.value = number;
  }
  return point.bytes >= 0 && point.value > 0 ? std::optional(point) : std::nullopt;
}

std::optional<Point> netpipe_row(const Text& text, std::size_t at) {
  const std::string& line = text.line(at);
  std::optional<Point> point = screen_row(line);
  if (!point) {
    const auto words = words_of(line);
    if (words.size() != 3 && words.size() != 5) return std::nullopt;
    const auto us = row_us(words);
    if (!us) return std::nullopt;
    point = Point{bytes_of(*number_in(words[0])), *us, 0};
  }
  point->line = text.number(at);
  return point;
}

bool is_netpipe(const Text& text, std::size_t at) {
  // Three numbers that go together by chance are no row.
  return netpipe_row(text, at) && netpipe_row(text, at + 1);
}

std::size_t read_netpipe(const Text& text, std::size_t at, Readings& readings) {
  Measurement found;
  found.program = "NetPIPE";
  found.title = text.line(at);
  found.file = text.file();
  found.line = text.number(at);
  found.loop = Loop::ping_pong;
  found.pairs = 1;
  while (const auto point = netpipe_row(text, at)) {
    found.points.push_back(*point);
    ++at;
  }
  add(readings, std::move(found));
  return at;
}

}  // namespace

const Format& netpipe_format() {
  static const Format format = {"NetPIPE",
                                "1: 2 bytes 440 times --> 0.05 Mbps in 293.11 usec, or np.out",
                                is_netpipe, read_netpipe};
  return format;
}

}  // namespace heddle::calibrate
