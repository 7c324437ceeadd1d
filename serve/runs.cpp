#include "runs.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

namespace heddle::serve {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kMostAtOnce = 4;
constexpr std::size_t kMostKept = 200;

std::string text_of_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Starts the program in a group of its own; its notes, output and errors go into `own`, where its
/// input is.
pid_t spawn(const std::vector<std::string>& words, const fs::path& from, const fs::path& own,
            const char* input) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::string out = own / "stdout";
  const std::string err = own / "stderr";
  const std::string notes = "HEDDLE_NOTES=" + (own / "notes").string();
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("HEDDLE_NOTES=")) variables.push_back(*variable);
  }
  variables.push_back(const_cast<char*>(notes.c_str()));
  variables.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addchdir_np(&files, from.c_str());
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&how, 0);
  pid_t process = 0;
  const int error =
      posix_spawn(&process, arguments[0], &files, &how, arguments.data(), variables.data());
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw Refused(std::string("heddle cannot be started: ") + std::strerror(error));
  return process;
}

}  // namespace

Runs::Runs(fs::path heddle, fs::path folder)
    : heddle_(std::move(heddle)), folder_(fs::canonical(folder)) {
  std::string pattern = folder_ / ".heddle-serve-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Refused(folder_.string() + ": cannot be written: " + std::strerror(errno));
  }
  own_ = pattern;
}

Runs::~Runs() {
  const std::lock_guard lock(mutex_);
  for (auto& [name, run] : runs_) end(run);
  std::error_code ignored;
  fs::remove_all(own_, ignored);
}

std::vector<std::string> Runs::outputs(const Order& order, const fs::path& folder) const {
  const auto to = [&](const char* option, const char* file) {
    return std::string(option) + "=" + (folder / file).string();
  };
  if (order.command == "report") return {to("--report", "page.html")};
  std::vector<std::string> words = {to("--json", "result.json")};
  if (order.command == "topo" &&
      !std::count(order.words.begin(), order.words.end(), "--print-config")) {
    words.push_back(to("--svg", "drawing.svg"));
  }
  if (order.command == "run" || order.command == "replay") {
    words.push_back(to("--report", "page.html"));
    words.push_back(to("--summary", (folder.filename().string() + ".json").c_str()));
  }
  return words;
}

std::string Runs::start(const Order& order) {
  const std::lock_guard lock(mutex_);
  if (under_way() >= kMostAtOnce) {
    throw Refused("enough is running already: wait for it, or stop something");
  }
  std::vector<std::string> compared;
  for (const std::string& other : order.runs) {
    compared.push_back(find(other).folder / (other + ".json"));
  }
  forget_oldest();
  const std::string name = std::to_string(next_++);
  Run run;
  run.folder = own_ / name;
  fs::create_directory(run.folder);
  std::vector<std::string> words = {heddle_, order.command};
  run.shown = {order.command};
  std::string input = "/dev/null";
  if (!order.machine_text.empty()) {
    input = run.folder / "machine.yaml";
    std::ofstream(input) << order.machine_text;
    words.push_back("--platform=-");  // So that its paths begin where the program runs.
    run.shown.push_back("--platform=machine.yaml");
  }
  words.insert(words.end(), order.words.begin(), order.words.end());
  const std::vector<std::string> files = outputs(order, run.folder);
  words.insert(words.end(), files.begin(), files.end());
  words.insert(words.end(), order.behind.begin(), order.behind.end());
  run.shown.insert(run.shown.end(), order.words.begin(), order.words.end());
  run.shown.insert(run.shown.end(), order.behind.begin(), order.behind.end());
  words.insert(words.end(), compared.begin(), compared.end());
  run.process = spawn(words, folder_, run.folder, input.c_str());
  runs_[name] = std::move(run);
  return name;
}

json Runs::status(const std::string& name) {
  const std::lock_guard lock(mutex_);
  Run& run = find(name);
  look(run);
  json answer = {
      {"run", name}, {"state", "running"}, {"words", run.shown}, {"warnings", json::array()}};
  std::istringstream notes(text_of_file(run.folder / "notes"));
  for (std::string line; std::getline(notes, line);) {
    const json note = json::parse(line, nullptr, false);
    if (!note.is_object()) continue;
    const std::string kind = note.value("kind", "");
    if (kind == "warning") answer["warnings"].push_back(note["text"]);
    if (kind == "progress" || kind == "error") answer[kind] = note;
  }
  if (!run.ended) return answer;
  const json result = json::parse(text_of_file(run.folder / "result.json"), nullptr, false);
  answer["result"] = result.is_discarded() ? json(nullptr) : result;
  answer["status"] = run.status;
  answer["state"] = answer.contains("error") || WIFSIGNALED(run.status) ? "failed" : "done";
  answer["stdout"] = text_of_file(run.folder / "stdout").substr(0, 20'000);
  answer["page"] = fs::exists(run.folder / "page.html");
  answer["drawing"] = fs::exists(run.folder / "drawing.svg");
  return answer;
}

void Runs::remove(const std::string& name) {
  const std::lock_guard lock(mutex_);
  Run& run = find(name);
  end(run);
  std::error_code ignored;
  fs::remove_all(run.folder, ignored);
  runs_.erase(name);
}

std::string Runs::file(const std::string& name, const std::string& file) {
  const std::lock_guard lock(mutex_);
  return text_of_file(find(name).folder / file);
}

Runs::Run& Runs::find(const std::string& name) {
  const auto found = runs_.find(name);
  if (found == runs_.end()) throw Refused("there is no run '" + name.substr(0, 20) + "'");
  return found->second;
}

void Runs::look(Run& run) {
  if (!run.ended && waitpid(run.process, &run.status, WNOHANG) == run.process) run.ended = true;
}

/// As Ctrl-C would, and by force if that does not help at once.
void Runs::end(Run& run) {
  using namespace std::chrono_literals;
  if (run.ended) return;
  kill(-run.process, SIGINT);
  constexpr int kLooks = 20;
  for (int i = 0; i < kLooks; ++i) {
    if (waitpid(run.process, &run.status, WNOHANG) == run.process) {
      run.ended = true;
      break;
    }
    std::this_thread::sleep_for(25ms);
  }
  kill(-run.process, SIGKILL);  // Processes of ranks, too.
  if (!run.ended) waitpid(run.process, &run.status, 0);
  run.ended = true;
}

void Runs::forget_oldest() {
  for (auto run = runs_.begin(); runs_.size() >= kMostKept && run != runs_.end();) {
    look(run->second);
    std::error_code ignored;
    if (run->second.ended) fs::remove_all(run->second.folder, ignored);
    run = run->second.ended ? runs_.erase(run) : std::next(run);
  }
}

std::size_t Runs::under_way() {
  std::size_t count = 0;
  for (auto& [name, run] : runs_) {
    look(run);
    count += run.ended ? 0 : 1;
  }
  return count;
}

}  // namespace heddle::serve
