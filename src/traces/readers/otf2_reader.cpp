// Reads OTF2 archives, as Score-P, EZTrace and others write them, into the common form of traces.
#include <filesystem>

#include "core/error.hpp"
#include "traces/readers/otf2_archive.hpp"
#include "traces/readers/otf2_calls.hpp"
#include "traces/readers/otf2_receives.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

namespace fs = std::filesystem;

/// The number of the version of the buffer, the order of bytes, and the name.
bool begins_like_otf2(std::string_view beginning) {
  return beginning.size() >= 6 && (beginning[1] == 'B' || beginning[1] == '#') &&
         beginning.substr(2, 4) == "OTF2";
}

/// The anchor files of a folder.
std::vector<std::string> anchors_in(const std::string& folder) {
  std::vector<std::string> anchors;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".otf2") {
      anchors.push_back(entry.path());
    }
  }
  return anchors;
}

bool holds_one_archive(const std::string& folder) {
  return anchors_in(folder).size() == 1;
}

Trace read_otf2(const std::vector<std::string>& files, const TraceReadOptions& options) {
  const std::string anchor = fs::is_directory(files[0]) ? anchors_in(files[0])[0] : files[0];
  Otf2Archive archive(anchor);
  const Otf2Definitions& definitions = archive.definitions();
  if (definitions.locations.size() > options.most_ranks) {
    throw InputError({anchor}, std::to_string(definitions.locations.size()) +
                                   " ranks are more than the " +
                                   std::to_string(options.most_ranks) + " that are accepted");
  }
  std::vector<Otf2Rank> ranks;
  for (std::uint32_t r = 0; r < definitions.locations.size(); ++r) {
    Otf2Calls calls(archive.events_file(r), definitions, r);
    const auto passed_over =
        archive.read_events(r, [&](const Otf2Event& event) { calls.add(event); });
    ranks.push_back(calls.finish());
    for (const auto& [what, times] : passed_over) {
      ranks.back().trace.remarks[what + ", passed over"] += times;
    }
  }
  find_messages(definitions, ranks);
  Trace trace;
  trace.agreed_handles = true;
  for (Otf2Rank& rank : ranks) trace.ranks.push_back(std::move(rank.trace));
  if (definitions.further_locations > 0) {
    trace.ranks[0].remarks["locations that are no rank of MPI (threads, accelerators), left out"] =
        definitions.further_locations;
  }
  return trace;
}

bool is_one_file(const std::string&, const TraceReadOptions&) {
  return true;
}

}  // namespace

const TraceReader& otf2_reader() {
  static const TraceReader reader = {
      "OTF2",
      "an OTF2 archive (its anchor file NAME.otf2, or the folder with that in it)",
      begins_like_otf2,
      read_otf2,
      is_one_file,
      nullptr,
      holds_one_archive,
      nullptr,
      true};
  return reader;
}

}  // namespace heddle::traces
