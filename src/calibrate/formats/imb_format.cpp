// The Intel MPI Benchmarks: blocks that begin "# Benchmarking PingPong". Of their numbers the times
// are taken: what a megabyte is has changed, and how many messages count, too.
#include <algorithm>
#include <array>

#include "calibrate/format.hpp"
#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

struct ImbLoop {
  std::string_view name;
  Loop loop;
};
constexpr std::array kImbLoops = {
    ImbLoop{"pingpong", Loop::ping_pong},   ImbLoop{"pingping", Loop::ping_ping},
    ImbLoop{"sendrecv", Loop::sendrecv},    ImbLoop{"exchange", Loop::exchange},
    ImbLoop{"multi-pingpong", Loop::other}, ImbLoop{"multi-pingping", Loop::other},
    ImbLoop{"unidir_put", Loop::put},       ImbLoop{"unidir_get", Loop::get},
};

bool is_imb(const Text& text, std::size_t at) {
  const std::string line = lowered(text.line(at));
  return line.starts_with("# benchmarking ") || line.starts_with("benchmarking :");
}

/// "PingPong" of "# Benchmarking PingPong".
std::string imb_name(std::string_view line) {
  const auto words = words_of(line);
  return words.empty() ? "" : std::string(words.back());
}

void name_imb(Measurement& into, const std::string& name) {
  into.program = "IMB " + name;
  const std::string low = lowered(name);
  for (const ImbLoop& known : kImbLoops) {
    if (low == known.name) into.loop = known.loop;
  }
  // Those that begin with I do not block.
  const auto collective = collective_in(low);
  if (into.loop != Loop::other || !collective || name.starts_with('I')) return;
  into.loop = Loop::collectives;
  into.collective = *collective;
}

bool imb_columns(std::string_view line) {
  const std::string low = lowered(line);
  return low.find("t[usec]") != low.npos || low.find("t_avg[usec]") != low.npos ||
         low.find("t_ovrl[usec]") != low.npos;
}

std::size_t read_imb(const Text& text, std::size_t at, Readings& readings) {
  Measurement found;
  found.title = text.line(at);
  found.file = text.file();
  found.line = text.number(at);
  name_imb(found, imb_name(found.title));
  std::size_t columns = at + 1;
  for (; columns < text.size() && !imb_columns(text.line(columns)); ++columns) {
    const std::string& line = text.line(columns);
    if (const auto ranks = count_behind(line, "#processes")) found.ranks = *ranks;
    if (is_imb(text, columns)) break;
  }
  if (!imb_columns(text.line(columns))) {
    throw InputError({text.file(), text.number(at)},
                     "a line of columns such as '#bytes #repetitions t[usec] Mbytes/sec' was "
                     "looked for below " +
                         in_quotes(found.title) + ", and none was found");
  }
  const TextTable table = table_at(text, columns);
  const auto size = table.column({"bytes"});
  const std::size_t time = table.need(text, columns, {"t_avg[usec]", "t[usec]", "t_ovrl[usec]"});
  const bool pairs = found.loop == Loop::ping_pong || found.loop == Loop::ping_ping;
  if (pairs) found.pairs = std::max(1U, found.ranks / 2);
  // IMB-P2P, which tells messages a second, has the time to and fro.
  const bool both_ways = found.loop == Loop::ping_pong && table.column({"msg/sec"});
  for (const TextTable::Row& row : table.rows) {
    const std::int64_t bytes = size ? bytes_of(row.values[*size]) : 0;
    found.points.push_back({bytes, row.values[time] * (both_ways ? 0.5 : 1), row.line});
  }
  add(readings, std::move(found));
  return table.end;
}

}  // namespace

const Format& imb_format() {
  static const Format format = {"Intel MPI Benchmarks", "# Benchmarking PingPong", is_imb,
                                read_imb};
  return format;
}

}  // namespace heddle::calibrate
