#include "run/jobs/job_list.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/text.hpp"
#include "core/units.hpp"
#include "goal/patterns/patterns.hpp"
#include "platform/text_file.hpp"

namespace heddle::run {
namespace {

constexpr std::int64_t kMostJobRanks = 1'000'000;

class JobListReader {
 public:
  explicit JobListReader(std::string file) : file_(std::move(file)) {}

  void read_line(std::string_view line) {
    ++line_;
    split_by_blanks(line.substr(0, line.find('#')), words_);
    if (words_.empty()) return;
    JobLine job;
    job.name = "job " + std::to_string(line_);
    job.where = {file_, line_, 1};
    std::set<std::string, std::less<>> seen;
    for (const Field& word : words_) read_word(word, job, seen);
    check(job);
    jobs_.push_back(std::move(job));
  }
  std::vector<JobLine> take() { return std::move(jobs_); }

 private:
  SourceLocation at(std::uint32_t column) const { return {file_, line_, column}; }

  void read_word(const Field& word, JobLine& job, std::set<std::string, std::less<>>& seen) const {
    const std::size_t equals = word.text.find('=');
    if (equals == std::string_view::npos || equals + 1 == word.text.size()) {
      throw InputError(at(word.column), in_quotes(word.text) +
                                            " is no NAME=VALUE: accepted are words such as "
                                            "arrival=1ms and pattern=linear-alltoall");
    }
    const std::string_view name = word.text.substr(0, equals);
    if (!seen.emplace(name).second) {
      throw InputError(at(word.column), in_quotes(name) + " stands there twice: accepted is once");
    }
    const Field value{word.text.substr(equals + 1),
                      word.column + static_cast<std::uint32_t>(equals) + 1};
    set(name, word, value, job);
  }

  void set(std::string_view name, const Field& word, const Field& value, JobLine& job) const {
    if (name == "name") {
      job.name = value.text;
    } else if (name == "arrival") {
      const auto time = parse_time(value.text);
      if (!time) reject(value, "time", "0us, 1.5ms and the like");
      job.arrival = *time;
    } else if (name == "ranks") {
      job.ranks = count(value);
    } else if (name == "ranks_per_node") {
      job.ranks_per_node = count(value);
    } else if (name == "pattern") {
      job.pattern = value.text;
    } else if (name == "schedule") {
      job.schedule = value.text;
    } else if (name == "placement") {
      job.placement = placement(value);
    } else if (name.starts_with("pattern.")) {
      job.settings.emplace_back(word.text, at(word.column));
    } else {
      const std::vector<std::string> names = {"name",    "arrival",  "ranks",    "ranks_per_node",
                                              "pattern", "schedule", "placement"};
      throw InputError(at(word.column), "unknown " + in_quotes(name) + did_you_mean(name, names) +
                                            ": accepted are " + joined(names) +
                                            " and parameters of patterns such as pattern.size");
    }
  }

  [[noreturn]] void reject(const Field& value, const std::string& what,
                           const std::string& accepted) const {
    throw InputError(at(value.column),
                     in_quotes(value.text) + " is no " + what + ": accepted are " + accepted);
  }

  std::uint32_t count(const Field& value) const {
    const auto number = parse_count(value.text);
    if (!number || *number < 1 || *number > kMostJobRanks) {
      reject(value, "number of ranks", "1 to " + std::to_string(kMostJobRanks));
    }
    return static_cast<std::uint32_t>(*number);
  }

  JobPlacement placement(const Field& value) const {
    for (const auto& [name, placement] : job_placements()) {
      if (name == value.text) return placement;
    }
    std::vector<std::string> names;
    for (const auto& [name, placement] : job_placements()) names.emplace_back(name);
    reject(value, "placement" + did_you_mean(value.text, names), joined(names));
  }

  static void check(const JobLine& job) {
    if (job.pattern.empty() == job.schedule.empty()) {
      throw InputError(job.where,
                       "a job does one thing: accepted is either pattern=NAME or schedule=FILE");
    }
    if (!job.pattern.empty() && job.ranks == 0) {
      throw InputError(job.where,
                       "of how many ranks the pattern is, is not said: accepted is "
                       "ranks=N beside it");
    }
    if (!job.schedule.empty() && job.ranks != 0) {
      throw InputError(job.where,
                       "a schedule says itself how many ranks it has: accepted is ranks "
                       "beside pattern only");
    }
  }

  std::string file_;
  std::uint32_t line_ = 0;
  std::vector<Field> words_;
  std::vector<JobLine> jobs_;
};

}  // namespace

std::vector<JobLine> read_job_list_text(std::string_view text, const std::string& file_name) {
  JobListReader reader(file_name);
  for_each_line(text, [&](std::string_view line) { reader.read_line(line); });
  return reader.take();
}

std::vector<JobLine> read_job_list(const std::string& path) {
  const std::string text = platform::read_text_file(path);
  platform::require_text(text, path);
  std::vector<JobLine> jobs = read_job_list_text(text, path);
  if (jobs.empty()) {
    throw InputError({path},
                     "there are no jobs: accepted are lines such as 'arrival=0us ranks=16 "
                     "pattern=linear-alltoall pattern.size=64KiB'");
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (JobLine& job : jobs) {
    if (!job.schedule.empty()) job.schedule = (folder / job.schedule).string();
  }
  return jobs;
}

}  // namespace heddle::run
