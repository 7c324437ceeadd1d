// Plots of series of points, as SVG.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

/// log2 is for sizes: its ticks are powers of two, written 4Ki or 1Mi.
enum class Scale { linear, log, log2 };

/// An axis. The label carries the unit: "mean latency [us]".
struct Axis {
  std::string label;
  Scale scale = Scale::linear;
  std::optional<double> min =
      {};  ///< Else taken from the data (linear: from zero if all positive).
  std::optional<double> max = {};
};

/// Points in the order they are joined. A point that is not finite, or not positive on a
/// logarithmic axis, is left out and breaks the line.
struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  bool line = true;
  bool marks = true;
  bool dashed = false;             ///< For a reference such as an ideal.
  std::vector<double> error = {};  ///< Half the height of a bar at each point; empty for none.
};

/// What lies at `from` and to the right of it is another regime, such as saturation.
struct Shade {
  double from = 0;
  std::string label;
};

struct Plot {
  std::string title;
  std::string subtitle = {};
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::optional<Shade> shade = {};
};

/// The plot as an SVG document, with a legend where there are several series.
std::string plot_svg(const Plot& plot);
/// Several plots, one below the other.
std::string plots_svg(const std::vector<Plot>& plots);

/// The values at which an axis from `low` to `high` (low < high; positive if logarithmic) gets its
/// ticks: about `wanted` of them, at 1, 2 or 5 times a power of ten (log2: at powers of two), from
/// the last at or below `low` to the first at or above `high`.
std::vector<double> nice_ticks(double low, double high, Scale scale, int wanted = 6);
/// A tick's text: no more digits than it needs.
std::string tick_label(double value, Scale scale = Scale::linear);

}  // namespace heddle::report
