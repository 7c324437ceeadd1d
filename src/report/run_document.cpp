#include "report/run_document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/units.hpp"
#include "report/page.hpp"
#include "report/traffic/traffic_verdict.hpp"

namespace heddle::report {
namespace {

/// Deeper than anything that is written, and far from what a stack can bear.
constexpr int kDeepest = 64;

/// Null where it is no JSON, or too deep.
Json parse_document(std::string_view text) {
  bool deep = false;
  const auto look = [&](int depth, Json::parse_event_t, const Json&) {
    deep = deep || depth > kDeepest;
    return !deep;
  };
  Json document = Json::parse(text, look, false);
  return deep || document.is_discarded() ? Json() : document;
}

std::string schema_of(const Json& document) {
  if (!document.is_object() || !document.contains("schema")) return "";
  return document["schema"].is_string() ? document["schema"].get<std::string>() : "";
}

/// Has what the page relies on.
bool is_summary(const Json& s) {
  if (schema_of(s) != "heddle.summary/1") return false;
  for (const char* text :
       {"kind", "title", "platform", "machine", "network", "fidelity", "cause"}) {
    if (!s.contains(text) || !s[text].is_string()) return false;
  }
  for (const char* number :
       {"ranks", "nodes", "time_ps", "wall_s", "slowdown", "messages", "bytes"}) {
    if (!s.contains(number) || !s[number].is_number()) return false;
  }
  return s.contains("verdict") && s["verdict"].is_array() &&
         std::all_of(s["verdict"].begin(), s["verdict"].end(),
                     [](const Json& line) { return line.is_string(); });
}

std::string text_in(const Json& object, const char* name) {
  return object.contains(name) && object[name].is_string() ? object[name].get<std::string>() : "";
}

/// A member of all runs together.
std::int64_t sum_of(const Json& runs, const char* name) {
  __int128 sum = 0;
  for (const Json& run : runs) sum += run.value(name, std::int64_t{0});
  return static_cast<std::int64_t>(std::clamp<__int128>(sum, 0, INT64_MAX));
}

/// How long it took, simulated and to simulate.
void put_times(Json& summary, Time time, double wall_seconds) {
  put(summary, "time", time);
  summary["wall_s"] = wall_seconds;
  summary["slowdown"] = time > Time::zero() ? wall_seconds / time.seconds() : 0.0;
}

/// Of a program, or of a schedule.
void tell_of_run(Json& summary, const Json& result) {
  std::string title = text_in(result, "program");
  if (title.empty()) title = text_in(result, "schedule");
  summary["title"] =
      title.empty() ? schema_of(result) : std::filesystem::path(title).filename().string();
  const Json ranks = result.value("ranks", Json(0));
  summary["ranks"] = ranks.is_array() ? Json(ranks.size()) : ranks;
  const char* const name = result.contains("time_ps") ? "time_ps" : "makespan_ps";
  const Time time = Time::ps(result.value(name, std::int64_t{0}));
  put_times(summary, time, result.value("simulator", Json::object()).value("processor_s", 0.0));
  summary["verdict"] = Json::array({fmt::format("The run took {}.", format_time(time))});
  const Json mpi = result.value("mpi", Json::object());
  summary["messages"] = mpi.value("messages", 0);
  summary["bytes"] = mpi.value("sent_bytes", std::int64_t{0});
}

LoadPoint load_of(const Json& run) {
  LoadPoint point;
  point.asked =
      parse_ratio(text_in(run, "load")).value_or(run.value("offered_fraction", 0.0));  // A rate.
  point.accepted = run.value("accepted_fraction", 0.0);
  point.saturated = run.value("saturated", false);
  const Json latency = run.value("latency", Json(nullptr));
  if (!latency.is_object()) return point;
  point.mean_latency = Time::ps(latency.at("mean_ps").get<std::int64_t>());
  point.p99_latency = Time::ps(latency.at("p99_ps").get<std::int64_t>());
  return point;
}

Json verdict_of_loads(const std::vector<LoadPoint>& loads) {
  Json verdict = Json::array({curve_sentence(loads)});
  const std::string latency = latency_sentence(loads);
  if (!latency.empty()) verdict.push_back(latency);
  return verdict;
}

/// Of traffic: what the page of it says without its links.
void tell_of_traffic(Json& summary, const Json& result) {
  const Json& runs = result.at("runs");
  const Json about = result.value("traffic", Json::object());
  summary["title"] = fmt::format("{}, network {}, {} traffic", text_in(result, "platform"),
                                 text_in(result, "network"), text_in(about, "pattern"));
  summary["ranks"] = runs.at(0).value("senders", 0);
  summary["messages"] = sum_of(runs, "messages");
  summary["bytes"] = sum_of(runs, "size_bytes");
  double wall = 0;
  for (const Json& run : runs) wall += run.value("wall_seconds", 0.0);
  const bool open = runs.at(0).contains("load");
  const Time time = Time::ps(sum_of(runs, open ? "measured_ps" : "makespan_ps"));
  put_times(summary, time, wall);
  std::vector<LoadPoint> loads;
  for (const Json& run : runs) {
    if (open) loads.push_back(load_of(run));
  }
  summary["loads"] = loads_json(loads);
  summary["verdict"] =
      open ? verdict_of_loads(loads)
           : Json::array({makespan_sentence(summary["messages"], Bytes(summary["bytes"]), time,
                                            runs.at(0).value("accepted_bytes_per_second", 0.0))});
  const std::string failure = text_in(result, "failure");
  if (!failure.empty()) summary["verdict"].push_back("Later loads are missing: " + failure);
}

/// What the results of --json say that a summary does, too.
Json summary_of_result(const Json& result) {
  Json summary = new_document("heddle.summary/1");
  const std::string schema = schema_of(result);
  summary["kind"] = schema.substr(7, schema.find('/') - 7);
  summary["platform"] = text_in(result, "platform");
  summary["machine"] = text_in(result, "platform");
  summary["network"] = text_in(result, "network");
  summary["fidelity"] = "network " + text_in(result, "network");
  summary["nodes"] = result.value("nodes", Json(0));
  if (summary["kind"] == "traffic") {
    tell_of_traffic(summary, result);
  } else {
    tell_of_run(summary, result);
  }
  summary["cause"] = "";
  summary["parameters"] = Json::object();
  summary["configuration"] = text_in(result, "configuration");
  summary["command"] = result.value("again", Json::array());
  return summary;
}

}  // namespace

Json data_of_run(std::string_view text, const std::string& file) {
  const Json data = parse_document(data_text_of_page(text));
  if (data.is_object() && data.contains("summary") && is_summary(data["summary"])) return data;
  const Json document = parse_document(text);
  if (is_summary(document)) return {{"summary", document}};
  const std::string schema = schema_of(document);
  if (schema == "heddle.run/1" || schema == "heddle.replay/1" || schema == "heddle.traffic/1") {
    try {
      const Json summary = summary_of_result(document);
      if (is_summary(summary)) return {{"summary", summary}};
    } catch (const Json::exception&) {
      // It is named like a result but has other contents.
    }
  }
  if (text.starts_with('{')) require_json(text, file);
  throw InputError(
      {file},
      "holds no result: accepted are summaries, pages (HTML) and results (JSON) of heddle "
      "run, replay and traffic");
}

}  // namespace heddle::report
