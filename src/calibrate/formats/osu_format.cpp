// The OSU micro-benchmarks, 3.x to 7.x: a title, remarks, a line of column titles, rows.
#include <array>

#include "calibrate/format.hpp"
#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

/// "mpi-cuda bi-directional bandwidth" of "# OSU MPI-CUDA Bi-Directional Bandwidth Test v5.8".
std::string osu_name(std::string_view line) {
  std::string name = lowered(line);
  const std::size_t from = name.find("osu ") + 4;
  const std::size_t end = std::min(name.rfind(" test"), name.size());
  return from < end ? std::string(trimmed(std::string_view(name).substr(from, end - from))) : "";
}

bool is_osu(const Text& text, std::size_t at) {
  const std::string& line = text.line(at);
  return line.starts_with('#') && has_word(line, "# osu ") && has_word(line, " test");
}

/// 7 of "v7.5"; 0 if the title has no version.
std::uint32_t osu_version(std::string_view line) {
  const std::size_t at = line.rfind(" v");
  return at == line.npos ? 0 : count_behind(line.substr(at), " v").value_or(0);
}

struct OsuLoop {
  std::string_view name;
  std::string_view program;
  Loop loop;
};
/// By what the name ends with; longer ones first, where one is the end of another.
constexpr std::array kOsuLoops = {
    OsuLoop{"bi-directional bandwidth", "osu_bibw", Loop::both_streams},
    OsuLoop{"multiple bandwidth / message rate", "osu_mbw_mr", Loop::stream},
    OsuLoop{"multi-threaded latency", "osu_latency_mt", Loop::other},
    OsuLoop{"multi-process latency", "osu_latency_mp", Loop::other},
    OsuLoop{"multi latency", "osu_multi_lat", Loop::ping_pong},
    OsuLoop{"mpi_put latency", "osu_put_latency", Loop::put},
    OsuLoop{"mpi_get latency", "osu_get_latency", Loop::get},
    OsuLoop{"mpi_put bandwidth", "osu_put_bw", Loop::put_stream},
    OsuLoop{"mpi_get bandwidth", "osu_get_bw", Loop::get_stream},
    OsuLoop{"mpi_get_accumulate latency", "osu_get_acc_latency", Loop::get_accumulate},
    OsuLoop{"mpi_accumulate latency", "osu_acc_latency", Loop::accumulate},
    OsuLoop{"mpi_fetch_and_op latency", "osu_fop_latency", Loop::fetch_and_op},
    OsuLoop{"mpi_compare_and_swap latency", "osu_cas_latency", Loop::compare_and_swap},
    OsuLoop{"mpi latency", "osu_latency", Loop::ping_pong},
    OsuLoop{"mpi bandwidth", "osu_bw", Loop::stream},
};

/// "mpi latency" of "mpi-cuda latency": where the buffers are, is kept apart.
std::string without_device(std::string name, bool& device) {
  if (!name.starts_with("mpi-")) return name;
  const std::size_t end = std::min(name.find(' '), name.size());
  device = name.substr(0, end) != "mpi-cxl";
  return "mpi" + name.substr(end);
}

void name_loop(Measurement& into, std::string_view title) {
  const std::string name = without_device(osu_name(title), into.device);
  const bool is_mpi = name.starts_with("mpi ") || name.starts_with("mpi_");
  for (const OsuLoop& known : kOsuLoops) {
    if (!is_mpi || !name.ends_with(known.name)) continue;
    into.program = known.program;
    into.loop = known.loop;
    into.pairs = known.program == "osu_multi_lat" || known.program == "osu_mbw_mr" ? 0 : 1;
    return;
  }
  const auto collective = collective_in(name);
  into.program = "osu";
  for (const std::string_view word : words_of(name)) into.program += "_" + std::string(word);
  if (!is_mpi || !collective) return;
  into.loop = Loop::collective;
  into.collective = *collective;
  into.nonblocking = has_word(name, "non-blocking");
  if (!into.nonblocking) into.program = "osu_" + std::string(coll::name_of(*collective));
}

/// The line of column titles: the first remark with a unit behind the title.
std::size_t osu_columns(const Text& text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size() && i < at + 40; ++i) {
    const std::string line = lowered(text.line(i));
    if (i > at && is_osu(text, i)) break;
    if (!line.starts_with('#')) continue;
    for (const std::string_view unit : {"(us)", "(mb/s)", "mb/s", "messages/s", "ops/s", "(%)"}) {
      if (line.find(unit) != line.npos) return i;
    }
  }
  throw InputError({text.file(), text.number(at)},
                   "a line of columns such as '# Size  Latency (us)' was looked for below " +
                       in_quotes(text.line(at)) + ", and none was found");
}

std::size_t read_osu(const Text& text, std::size_t at, Readings& readings) {
  Measurement found;
  found.title = text.line(at);
  found.file = text.file();
  found.line = text.number(at);
  found.answer = osu_version(found.title) >= 7 ? 1 : 4;
  name_loop(found, found.title);
  const std::size_t columns = osu_columns(text, at);
  for (std::size_t i = at; i < columns; ++i) {
    if (const auto pairs = count_behind(text.line(i), "pairs:")) found.pairs = *pairs;
    if (const auto window = count_behind(text.line(i), "window size:")) found.window = *window;
  }
  const TextTable table = table_at(text, columns);
  const auto size = table.column({"size"});
  const auto rate = table.column({"bandwidth", "mb/s"});
  found.rate = rate.has_value() && !table.column({"latency", "avg latency"});
  // Computation is in the time of all; without the other column there is nothing to compare with.
  const auto pure = table.column({"pure comm"});
  if (found.nonblocking && !pure) found.loop = Loop::other;
  const std::size_t value = found.rate ? *rate
                            : found.nonblocking && pure
                                ? *pure
                                : table.need(text, columns,
                                             {"avg latency", "latency", "overall", "average",
                                              "messages/s", "million ops/s", "ops/s"});
  for (const TextTable::Row& row : table.rows) {
    const std::int64_t bytes = size ? bytes_of(row.values[*size]) : 0;
    found.points.push_back({bytes, row.values[value], row.line});
  }
  add(readings, std::move(found));
  return table.end;
}

}  // namespace

const Format& osu_format() {
  static const Format format = {"OSU micro-benchmarks", "# OSU MPI Latency Test v5.8", is_osu,
                                read_osu};
  return format;
}

}  // namespace heddle::calibrate
