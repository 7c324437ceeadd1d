// SimGrid's platform-calibration: rows "MPI_Send,765921,29.898147,4.657730e-04" (operation, bytes,
// start and duration in seconds), and what became of them: properties smpi/os and their like.
#include <array>
#include <cmath>

#include "calibrate/format.hpp"
#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

/// A row of a file of durations.
struct TimedCall {
  std::string_view name;
  Point point;
};
std::optional<TimedCall> timed_call(const Text& text, std::size_t at) {
  const auto fields = split(text.line(at), ',');
  if (fields.size() != 4 || !fields[0].starts_with("MPI_")) return std::nullopt;
  const auto bytes = number_in(trimmed(fields[1]));
  const auto seconds = number_in(trimmed(fields[3]));
  if (!bytes || !seconds || !number_in(trimmed(fields[2]))) return std::nullopt;
  return TimedCall{fields[0], {bytes_of(*bytes), *seconds * 1e6, text.number(at)}};
}

bool is_calls(const Text& text, std::size_t at) {
  return timed_call(text, at).has_value();
}

/// A send and the receive behind it, of one size, are a round trip; a file of those has nothing
/// else.
bool is_round_trip(const Text& text, std::size_t at) {
  const auto first = timed_call(text, at);
  const auto second = timed_call(text, at + 1);
  return first && second && first->name == "MPI_Send" && second->name == "MPI_Recv" &&
         first->point.bytes == second->point.bytes;
}

Loop loop_of_call(std::string_view name) {
  if (name == "MPI_Send") return Loop::send_call;
  if (name == "MPI_Isend") return Loop::isend_call;
  return name == "MPI_Recv" ? Loop::receive_call : Loop::other;
}

std::size_t read_round_trips(const Text& text, std::size_t at, Measurement& found) {
  found.loop = Loop::ping_pong;
  found.program = "calibrate PingPong";
  for (; is_round_trip(text, at); at += 2) {
    Point point = timed_call(text, at)->point;
    point.value = (point.value + timed_call(text, at + 1)->point.value) / 2;
    found.points.push_back(point);
  }
  return at;
}

std::size_t read_calls(const Text& text, std::size_t at, Readings& readings) {
  Measurement found;
  found.title = text.line(at);
  found.file = text.file();
  found.line = text.number(at);
  found.pairs = 1;
  if (is_round_trip(text, at)) {
    at = read_round_trips(text, at, found);
  } else {
    const std::string name(timed_call(text, at)->name);
    found.loop = loop_of_call(name);
    found.program = "calibrate " + name;
    for (auto call = timed_call(text, at); call && call->name == name;
         call = timed_call(text, ++at)) {
      found.points.push_back(call->point);
    }
  }
  add(readings, std::move(found));
  return at;
}

/// What properties are called here; the values are written alike.
constexpr std::array<std::pair<std::string_view, const char*>, 7> kProperties = {{
    {"smpi/os", "mpi.send_overhead"},
    {"smpi/ois", "mpi.isend_overhead"},
    {"smpi/or", "mpi.receive_overhead"},
    {"smpi/bw-factor", "mpi.bandwidth_factors"},
    {"smpi/lat-factor", "mpi.latency_factors"},
    {"smpi/async-small-thresh", "mpi.eager_limit"},
    {"smpi/send-is-detached-thresh", "mpi.detached_limit"},
}};

/// The name and the value of a property in "<prop id="smpi/os" value="0:1:2"/>",
/// "--cfg=smpi/os:0:1:2" or "smpi/os: 0:1:2"; no name if there is none.
std::pair<std::string, std::string> property_in(const std::string& line) {
  const std::size_t from = line.find("smpi/");
  if (from == line.npos) return {};
  const std::size_t end = line.find_first_of("\"' :=", from);
  if (end == line.npos) return {};
  std::size_t value = line.find("value=", end);
  value = value == line.npos ? line.find_first_not_of("\"' :=", end) : value + 6;
  value = value == line.npos ? value : line.find_first_not_of("\"' ", value);
  if (value == line.npos) return {};
  const std::size_t last = std::min(line.find_first_of("\"' />", value), line.size());
  return {line.substr(from, end - from), line.substr(value, last - value)};
}

const char* parameter_of(const std::string& property) {
  for (const auto& [name, parameter] : kProperties) {
    if (name == property) return parameter;
  }
  return nullptr;
}

bool is_property(const Text& text, std::size_t at) {
  return parameter_of(property_in(text.line(at)).first) != nullptr;
}

std::size_t read_property(const Text& text, std::size_t at, Readings& readings) {
  const auto [name, value] = property_in(text.line(at));
  readings.given.push_back({parameter_of(name), value, {text.file(), text.number(at)}});
  return at + 1;
}

bool is_simgrid(const Text& text, std::size_t at) {
  return is_calls(text, at) || is_property(text, at);
}
std::size_t read_simgrid(const Text& text, std::size_t at, Readings& readings) {
  return is_calls(text, at) ? read_calls(text, at, readings) : read_property(text, at, readings);
}

}  // namespace

const Format& simgrid_format() {
  static const Format format = {"SimGrid's platform-calibration",
                                "MPI_Send,1024,0.5,4.6e-06, or smpi/os", is_simgrid, read_simgrid};
  return format;
}

}  // namespace heddle::calibrate
