// A run that was recorded, with all that is known of it: what reports are written from.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platform/platform.hpp"
#include "record/critical_path.hpp"
#include "record/findings.hpp"
#include "record/overview.hpp"
#include "report/fabric_map.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// One of several programs with worlds of their own.
struct ProgramFacts {
  std::string title;
  std::uint32_t ranks = 0;
  Time end;
};

/// What was run, and where.
struct RunFacts {
  std::string kind;      ///< "run", "replay" or "traffic".
  std::string title;     ///< The program, the schedule or the pattern.
  std::string platform;  ///< Its name, or "".
  std::string machine;   ///< One line about it, or "".
  std::string network;   ///< The model.
  std::string fidelity;  ///< Words: what messages travelled by.
  std::uint32_t ranks = 0;
  std::uint32_t nodes = 0;
  double wall_seconds = 0;
  double ranks_seconds = 0;   ///< Of processor time, in their own code here.
  std::string left_out = {};  ///< A sentence, if what they computed is missing in the run, or "".
  std::string sampled = {};   ///< One, if some of what they computed was only charged for, or "".
  std::string configuration = {};                              ///< YAML, or "".
  std::vector<std::pair<std::string, std::string>> more = {};  ///< Further parameters.
  std::vector<std::string> command = {};                       ///< Words that repeat it, or none.
  std::vector<ProgramFacts> programs = {};  ///< With worlds of their own, if there are several.
};

struct RecordedRun {
  RunFacts facts;
  std::vector<RecordedRun> programs;  ///< Of several with worlds of their own, each by itself.
  const platform::Platform* platform = nullptr;  ///< Or null; must outlive this.
  const record::Recording* recorder = nullptr;   ///< The same.
  record::CriticalPath path;
  record::Overview overview;
  record::Efficiency efficiency;
  record::Findings findings;
  record::LinkFacts links;
};

/// Finds the critical path and adds everything up; of several programs with worlds of their own
/// also for each alone, and the verdict is that of the one that ends last.
RecordedRun analyse(RunFacts facts, record::Recording& recorder, const platform::Platform* platform,
                    const record::CostOf& cost_of);

/// A message cannot be held up at a link for longer than that is busy.
void limit_blame(record::CriticalPath& path, const std::vector<record::LinkFact>& facts);

/// Adds what there is to say of each program of several that have worlds of their own. The run is
/// as long as the one that ends last, whose ranks have numbers of their own: its verdict is the
/// run's.
void judge_programs(RecordedRun& run, record::Recording& recorder, const record::CostOf& cost_of);

/// The document `heddle.summary/1`.
Json summary_of(const RecordedRun& run);

/// All that the page shows: the summary, and what is drawn.
Json page_data(const RecordedRun& run);

/// Who sent how much to whom, by groups of so many ranks (or nodes) in each direction.
Json matrix_json(std::uint32_t group, std::uint32_t groups,
                 const std::vector<record::Volume>& matrix);
/// How much the first of `links` that have a bandwidth were used as time went by.
Json series_json(const record::LinkSamples& samples, const platform::Platform& platform,
                 const std::vector<record::LinkFact>& links, Time end);
/// How much a link was used in its busiest slice of time.
double peak_of(const record::LinkSamples& samples, std::uint32_t link, double bytes_per_ps,
               Time end);
/// Messages by their sizes, as summaries have them.
Json sizes_json(const std::array<record::Volume, 64>& by_size);

/// How much of each link was used.
LinkUses uses_of(const RecordedRun& run);
/// The map of a fabric for the page, with the routes of its nodes.
Json fabric_json(const platform::Platform& platform, const LinkUses& uses);

/// Tables, by file name: "ranks.csv", "links.csv", "messages.csv", "collectives.csv", and
/// "threads.csv" where ranks had several.
std::vector<std::pair<std::string, std::string>> tables_of(const RecordedRun& run);

}  // namespace heddle::report
