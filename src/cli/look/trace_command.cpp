// `heddle trace show` and `summary`: looking at a trace of operations.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "report/table.hpp"
#include "trace/chart.hpp"
#include "trace/reader.hpp"
#include "trace/summary.hpp"

namespace heddle::cli {
namespace {

void add_trace(CommandLine line, std::string& path) {
  line.add_option("trace", path,
                  "A trace that `heddle run --trace` wrote; - for the standard input")
      .type_name("FILE")
      .required();
}

/// Which rows of a trace are wanted.
class RowFilter {
 public:
  void add_to(CommandLine line) {
    line.add_option("--operation", operations_, "Only what these operations caused")
        .type_name("N,N,...")
        .delimiter(',');
    line.add_option("--ranks", ranks_, "Only what begins or ends at these ranks")
        .type_name("N,N,...")
        .delimiter(',');
    line.add_option("--from", from_text_, "Only what is under way after this time, such as 2.5us")
        .type_name("TIME")
        .check(not_empty());
    line.add_option("--to", to_text_, "Only what is under way before this time")
        .type_name("TIME")
        .check(not_empty());
  }

  /// Throws InputError if a time is none.
  void open() {
    from_ = time("--from", from_text_, Time::zero());
    to_ = time("--to", to_text_, Time::never());
  }

  bool accepts(const trace::Row& row) const {
    return row.end >= from_ && row.start <= to_ && named(operations_, row.operation) &&
           (named(ranks_, row.initiator.rank) || named(ranks_, row.target.rank));
  }

 private:
  static Time time(const char* option, const std::string& text, Time otherwise) {
    if (text.empty()) return otherwise;
    if (const auto value = parse_time(text)) return *value;
    throw InputError({option}, "'" + text + "' is not a time: accepted is " +
                                   std::string(ParamType<Time>::accepted));
  }
  /// An empty list names everything.
  template <class Number, class Value>
  static bool named(const std::vector<Number>& list, const Value& value) {
    return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
  }

  std::vector<std::uint64_t> operations_;
  std::vector<std::uint32_t> ranks_;
  std::string from_text_;
  std::string to_text_;
  Time from_;
  Time to_;
};

/// What a trace has to choose from.
class Contents {
 public:
  void add(const trace::Row& row) {
    summary_.add(row);
    operations_ = std::max(operations_, row.operation);
    for (const trace::End& end : {row.initiator, row.target}) {
      ranks_ = std::max(ranks_, end.rank ? *end.rank + std::uint64_t{1} : 0);
    }
  }
  std::string text() const {
    if (summary_.rows() == 0) return "the trace has none";
    return fmt::format(
        "the trace has {}, ranks below {}, and times from {} to {}",
        operations_ == 0 ? "no operations" : fmt::format("operations up to {}", operations_),
        ranks_, format_time(summary_.first()), format_time(summary_.last()));
  }

 private:
  trace::Summary summary_;
  std::uint64_t operations_ = 0;
  std::uint64_t ranks_ = 0;
};

class ShowCommand final : public Command {
 public:
  explicit ShowCommand(CommandLine line) {
    add_trace(line, path_);
    filter_.add_to(line);
    line.add_option("--max-rows", max_rows_, "Show at most so many rows, the earliest")
        .type_name("N")
        .check(whole_number(1, kMostShown))
        .show_default();
  }

  void run() override {
    filter_.open();
    trace::EarliestRows rows(max_rows_);
    Contents contents;
    trace::read_file(path_, [&](const trace::Row& row) {
      contents.add(row);
      if (filter_.accepts(row)) rows.add(row);
    });
    if (rows.rows().empty()) return fmt::print("no rows: {}\n", contents.text());
    fmt::print("{}", trace::chart(rows.rows()));
    if (rows.left_out() > 0) {
      fmt::print(
          "{} more rows: --max-rows shows more, --operation, --ranks, --from and --to choose\n",
          rows.left_out());
    }
  }

 private:
  std::string path_;
  RowFilter filter_;
  std::size_t max_rows_ = 200;
};

class SummaryCommand final : public Command {
 public:
  explicit SummaryCommand(CommandLine line) {
    add_trace(line, path_);
    filter_.add_to(line);
    output_.add_to(line);
  }

  void run() override {
    filter_.open();
    output_.open();
    output_.keep_off({path_});
    trace::Summary summary;
    trace::read_file(path_, [&](const trace::Row& row) {
      if (filter_.accepts(row)) summary.add(row);
    });
    if (output_.text_wanted()) print(summary);
    output_.write_json([&] { return to_json(summary); });
    output_.finish();
  }

 private:
  static double us(Time t) { return static_cast<double>(t.ps()) / 1e6; }

  static void print(const trace::Summary& summary) {
    using report::Align;
    report::Table table({{"activity"},
                         {"count", Align::right},
                         {"failed", Align::right},
                         {"bytes", Align::right},
                         {"total_us", Align::right},
                         {"mean_us", Align::right},
                         {"longest_us", Align::right}});
    for (const trace::ActivityKind& kind : trace::activity_kinds()) {
      const trace::ActivityTotals& totals = summary.of(kind.activity);
      if (totals.count == 0) continue;
      table.add({std::string(kind.name), std::to_string(totals.count),
                 std::to_string(totals.failed),
                 (totals.more_bytes ? "at least " : "") + std::to_string(totals.bytes.count()),
                 fmt::format("{:.3f}", us(totals.busy)), fmt::format("{:.3f}", us(totals.mean())),
                 fmt::format("{:.3f}", us(totals.longest))});
    }
    fmt::print("{} activities from {:.3f} us to {:.3f} us\n\n{}", summary.rows(),
               us(summary.first()), us(summary.last()), table.text());
  }

  report::Json to_json(const trace::Summary& summary) const {
    report::Json json = report::new_document("heddle.trace-summary/1");
    json["trace"] = path_;
    json["first_start_ps"] = summary.first().ps();
    json["last_end_ps"] = summary.last().ps();
    json["activities"] = report::Json::array();
    for (const trace::ActivityKind& kind : trace::activity_kinds()) {
      const trace::ActivityTotals& totals = summary.of(kind.activity);
      if (totals.count == 0) continue;
      json["activities"].push_back({{"activity", kind.name},
                                    {"count", totals.count},
                                    {"failed", totals.failed},
                                    {"bytes", totals.bytes.count()},
                                    {"bytes_at_least", totals.more_bytes},
                                    {"total_ps", totals.busy.ps()},
                                    {"mean_ps", totals.mean().ps()},
                                    {"longest_ps", totals.longest.ps()}});
    }
    return json;
  }

  std::string path_;
  RowFilter filter_;
  OutputOptions output_;
};

CommandKind show_command() {
  return {"show", "Draw a trace as a sequence chart, in text",
          "  heddle trace show ops.csv                   # processes, adapters, and what passed\n"
          "  heddle trace show ops.csv --operation 1     # what the first operation caused\n"
          "  heddle trace show ops.csv --ranks 0 --from 10us --to 20us",
          make_command<ShowCommand>};
}

CommandKind summary_command() {
  return {"summary", "Count the activities of a trace, their bytes and times",
          "  heddle trace summary ops.csv\n"
          "  heddle trace summary ops.csv --ranks 0 --json -",
          make_command<SummaryCommand>};
}

class TraceCommand final : public CommandGroup {
 public:
  explicit TraceCommand(CommandLine line)
      : CommandGroup(line, {show_command(), summary_command()}) {}
};

}  // namespace

CommandKind trace_command() {
  return {"trace", "Look at what the adapters did, as `heddle run --trace` recorded it",
          "  heddle trace show ops.csv       # a sequence chart\n"
          "  heddle trace summary ops.csv    # count, bytes and times per activity",
          make_command<TraceCommand>};
}

}  // namespace heddle::cli
