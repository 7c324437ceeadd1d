// Readers of traces: our own, liballprof's text files and SimGrid's time-independent traces.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

enum class TraceFormat : std::uint8_t { recorded, allprof, time_independent, list, unknown };

/// What a file is, judged by its first line that says anything. A list names other files, one per
/// line.
TraceFormat recognise_trace(std::string_view text);

struct TraceReadOptions {
  Speed speed = Speed::flops(1'000'000'000);  ///< Turns flops of time-independent traces into time.
  std::uint32_t most_ranks = 1U << 24;
};

/// Reads the traces of all ranks. `path` is a folder of traces, a list of files, rank 0's file (the
/// others are found by counting up the last number in its name), or a time-independent trace that
/// holds all ranks. Throws InputError with the place of the mistake.
Trace read_traces(const std::string& path, const TraceReadOptions& options = {});

/// One rank's liballprof trace; `file` stands for it in errors.
RankTrace parse_allprof(std::string_view text, const std::string& file);

/// The trace that the tracing library recorded of one rank of `ranks`.
RankTrace parse_recorded(std::string_view bytes, const std::string& file, std::uint32_t rank,
                         std::uint32_t ranks);

/// Adds the actions of time-independent traces to those of the ranks they name.
class TimeIndependentReader {
 public:
  /// `speed` turns flops into time.
  TimeIndependentReader(std::uint32_t ranks, Speed speed);
  void read(std::string_view text, const std::string& file);
  /// The traces, once all files are read. Throws InputError if a rank has none.
  std::vector<RankTrace> finish(const std::string& source);

 private:
  struct Pending {
    std::uint64_t request;
    std::int64_t source;
    std::int64_t destination;
    std::int64_t tag;
  };
  struct State {
    std::vector<Pending> pending;
    std::int64_t clock = 0;
    bool doubles = false;  ///< Sizes without a datatype count doubles, not bytes.
    std::uint64_t requests = 0;
    std::map<std::string, std::uint32_t, std::less<>> groups;  ///< By text.
    bool synchronous = false;  ///< The next action is a send that waits for its receive.
    bool buffered = false;     ///< The next action is an isend that stands for MPI_Bsend.
    bool among = false;        ///< The messages of a collective of some ranks go on.
  };
  class Line;

  Speed speed_;
  std::vector<RankTrace> ranks_;
  std::vector<State> states_;
};
/// The highest rank that a time-independent trace names, plus one. Throws InputError beyond `most`.
std::uint32_t count_ranks(std::string_view text, const std::string& file, std::uint32_t most);

}  // namespace heddle::traces
