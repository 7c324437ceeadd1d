// Readers of traces: what each tells of itself, and reading whatever one of them recognises.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "traces/convert/convert.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

struct TraceReadOptions {
  Speed speed = Speed::flops(1'000'000'000);  ///< Turns flops of traces that count them into time.
  std::uint32_t most_ranks = 1U << 24;
};

/// A reader's own file, `NAME_reader.cpp` in this folder, defines a function NAME_reader() that
/// returns its description; the build lists those files.
struct TraceReader {
  std::string_view called;    ///< By whom or what it is written, for lists: "liballprof".
  std::string_view expected;  ///< With its article, for errors: "a liballprof trace (lines ...)".
  /// Whether a file is one of these, judged by how it begins; no two readers may claim the same.
  bool (*recognises)(std::string_view beginning);
  /// The traces of all ranks; `files` has one per rank, or the one that holds all.
  Trace (*read)(const std::vector<std::string>& files, const TraceReadOptions& options);
  /// Whether this file holds all ranks; null: each rank has a file of its own, and the last number
  /// in their names counts them.
  bool (*holds_all)(const std::string& file, const TraceReadOptions& options) = nullptr;
  /// Throws InputError for a file that is recognised and yet of no use; null: there is none.
  void (*refuse)(std::string_view beginning, const std::string& file) = nullptr;
  /// Whether a folder as a whole is one of these, which is then given to `read`; null: folders have
  /// a file per rank.
  bool (*recognises_folder)(const std::string& folder) = nullptr;
  /// For files that say which operation waits for which instead of what was called: makes a
  /// schedule of them. Null: they are read as calls; else `read` is null.
  Conversion (*schedule)(const std::vector<std::string>& files,
                         const ConvertConfig& config) = nullptr;
  /// Whether a replay makes a schedule of the calls, too, as they are of communicators that have to
  /// be found; else they are called again.
  bool replayed_as_schedule = false;
};

/// Every reader there is, by the names of their files.
const std::vector<const TraceReader*>& trace_readers();
/// The one whose traces begin so, or null.
const TraceReader* reader_for(std::string_view beginning);
/// What they read, for sentences: "liballprof, libheddle_trace".
std::string traces_read();

/// Whether text that no reader recognises may be a list of files, one per line.
bool may_list_files(std::string_view beginning);

/// Reads the traces of all ranks. `path` is a folder of traces, a list of files, rank 0's file (the
/// others are found by counting up the last number in its name), or a file that holds all ranks.
/// Throws InputError with the place of the mistake.
Trace read_traces(const std::string& path, const TraceReadOptions& options = {});

/// Whether a replay makes a schedule of this file or folder. False where there is no such file.
bool makes_schedule(const std::string& path);
/// The schedule of such files, or of the calls that were read.
Conversion convert_files(const std::string& path, const TraceReadOptions& options,
                         const ConvertConfig& config);

}  // namespace heddle::traces
