// `heddle plot`: tables of results as curves.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "cli/command.hpp"
#include "cli/notes.hpp"
#include "core/error.hpp"
#include "report/data_table.hpp"
#include "report/output_file.hpp"
#include "report/picture.hpp"
#include "report/plot.hpp"

namespace heddle::cli {
namespace {

class PlotCommand final : public Command {
 public:
  explicit PlotCommand(CommandLine line) {
    line.add_option("tables", paths_,
                    "Tables under a line of column names; - for the standard input")
        .type_name("FILE...")
        .required();
    line.add_option("--x", x_, "The column along the x axis").type_name("COLUMN").required();
    line.add_option("--y", y_, "The columns along the y axis: a plot for each, below each other")
        .type_name("COLUMN,...")
        .delimiter(',')
        .required();
    line.add_option("--by", by_, "A curve for each value of these columns (else for each file)")
        .type_name("COLUMN,...")
        .delimiter(',');
    add_scale(line, "--x-scale", x_scale_);
    add_scale(line, "--y-scale", y_scale_);
    line.add_option("--dashed", dashed_,
                    "Draw these curves dashed and without marks, as references")
        .type_name("NAME,...")
        .delimiter(',');
    line.add_option("--title", title_, "The title (default: what is drawn over what)");
    line.add_option("--x-label", x_label_, "What stands along the x axis (default: its column)");
    line.add_option("--y-label", y_labels_, "What stands along the y axes, one for each plot")
        .type_name("TEXT,...")
        .delimiter(',');
    line.add_option("--x-range", x_range_, "The part of the x axis that is drawn, such as 0:0.8")
        .type_name("LOW:HIGH")
        .check(not_empty());
    line.add_option("--y-range", y_range_, "The part of the y axes that is drawn")
        .type_name("LOW:HIGH")
        .check(not_empty());
    line.add_option("-o,--output", output_,
                    "Where the SVG goes, or by its name PNG or PDF; - for the standard output")
        .type_name("FILE")
        .required();
  }

  void run() override {
    const report::OutputFile file("--output", output_);
    file.keep_off(paths_);
    std::vector<report::DataTable> tables;
    for (const std::string& path : paths_) tables.push_back(report::read_table_file(path));
    std::vector<report::Plot> plots;
    check_labels();
    for (std::size_t i = 0; i < y_.size(); ++i) {
      plots.push_back(plot(tables, y_[i], y_labels_.empty() ? y_[i] : y_labels_[i]));
    }
    check_dashed(plots.front());
    warn_of_lost_points(plots);
    const std::string svg = report::plots_svg(plots);
    file.write(picture_format().empty() ? svg : report::converted(svg, picture_format()));
  }

 private:
  static void add_scale(CommandLine line, const char* option, std::string& scale) {
    line.add_option(option, scale, "linear, log, or log2 for sizes")
        .check(one_of({"linear", "log", "log2"}))
        .type_name("SCALE")
        .show_default();
  }

  static report::Scale scale(const std::string& name) {
    if (name == "log2") return report::Scale::log2;
    return name == "log" ? report::Scale::log : report::Scale::linear;
  }

  void check_labels() const {
    if (y_labels_.empty() || y_labels_.size() == y_.size()) return;
    throw InputError({"--y-label"}, fmt::format("{} labels for {} plots: accepted is one for each",
                                                y_labels_.size(), y_.size()));
  }

  static report::Axis axis(const std::string& label, const std::string& scale_name,
                           const char* option, const std::string& range) {
    report::Axis axis{.label = label, .scale = scale(scale_name)};
    if (range.empty()) return axis;
    const std::size_t colon = range.find(':');
    axis.min = bound(range.substr(0, colon));
    axis.max = colon == std::string::npos ? std::nullopt : bound(range.substr(colon + 1));
    const bool positive = axis.scale == report::Scale::linear || (axis.min && *axis.min > 0);
    if (!axis.min || !axis.max || *axis.min >= *axis.max || !positive) {
      throw InputError({option}, "'" + range +
                                     "' is not accepted: accepted are two numbers, the lower "
                                     "first, such as 0:0.8; above 0 on a logarithmic axis");
    }
    return axis;
  }

  static std::optional<double> bound(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

  /// What cannot be shown on a logarithmic axis is told.
  static void warn_of_lost_points(const std::vector<report::Plot>& plots) {
    std::size_t lost = 0;
    for (const report::Plot& plot : plots) {
      for (const report::Series& series : plot.series) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
          lost += (plot.x.scale != report::Scale::linear && series.x[i] <= 0) ||
                  (plot.y.scale != report::Scale::linear && series.y[i] <= 0);
        }
      }
    }
    if (lost > 0) {
      logger().warning("{} point{} at or below 0 left out of a logarithmic axis", lost,
                       lost == 1 ? "" : "s");
    }
  }

  /// "png" or "pdf" if the file is called so, else "".
  std::string picture_format() const {
    for (const char* format : {"png", "pdf"}) {
      if (output_.ends_with(std::string(".") + format)) return format;
    }
    return "";
  }

  report::Plot plot(const std::vector<report::DataTable>& tables, const std::string& y,
                    const std::string& y_label) const {
    const std::string x_label = x_label_.empty() ? x_ : x_label_;
    report::Plot plot{title_.empty() ? y_label + " over " + x_label : title_,
                      "",
                      axis(x_label, x_scale_, "--x-range", x_range_),
                      axis(y_label, y_scale_, "--y-range", y_range_),
                      {}};
    for (const report::DataTable& table : tables) add_points(plot, table, y);
    for (report::Series& series : plot.series) order(series);
    return plot;
  }

  void add_points(report::Plot& plot, const report::DataTable& table, const std::string& y) const {
    const std::size_t x_column = table.column(x_);
    const std::size_t y_column = table.column(y);
    std::vector<std::size_t> by;
    for (const std::string& name : by_) by.push_back(table.column(name));
    for (const report::DataTable::Row& row : table.rows) {
      const std::string called = name(table, row, by);
      report::Series& curve = series(plot, called);
      const double x = table.number(row, x_column);
      if (std::isnan(x)) continue;
      curve.x.push_back(x);
      curve.y.push_back(table.number(row, y_column));
    }
  }

  std::string name(const report::DataTable& table, const report::DataTable::Row& row,
                   const std::vector<std::size_t>& by) const {
    if (by.empty()) return paths_.size() > 1 ? table.file : "";
    std::vector<std::string> values(by.size());
    std::transform(by.begin(), by.end(), values.begin(),
                   [&row](std::size_t column) { return row.fields[column]; });
    return joined(values, " ");
  }

  /// The curve of that name, in the order in which the tables first name them.
  report::Series& series(report::Plot& plot, const std::string& name) const {
    for (report::Series& series : plot.series) {
      if (series.name == name) return series;
    }
    const bool dashed = std::find(dashed_.begin(), dashed_.end(), name) != dashed_.end();
    plot.series.push_back({name, {}, {}, true, !dashed, dashed});
    return plot.series.back();
  }

  /// A curve runs from left to right, whatever the order of the rows.
  static void order(report::Series& series) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < series.x.size(); ++i) points.emplace_back(series.x[i], series.y[i]);
    std::stable_sort(points.begin(), points.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::tie(series.x[i], series.y[i]) = points[i];
    }
  }

  void check_dashed(const report::Plot& plot) const {
    std::vector<std::string> names;
    for (const report::Series& series : plot.series) names.push_back(series.name);
    for (const std::string& name : dashed_) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      throw InputError({"--dashed"}, "no curve '" + name + "'" + did_you_mean(name, names) +
                                         ": there are " + joined(names));
    }
  }

  std::vector<std::string> paths_;
  std::string x_;
  std::vector<std::string> y_;
  std::vector<std::string> by_;
  std::string x_scale_ = "linear";
  std::string y_scale_ = "linear";
  std::vector<std::string> dashed_;
  std::string title_;
  std::string x_label_;
  std::vector<std::string> y_labels_;
  std::string x_range_;
  std::string y_range_;
  std::string output_;
};

}  // namespace

CommandKind plot_command() {
  return {
      "plot", "Draw tables of results as curves, in SVG, PNG or PDF",
      "  heddle plot results.txt --x size_B --y latency_us -o latency.svg\n"
      "  heddle plot results.txt --x size_B --y latency_us,bandwidth_MBps --by style \\\n"
      "              --x-scale log2 --y-scale log -o curves.svg   # two plots, a curve per style",
      make_command<PlotCommand>};
}

}  // namespace heddle::cli
