// What `heddle run` says about a run.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "platform/machine.hpp"
#include "report/json.hpp"
#include "run/program_run.hpp"

namespace heddle::report {

/// What became of one world of several.
struct WorldReport {
  std::uint32_t ranks = 0;
  std::uint32_t nodes = 0;
  Time end;
  int status = 0;
  nic::AdapterStatistics traffic;
  Json mpi;                   ///< Null where there was none, or nobody wants JSON.
  Json shmem;                 ///< The same.
  std::optional<Time> alone;  ///< Its end without the others, if that was wanted.
};

/// The result of a run.
struct RunReport {
  std::string platform;
  std::string network;
  std::string privatization;
  std::uint32_t ranks = 0;
  std::uint32_t nodes = 0;
  Time end;
  std::vector<host::RankTimes> times;  ///< By rank.
  std::string outcome = "ended";       ///< Or "deadlock", "crash", "aborted", "stopped", "failed".
  std::string problem;                 ///< In words, unless all ranks have ended.
  int status = 0;
  std::uint64_t events = 0;
  nic::AdapterStatistics traffic;
  network::Losses losses;
  network::PacketCounts packets;
  run::HostUse host;
  Bytes kept_once;  ///< Of memory, that copies of programs would take besides.
  run::Computation computation;
  std::string advice;  ///< What to do if that was left out.
  std::vector<host::SampledLoop> sampled_loops;
  // How it came about.
  std::vector<run::ProgramPart> programs;
  std::vector<WorldReport> worlds;  ///< Of each program, if it has one of its own.
  std::uint64_t seed = 0;
  std::vector<std::string> again;  ///< The command and what no configuration says.
  std::uint64_t fingerprint = 0;
  std::string mpi_text;    ///< Lines about MPI, or "".
  Json mpi;                ///< Null where there was none, or nobody wants JSON.
  std::string shmem_text;  ///< The same of OpenSHMEM.
  Json shmem;
  std::optional<std::vector<std::string>> findings;   ///< Of --check.
  std::optional<std::vector<std::string>> decisions;  ///< Of --fidelity: what was switched when.
};

/// `failure` is what came out of the run, or null.
RunReport report_of(run::ProgramRun& run, const platform::Machine& machine,
                    const std::exception_ptr& failure);
/// A few lines for people.
std::string text_of(const RunReport& report);
/// The document `heddle.run/1`.
Json json_of(const RunReport& report, const platform::Machine& machine);

}  // namespace heddle::report
