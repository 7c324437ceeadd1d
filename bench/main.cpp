// heddle_bench: what we cost, beside what SimGrid costs for the same work on the same machine.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "cases.hpp"

namespace heddle::bench {
namespace {

/// What carries messages in the cases of a group, here and at the peer's.
std::string models_of(const Case& subject) {
  const std::string flows = " / flows (SimGrid's LV08)";
  if (!subject.peer) return "";
  if (subject.group == "ping-pong") return "queue" + flows;
  if (subject.group == "fluid") return "fluid / flows (CM02), the same model";
  if (subject.group == "packet" || subject.group == "routing") return "packet / flits";
  if (subject.peer_kind == PeerKind::published) return "LogGOPS, the same model";
  if (subject.group == "nic") return "BXI adapters" + flows;
  if (subject.group == "portals") return "Portals over queue" + flows;
  if (subject.group == "replay") return "LogGOPS" + flows;
  return "";
}

Suite all_cases() {
  Suite suite;
  add_core_cases(suite);
  add_links_cases(suite);
  add_machine_cases(suite);
  add_pingpong_cases(suite);
  add_fluid_cases(suite);
  add_nic_cases(suite);
  add_portals_cases(suite);
  add_processes_cases(suite);
  add_side_by_side_cases(suite);
  add_replay_cases(suite);
  add_packet_cases(suite);
  add_routing_cases(suite);
  add_host_cases(suite);
  add_mpi_cases(suite);
  add_shmem_cases(suite);
  add_study_cases(suite);
  add_traffic_cases(suite);
  for (Case& each : suite.cases) {
    if (each.models.empty()) each.models = models_of(each);
    if (each.peer_kind == PeerKind::published) continue;
    if (each.group == "nic" || each.group == "portals" || each.group == "replay") {
      each.peer_kind = PeerKind::one_message;
    }
  }
  return suite;
}

int run(int argc, char** argv) {
  CLI::App app("Measures CPU time against SimGrid, in one run.");
  Options options;
  std::string json;
  app.add_option("--repetitions", options.repetitions, "samples of each side; the least counts")
      ->check(CLI::PositiveNumber);
  app.add_option("--filter", options.filter, "only cases whose group/name contains this text");
  bool alone = false;
  app.add_flag("--alone", alone, "without the other side: no ratios, no targets");
  app.add_option("--json", json, "write the results to this file");
  CLI11_PARSE(app, argc, argv);
  Suite suite = all_cases();
  if (alone) {
    for (Case& each : suite.cases) each.peer = {};
  }
  const Results results = measure(suite, options);
  print_table(results);
  if (!json.empty()) write_json(results, json);
  return results.passed() ? 0 : 1;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  try {
    return heddle::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
