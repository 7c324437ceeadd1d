#include "report/jobs/jobs_report.hpp"

#include <fmt/core.h>

#include "core/units.hpp"
#include "report/table.hpp"

namespace heddle::report {
namespace {

std::string_view placement_name(run::JobPlacement placement) {
  for (const auto& [name, value] : run::job_placements()) {
    if (value == placement) return name;
  }
  return "";
}

std::string in_us(Time time) {
  return fmt::format("{:.3f}", time.seconds() * 1e6);
}

/// "0-3,8": numbers of nodes, ascending.
std::string node_list(const std::vector<NodeId>& nodes) {
  std::string text;
  for (std::size_t i = 0; i < nodes.size();) {
    std::size_t end = i + 1;
    while (end < nodes.size() && index(nodes[end]) == index(nodes[end - 1]) + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", index(nodes[i]));
    if (end > i + 1) text += fmt::format("-{}", index(nodes[end - 1]));
    i = end;
  }
  return text;
}

Table jobs_table(const JobsReport& report, bool with_nodes) {
  std::vector<Column> columns = {{"job"},
                                 {"ranks", Align::right},
                                 {"nodes", Align::right},
                                 {"placement"},
                                 {"arrival_us", Align::right},
                                 {"wait_us", Align::right},
                                 {"start_us", Align::right},
                                 {"end_us", Align::right},
                                 {"duration_us", Align::right},
                                 {"alone_us", Align::right},
                                 {"slowdown", Align::right}};
  if (with_nodes) columns.push_back({"node_numbers"});
  Table table(std::move(columns));
  for (std::size_t j = 0; j < report.jobs.size(); ++j) {
    const run::JobLine& line = report.jobs[j];
    const run::JobOutcome& job = report.mix.jobs[j];
    std::vector<std::string> row = {line.name,
                                    std::to_string(job.ranks),
                                    std::to_string(job.nodes.size()),
                                    std::string(placement_name(line.placement)),
                                    in_us(line.arrival),
                                    in_us(job.start - line.arrival),
                                    in_us(job.start),
                                    in_us(job.end),
                                    in_us(job.duration()),
                                    in_us(job.alone),
                                    fmt::format("{:.3f}", job.slowdown())};
    if (with_nodes) row.push_back(node_list(job.nodes));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

std::string text_of(const JobsReport& report) {
  return fmt::format(
      "{}\nnetwork {}, {} jobs, the last ends at {}\n\n{}\n"
      "alone: from start to end with nobody beside it, on the same nodes\n",
      report.machine->title(), report.network, report.jobs.size(), format_time(report.mix.end),
      jobs_table(report, false).text());
}

std::string csv_of(const JobsReport& report) {
  return jobs_table(report, true).csv();
}

Json json_of(const JobsReport& report) {
  Json document = new_document("heddle.jobs/1");
  document["machine"] = report.machine->description.name;
  document["network"] = report.network;
  document["list"] = report.list;
  put(document, "end", report.mix.end);
  document["replays"] = report.mix.replays;
  document["fingerprint"] = fmt::format("{:016x}", report.mix.fingerprint);
  document["jobs"] = Json::array();
  for (std::size_t j = 0; j < report.jobs.size(); ++j) {
    const run::JobLine& line = report.jobs[j];
    const run::JobOutcome& job = report.mix.jobs[j];
    Json entry = {{"job", line.name},
                  {"pattern", line.pattern.empty() ? Json() : Json(line.pattern)},
                  {"schedule", line.schedule.empty() ? Json() : Json(line.schedule)},
                  {"placement", placement_name(line.placement)},
                  {"ranks", job.ranks}};
    entry["nodes"] = Json::array();
    for (const NodeId node : job.nodes) entry["nodes"].push_back(index(node));
    put(entry, "arrival", line.arrival);
    put(entry, "start", job.start);
    put(entry, "end", job.end);
    put(entry, "alone", job.alone);
    entry["slowdown"] = job.slowdown();
    document["jobs"].push_back(std::move(entry));
  }
  return document;
}

}  // namespace heddle::report
