// Drawings of the results of a study.
#pragma once

#include <string>
#include <vector>

#include "report/plot.hpp"
#include "study/result_view.hpp"

namespace heddle::study {

/// A value as drawings show it: of a machine's file its name alone.
std::string shown_value(const std::string& value);

/// What is drawn over what: "x=load,y=latency.mean_us,by=network".
struct ChartRequest {
  std::string option;  ///< What errors name: "--plot".
  std::string x;
  std::string y;
  std::string z;                ///< Of heat maps: what the colours show.
  std::vector<std::string> by;  ///< A curve for each of their values.
};
/// Throws InputError at `option` for a key that is not in `keys`, or one of x, y and z that is in
/// `keys` and not in `text`. A key may end in "?": it may be missing.
ChartRequest parse_chart(const std::string& text, const std::string& option,
                         const std::vector<std::string>& keys);

/// Curves; means over seeds, with bars for their 95 % intervals.
report::Plot curves(const ResultView& view, const ChartRequest& request);

/// A cell for each pair of values of two parameters, coloured by a measure; as SVG.
std::string heat_map(const ResultView& view, const ChartRequest& request);

/// How far a parameter moves the mean of a measure.
struct Influence {
  std::string parameter;
  std::string low_value;   ///< Where the measure is least,
  std::string high_value;  ///< and where it is most.
  double low = 0;
  double high = 0;
  double reach() const { return high - low; }
};
/// Of each parameter that differs, the strongest first. The effects of parameters that have many
/// values are fitted together and told for the lowest and the highest third of values.
std::vector<Influence> influences(const ResultView& view, const ResultName& measure,
                                  const std::string& option);
/// A bar for each of them, as SVG.
std::string tornado(const ResultView& view, const ChartRequest& request);

}  // namespace heddle::study
