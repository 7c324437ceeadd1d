#include "report/run_document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/units.hpp"
#include "report/page.hpp"

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

/// What the results of --json say that a summary does, too.
Json summary_of_result(const Json& result) {
  Json summary = new_document("heddle.summary/1");
  const std::string schema = schema_of(result);
  summary["kind"] = schema.substr(7, schema.find('/') - 7);
  const auto text = [&](const char* name) {
    return result.contains(name) && result[name].is_string() ? result[name].get<std::string>() : "";
  };
  std::string title = text("program");
  if (title.empty()) title = text("schedule");
  summary["title"] = title.empty() ? schema : std::filesystem::path(title).filename().string();
  summary["platform"] = text("platform");
  summary["machine"] = text("platform");
  summary["network"] = text("network");
  summary["fidelity"] = "network " + text("network");
  const Json ranks = result.value("ranks", Json(0));
  summary["ranks"] = ranks.is_array() ? Json(ranks.size()) : ranks;
  summary["nodes"] = result.value("nodes", Json(0));
  const char* const time = result.contains("time_ps") ? "time_ps" : "makespan_ps";
  const std::int64_t ps = result.value(time, std::int64_t{0});
  put(summary, "time", Time::ps(ps));
  const Json simulator = result.value("simulator", Json::object());
  summary["wall_s"] = simulator.value("processor_s", 0.0);
  summary["slowdown"] =
      ps > 0 ? summary["wall_s"].get<double>() / (static_cast<double>(ps) * 1e-12) : 0.0;
  summary["cause"] = "";
  summary["verdict"] = Json::array({fmt::format("The run took {}.", format_time(Time::ps(ps)))});
  const Json mpi = result.value("mpi", Json::object());
  summary["messages"] = mpi.value("messages", 0);
  summary["bytes"] = mpi.value("sent_bytes", std::int64_t{0});
  summary["parameters"] = Json::object();
  summary["configuration"] = text("configuration");
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
