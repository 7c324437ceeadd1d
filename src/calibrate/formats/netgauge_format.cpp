// Netgauge's module loggp: rows of s, round trips of n messages, and L, o_s, o_r, g, G in
// microseconds.
#include <algorithm>

#include "calibrate/format.hpp"
#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

bool is_netgauge(const Text& text, std::size_t at) {
  const std::string& line = text.line(at);
  return line.starts_with('#') && line.find("PRTT(1,0,s)") != line.npos &&
         line.find("o_s") != line.npos;
}

/// PRTT(n,PRTT(1,0,s),s) is one title, with commas and no blanks.
std::size_t read_netgauge(const Text& text, std::size_t at, Readings& readings) {
  const TextTable table = table_at(text, at);
  const std::size_t size = table.need(text, at, {"size"});
  struct Part {
    const char* column;
    const char* program;
    Loop loop;
    double scale;
  };
  static constexpr Part kParts[] = {
      {"prtt(1,0,s)", "netgauge round trip", Loop::ping_pong, 0.5},
      {"o_s", "netgauge o_s", Loop::send_call, 1},
      {"o_s", "netgauge o_s", Loop::isend_call, 1},
      {"o_r", "netgauge o_r", Loop::receive_call, 1},
  };
  for (const Part& part : kParts) {
    Measurement found;
    found.program = part.program;
    found.title = text.line(at);
    found.file = text.file();
    found.line = text.number(at);
    found.pairs = 1;
    found.loop = part.loop;
    found.points = points_of(table, size, table.need(text, at, {part.column}), part.scale);
    // Differences of noise may be negative all over.
    const bool some = std::ranges::any_of(found.points, [](const Point& p) { return p.value > 0; });
    if (some || part.loop == Loop::ping_pong) add(readings, std::move(found));
  }
  return table.end;
}

}  // namespace

const Format& netgauge_format() {
  static const Format format = {"Netgauge loggp", "# size n PRTT(1,0,s) ... L o_s o_r g G",
                                is_netgauge, read_netgauge};
  return format;
}

}  // namespace heddle::calibrate
