#include "report/tune/tune_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "core/units.hpp"
#include "mpi/config.hpp"
#include "report/plot.hpp"
#include "report/table.hpp"
#include "report/version.hpp"

namespace heddle::report {
namespace {

using run::TunedCase;

std::string tuned_us(Time time) {
  return fmt::format("{:.3f}", static_cast<double>(time.ps()) / 1e6);
}

/// How many times as long the library's own choice takes.
double gain(const TunedCase& one, Time time) {
  return static_cast<double>(one.library.ps()) /
         static_cast<double>(std::max<std::int64_t>(1, time.ps()));
}

std::string library_name(const TuneReport& report) {
  return report.machine->settings.get(mpi::mpi_table()).selector;
}

Json timed_json(const TunedCase::Timed& timed) {
  Json json = {
      {"algorithm", timed.candidate.algorithm},
      {"openmpi", timed.candidate.openmpi.empty() ? Json() : Json(timed.candidate.openmpi)}};
  json["segment_bytes"] =
      timed.candidate.segment < coll::kWhole ? Json(timed.candidate.segment) : Json();
  json["fan_out"] = timed.candidate.radix > 0 ? Json(timed.candidate.radix) : Json();
  json["time_ps"] = timed.time ? Json(timed.time->ps()) : Json();
  return json;
}

/// The best time of each algorithm, whatever its segments and fan-outs.
std::vector<std::string_view> algorithms_in(const TuneReport& report, std::uint32_t ranks) {
  std::vector<std::string_view> names;
  for (const TunedCase& one : report.cases) {
    if (one.operation.ranks != ranks) continue;
    for (const TunedCase::Timed& timed : one.timed) {
      const bool is_new =
          std::find(names.begin(), names.end(), timed.candidate.algorithm) == names.end();
      if (timed.time && is_new) names.push_back(timed.candidate.algorithm);
    }
  }
  return names;
}

double best_of(const TunedCase& one, std::string_view algorithm) {
  double best = std::numeric_limits<double>::infinity();
  for (const TunedCase::Timed& timed : one.timed) {
    if (timed.candidate.algorithm != algorithm || !timed.time) continue;
    best = std::min(best, 1 / gain(one, *timed.time));
  }
  return best;
}

bool has_openmpi(const TunedCase& one, std::string_view algorithm) {
  return std::any_of(one.timed.begin(), one.timed.end(), [&](const TunedCase::Timed& timed) {
    return timed.candidate.algorithm == algorithm && !timed.candidate.openmpi.empty();
  });
}

/// Whether an algorithm is nearly the best anywhere, of all or of Open MPI's: others would only
/// crowd the plot.
bool ever_good(const TuneReport& report, std::uint32_t ranks, std::string_view algorithm) {
  constexpr double kNearly = 1.05;
  return std::any_of(report.cases.begin(), report.cases.end(), [&](const TunedCase& one) {
    const TunedCase::Timed* best = one.best(has_openmpi(one, algorithm));
    return one.operation.ranks == ranks && best != nullptr &&
           best_of(one, algorithm) <= kNearly / gain(one, *best->time);
  });
}

Plot plot_of(const TuneReport& report, std::uint32_t ranks) {
  Plot plot{fmt::format("{} of {} ranks on {}", coll::name_of(report.collective), ranks,
                        report.machine->platform->name()),
            "times relative to the rules of " + library_name(report) +
                "; shown is what comes within 5 % of the best somewhere",
            {"size [B]", Scale::log2},
            {"time / time of " + library_name(report)},
            {}};
  Series promised{"rules written", {}, {}};
  Series library{"rules of " + library_name(report), {}, {}, true, false, true};
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    const TunedCase& one = report.cases[i];
    if (one.operation.ranks != ranks) continue;
    const auto size = static_cast<double>(one.operation.bytes.count());
    promised.x.push_back(size);
    promised.y.push_back(1 / gain(one, report.promised(i)));
    library.x.push_back(size);
    library.y.push_back(1);
  }
  plot.series = {promised, library};
  for (const std::string_view algorithm : algorithms_in(report, ranks)) {
    if (!ever_good(report, ranks, algorithm)) continue;
    Series series{std::string(algorithm), promised.x, {}};
    for (const TunedCase& one : report.cases) {
      if (one.operation.ranks == ranks) series.y.push_back(best_of(one, algorithm));
    }
    // What is the same on this machine as another is not drawn over it.
    const bool is_new = std::none_of(plot.series.begin() + 2, plot.series.end(),
                                     [&](const Series& other) { return other.y == series.y; });
    if (is_new) plot.series.push_back(std::move(series));
  }
  return plot;
}

std::vector<std::uint32_t> rank_counts(const TuneReport& report) {
  std::vector<std::uint32_t> counts;
  for (const TunedCase& one : report.cases) {
    if (counts.empty() || counts.back() != one.operation.ranks) {
      counts.push_back(one.operation.ranks);
    }
  }
  return counts;
}

}  // namespace

Time TuneReport::promised(std::size_t number) const {
  const TunedCase::Timed* best = cases[number].best(true);
  return best == nullptr ? cases[number].library : *best->time;
}

bool TuneReport::kept_promises() const {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (fed_back[i] != promised(i)) return false;
  }
  return true;
}

namespace {

/// Whose costs these are: what is best by one transport may be the worst by another.
std::string costs_of(const TuneReport& report) {
  const mpi::MpiConfig config = report.machine->settings.get(mpi::mpi_table());
  if (config.transport != mpi::TransportKind::hybrid) return {};
  return "The costs are those of mpi.transport=hybrid. For an Open MPI that runs on adapters of "
         "Portals 4\n(as under 'heddle mpirun'), tune with mpi.transport=portals: segments "
         "and fan-outs that are\nbest here can be worse there than its own choice.\n";
}

}  // namespace

std::string text_of(const TuneReport& report) {
  Table table({{"ranks", Align::right},
               {"size", Align::right},
               {library_name(report) + "_us", Align::right},
               {"best_us", Align::right},
               {"gain", Align::right},
               {"best of Open MPI's"},
               {"better still"}});
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    const TunedCase& one = report.cases[i];
    const TunedCase::Timed* best = one.best(true);
    const TunedCase::Timed* other = one.best(false);
    const bool better = other != nullptr && *other->time < report.promised(i);
    table.add(
        {std::to_string(one.operation.ranks), exact_bytes(one.operation.bytes),
         tuned_us(one.library), tuned_us(report.promised(i)),
         fmt::format("{:.2f}x", gain(one, report.promised(i))),
         best == nullptr ? "(its own choice)" : best->candidate.text(),
         better ? fmt::format("{}: {} us", other->candidate.text(), tuned_us(*other->time)) : ""});
  }
  std::string text = fmt::format("{} on {}\n\n{}", coll::name_of(report.collective),
                                 report.machine->title(), table.text());
  if (report.kept_promises()) text += "\nFed back, the rules give these times.\n";
  text += costs_of(report);
  return text;
}

std::string csv_of(const TuneReport& report) {
  Table table({{"operation"},
               {"ranks"},
               {"bytes"},
               {"algorithm"},
               {"openmpi"},
               {"segment_bytes"},
               {"fan_out"},
               {"time_us"},
               {"relative"}});
  for (const TunedCase& one : report.cases) {
    const std::string operation(coll::name_of(report.collective));
    const std::string ranks = std::to_string(one.operation.ranks);
    const std::string bytes = std::to_string(one.operation.bytes.count());
    table.add({operation, ranks, bytes, "library", "", "", "", tuned_us(one.library), "1"});
    for (const TunedCase::Timed& timed : one.timed) {
      const run::Candidate& way = timed.candidate;
      table.add({operation, ranks, bytes, std::string(way.algorithm), std::string(way.openmpi),
                 way.segment < coll::kWhole ? std::to_string(way.segment) : "",
                 way.radix > 0 ? std::to_string(way.radix) : "",
                 timed.time ? tuned_us(*timed.time) : "",
                 timed.time ? fmt::format("{:.6g}", 1 / gain(one, *timed.time)) : ""});
    }
  }
  return table.csv();
}

Json json_of(const TuneReport& report) {
  Json document = new_document("heddle.tune/1");
  document["operation"] = coll::name_of(report.collective);
  document["platform"] = report.machine->platform->name();
  document["library"] = library_name(report);
  document["rules_for"] = text_of(report.version);
  document["configuration"] = report.machine->config();
  document["cases"] = Json::array();
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    const TunedCase& one = report.cases[i];
    Json& entry = document["cases"].emplace_back();
    entry["ranks"] = one.operation.ranks;
    put(entry, "size", one.operation.bytes);
    put(entry, "library", one.library);
    put(entry, "promised", report.promised(i));
    put(entry, "fed_back", report.fed_back[i]);
    entry["timed"] = Json::array();
    for (const TunedCase::Timed& timed : one.timed) entry["timed"].push_back(timed_json(timed));
  }
  return document;
}

std::string svg_of(const TuneReport& report) {
  std::vector<Plot> plots;
  for (const std::uint32_t ranks : rank_counts(report)) plots.push_back(plot_of(report, ranks));
  return plots_svg(plots);
}

std::string comment_of(const TuneReport& report) {
  return fmt::format("{} on {}, for Open MPI {}, by heddle {}", coll::name_of(report.collective),
                     report.machine->platform->name(), text_of(report.version), version());
}

}  // namespace heddle::report
