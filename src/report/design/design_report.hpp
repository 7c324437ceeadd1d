// Designs side by side, as a table, CSV, JSON and a page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/designs/design_figures.hpp"
#include "report/json.hpp"

namespace heddle::report {

struct DesignReport {
  std::uint64_t nodes = 0;  ///< As asked for.
  std::uint64_t radix = 0;
  std::string failures;  ///< Share of cables that are down in the end.
  std::string prices;    ///< Name of the table, or "".
  std::vector<platform::FabricDesign> designs;
  std::vector<platform::DesignFigures> figures;  ///< By design.
  std::vector<bool> front;                       ///< By design: on the Pareto front.
  // Where traffic or a schedule was simulated:
  std::string network = {};                ///< Over this model.
  std::vector<std::string> patterns = {};  ///< Under these.
  /// What of the injection was accepted, by design and pattern; nothing where it could not be.
  std::vector<std::vector<std::optional<double>>> simulated = {};
  std::string schedule = {};                         ///< Its file, or "".
  std::vector<std::optional<double>> replayed = {};  ///< By design: its seconds, likewise.
  std::vector<std::string> problems = {};            ///< Why not, in words.
};

std::string text_of(const DesignReport& report);
std::string csv_of(const DesignReport& report);
Json json_of(const DesignReport& report);
/// One HTML file without anything from elsewhere. `drawings` are SVG documents by design, or
/// empty where there is none.
std::string page_of(const DesignReport& report, const std::vector<std::string>& drawings);

}  // namespace heddle::report
