// What `heddle calibrate` says: as text, CSV, JSON and plots.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/comparison.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// The error between sizes, from a fit without every other one.
struct BetweenSizes {
  std::string program;
  std::string file;
  std::vector<double> errors;  ///< At the sizes left out, absolute, sorted.
};

struct CalibrateReport {
  const calibrate::Calibration* found = nullptr;  ///< Must outlive the report.
  std::vector<calibrate::Comparison> comparisons = {};
  std::vector<BetweenSizes> between = {};
  std::vector<std::string> notes = {};  ///< Of how files were read.
  std::string machine_text = {};
};

std::string text_of(const CalibrateReport& report);
std::string csv_of(const CalibrateReport& report);
Json json_of(const CalibrateReport& report);
/// Measured and simulated by size: a plot for each test.
std::string svg_of(const CalibrateReport& report);

}  // namespace heddle::report
