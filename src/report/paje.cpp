#include <fmt/core.h>

#include <algorithm>

#include "report/exports.hpp"

namespace heddle::report {
namespace {

using record::Kind;
using record::Record;

constexpr ExportSizes kPajeSizes = {90, 90};

/// Which event a number of the body stands for.
constexpr const char* kPajeHeader =
    "%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineStateType 2\n%  Alias string\n%  Type string\n%  Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineLinkType 4\n%  Alias string\n%  Type string\n%  StartContainerType "
    "string\n%  EndContainerType string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 5\n%  Alias string\n%  Type string\n%  Name string\n%  Color "
    "color\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 6\n%  Time date\n%  Alias string\n%  Type string\n%  Container "
    "string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 7\n%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n"
    "%EventDef PajePushState 12\n%  Time date\n%  Type string\n%  Container string\n%  Value "
    "string\n%EndEventDef\n"
    "%EventDef PajePopState 13\n%  Time date\n%  Type string\n%  Container string\n%EndEventDef\n"
    "%EventDef PajeStartLink 15\n%  Time date\n%  Type string\n%  Container string\n%  Value "
    "string\n%  StartContainer string\n%  Key string\n%EndEventDef\n"
    "%EventDef PajeEndLink 16\n%  Time date\n%  Type string\n%  Container string\n%  Value "
    "string\n%  EndContainer string\n%  Key string\n%EndEventDef\n";

constexpr const char* kPajeColours[] = {"\"0.20 0.55 0.85\"", "\"0.90 0.60 0.20\"",
                                        "\"0.60 0.40 0.70\"", "\"0.85 0.30 0.30\"",
                                        "\"0.70 0.70 0.70\"", "\"0.45 0.35 0.25\""};

std::string paje_time(Time time) {
  return fmt::format("{}.{:012}", time.ps() / 1'000'000'000'000, time.ps() % 1'000'000'000'000);
}

/// What a thread is called where containers are named.
std::string paje_container(const record::RankThread& who) {
  return who.thread == 0 ? fmt::format("r{}", who.rank)
                         : fmt::format("r{}t{}", who.rank, who.thread);
}

/// A line of the body, before it has its place in time. Ends come before beginnings.
struct PajeLine {
  Time time;
  std::uint8_t order;  ///< 0: an end of a state, 1: a beginning, 2: of a link, 3: the end of that.
  bool call;
  std::uint16_t what;
  record::RankThread thread;
  std::uint64_t key;
};

class PajeWriter {
 public:
  PajeWriter(const RecordedRun& run, const ExportFilter& filter, const TextSink& sink)
      : run_(run), filter_(filter), sink_(sink) {}

  void write() {
    const ExportPlan plan = plan_export(*run_.recorder, filter_, kPajeSizes);
    text_ = kPajeHeader;
    if (!plan.text().empty()) text_ += "# " + plan.text() + "\n";
    declare();
    visit_wanted(*run_.recorder, filter_, [&](const Record& r) {
      if (plan.takes(r)) keep(r);
    });
    std::stable_sort(lines_.begin(), lines_.end(), [](const PajeLine& a, const PajeLine& b) {
      return a.time != b.time ? a.time < b.time : a.order < b.order;
    });
    for (const PajeLine& line : lines_) put(line);
    end();
  }

 private:
  void declare() {
    text_ += "0 M 0 Machine\n0 R M Rank\n2 C R Call\n2 A R Activity\n4 L M R R Message\n";
    for (std::size_t i = 0; i < record::kActivities; ++i) {
      text_ += fmt::format("5 a{} A {} {}\n", i, record::name_of(static_cast<record::Activity>(i)),
                           kPajeColours[i]);
    }
    const auto& names = run_.recorder->call_names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      text_ += fmt::format("5 c{} C \"{}\" \"0.{} 0.5 0.{}\"\n", i, names[i], (i * 37) % 90 + 10,
                           (i * 53) % 90 + 10);
    }
    text_ += "5 m L message \"0 0 0\"\n6 0.0 root M 0 machine\n";
    for (std::uint32_t r = 0; r < run_.overview.ranks; ++r) {
      text_ += fmt::format("6 0.0 r{} R root rank{}\n", r, r);
    }
    for (const record::ThreadTotals& t : run_.overview.threads) {
      text_ +=
          fmt::format("6 0.0 r{}t{} R root rank{}.thread{}\n", t.rank, t.thread, t.rank, t.thread);
    }
  }

  void keep(const Record& r) {
    if (r.kind == Kind::message) {
      lines_.push_back({r.begin, 2, false, 0, {r.rank, r.thread}, r.number});
      lines_.push_back({r.end, 3, false, 0, r.peer, r.number});
      return;
    }
    if (r.end == r.begin) return;
    const bool call = r.kind == Kind::call;
    const auto what = call ? r.what : static_cast<std::uint16_t>(r.activity);
    lines_.push_back({r.begin, 1, call, what, {r.rank, r.thread}, 0});
    lines_.push_back({r.end, 0, call, what, {r.rank, r.thread}, 0});
  }

  void put(const PajeLine& line) {
    const std::string time = paje_time(line.time);
    const char* const type = line.call ? "C" : "A";
    const std::string who = paje_container(line.thread);
    switch (line.order) {
      case 0:
        text_ += fmt::format("13 {} {} {}\n", time, type, who);
        break;
      case 1:
        text_ +=
            fmt::format("12 {} {} {} {}{}\n", time, type, who, line.call ? 'c' : 'a', line.what);
        break;
      case 2:
        text_ += fmt::format("15 {} L root m {} k{}\n", time, who, line.key);
        break;
      default:
        text_ += fmt::format("16 {} L root m {} k{}\n", time, who, line.key);
    }
    constexpr std::size_t kPiece = 1 << 16;
    if (text_.size() > kPiece) flush();
  }

  void end() {
    const std::string time = paje_time(run_.overview.end);
    for (std::uint32_t r = 0; r < run_.overview.ranks; ++r) {
      text_ += fmt::format("7 {} R r{}\n", time, r);
    }
    for (const record::ThreadTotals& t : run_.overview.threads) {
      text_ += fmt::format("7 {} R r{}t{}\n", time, t.rank, t.thread);
    }
    text_ += fmt::format("7 {} M root\n", time);
    flush();
  }

  void flush() {
    sink_(text_);
    text_.clear();
  }

  const RecordedRun& run_;
  const ExportFilter& filter_;
  const TextSink& sink_;
  std::vector<PajeLine> lines_;
  std::string text_;
};

}  // namespace

void write_paje(const RecordedRun& run, const ExportFilter& filter, const TextSink& sink) {
  PajeWriter(run, filter, sink).write();
}

}  // namespace heddle::report
