#include "report/calibrate/calibrate_report.hpp"

#include <fmt/core.h>

#include "report/plot.hpp"
#include "report/table.hpp"

namespace heddle::report {
namespace {

using calibrate::Comparison;
using calibrate::Measurement;

const char* calibrated_unit(const Measurement& test) {
  return test.rate ? "MBps" : "us";
}

/// "osu_latency (latency.txt:1)".
std::string calibrated_heading(const Measurement& test) {
  std::string text = fmt::format("{} ({}:{})", test.program, test.file, test.line);
  if (test.inside) text += ", inside of a node";
  if (test.pairs > 1) text += fmt::format(", {} pairs", test.pairs);
  if (test.ranks > 2) text += fmt::format(", {} ranks", test.ranks);
  return text;
}

/// As precise as benchmarks are.
std::string calibrated_value(double value) {
  return fmt::format("{:.{}f}", value, value < 100 ? 2 : value < 10'000 ? 1 : 0);
}
std::string percent_of_time(double share) {
  return fmt::format("{:+.1f} %", 100 * share);
}

std::string comparison_table(const Comparison& one) {
  const std::string unit = calibrated_unit(one.measurement);
  Table table({{"bytes", Align::right},
               {"measured_" + unit, Align::right},
               {"simulated_" + unit, Align::right},
               {"error of time", Align::right}});
  for (std::size_t i = 0; i < one.measurement.points.size(); ++i) {
    const calibrate::Point& point = one.measurement.points[i];
    table.add({std::to_string(point.bytes), calibrated_value(point.value),
               calibrated_value(one.simulated[i]), percent_of_time(one.error(i))});
  }
  const auto errors = one.sorted_errors();
  return fmt::format("{}  error: median {:.1f} %, at most {:.1f} %\n", table.text(2),
                     100 * calibrate::quantile(errors, 0.5), 100 * errors.back());
}

std::string calibrated_list(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = std::string("\n") + title + ":\n";
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

Plot comparison_plot(const Comparison& one) {
  const Measurement& test = one.measurement;
  const auto errors = one.sorted_errors();
  Plot plot{calibrated_heading(test),
            fmt::format("error of the time: median {:.1f} %, at most {:.1f} %",
                        100 * calibrate::quantile(errors, 0.5), 100 * errors.back()),
            {"size [B]", Scale::log2},
            {test.rate ? "bandwidth [MB/s]" : "time [us]", Scale::log},
            {}};
  Series measured{"measured", {}, {}, false};
  Series simulated{"simulated", {}, {}, true, false};
  for (std::size_t i = 0; i < test.points.size(); ++i) {
    measured.x.push_back(static_cast<double>(test.points[i].bytes));
    measured.y.push_back(test.points[i].value);
    simulated.y.push_back(one.simulated[i]);
  }
  simulated.x = measured.x;
  plot.series = {simulated, measured};
  return plot;
}

Json comparison_json(const Comparison& one) {
  const Measurement& test = one.measurement;
  Json json = {{"program", test.program},
               {"file", test.file},
               {"line", test.line},
               {"inside_node", test.inside},
               {"unit", test.rate ? "MB/s" : "us"}};
  json["why_not_simulated"] = one.reason.empty() ? Json() : Json(one.reason);
  json["points"] = Json::array();
  for (std::size_t i = 0; i < test.points.size(); ++i) {
    Json point = {{"bytes", test.points[i].bytes},
                  {"line", test.points[i].line},
                  {"measured", test.points[i].value}};
    point["simulated"] = one.simulated.empty() ? Json() : Json(one.simulated[i]);
    point["time_error"] = one.simulated.empty() ? Json() : Json(one.error(i));
    json["points"].push_back(std::move(point));
  }
  return json;
}

}  // namespace

std::string text_of(const CalibrateReport& report) {
  std::string text;
  for (const Comparison& one : report.comparisons) {
    text += calibrated_heading(one.measurement) + "\n";
    text += one.reason.empty() ? comparison_table(one) : "  not simulated: " + one.reason + "\n";
    text += "\n";
  }
  for (const BetweenSizes& one : report.between) {
    text += fmt::format(
        "{} ({}), fitted to every other size, at the {} others: median {:.1f} %, "
        "90 of 100 at most {:.1f} %\n",
        one.program, one.file, one.errors.size(), 100 * calibrate::quantile(one.errors, 0.5),
        100 * calibrate::quantile(one.errors, 0.9));
  }
  text += calibrated_list("Found", report.found->findings);
  text += calibrated_list("Files that contradict each other", report.found->contradictions);
  text += calibrated_list("Guessed", report.found->guesses);
  text += calibrated_list("Notes", report.notes);
  return text;
}

std::string csv_of(const CalibrateReport& report) {
  Table table(
      {{"test"}, {"file"}, {"line"}, {"bytes"}, {"unit"}, {"measured"}, {"simulated"}, {"error"}});
  for (const Comparison& one : report.comparisons) {
    const Measurement& test = one.measurement;
    for (std::size_t i = 0; i < one.simulated.size(); ++i) {
      const calibrate::Point& point = test.points[i];
      table.add({test.program, test.file, std::to_string(point.line), std::to_string(point.bytes),
                 test.rate ? "MB/s" : "us", fmt::format("{:.9g}", point.value),
                 fmt::format("{:.9g}", one.simulated[i]), fmt::format("{:.6g}", one.error(i))});
    }
  }
  return table.csv();
}

Json json_of(const CalibrateReport& report) {
  Json document = new_document("heddle.calibrate/1");
  document["tests"] = Json::array();
  for (const Comparison& one : report.comparisons) {
    document["tests"].push_back(comparison_json(one));
  }
  document["parameters"] = Json::array();
  for (const calibrate::FittedValue& value : report.found->values) {
    document["parameters"].push_back(
        {{"name", value.parameter}, {"value", value.value}, {"remarks", value.remarks}});
  }
  document["between_sizes"] = Json::array();
  for (const BetweenSizes& one : report.between) {
    document["between_sizes"].push_back(
        {{"program", one.program},
         {"file", one.file},
         {"errors", one.errors},
         {"median_error", calibrate::quantile(one.errors, 0.5)},
         {"error_of_90_percent", calibrate::quantile(one.errors, 0.9)}});
  }
  document["findings"] = report.found->findings;
  document["contradictions"] = report.found->contradictions;
  document["guesses"] = report.found->guesses;
  document["notes"] = report.notes;
  document["machine"] = report.machine_text;
  return document;
}

std::string svg_of(const CalibrateReport& report) {
  std::vector<Plot> plots;
  for (const Comparison& one : report.comparisons) {
    if (!one.simulated.empty()) plots.push_back(comparison_plot(one));
  }
  return plots_svg(plots);
}

}  // namespace heddle::report
