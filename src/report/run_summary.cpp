// The document `heddle.summary/1`, and tables.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "report/queue_series.hpp"
#include "report/recorded_run.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostLinks = 100;

double part_of_time(Time part, Time whole) {
  return whole <= Time::zero() ? 0
                               : static_cast<double>(part.ps()) / static_cast<double>(whole.ps());
}

double rounded_share(double share) {
  return std::round(share * 1e6) / 1e6;
}

Json facts_json(const RecordedRun& run) {
  const RunFacts& facts = run.facts;
  Json document = new_document("heddle.summary/1");
  document["kind"] = facts.kind;
  document["title"] = facts.title;
  document["platform"] = facts.platform;
  document["machine"] = facts.machine;
  document["network"] = facts.network;
  document["fidelity"] = facts.fidelity;
  document["ranks"] = facts.ranks;
  document["nodes"] = facts.nodes;
  put(document, "time", run.overview.end);
  document["wall_s"] = facts.wall_seconds;
  const double simulated = run.overview.end.seconds();
  document["slowdown"] = simulated > 0 ? facts.wall_seconds / simulated : 0.0;
  document["ranks_processor_s"] = facts.ranks_seconds;
  document["computation_left_out"] = !facts.left_out.empty();
  return document;
}

Json path_json(const RecordedRun& run) {
  Json path;
  put(path, "length", run.path.length);
  path["messages"] = run.path.messages;
  path["late_receivers"] = run.path.late_receivers;
  Json& shares = path["resources"] = Json::array();
  for (std::size_t i = 0; i < record::kResources; ++i) {
    Json& entry = shares.emplace_back();
    entry["resource"] = record::name_of(static_cast<record::Resource>(i));
    put(entry, "time", run.path.shares[i]);
    entry["share"] = rounded_share(part_of_time(run.path.shares[i], run.path.length));
  }
  return path;
}

Json what_if_json(const RecordedRun& run) {
  Json list = Json::array();
  for (const record::WhatIf& w : run.findings.what_if) {
    Json& entry = list.emplace_back();
    entry["key"] = w.key;
    entry["what"] = w.what;
    put(entry, "gain", w.gain);
    entry["share"] = rounded_share(part_of_time(w.gain, run.path.length));
    put(entry, "at_least", w.at_least);
    put(entry, "at_most", w.at_most);
    entry["sure"] = w.sure;
  }
  return list;
}

/// Null where nothing was computed.
Json efficiency_json(const record::Efficiency& efficiency) {
  if (!efficiency.known) return nullptr;
  Json json;
  json["parallel"] = rounded_share(efficiency.parallel);
  json["load_balance"] = rounded_share(efficiency.load_balance);
  json["serialisation"] = rounded_share(efficiency.serialisation);
  json["transfer"] = rounded_share(efficiency.transfer);
  put(json, "ideal", efficiency.ideal);
  return json;
}

/// What no other links could make shorter; null where none was used.
Json floor_json(const record::Findings& findings) {
  if (findings.floor_at.empty()) return nullptr;
  Json json;
  json["link"] = findings.floor_at;
  put(json, "time", findings.floor);
  return json;
}

/// Of all ranks' lives; what no record tells of is counted as other.
Json rank_time_json(const RecordedRun& run) {
  std::array<Time, record::kActivities> sums{};
  for (const record::RankTotals& rank : run.overview.by_rank) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += rank.times[i];
  }
  const Time whole = run.overview.end * static_cast<std::int64_t>(run.overview.ranks);
  Json list = Json::array();
  double known = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double share = part_of_time(sums[i], whole);
    known += share;
    list.push_back({{"activity", record::name_of(static_cast<record::Activity>(i))},
                    {"share", rounded_share(share)}});
  }
  list.push_back({{"activity", "other"}, {"share", rounded_share(std::max(0.0, 1 - known))}});
  return list;
}

Json operations_json(const record::Operations& operations) {
  return {{"puts", operations.puts},
          {"gets", operations.gets},
          {"atomics", operations.atomics},
          {"bytes", operations.bytes}};
}

Json calls_json(const RecordedRun& run) {
  std::vector<std::size_t> order(run.overview.by_call.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return run.overview.by_call[a].time > run.overview.by_call[b].time;
  });
  Json list = Json::array();
  for (const std::size_t i : order) {
    const record::CallTotals& call = run.overview.by_call[i];
    if (call.calls == 0) continue;
    const std::string& name = run.recorder->call_names()[i];
    Json& entry = list.emplace_back();
    entry["call"] = name;
    entry["collective"] = record::is_collective(name);
    entry["calls"] = call.calls;
    entry["bytes"] = call.bytes;
    put(entry, "total", call.time);
    put(entry, "waiting", call.waiting);
    put(entry, "longest", call.longest);
  }
  return list;
}

Json links_json(const RecordedRun& run) {
  Json list = Json::array();
  for (const record::LinkFact& fact : run.links.used) {
    if (list.size() == kMostLinks) break;
    Json& entry = list.emplace_back();
    entry["link"] = fact.name;
    entry["bytes"] = fact.bytes;
    entry["utilisation"] = rounded_share(fact.utilisation);
    entry["peak"] = rounded_share(fact.peak);
    const auto on_path = run.path.links.find(fact.link);
    const bool there = on_path != run.path.links.end();
    put(entry, "path_bandwidth", there ? on_path->second.bandwidth : Time::zero());
    put(entry, "path_contention", there ? on_path->second.contention : Time::zero());
  }
  return list;
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string ranks_csv(const RecordedRun& run) {
  std::string text =
      "rank,end_ps,compute_ps,overhead_ps,gap_ps,wait_ps,sleep_ps,storage_ps,late_receiver_ps,"
      "messages_sent,bytes_sent,messages_received,bytes_received,on_critical_path_ps\n";
  for (std::uint32_t r = 0; r < run.overview.ranks; ++r) {
    const record::RankTotals& t = run.overview.by_rank[r];
    Time on_path;
    for (const Time part : run.path.by_rank[r]) on_path += part;
    text += fmt::format("{},{}", r, t.end.ps());
    for (const Time time : t.times) text += fmt::format(",{}", time.ps());
    text += fmt::format(",{},{},{},{},{},{}\n", t.late_receiver.ps(), t.sent, t.sent_bytes,
                        t.received, t.received_bytes, on_path.ps());
  }
  return text;
}

/// Those besides the first of each rank, which ranks.csv tells of.
std::string threads_csv(const RecordedRun& run) {
  std::string text =
      "rank,thread,begin_ps,end_ps,compute_ps,overhead_ps,gap_ps,wait_ps,sleep_ps,storage_ps\n";
  for (const record::ThreadTotals& t : run.overview.threads) {
    text += fmt::format("{},{},{},{}", t.rank, t.thread, t.begin.ps(), t.end.ps());
    for (const Time time : t.times) text += fmt::format(",{}", time.ps());
    text += "\n";
  }
  return text;
}

std::string links_csv(const RecordedRun& run) {
  std::string text =
      "link,bytes,utilisation_fraction,peak_fraction,path_bandwidth_ps,path_contention_ps\n";
  for (const record::LinkFact& fact : run.links.used) {
    const auto on_path = run.path.links.find(fact.link);
    const record::PathLink owed =
        on_path == run.path.links.end() ? record::PathLink{} : on_path->second;
    text += fmt::format("{},{},{:.6f},{:.6f},{},{}\n", csv_text(fact.name), fact.bytes,
                        fact.utilisation, fact.peak, owed.bandwidth.ps(), owed.contention.ps());
  }
  return text;
}

const char* way_name(record::Way way) {
  switch (way) {
    case record::Way::eager:
      return "eager";
    case record::Way::waited_send:
      return "both ready";
    case record::Way::waited_recv:
      return "late receiver";
    case record::Way::answer:
      return "answer";
  }
  return "";
}

std::string messages_csv(const RecordedRun& run) {
  std::string text = "sender,receiver,bytes,sent_ps,met_ps,arrived_ps,way,stands_for_messages\n";
  for (const record::Record& m : run.overview.sampled) {
    text += fmt::format("{},{},{},{},{},{},{},{}\n", m.rank, m.peer, m.bytes, m.begin.ps(),
                        m.middle.ps(), m.end.ps(), way_name(m.way), run.overview.every_message);
  }
  return text;
}

std::string collectives_csv(const RecordedRun& run) {
  std::string text =
      "program,communicator,call,round,ranks,bytes,first_begin_ps,last_begin_ps,last_end_ps,"
      "last_rank,complete\n";
  for (const record::CollectiveRound& r : run.overview.rounds) {
    const record::Group& group = run.recorder->groups().at(r.group);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", std::max(group.key.program, 1U),
                        csv_text(group.label), run.recorder->call_names()[r.name], r.number,
                        r.ranks, r.bytes, r.first_begin.ps(), r.last_begin.ps(), r.last_end.ps(),
                        r.last_rank - group.first, r.ranks == group.members ? "yes" : "no");
  }
  return text;
}

/// What is said of one program of several that have worlds of their own.
Json program_json(const RecordedRun& program, std::uint32_t first) {
  Json document;
  document["title"] = program.facts.title;
  document["first_rank"] = first;
  document["ranks"] = program.facts.ranks;
  put(document, "time", program.overview.end);
  document["cause"] = program.findings.cause;
  document["verdict"] = program.findings.sentences;
  document["critical_path"] = path_json(program);
  document["what_if"] = what_if_json(program);
  document["rank_time"] = rank_time_json(program);
  return document;
}

Json programs_json(const RecordedRun& run) {
  Json list = Json::array();
  std::uint32_t first = 0;
  for (const RecordedRun& program : run.programs) {
    list.push_back(program_json(program, first));
    first += program.facts.ranks;
  }
  return list;
}

}  // namespace

Json sizes_json(const std::array<record::Volume, 64>& by_size) {
  Json list = Json::array();
  for (std::size_t k = 0; k < by_size.size(); ++k) {
    const record::Volume& volume = by_size[k];
    if (volume.messages == 0) continue;
    const std::int64_t from = k == 0 ? 0 : std::int64_t{1} << (k - 1);
    list.push_back({{"from_bytes", from},
                    {"to_bytes", k == 0 ? 0 : 2 * from - 1},
                    {"messages", volume.messages},
                    {"bytes", volume.bytes}});
  }
  return list;
}

Json summary_of(const RecordedRun& run) {
  Json document = facts_json(run);
  document["cause"] = run.findings.cause;
  document["verdict"] = run.findings.sentences;
  document["critical_path"] = path_json(run);
  document["what_if"] = what_if_json(run);
  document["floor"] = floor_json(run.findings);
  document["efficiency"] = efficiency_json(run.efficiency);
  document["rank_time"] = rank_time_json(run);
  if (!run.programs.empty()) document["programs"] = programs_json(run);
  document["messages"] = run.overview.messages.messages;
  document["bytes"] = run.overview.messages.bytes;
  document["operations"] = operations_json(run.overview.operations);
  document["other_threads"] = run.overview.threads.size();
  document["sizes"] = sizes_json(run.overview.by_size);
  document["calls"] = calls_json(run);
  document["links"] = links_json(run);
  document["queues"] = run.platform == nullptr
                           ? nullptr
                           : queues_json(run.recorder->waits(), *run.platform, run.overview.end);
  Json& parameters = document["parameters"] = Json::object();
  for (const auto& [name, value] : run.facts.more) parameters[name] = value;
  document["configuration"] = run.facts.configuration;
  document["command"] = run.facts.command;
  return document;
}

std::vector<std::pair<std::string, std::string>> tables_of(const RecordedRun& run) {
  std::vector<std::pair<std::string, std::string>> tables = {
      {"ranks.csv", ranks_csv(run)},
      {"links.csv", links_csv(run)},
      {"messages.csv", messages_csv(run)},
      {"collectives.csv", collectives_csv(run)}};
  if (!run.overview.threads.empty()) tables.emplace_back("threads.csv", threads_csv(run));
  return tables;
}

}  // namespace heddle::report
