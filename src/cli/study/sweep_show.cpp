// `heddle sweep show` and `heddle sweep best`: what a study found.
#include <fmt/core.h>

#include <filesystem>

#include "cli/output_options.hpp"
#include "cli/study/sweep_command.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "study/best_points.hpp"
#include "study/charts.hpp"
#include "study/result_table.hpp"

namespace heddle::cli {
namespace {

using report::Align;
using study::ResultName;
using study::ResultView;
using study::StoredPoint;

/// What tables show of measures if nothing else is asked for: those of these that there are.
constexpr const char* kUsualMeasures[] = {"accepted_fraction", "latency.mean_us", "latency.p99_us",
                                          "saturated",         "makespan_us",     "time_us"};

/// The conditions that results have to meet.
class Conditions {
 public:
  void add_to(CommandLine line) {
    line.add_option("--where", list_, "Only points at which a column has a value")
        .type_name("NAME=VALUE")
        .one_at_a_time();
  }
  ResultView view(const StudyOptions& study) const {
    ResultView view(study.points());
    if (view.points().empty()) {
      throw InputError({study.results()}, "no point of the study is done");
    }
    for (const std::string& condition : list_) view.keep(condition, "--where");
    return view;
  }

 private:
  std::vector<std::string> list_;
};

std::vector<ResultName> usual_columns(const ResultView& view) {
  std::vector<ResultName> names;
  for (const std::string& name : view.varying()) names.push_back(view.find(name, ""));
  for (const char* name : kUsualMeasures) {
    try {
      names.push_back(view.find(name, ""));
    } catch (const InputError&) {  // Another command's.
      continue;
    }
  }
  return names;
}

report::Scale scale_named(const std::string& name) {
  if (name == "log") return report::Scale::log;
  return name == "log2" ? report::Scale::log2 : report::Scale::linear;
}

class SweepShowCommand final : public Command {
 public:
  explicit SweepShowCommand(CommandLine line) {
    study_.add_to(line);
    conditions_.add_to(line);
    line.add_option("--columns", columns_, "What to show: parameters and measures")
        .type_name("NAMES")
        .delimiter(',');
    line.add_flag("--list-columns", list_columns_, "Say which columns there are, and stop");
    line.add_flag("--failed", failed_, "Show the points that failed, with their errors");
    line.add_option("--plot", plot_,
                    "Draw curves: x=COLUMN,y=COLUMN,by=COLUMN; means over seeds\nwith 95 % "
                    "intervals")
        .type_name("WHAT");
    line.add_option("--heat-map", heat_map_,
                    "Draw a measure over two parameters: x=COLUMN,y=COLUMN,\nz=COLUMN")
        .type_name("WHAT");
    line.add_option("--tornado", tornado_, "Draw which parameter moves a measure how far: y=COLUMN")
        .type_name("WHAT");
    for (const auto& [option, scale] :
         {std::pair{"--x-scale", &x_scale_}, {"--y-scale", &y_scale_}}) {
      line.add_option(option, *scale, "Of curves: linear, log or log2")
          .type_name("SCALE")
          .check(one_of({"linear", "log", "log2"}))
          .show_default();
    }
    line.add_option("--title", title_, "Of curves").type_name("TEXT").check(not_empty());
    output_.add_file(
        line, "--svg",
        "Where drawings go (default: STUDY-plot.svg,\nSTUDY-heat-map.svg or STUDY-tornado.svg)");
    output_.add_file(line, "--csv", "Write every column of every point as CSV");
  }

  void run() override {
    output_.open();
    check_drawings();
    const std::vector<StoredPoint> points = study_.points();
    output_.keep_off({study_.path(), study_.results()});
    if (failed_) return print_failed(points);
    const ResultView view = conditions_.view(study_);
    if (list_columns_) return print_columns(points);
    output_.write("--csv", [&] { return study::csv_of(points); });
    if (drawn()) {
      draw(view);
    } else if (output_.text_wanted()) {
      print(view);
    }
    output_.finish();
  }

 private:
  bool drawn() const { return !plot_.empty() || !heat_map_.empty() || !tornado_.empty(); }

  void check_drawings() const {
    const int drawings = !plot_.empty() + !heat_map_.empty() + !tornado_.empty();
    if (drawings > 1) {
      throw InputError({}, "accepted is one of --plot, --heat-map and --tornado at a time");
    }
    if (drawings == 0 && output_.file("--svg") != nullptr) {
      throw InputError({"--svg"}, "accepted with --plot, --heat-map or --tornado");
    }
  }

  /// Into the file that was asked for, or one that is called like the study and the drawing.
  void draw(const ResultView& view) {
    std::string svg = drawing(view);
    output_.write("--svg", [&] { return svg; });
    if (output_.file("--svg") != nullptr) return;
    const report::OutputFile file(
        "--svg", std::filesystem::path(study_.path()).stem().string() + default_ending());
    file.write(svg);
    fmt::print("wrote {}\n", file.path());
  }

  /// Each kind of drawing has a file of its own.
  const char* default_ending() const {
    if (!heat_map_.empty()) return "-heat-map.svg";
    return tornado_.empty() ? "-plot.svg" : "-tornado.svg";
  }

  std::string drawing(const ResultView& view) const {
    if (!heat_map_.empty()) {
      return study::heat_map(view, study::parse_chart(heat_map_, "--heat-map", {"x", "y", "z"}));
    }
    if (!tornado_.empty()) {
      return study::tornado(view, study::parse_chart(tornado_, "--tornado", {"y"}));
    }
    report::Plot plot = study::curves(view, study::parse_chart(plot_, "--plot", {"x", "y", "by?"}));
    plot.x.scale = scale_named(x_scale_);
    plot.y.scale = scale_named(y_scale_);
    if (!title_.empty()) plot.title = title_;
    return report::plot_svg(plot);
  }

  static void print_columns(const std::vector<StoredPoint>& points) {
    fmt::print("parameters  {}\nmeasures    {}\n", joined(parameters_of(points)),
               joined(measures_of(points)));
  }

  static void print_failed(const std::vector<StoredPoint>& points) {
    for (const StoredPoint& point : points) {
      if (point.status != "failed") continue;
      fmt::print("{}  {}\n   {}\n", point.number, point.error, point.command);
    }
  }

  void print(const ResultView& view) const {
    std::vector<ResultName> names;
    for (const std::string& name : columns_) names.push_back(view.find(name, "--columns"));
    if (names.empty()) names = usual_columns(view);
    std::vector<report::Column> columns = {{"number", Align::right}};
    for (const ResultName& name : names) {
      columns.push_back({name.name, name.is_parameter ? Align::left : Align::right});
    }
    report::Table table(columns);
    for (const StoredPoint& point : view.points()) {
      std::vector<std::string> cells = {std::to_string(point.number)};
      for (const ResultName& name : names) cells.push_back(view.text(point, name));
      table.add(std::move(cells));
    }
    fmt::print("{}", table.text());
  }

  StudyOptions study_;
  Conditions conditions_;
  std::vector<std::string> columns_;
  bool list_columns_ = false;
  bool failed_ = false;
  std::string plot_;
  std::string heat_map_;
  std::string tornado_;
  std::string x_scale_ = "linear";
  std::string y_scale_ = "linear";
  std::string title_;
  OutputOptions output_;
};

class SweepBestCommand final : public Command {
 public:
  explicit SweepBestCommand(CommandLine line) {
    study_.add_to(line);
    conditions_.add_to(line);
    line.add_option("--by", by_, "The measure that tells good from bad, such as latency.mean_us")
        .type_name("COLUMN")
        .required();
    line.add_flag("--most", most_, "The more the better, not the less");
    line.add_option("--per", per_, "The best for each value of these parameters")
        .type_name("COLUMNS")
        .delimiter(',');
    line.add_option("--top", top_, "So many of the best")
        .type_name("N")
        .check(whole_number(1, UINT32_MAX))
        .show_default();
  }

  void run() override {
    const ResultView view = conditions_.view(study_);
    study::BestRequest request{view.find(by_, "--by"), {}, most_, top_, "--by"};
    for (const std::string& name : per_) request.per.push_back(view.find(name, "--per"));
    fmt::print("{}", study::best_table(view, request));
  }

 private:
  StudyOptions study_;
  Conditions conditions_;
  std::string by_;
  bool most_ = false;
  std::vector<std::string> per_;
  std::uint32_t top_ = 1;
};

}  // namespace

CommandKind sweep_show_command() {
  return {"show", "Show the results of a study as a table, or draw them",
          "  heddle sweep show study.yaml --where load=0.5\n"
          "  heddle sweep show study.yaml --where size=64 \\\n"
          "    --plot x=load,y=latency.mean_us,by=platform --svg l.svg\n"
          "  heddle sweep show study.yaml --where platform=fat-tree-64 \\\n"
          "    --heat-map x=load,y=size,z=latency.p99_us --svg h.svg\n"
          "  heddle sweep show study.yaml --tornado y=latency.mean_us --svg t.svg",
          make_command<SweepShowCommand>};
}

CommandKind sweep_best_command() {
  return {"best", "Say where a measure is best",
          "  heddle sweep best study.yaml --by latency.mean_us --per load\n"
          "  heddle sweep best study.yaml --by accepted_fraction --most --top 3",
          make_command<SweepBestCommand>};
}

}  // namespace heddle::cli
