#include "study/slurm.hpp"

#include <fmt/core.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>

#include "core/error.hpp"
#include "core/text.hpp"

namespace heddle::study {
namespace {

struct Answer {
  int status = 0;
  std::string text;  ///< Of both streams.
};

Answer call(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) command += shell_quoted(word) + " ";
  std::FILE* pipe = popen((command + "2>&1").c_str(), "r");
  if (pipe == nullptr) throw RunError("cannot call " + words.front());
  Answer answer;
  std::array<char, 4096> block{};
  for (std::size_t n = 0; (n = std::fread(block.data(), 1, block.size(), pipe)) > 0;) {
    answer.text.append(block.data(), n);
  }
  const int status = pclose(pipe);
  answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  constexpr int kNotFound = 127;
  if (answer.status == kNotFound) {
    throw RunError("'" + words.front() +
                   "' is not here: accepted where Slurm's commands are installed");
  }
  return answer;
}

[[noreturn]] void fail_of(const std::string& command, const Answer& answer) {
  throw RunError(fmt::format("{} ended with status {}: {}", command, answer.status,
                             std::string(trimmed(answer.text))));
}

}  // namespace

std::string submit(const SlurmRequest& request, const std::string& script) {
  std::string array = fmt::format("--array=0-{}", request.tasks - 1);
  if (request.at_once > 0) array += fmt::format("%{}", request.at_once);
  std::vector<std::string> words = {"sbatch",
                                    "--parsable",
                                    "--requeue",
                                    "--job-name=" + request.name,
                                    array,
                                    "--ntasks=1",
                                    fmt::format("--cpus-per-task={}", request.cpus),
                                    "--output=" + request.log};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.push_back(std::string(option) + value);
  };
  add("--partition=", request.partition);
  add("--time=", request.time);
  add("--dependency=", request.dependency);
  words.insert(words.end(), request.more.begin(), request.more.end());
  words.push_back(script);
  const Answer answer = call(words);
  if (answer.status != 0) fail_of("sbatch", answer);
  // The last line; the name of a cluster may follow the number.
  const std::string_view text = trimmed(answer.text);
  const std::string_view line = text.substr(text.rfind('\n') + 1);
  return std::string(line.substr(0, line.find(';')));
}

std::map<std::string, std::size_t> states_of(const std::string& job) {
  const Answer answer = call({"squeue", "--noheader", "--array", "--jobs=" + job, "--format=%T"});
  std::map<std::string, std::size_t> states;
  // A job that is long over is not known any more, which squeue takes for an error.
  if (answer.status != 0 && answer.text.find("Invalid job id") == std::string::npos) {
    fail_of("squeue", answer);
  }
  if (answer.status != 0) return states;
  for_each_line(answer.text, [&](std::string_view line) {
    if (!trimmed(line).empty()) ++states[std::string(trimmed(line))];
  });
  return states;
}

void cancel(const std::string& job) {
  const Answer answer = call({"scancel", job});
  if (answer.status != 0) fail_of("scancel", answer);
}

}  // namespace heddle::study
