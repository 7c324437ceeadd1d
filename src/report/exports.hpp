// Recorded runs for other tools.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "report/export_plan.hpp"
#include "report/recorded_run.hpp"

namespace heddle::report {

/// Takes the next piece of a file.
using TextSink = std::function<void(std::string_view)>;

/// Trace events as JSON, for Perfetto and Chrome: ranks as threads with calls and, nested, what the
/// rank did; messages as flows; use of the busiest links as counters.
void write_perfetto(const RecordedRun& run, const ExportFilter& filter, const TextSink& sink);

/// A Paje trace: a container per rank with states for calls and activities, messages as links.
void write_paje(const RecordedRun& run, const ExportFilter& filter, const TextSink& sink);

/// Throws InputError for `option` unless an OTF2 archive can be written there: a new or an empty
/// folder, by a program that was built with the library.
void check_otf2_folder(const std::string& folder, const std::string& option);
/// An OTF2 archive: a location per rank and thread, with calls and what it did as regions, and its
/// messages. The folder appears whole or not at all; throws RunError.
std::string write_otf2(const RecordedRun& run, const ExportFilter& filter,
                       const std::string& folder);

}  // namespace heddle::report
