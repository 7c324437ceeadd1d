#include "study/batch.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "core/error.hpp"
#include "core/text.hpp"
#include "files/files_read.hpp"
#include "platform/text_file.hpp"
#include "report/output_file.hpp"

namespace heddle::study {
namespace {

namespace fs = std::filesystem;

Json json_of(const BatchTask& task) {
  Json json;
  json["jobs"] = task.jobs;
  json["memory_bytes"] = task.memory.count();
  json["measures"] = Json::array();
  for (const Measure& measure : task.measures) {
    json["measures"].push_back({measure.name, measure.pattern.text});
  }
  json["points"] = Json::array();
  for (const PlannedPoint& point : task.points) {
    json["points"].push_back({{"hash", point.hash}, {"words", point.words}});
  }
  return json;
}

BatchTask task_of(const Json& json) {
  BatchTask task;
  task.jobs = json.at("jobs");
  task.memory = Bytes(json.at("memory_bytes").get<std::int64_t>());
  for (const Json& measure : json.at("measures")) {
    task.measures.push_back({measure.at(0), {measure.at(1), {}}});
  }
  for (const Json& point : json.at("points")) {
    task.points.push_back({point.at("words"), point.at("hash"), {}});
  }
  return task;
}

Json json_of(const Outcome& outcome) {
  return {{"hash", outcome.hash},     {"command", outcome.command}, {"error", outcome.error},
          {"result", outcome.result}, {"seconds", outcome.seconds}, {"memory", outcome.memory},
          {"host", outcome.host}};
}

Outcome outcome_in(const Json& json) {
  return {json.at("hash"),    json.at("command"), json.at("error"), json.at("result"),
          json.at("seconds"), json.at("memory"),  json.at("host")};
}

/// The outcomes in the lines of a file; a line that was not finished is none.
void add_outcomes(const fs::path& path, std::vector<Outcome>& outcomes) {
  const std::string text = platform::read_text_file(path.string());
  for_each_line(text, [&](std::string_view line) {
    const Json json = report::parse_json(line);
    if (json.is_discarded()) return;
    try {
      outcomes.push_back(outcome_in(json));
    } catch (const Json::exception&) {  // Cut short in a way that is JSON.
      return;
    }
  });
}

/// Files of a batch are read and written in turn.
void write_whole(const std::string& path, const std::string& text) {
  files::forget_read(path);
  report::OutputFile("batch", path).write(text);
}

}  // namespace

Batch Batch::of(const std::string& results, const std::string& study) {
  return Batch(fs::absolute(results + ".slurm/" + study).lexically_normal().string());
}

std::string Batch::log_pattern() const {
  std::string pattern;
  for (const char c : folder_) pattern += c == '%' ? std::string("%%") : std::string(1, c);
  return pattern + "/log/%a.txt";
}

bool Batch::exists() const {
  return fs::exists(folder_ + "/job");
}

std::string Batch::job() const {
  return std::string(trimmed(platform::read_text_file(folder_ + "/job")));
}

void Batch::set_job(const std::string& job) const {
  write_whole(folder_ + "/job", job + "\n");
}

std::size_t Batch::create(const BatchTask& all, std::size_t chunk) const {
  remove();
  for (const char* part : {"/plan", "/done", "/log"}) fs::create_directories(folder_ + part);
  std::size_t tasks = 0;
  for (std::size_t begin = 0; begin < all.points.size(); begin += chunk) {
    const std::size_t end = std::min(begin + chunk, all.points.size());
    BatchTask task{{all.points.begin() + static_cast<std::ptrdiff_t>(begin),
                    all.points.begin() + static_cast<std::ptrdiff_t>(end)},
                   all.measures,
                   all.jobs,
                   all.memory};
    write_whole(fmt::format("{}/plan/{}.json", folder_, tasks++),
                report::dump_line(json_of(task)) + "\n");
  }
  return tasks;
}

BatchTask Batch::task(std::size_t number) const {
  const std::string path = fmt::format("{}/plan/{}.json", folder_, number);
  BatchTask task;
  try {
    task = task_of(report::parse_json(platform::read_text_file(path)));
  } catch (const Json::exception& error) {
    throw InputError({path}, std::string("not a task of a study: ") + error.what());
  }
  std::set<std::string> done;
  for (const Outcome& outcome : outcomes()) done.insert(outcome.hash);
  std::erase_if(task.points, [&](const PlannedPoint& point) { return done.contains(point.hash); });
  return task;
}

std::vector<Outcome> Batch::outcomes() const {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder_ + "/done")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Outcome> outcomes;
  for (const fs::path& file : files) add_outcomes(file, outcomes);
  return outcomes;
}

std::size_t Batch::points() const {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder_ + "/plan")) {
    const Json json = report::parse_json(platform::read_text_file(entry.path().string()));
    if (json.is_object()) count += json.value("points", Json::array()).size();
  }
  return count;
}

void Batch::remove() const {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  fs::remove(fs::path(folder_).parent_path(), ignored);  // If it was the last one.
}

OutcomeFile::OutcomeFile(const Batch& batch, std::size_t task) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  path_ = fmt::format("{}/done/{}.{}.{}.jsonl", batch.folder(), task, host, getpid());
  file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) throw RunError("cannot write '" + path_ + "': " + strerror(errno));
}

OutcomeFile::~OutcomeFile() {
  close(file_);
}

void OutcomeFile::append(const Outcome& outcome) const {
  const std::string line = report::dump_line(json_of(outcome)) + "\n";
  const bool written = write(file_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (!written || fdatasync(file_) != 0) {
    throw RunError("cannot write '" + path_ + "': " + strerror(errno));
  }
}

}  // namespace heddle::study
