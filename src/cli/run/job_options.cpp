#include "cli/run/job_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "cli/common.hpp"
#include "core/units.hpp"
#include "host/program/loading/program_files.hpp"
#include "network/network.hpp"
#include "processes/process_program.hpp"
#include "report/repeat.hpp"

namespace heddle::cli {
namespace {

constexpr std::uint64_t kMostRanks = 1 << 26;
constexpr std::uint64_t kMostParallel = 1024;
const std::string kMapFile = "file:";
const std::string kNextProgram = ":";

/// Whether another process traces this one, as the kernel tells.
bool debugger_attached() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("TracerPid:")) return line.find_first_of("123456789") != line.npos;
  }
  return false;
}

/// A program that is not here may be where the shell would find it.
std::string found_program(const std::string& path) {
  const std::string found = std::filesystem::exists(path) ? "" : processes::find_program(path);
  return found.empty() ? path : found;
}

/// What the MPI that a program was linked with has to do with the way it is started.
void check_mpi(const std::string& path, bool over_openmpi) {
  const host::OtherMpi other = host::linked_mpi(found_program(path));
  if (over_openmpi && other == host::OtherMpi::mpich) {
    throw InputError({path},
                     "linked with MPICH, whose place the simulator's own MPI takes: start it with "
                     "'heddle run'; 'heddle mpirun' is for programs of Open MPI");
  }
  if (!over_openmpi && other == host::OtherMpi::open_mpi) {
    warn({"'" + path +
          "' is linked with Open MPI, for which every rank is alone here: 'heddle mpirun' makes "
          "them one job"});
  }
  if (other != host::OtherMpi::mpich) return;
  const std::string library = host::library_for_open_mpi(found_program(path));
  if (library.empty()) return;
  warn({"'" + path + "' is linked with MPICH, but '" + library +
        "', which it needs, with Open MPI: their types and communicators are not the same. One "
        "that was built for MPICH, or by heddlecc, is found by -Wl,-rpath or LD_LIBRARY_PATH"});
}

/// How many ranks a further program wants; takes the words that say it.
std::uint32_t take_ranks(std::vector<std::string>& words) {
  static const std::set<std::string> names = {"-n", "-np", "--np", "--ranks"};
  if (words.empty() || !names.contains(words.front())) return run::ProgramPart().ranks;
  const std::string value = words.size() < 2 ? "" : words[1];
  if (const std::string problem = whole_number(1, kMostRanks)(value); !problem.empty()) {
    throw InputError({words.front()}, problem);
  }
  words.erase(words.begin(), words.begin() + 2);
  return static_cast<std::uint32_t>(std::stoul(value));
}

}  // namespace

void JobOptions::add_to(CommandLine line) {
  line_ = line;
  // From the program's name on, everything is the program's.
  line.take_rest("PROGRAM [ARGUMENTS] [: [-n N] PROGRAM [ARGUMENTS]]...");
  add_rank_options(line);
  add_place_options(line);
  add_host_options(line);
  add_shortcut_options(line);
  if (line.name() == kMpirun) openmpi_.emplace().add_to(line);
}

void JobOptions::add_rank_options(CommandLine line) {
  line.add_option("-n,--ranks,--np", ranks_, "How many ranks of the first program")
      .type_name("N")
      .check(whole_number(1, kMostRanks))
      .show_default();
  line.add_option("--worlds", worlds_,
                  "Whether several programs have one world of ranks, or\napart, each its own and "
                  "nodes of its own")
      .type_name("one|apart")
      .check(one_of({"one", "apart"}))
      .default_text("one");
  line.add_flag("--slowdown", slowdown_,
                "Run programs with worlds apart also alone, and say how\nmuch they slow each "
                "other");
}

void JobOptions::add_place_options(CommandLine line) {
  line.add_option("--ranks-per-node", config_.ranks_per_node,
                  "How many of them on each node, 1 unless --map says")
      .type_name("N")
      .check(whole_number(1, kMostRanks));
  line.add_option("--map", config_.map,
                  "Which rank runs where: by-core, by-node, by-switch,\nrandom:SEED or file:PATH")
      .type_name("HOW")
      .check(not_empty());
  line.add_option("--nodes", config_.nodes, "Nodes that may be used, such as 0-3,17")
      .type_name("LIST")
      .check(not_empty());
  short_.add_to(line, {{"--network", "network.model", "MODEL", network_help(), {}, false}});
  line.add_option(
          "--fault", faults_,
          "What breaks: drop=0.01,corrupt=1e-3, or\ndown=n0->*@1ms-2ms (a cable, for a while)")
      .type_name("FAULTS")
      .one_at_a_time();
  line.add_option("--seed", config_.seed, "Seed of every random choice")
      .type_name("N")
      .check(whole_number(0, UINT64_MAX))
      .show_default();
  line.add_flag("--prefix-output", config_.prefix_output,
                "Begin each line of output with the rank that wrote it");
}

void JobOptions::add_host_options(CommandLine line) {
  line.add_option("--compute", compute_,
                  "What computation between calls costs: none,\nmeasure:FACTOR, fixed:TIME or "
                  "count:RATE (of programs\nbuilt by heddlecc --count, which is their default)")
      .type_name("HOW")
      .check(not_empty())
      .default_text(default_of("host.compute"));
  short_.add_to(line, {{"--stack", "host.stack", "SIZE", "Stack of each rank"},
                       {"--privatize", "host.privatize", "HOW",
                        "How ranks get globals of their own: auto, copies,\nswap or none"},
                       {"--threads-per-rank", "host.threads_per_rank", "N",
                        "How many threads of a rank compute at a time, each\non a core; as many "
                        "cores a rank finds"}});
  line.add_option("--private-library", config_.private_libraries,
                  "A library of the system that each rank gets for\nitself, as libfoo")
      .type_name("NAME")
      .check(not_empty())
      .one_at_a_time();
  line.add_option("--share-pages", share_pages_,
                  "Memory that ranks have in common and that is kept\nonce: none, that of files of "
                  "which they have copies, or\nall, with large arrays")
      .type_name("WHICH")
      .check(one_of({"none", "files", "all"}))
      .default_text("files");
  line.add_flag(
      "--processes", processes_,
      "Ranks are processes of their own; else only those of\nprograms that were not built "
      "to be loaded");
  line.add_option("--parallel", config_.processes.parallel,
                  "How many processes of ranks may run here at a time")
      .type_name("N")
      .check(whole_number(1, kMostParallel))
      .show_default();
  line.add_option("--threads", config_.threads,
                  "Threads of this computer on which ranks that are no\nprocesses compute at a "
                  "time; the results are those of one")
      .type_name("N")
      .check(whole_number(1, kMostParallel))
      .show_default();
  line.add_option("--max-host-time-per-step", max_step_,
                  "Processor time that a rank may take here between\ntwo calls, before it counts "
                  "as hanging")
      .type_name("TIME")
      .check(not_empty());
  line.add_option(
          "--program-hash", hashes_,
          "Run only if the program's file has this hash, as the\nJSON of a run tells it; once "
          "for each program")
      .type_name("HASH")
      .check(not_empty())
      .one_at_a_time();
  line.add_option("--debug-rank", debug_rank_,
                  "Stop before the main function of this rank, for a\ndebugger")
      .type_name("RANK")
      .check(whole_number(0, kMostRanks));
}

void JobOptions::add_shortcut_options(CommandLine line) {
  line.add_option("--sample", samples_,
                  "What is run a few times and only charged then: loops\nthat cost the same again "
                  "and again, by auto[,first=N]\n[,error=P%], or a function, by "
                  "function=NAME,first=N\n[,by=@3*@4]")
      .type_name("WHAT")
      .check(not_empty())
      .one_at_a_time();
  line.add_option("--fidelity", fidelity_,
                  "What messages of MPI travel by, and when: such as\n'0:hybrid/queue, "
                  "2ms:portals/packet', 'nodes[0-3]:\nportals/packet, *:hybrid/queue', or 'auto: "
                  "portals/packet,\nhybrid/queue'")
      .type_name("LEVELS")
      .check(not_empty());
  line.add_option("--payload", payload_,
                  "Which messages of MPI carry data: all, none, or those\nup to a SIZE")
      .type_name("WHICH")
      .check(not_empty())
      .default_text("all");
}

/// Who says how ranks get their globals wants them inside of the simulator.
run::Hosting JobOptions::hosting_of(const run::ProgramPart& part) const {
  if (openmpi_ || processes_) return run::Hosting::processes;
  return line_->option("--privatize").given() ? run::Hosting::inside : run::hosting_of(part.path);
}

/// The map of ranks with a path that means the same from everywhere.
std::string JobOptions::map_words() const {
  const std::string map_file = this->map_file();
  return map_file.empty() ? config_.map : kMapFile + report::absolute_path(map_file);
}

std::string JobOptions::map_file() const {
  return config_.map.starts_with(kMapFile) ? config_.map.substr(kMapFile.size()) : "";
}

/// The programs and their arguments, as the words behind the options say.
std::vector<run::ProgramPart> JobOptions::programs() const {
  const std::vector<std::string> words = line_->rest();
  std::vector<run::ProgramPart> parts;
  for (auto first = words.begin();; ++first) {
    const auto end = std::find(first, words.end(), kNextProgram);
    std::vector<std::string> part(first, end);
    const std::uint32_t ranks = parts.empty() ? ranks_ : take_ranks(part);
    if (part.empty()) {
      throw InputError({}, "no program given: accepted is heddle " + line_->name() +
                               " [options] PROGRAM [arguments] [: [-n N] PROGRAM [arguments]]...");
    }
    if (part.front().starts_with('-')) refuse_option(part.front(), !parts.empty());
    parts.push_back({part.front(), {part.begin() + 1, part.end()}, ranks});
    if (end == words.end()) return parts;
    first = end;
  }
}

void JobOptions::refuse_option(const std::string& word, bool further) const {
  if (further) {
    throw InputError({}, "'" + word +
                             "' before a further program: accepted is -n N; what holds "
                             "for all stands before the first one");
  }
  const std::vector<std::string> names = line_->option_names();
  throw InputError({}, "unknown option '" + word + "'" +
                           did_you_mean(word.substr(0, word.find('=')), names) + ": accepted are " +
                           joined(names));
}

void JobOptions::assign(Settings& settings) const {
  short_.assign(settings);
  if (line_->option("--seed").given()) {
    assign_short(settings, "noise.seed", std::to_string(config_.seed), "--seed");
  }
  if (!compute_.empty()) assign_compute(settings);
  check_counts(settings);
  if (payload_ == "none") {
    assign_short(settings, "mpi.copy_payload", "no", "--payload");
  } else if (!payload_.empty() && payload_ != "all") {
    assign_short(settings, "mpi.payload_limit", payload_, "--payload");
  }
}

void JobOptions::assign_compute(Settings& settings) const {
  const std::string option = "--compute";
  const std::size_t colon = compute_.find(':');
  const std::string how = compute_.substr(0, colon);
  assign_short(settings, "host.compute", how, option);
  if (colon == std::string::npos) return;
  const std::string value = compute_.substr(colon + 1);
  if (how == "none") {
    throw InputError(
        {option}, "'" + compute_ + "': accepted are none, measure:FACTOR, fixed:TIME, count:RATE");
  }
  const char* const parameter = how == "fixed"   ? "host.compute_time"
                                : how == "count" ? "host.count_rate"
                                                 : "host.compute_factor";
  assign_short(settings, parameter, value, option);
}

/// Who builds programs to count wants them counted, unless somebody says something else.
void JobOptions::check_counts(Settings& settings) const {
  const std::string parameter = "host.compute";
  const bool said = settings.origin(parameter) != Origin::default_;
  if (said && settings.get(host::host_table()).compute != host::ComputeModel::count) return;
  if (line_->rest().empty()) return;
  const std::vector<run::ProgramPart> parts = programs();
  const auto counts = [&](const run::ProgramPart& part) {
    return hosting_of(part) == run::Hosting::inside && host::has_counts(found_program(part.path));
  };
  const auto silent = std::ranges::find_if_not(parts, counts);
  if (silent == parts.end()) {
    if (!said) settings.assign(parameter, "count", {"a program that counts"});
    return;
  }
  if (!said) return;
  throw InputError(settings.where(parameter),
                   "'" + silent->path +
                       "' does not count what it does: accepted are programs that heddlecc --count "
                       "compiled and linked, and that run inside of the simulator");
}

run::RunConfig JobOptions::config() {
  run::RunConfig config = config_;
  config.programs = programs();
  for (const run::ProgramPart& part : config.programs) check_mpi(part.path, openmpi_.has_value());
  if (openmpi_) {
    config.processes.environment = openmpi_->environment();
    // By which Open MPI decides how often it looks for what comes rarely, and when to send again.
    config.processes.counts = true;
  }
  for (run::ProgramPart& part : config.programs) {
    part.hosting = hosting_of(part);
    if (part.hosting == run::Hosting::inside) part.path = found_program(part.path);
  }
  config.apart = worlds_ == "apart" && config.programs.size() > 1;
  warn_of_idle(config);
  check_slowdown(config);
  add_samples(config);
  if (!fidelity_.empty()) {
    std::vector<std::string> models;
    for (const network::NetworkModel& model : network::network_models()) {
      models.emplace_back(model.name);
    }
    config.fidelity = mpi::parse_fidelity(fidelity_, models, "--fidelity");
  }
  check_hashes(config.programs);
  check_debug_rank(config);
  config.debug_rank = debug_rank_;
  if (share_pages_ == "none") config.share_pages = host::SharePages::none;
  if (share_pages_ == "all") config.share_pages = host::SharePages::all;
  for (const std::string& text : faults_) nic::add_faults(config.faults, text, {"--fault"});
  config.max_step = max_step();
  config.processes.max_step = config.max_step;
  return config;
}

void JobOptions::add_samples(run::RunConfig& config) const {
  const std::string option = "--sample";
  for (const std::string& text : samples_) {
    const auto loops = host::parse_loop_limits(text, option);
    if (!loops) {
      config.sampled.push_back(host::parse_sampled_function(text, option));
    } else if (std::exchange(config.sampled_loops, loops)) {
      throw InputError({option}, "'" + text + "': loops have been asked for before");
    }
  }
  if (config.sampled_loops && debug_rank_) {
    throw InputError({option},
                     "loops are left out by traps, which a debugger takes for its own: accepted is "
                     "one of --sample auto and --debug-rank");
  }
}

/// What the user asks for and what has no effect on this job.
void JobOptions::warn_of_idle(const run::RunConfig& config) const {
  const auto idle = [](const std::string& option, const std::string& reason) {
    warn({option + " has no effect here: " + reason});
  };
  const auto inside = [](const run::ProgramPart& part) {
    return part.hosting == run::Hosting::inside;
  };
  if (worlds_ == "apart" && !config.apart) idle("--worlds apart", "there is one program");
  if (line_->option("--parallel").given() && std::ranges::all_of(config.programs, inside)) {
    idle("--parallel", "no rank is a process of its own");
  }
  for (const std::string& name : config.private_libraries) {
    const bool needed = std::ranges::any_of(config.programs, [&](const run::ProgramPart& part) {
      return inside(part) && host::needs_library(part.path, name);
    });
    if (needed) continue;
    if (std::ranges::none_of(config.programs, inside)) {
      idle("--private-library " + name, "ranks are processes of their own");
    } else {
      warn({"--private-library " + name +
            ": no program is linked with it, so it is none's unless a rank opens it"});
    }
  }
}

/// What --fidelity says must suit the machine, and no other option may say otherwise.
void JobOptions::check_fidelity(const Settings& settings, std::uint32_t nodes,
                                const mpi::FidelityPlan& plan) const {
  for (const mpi::FidelityPlan::Rule& rule : plan.rules) {
    if (rule.nodes.empty() || index(rule.nodes.back()) < nodes) continue;
    throw InputError({"--fidelity"}, fmt::format("there is no node {}: accepted is 0 to {}",
                                                 index(rule.nodes.back()), nodes - 1));
  }
  if (!plan.wanted()) return;
  const auto check = [&](const char* parameter, const std::string& value, auto member) {
    if (!of_this_run(settings.origin(parameter)) ||
        std::ranges::find(plan.levels, value, member) != plan.levels.end()) {
      return;
    }
    throw InputError(settings.where(parameter),
                     "contradicts --fidelity, by which messages of MPI travel: accepted "
                     "is one of the two");
  };
  check("network.model", settings.get(network::network_choice_table()).model,
        &mpi::FidelityLevel::network);
  const bool portals = settings.get(mpi::mpi_table()).transport == mpi::TransportKind::portals;
  check("mpi.transport", portals ? "portals" : "hybrid", &mpi::FidelityLevel::transport);
}

Time JobOptions::max_step() const {
  if (max_step_.empty()) return Time::zero();
  const auto time = parse_time(max_step_);
  if (!time) {
    throw InputError(
        {"--max-host-time-per-step"},
        "'" + max_step_ + "' is not a time: accepted is " + std::string(ParamType<Time>::accepted));
  }
  return *time;
}

void JobOptions::check_slowdown(const run::RunConfig& config) const {
  if (config.apart || !slowdown_) return;
  throw InputError({"--slowdown"},
                   "compares several programs, each with its own world: accepted with "
                   "--worlds apart, as in heddle run --worlds apart -n 4 ./a : -n 4 ./b");
}

/// Whoever asks for certain programs gets those or none.
void JobOptions::check_hashes(const std::vector<run::ProgramPart>& programs) const {
  if (hashes_.empty()) return;
  if (hashes_.size() != programs.size()) {
    throw InputError({"--program-hash"},
                     fmt::format("{} given, and the programs are {}: accepted is one for each",
                                 hashes_.size(), programs.size()));
  }
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const std::string found = processes::find_program(programs[i].path);
    const std::string path = found.empty() ? programs[i].path : found;
    const report::Json hash = report::hash_of_file(path);
    if (hash == hashes_[i]) continue;
    throw RunError(
        fmt::format("'{}' is not the program that was asked for, and was not run: its "
                    "hash is {}, not {}; `heddle again --changed` takes it as it is",
                    path, hash.is_string() ? hash.get<std::string>() : "unknown", hashes_[i]));
  }
}

/// Stopping means something only for a rank that there is, and where a debugger looks on.
void JobOptions::check_debug_rank(const run::RunConfig& config) const {
  if (!debug_rank_) return;
  if (*debug_rank_ >= config.ranks()) {
    throw InputError({"--debug-rank"}, fmt::format("there is no rank {}: accepted is 0 to {}",
                                                   *debug_rank_, config.ranks() - 1));
  }
  if (!debugger_attached()) {
    throw InputError({"--debug-rank"},
                     "no debugger is there to stop for: start one, as in "
                     "`gdb --args heddle run --debug-rank 1 ./program`");
  }
}

std::vector<std::string> JobOptions::words(const std::vector<run::ProgramPart>& programs) const {
  std::vector<std::string> words = {line_->name(), "--ranks", std::to_string(ranks_), "--seed",
                                    std::to_string(config_.seed)};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  if (config_.ranks_per_node) add("--ranks-per-node", std::to_string(*config_.ranks_per_node));
  add("--map", map_words());
  add("--nodes", config_.nodes);
  add("--fidelity", fidelity_);
  add("--share-pages", share_pages_);
  for (const std::string& sample : samples_) add("--sample", sample);
  for (const std::string& fault : faults_) add("--fault", fault);
  for (const std::string& name : config_.private_libraries) add("--private-library", name);
  if (worlds_ == "apart" && programs.size() > 1) add("--worlds", "apart");
  if (openmpi_) {
    const std::vector<std::string> more = openmpi_->words();
    words.insert(words.end(), more.begin(), more.end());
  } else if (processes_) {
    words.emplace_back("--processes");
  }
  for (const run::ProgramPart& part : programs) {
    if (&part != &programs.front()) {
      words.insert(words.end(), {kNextProgram, "--ranks", std::to_string(part.ranks)});
    }
    words.push_back(part.path);
    words.insert(words.end(), part.arguments.begin(), part.arguments.end());
  }
  return words;
}

}  // namespace heddle::cli
