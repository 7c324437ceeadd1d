// Reads what the tracing library recorded into the common form of traces.
#include "traces/readers/recorded_reader.hpp"

#include <fmt/core.h>

#include "goal/formats/mapped_file.hpp"
#include "traces/readers/recorded_calls.hpp"
#include "traces/readers/recorded_trace.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

/// The calls of a trace from its beginning to its end.
RankTrace read_calls(RecordedTrace& in, const std::string& file) {
  const RecordedHeader& header = in.header();
  std::vector<RecordableFunction> functions;
  for (const RecordedFunction& f : header.functions) {
    functions.push_back({f.name, f.letters.find_first_of("be") != std::string::npos});
  }
  RecordedCalls calls(file, functions, header.rank, header.size);
  for (RecordedCall record; in.next(record);) calls.add(record);
  return calls.finish();
}

bool begins_like_recorded(std::string_view beginning) {
  return beginning.starts_with(kRecordedMagic);
}

Trace read_recorded(const std::vector<std::string>& files, const TraceReadOptions&) {
  const auto count = static_cast<std::uint32_t>(files.size());
  Trace trace;
  trace.agreed_handles = true;
  for (std::uint32_t r = 0; r < count; ++r) {
    const goal::MappedFile mapped(files[r], "trace");
    trace.ranks.push_back(parse_recorded(mapped.bytes(), files[r], r, count));
  }
  return trace;
}

}  // namespace

RankTrace parse_recorded(std::string_view bytes, const std::string& file, std::uint32_t rank,
                         std::uint32_t ranks) {
  RecordedTrace in(bytes, file);
  const RecordedHeader& header = in.header();
  if (header.rank != rank || header.size != ranks) {
    throw InputError({file},
                     fmt::format("this is the trace of rank {} of {}, where that of rank {} of {} "
                                 "is expected",
                                 header.rank, header.size, rank, ranks));
  }
  return read_calls(in, file);
}

const TraceReader& recorded_reader() {
  static const TraceReader reader = {"libheddle_trace", "one that libheddle_trace recorded",
                                     begins_like_recorded, read_recorded};
  return reader;
}

}  // namespace heddle::traces
