// Any bytes given as traces are refused or become a schedule that can be checked. Ranks of a
// liballprof trace are parted by lines of "===".
#include "fuzz.hpp"
#include "goal/check.hpp"
#include "traces/convert/convert.hpp"
#include "traces/readers/allprof_reader.hpp"
#include "traces/readers/time_independent_reader.hpp"
#include "traces/readers/trace_reader.hpp"

namespace {

using namespace heddle;
using namespace heddle::goal;
using namespace heddle::traces;

Trace read_allprof_parts(std::string_view text) {
  Trace trace;
  while (trace.ranks.size() < 64) {
    const std::size_t end = text.find("===\n");
    trace.ranks.push_back(parse_allprof(text.substr(0, end), "fuzz"));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 4);
  }
  return trace;
}

void read_and_convert(std::string_view text) {
  Trace trace;
  if (reader_for(text) == reader_for("0 init\n")) {
    TimeIndependentReader reader(count_ranks(text, "fuzz", 64), Speed::flops(1'000'000'000));
    reader.read(text, "fuzz");
    trace.ranks = reader.finish("fuzz");
  } else {
    trace = read_allprof_parts(text);
  }
  ConvertConfig config = convert_table().defaults();
  check(convert(trace, config).schedule);
  config.pinning = config.durations = true;
  config.element = Bytes(8);
  convert(trace, config);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::feed(data, size, read_and_convert);
}
