// perftest (ib_write_bw, ib_send_lat, ...): what adapters do without MPI.
#include "calibrate/format.hpp"
#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

bool is_perftest(const Text& text, std::size_t at) {
  const std::string line = lowered(text.line(at));
  const bool verb = line.find("rdma_write") != line.npos || line.find("rdma_read") != line.npos ||
                    line.find("send ") != line.npos || line.find("atomic_") != line.npos;
  const bool test = line.ends_with(" bw test") || line.ends_with(" latency test") ||
                    line.ends_with(" bidirectional bw test");
  return verb && test && !line.starts_with('#');
}

/// MB/s of 10^6 of a unit in a title: "MB" was 2^20 in all versions, and is called MiB since 2024.
double unit_of_rate(const std::string& title) {
  return title.find("gb/sec") != title.npos ? 1e9 / 8 / 1e6 : 0x1p20 / 1e6;
}

std::size_t read_perftest(const Text& text, std::size_t at, Readings& readings) {
  Measurement found;
  found.title = text.line(at);
  found.file = text.file();
  found.line = text.number(at);
  found.pairs = 1;
  found.program = "perftest " + found.title;
  std::size_t columns = at + 1;
  for (; columns < text.size() && !text.line(columns).starts_with("#bytes"); ++columns) {
    if (const auto depth = count_behind(text.line(columns), "tx depth")) found.window = *depth;
    if (is_perftest(text, columns)) break;
  }
  if (!text.line(columns).starts_with("#bytes")) {
    throw InputError({text.file(), found.line},
                     "a line of columns such as '#bytes #iterations BW peak[MB/sec] BW "
                     "average[MB/sec]' was looked for below " +
                         in_quotes(found.title) + ", and none was found");
  }
  const TextTable table = table_at(text, columns);
  const std::size_t size = table.need(text, columns, {"bytes"});
  const auto rate = table.column({"bw average"});
  found.rate = rate.has_value();
  const bool both = has_word(found.title, "bidirectional");
  found.loop = !found.rate ? Loop::wire_ping_pong : both ? Loop::other : Loop::wire_stream;
  const std::size_t value =
      rate ? *rate : table.need(text, columns, {"t_typical[usec]", "t_avg[usec]"});
  found.points = points_of(table, size, value, rate ? unit_of_rate(table.titles[value]) : 1);
  add(readings, std::move(found));
  return table.end;
}

}  // namespace

const Format& perftest_format() {
  static const Format format = {"perftest", "RDMA_Write BW Test", is_perftest, read_perftest};
  return format;
}

}  // namespace heddle::calibrate
