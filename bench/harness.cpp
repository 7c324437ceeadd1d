#include "harness.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace heddle::bench {
namespace {

/// The child's part: does the work, passes the sample back, and leaves without cleaning up.
[[noreturn]] void run_child(const std::function<Sample()>& work, int pipe) {
  try {
    const Sample sample = work();
    const bool sent = write(pipe, &sample, sizeof sample) == sizeof sample;
    _exit(sent ? 0 : 1);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    _exit(1);
  }
}

Sample sample_in_child(const Case& subject, const std::function<Sample()>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) run_child(work, ends[1]);
  close(ends[1]);
  Sample sample;
  const bool complete = read(ends[0], &sample, sizeof sample) == sizeof sample;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!complete) throw std::runtime_error("case '" + subject.name + "' failed");
  return sample;
}

void keep_least(Sample& best, const Sample& sample, bool first) {
  if (first || sample.amount / sample.units < best.amount / best.units) best = sample;
}

/// Takes turns, so that a noisy moment hits both sides alike.
Result measure_case(const Case& subject, const Options& options) {
  Result result{&subject, {}, {}};
  for (int i = 0; i < std::min(options.repetitions, subject.max_repetitions); ++i) {
    keep_least(result.ours, sample_in_child(subject, subject.ours), i == 0);
    if (subject.peer && i < subject.peer_repetitions) {
      keep_least(result.peer, sample_in_child(subject, subject.peer), i == 0);
    }
  }
  return result;
}

const Result* find(const Results& results, const std::string& name) {
  const auto it = std::find_if(results.cases.begin(), results.cases.end(),
                               [&](const Result& r) { return r.subject->name == name; });
  return it == results.cases.end() ? nullptr : &*it;
}

void measure_growths(const Suite& suite, Results& results) {
  for (const Growth& growth : suite.growths) {
    const Result* small = find(results, growth.small);
    const Result* large = find(results, growth.large);
    if (small == nullptr || large == nullptr) continue;
    const double times = large->ours.amount / small->ours.amount;
    results.growths.push_back({&growth, std::log(times) / std::log(growth.size_ratio)});
  }
}

/// Whether the target was met or, where there is none, how many in a second.
std::string verdict(const Result& result) {
  const Case& subject = *result.subject;
  if (subject.peer && subject.target_ratio > 0) {
    return fmt::format("{} (target {:g}x)", result.passed() ? "PASS" : "below target",
                       subject.target_ratio);
  }
  if (subject.limit > 0) {
    return fmt::format("{} (limit {:g})", result.passed() ? "PASS" : "above limit",
                       subject.limit * subject.scale.factor);
  }
  if (subject.scale.factor != 1e9) return "";
  return fmt::format("{:.3g} million/s", 1e-6 / result.ours_per_unit());
}

std::string_view words(PeerKind kind) {
  switch (kind) {
    case PeerKind::same_work:
      return "same work";
    case PeerKind::one_message:
      return "one message";
    case PeerKind::published:
      return "published";
  }
  return "";
}

void print_case(const Result& result) {
  const Case& subject = *result.subject;
  const double factor = subject.scale.factor;
  std::string peer, ratio;
  std::string_view kind;
  if (subject.peer) {
    peer = fmt::format("{:.4g}", result.peer_per_unit() * factor);
    ratio = fmt::format("{:.1f}x", result.ratio());
    kind = words(subject.peer_kind);
  }
  fmt::print("  {:<54} {:>10.4g} {:>10} {:<12} {:>8} {:<11}  {:<34}  {}\n", subject.name,
             result.ours_per_unit() * factor, peer, subject.scale.unit, ratio, kind, subject.models,
             verdict(result));
}

nlohmann::ordered_json as_json(const Result& result) {
  const Case& subject = *result.subject;
  nlohmann::ordered_json json = {{"group", subject.group},
                                 {"name", subject.name},
                                 {"unit", subject.scale.unit},
                                 {"ours", result.ours_per_unit() * subject.scale.factor}};
  if (subject.peer) {
    json["peer"] = result.peer_per_unit() * subject.scale.factor;
    json["ratio"] = result.ratio();
    json["peer_kind"] = words(subject.peer_kind);
    json["models"] = subject.models;
    json["target_ratio"] = subject.target_ratio;
  }
  if (subject.limit > 0) json["limit"] = subject.limit * subject.scale.factor;
  json["passed"] = result.passed();
  return json;
}

}  // namespace

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool Results::passed() const {
  return std::all_of(cases.begin(), cases.end(), [](const Result& r) { return r.passed(); }) &&
         std::all_of(growths.begin(), growths.end(),
                     [](const GrowthResult& g) { return g.passed(); });
}

Results measure(const Suite& suite, const Options& options) {
  Results results;
  for (const Case& subject : suite.cases) {
    const std::string full_name = subject.group + "/" + subject.name;
    if (full_name.find(options.filter) == std::string::npos) continue;
    results.cases.push_back(measure_case(subject, options));
  }
  measure_growths(suite, results);
  return results;
}

void print_table(const Results& results) {
  fmt::print("  {:<54} {:>10} {:>10} {:<12} {:>8} {}  {}\n", "case", "ours", "peer", "", "ratio",
             "its figure ", "models of the network: ours / the peer's");
  std::string group;
  for (const Result& result : results.cases) {
    if (result.subject->group != group) fmt::print("{}\n", group = result.subject->group);
    print_case(result);
  }
  fmt::print(
      "  'same work': the peer did it in this run; 'one message': its cost of one message, "
      "measured "
      "in this run;\n  'published': of another machine, as published.\n");
  for (const GrowthResult& growth : results.growths) {
    fmt::print("  from '{}' to '{}': cost grows as n^{:.2f}  {} (limit n^{:g})\n",
               growth.subject->small, growth.subject->large, growth.exponent,
               growth.passed() ? "PASS" : "above limit", growth.subject->max_exponent);
  }
}

void write_json(const Results& results, const std::string& path) {
  nlohmann::ordered_json json = {{"schema", "heddle-bench-1"}};
  json["cases"] = nlohmann::ordered_json::array();
  for (const Result& result : results.cases) json["cases"].push_back(as_json(result));
  json["growths"] = nlohmann::ordered_json::array();
  for (const GrowthResult& growth : results.growths) {
    json["growths"].push_back({{"small", growth.subject->small},
                               {"large", growth.subject->large},
                               {"exponent", growth.exponent},
                               {"max_exponent", growth.subject->max_exponent},
                               {"passed", growth.passed()}});
  }
  // Under its final name only when complete.
  const std::string unfinished = path + ".tmp";
  std::ofstream file(unfinished);
  file << json.dump(2) << "\n";
  file.close();
  if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0) {
    throw std::runtime_error("cannot write '" + path + "'");
  }
}

}  // namespace heddle::bench
