#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "report/exports.hpp"

namespace heddle::report {
namespace {

using record::Kind;
using record::Record;

constexpr std::int64_t kBytesEach = 110;
constexpr ExportSizes kPerfettoSizes = {kBytesEach, 200};  ///< A message has two events.
constexpr std::size_t kCounters = 16;                      ///< Links, at most.

double micro(Time time) {
  return static_cast<double>(time.ps()) / 1e6;
}

/// Writes events one after another, with commas between.
class TraceEvents {
 public:
  explicit TraceEvents(const TextSink& sink) : sink_(sink) {}

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    text_ += first_ ? "\n" : ",\n";
    first_ = false;
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    constexpr std::size_t kPiece = 1 << 16;
    if (text_.size() > kPiece) flush();
  }
  void flush() {
    sink_(text_);
    text_.clear();
  }

 private:
  const TextSink& sink_;
  std::string text_;
  bool first_ = true;
};

/// The numbers of tracks: ranks first, then what other threads they have.
class Tracks {
 public:
  explicit Tracks(const record::Overview& overview) {
    std::uint32_t next = overview.ranks;
    for (const record::ThreadTotals& t : overview.threads) others_[{t.rank, t.thread}] = next++;
  }
  std::uint32_t of(std::uint32_t rank, std::uint32_t thread) const {
    return thread == 0 ? rank : others_.at({rank, thread});
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> others_;
};

void add_name(TraceEvents& events, std::uint32_t track, std::uint32_t place,
              const std::string& name) {
  events.add(R"({{"ph":"M","pid":1,"tid":{},"name":"thread_name","args":{{"name":"{}"}}}})", track,
             name);
  events.add(
      R"({{"ph":"M","pid":1,"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})",
      track, place);
}

void add_names(TraceEvents& events, const RecordedRun& run, const ExportFilter& filter,
               const Tracks& tracks) {
  events.add(R"({{"ph":"M","pid":1,"name":"process_name","args":{{"name":"ranks"}}}})");
  std::uint32_t place = 0;
  auto other = run.overview.threads.begin();
  for (std::uint32_t r = 0; r < run.overview.ranks; ++r) {
    if (filter.wants_rank(r)) add_name(events, r, place++, fmt::format("rank {}", r));
    for (; other != run.overview.threads.end() && other->rank == r; ++other) {
      if (!filter.wants_rank(r)) continue;
      add_name(events, tracks.of(r, other->thread), place++,
               fmt::format("rank {}, thread {}", r, other->thread));
    }
  }
  events.add(R"({{"ph":"M","pid":2,"name":"process_name","args":{{"name":"links"}}}})");
}

void add_message(TraceEvents& events, const Record& m, const Tracks& tracks) {
  events.add(
      R"({{"ph":"s","cat":"message","name":"message","id":{},"pid":1,"tid":{},"ts":{:.6f},"args":{{"bytes":{}}}}})",
      m.number, tracks.of(m.rank, m.thread), micro(m.begin), m.bytes);
  events.add(
      R"({{"ph":"f","bp":"e","cat":"message","name":"message","id":{},"pid":1,"tid":{},"ts":{:.6f}}})",
      m.number, m.peer, micro(m.end));
}

void add_record(TraceEvents& events, const RecordedRun& run, const Tracks& tracks,
                const Record& r) {
  if (r.kind == Kind::message) return add_message(events, r, tracks);
  const std::uint32_t track = tracks.of(r.rank, r.thread);
  if (r.kind == Kind::call) {
    return events.add(
        R"({{"ph":"X","cat":"call","name":{},"pid":1,"tid":{},"ts":{:.6f},"dur":{:.6f},"args":{{"bytes":{}}}}})",
        dump_line(run.recorder->call_names()[r.what]), track, micro(r.begin),
        micro(r.end - r.begin), r.bytes);
  }
  events.add(
      R"({{"ph":"X","cat":"activity","name":"{}","pid":1,"tid":{},"ts":{:.6f},"dur":{:.6f}}})",
      record::name_of(r.activity), track, micro(r.begin), micro(r.end - r.begin));
}

/// An eighth of the file is theirs.
void add_counters(TraceEvents& events, const RecordedRun& run, std::int64_t most_bytes) {
  const record::LinkSamples& samples = run.recorder->links();
  const std::size_t room = static_cast<std::size_t>(most_bytes / 8 / kBytesEach) /
                           std::max<std::size_t>(1, samples.slices());
  std::size_t shown = 0;
  for (const record::LinkFact& fact : run.links.used) {
    const double rate = run.platform->links()[LinkId{fact.link}].bandwidth.bytes_per_ps();
    if (rate <= 0) continue;
    if (++shown > std::min(kCounters, room)) return;
    const std::string name = dump_line(fact.name);
    for (std::size_t s = 0; s < samples.slices(); ++s) {
      const double use = static_cast<double>(samples.bytes(s, fact.link)) /
                         (rate * static_cast<double>(samples.slice().ps()));
      events.add(R"({{"ph":"C","pid":2,"name":{},"ts":{:.6f},"args":{{"percent":{:.1f}}}}})", name,
                 micro(samples.slice() * static_cast<std::int64_t>(s)), 100 * use);
    }
  }
}

}  // namespace

void write_perfetto(const RecordedRun& run, const ExportFilter& filter, const TextSink& sink) {
  const ExportPlan plan = plan_export(*run.recorder, filter, kPerfettoSizes);
  Json other = {{"title", run.facts.title}, {"platform", run.facts.platform}};
  if (!plan.text().empty()) other["left_out"] = plan.text();
  sink(fmt::format(R"({{"displayTimeUnit":"ns","otherData":{},"traceEvents":[)", dump_line(other)));
  TraceEvents events(sink);
  const Tracks tracks(run.overview);
  add_names(events, run, filter, tracks);
  visit_wanted(*run.recorder, filter, [&](const Record& r) {
    if (plan.takes(r)) add_record(events, run, tracks, r);
  });
  if (filter.links) add_counters(events, run, filter.most_bytes);
  events.flush();
  sink("\n]}\n");
}

}  // namespace heddle::report
