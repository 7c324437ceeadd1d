#include "report/run/run_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/units.hpp"
#include "host/rank/crash.hpp"
#include "network/network.hpp"
#include "report/losses.hpp"
#include "report/packet_counts.hpp"
#include "report/repeat.hpp"
#include "report/run/sampling_report.hpp"

namespace heddle::report {
namespace {

/// What shells add to the number of a signal.
constexpr int kSignalled = 128;

/// What is left of a rank's life when it does not compute, wait or sleep: calls.
Time in_calls(const host::RankTimes& t) {
  return t.end - t.computing - t.waiting - t.sleeping;
}

/// The part of all ranks' lives that `part` of each adds up to.
double share(const RunReport& report, Time (*part)(const host::RankTimes&)) {
  double sum = 0;
  double whole = 0;
  for (const host::RankTimes& t : report.times) {
    sum += static_cast<double>(part(t).ps());
    whole += static_cast<double>(t.end.ps());
  }
  return whole == 0 ? 0 : sum / whole;
}

struct Part {
  const char* name;
  Time (*of)(const host::RankTimes&);
};
constexpr Part kParts[] = {
    {"computing", [](const host::RankTimes& t) { return t.computing; }},
    {"communicating", in_calls},
    {"waiting", [](const host::RankTimes& t) { return t.waiting; }},
    {"sleeping", [](const host::RankTimes& t) { return t.sleeping; }},
};

std::string shares(const RunReport& report) {
  std::string text;
  for (const Part& part : kParts) {
    text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : ", ", part.name,
                        100 * share(report, part.of));
  }
  return text;
}

Bytes memory_per_rank(const RunReport& report) {
  return Bytes(report.host.memory.count() / report.ranks);
}

/// A line about what adapters sent, if they sent anything.
std::string messages(const nic::AdapterStatistics& t) {
  if (t.requests == 0) return "";
  std::string text = fmt::format("messages        {}", t.requests);
  if (t.retransmissions > 0) text += fmt::format(", {} sent again", t.retransmissions);
  if (t.given_up > 0) {
    text += fmt::format(", {} given up (no answer within nic.e2e_timeout, nic.e2e_retries times)",
                        t.given_up);
  }
  if (t.dropped > 0) text += fmt::format(", {} lost on the way", t.dropped);
  if (t.corrupted > 0) text += fmt::format(", {} damaged on the way", t.corrupted);
  return text + "\n";
}

/// What is said of it where it is worth it.
std::string kept_once(Bytes bytes) {
  constexpr Bytes kLittle(1 << 20);
  return bytes < kLittle ? "" : fmt::format(", {} of them kept once", format_bytes(bytes));
}

Json json_of(const nic::AdapterStatistics& t) {
  return {{"sent", t.requests}, {"sent_again", t.retransmissions}, {"given_up", t.given_up},
          {"lost", t.dropped},  {"damaged", t.corrupted},          {"commands", t.commands}};
}

void note(RunReport& report, const char* outcome, const std::exception& error, int status) {
  report.outcome = outcome;
  report.problem = error.what();
  report.status = status;
}

/// How the run failed, and what `heddle` will answer.
void note(RunReport& report, const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const host::StopError& error) {
    note(report, "stopped", error, kSignalled + error.signal());
  } catch (const host::CrashError& error) {
    note(report, "crash", error, error.status());
  } catch (const host::AbortError& error) {
    note(report, "aborted", error, error.status());
  } catch (const DeadlockError& error) {
    note(report, "deadlock", error, 1);
  } catch (const RunError& error) {
    note(report, "failed", error, 1);
  }
}

/// Of a rank that has not ended, up to now.
host::RankTimes times_of(const host::Rank& rank) {
  host::RankTimes times = rank.account().times();
  if (!rank.fiber().finished()) times.end = rank.now();
  return times;
}

/// Adds a world to what is told of the whole run and, if it is not alone, of each.
void add(RunReport& report, run::World& world) {
  host::Job& job = world.job();
  report.ranks += job.size();
  report.nodes += world.nodes();
  Time end;
  for (std::uint32_t r = 0; r < job.size(); ++r) {
    report.times.push_back(times_of(job.rank(host::RankId{r})));
    end = std::max(end, report.times.back().end);
  }
  const nic::AdapterStatistics traffic = world.traffic();
  report.traffic += traffic;
  if (world.number() > 0) {
    report.worlds.push_back({job.size(), world.nodes(), end, world.status(), traffic, {}, {}, {}});
  }
}

/// How much longer a program took than alone.
double slowdown(const WorldReport& world) {
  return static_cast<double>(world.end.ps()) / static_cast<double>(world.alone->ps()) - 1;
}

/// A line about each program that has a world of its own.
std::string worlds(const RunReport& report) {
  std::string text;
  for (std::size_t i = 0; i < report.worlds.size(); ++i) {
    const WorldReport& world = report.worlds[i];
    text += fmt::format("program {:<7} {} {} on {} {}, {}: {}", i + 1, world.ranks,
                        world.ranks == 1 ? "rank" : "ranks", world.nodes,
                        world.nodes == 1 ? "node" : "nodes", report.programs[i].path,
                        format_time(world.end));
    if (world.alone) {
      text += fmt::format(", alone {}: slowed by {:.1f} %", format_time(*world.alone),
                          100 * slowdown(world));
    }
    text += "\n";
  }
  return text;
}

Json json_of(const run::ProgramPart& part, std::uint32_t first) {
  return {{"program", part.path},
          {"arguments", part.arguments},
          {"program_hash", hash_of_file(part.path)},
          {"first_rank", first},
          {"ranks", part.ranks}};
}

/// Of each program of several: what it is and, if it has a world of its own, what became of it.
Json programs(const RunReport& report) {
  Json list = Json::array();
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < report.programs.size(); ++i) {
    Json& entry = list.emplace_back(json_of(report.programs[i], first));
    first += report.programs[i].ranks;
    if (report.worlds.empty()) continue;
    const WorldReport& world = report.worlds[i];
    entry["nodes"] = world.nodes;
    entry["status"] = world.status;
    put(entry, "time", world.end);
    entry["messages"] = json_of(world.traffic);
    if (!world.mpi.is_null()) entry["mpi"] = world.mpi;
    if (!world.shmem.is_null()) entry["shmem"] = world.shmem;
    if (!world.alone) continue;
    put(entry, "time_alone", *world.alone);
    entry["slowdown"] = slowdown(world);
  }
  return list;
}

}  // namespace

RunReport report_of(run::ProgramRun& run, const platform::Machine& machine,
                    const std::exception_ptr& failure) {
  RunReport report;
  report.platform = machine.platform->name();
  report.network = machine.settings.get(network::network_choice_table()).model;
  report.losses = run.losses();
  report.packets = run.packets();
  report.privatization = run.privatization();
  report.end = failure ? run.simulation().now() : run.end();
  report.status = run.status();
  if (failure) note(report, failure);
  report.events = run.simulation().events_fired();
  report.fingerprint = run.simulation().fingerprint();
  for (run::World& world : run.worlds()) add(report, world);
  report.host = run.host_use();
  report.kept_once = run.kept_once();
  report.computation = run.computation();
  report.sampled_loops = run.sampled_loops();
  return report;
}

std::string text_of(const RunReport& report) {
  std::string text = fmt::format(
      "\n{} {} on {} {} of {}, network {}\n", report.ranks, report.ranks == 1 ? "rank" : "ranks",
      report.nodes, report.nodes == 1 ? "node" : "nodes", report.platform, report.network);
  text += fmt::format("simulated time  {}\n", format_time(report.end));
  text += fmt::format("ranks           {}\n", shares(report));
  if (is_left_out(report.computation)) {
    text += fmt::format("left out        {}\n", left_out_line(report.computation, report.advice));
  }
  text += sampling_text(report.sampled_loops, report.end);
  text += worlds(report);
  text += messages(report.traffic);
  if (report.losses.lost > 0) {
    text += fmt::format(
        "failures        {} messages lost on their way, {} sent again by the "
        "network\n",
        report.losses.lost, report.losses.resent);
  }
  const std::string packets = packets_words(report.packets);
  if (!packets.empty()) text += fmt::format("packets         {}\n", packets);
  text += report.mpi_text;
  text += report.shmem_text;
  text += fmt::format(
      "simulator       {:.3g} s of processor time, {} events; {} per rank, globals: {}{}\n",
      report.host.processor_seconds, report.events, format_bytes(memory_per_rank(report)),
      report.privatization, kept_once(report.kept_once));
  if (report.status != 0) text += fmt::format("exit status     {}\n", report.status);
  return text;
}

Json json_of(const RunReport& report, const platform::Machine& machine) {
  Json document = new_document("heddle.run/1");
  document["platform"] = report.platform;
  document["network"] = report.network;
  document["nodes"] = report.nodes;
  const run::ProgramPart& first = report.programs.front();
  document["program"] = first.path;
  document["arguments"] = first.arguments;
  document["program_hash"] = hash_of_file(first.path);
  if (report.programs.size() > 1) document["programs"] = programs(report);
  document["seed"] = report.seed;
  document["configuration"] = machine.config();
  document["again"] = report.again;
  document["fingerprint"] = hex(report.fingerprint);
  document["outcome"] = report.outcome;
  if (!report.problem.empty()) document["problem"] = report.problem;
  document["status"] = report.status;
  put(document, "time", report.end);
  document["events"] = report.events;
  document["messages"] = json_of(report.traffic);
  if (report.losses.lost > 0) document["losses"] = losses_json(report.losses);
  if (report.packets.arrived > 0) document["packets"] = packets_json(report.packets);
  if (!report.mpi.is_null()) document["mpi"] = report.mpi;
  if (!report.shmem.is_null()) document["shmem"] = report.shmem;
  if (report.findings) document["check"] = *report.findings;
  if (report.decisions) document["fidelity"] = *report.decisions;
  if (!report.sampled_loops.empty()) {
    document["sampled"] = sampling_json(report.sampled_loops, report.end);
  }
  Json& host = document["simulator"];
  host["processor_s"] = report.host.processor_seconds;
  host["ranks_processor_s"] = report.computation.here.all.seconds();
  host["computation_left_out"] = is_left_out(report.computation);
  put(host, "memory", report.host.memory);
  put(host, "memory_per_rank", memory_per_rank(report));
  put(host, "memory_kept_once", report.kept_once);
  host["globals"] = report.privatization;
  Json& ranks = document["ranks"] = Json::array();
  for (const host::RankTimes& t : report.times) {
    Json& rank = ranks.emplace_back();
    put(rank, "end", t.end);
    for (const Part& part : kParts) put(rank, part.name, part.of(t));
  }
  return document;
}

}  // namespace heddle::report
