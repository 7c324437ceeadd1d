// `heddle again`: a result repeated from its JSON.
#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "cli/command.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/text.hpp"
#include "files/temporary_folder.hpp"
#include "platform/text_file.hpp"
#include "report/json.hpp"
#include "report/output_file.hpp"
#include "report/version.hpp"

namespace heddle::cli {
namespace {

using report::Json;

/// What results of each command call themselves. A trace is replayed by a run of its calls.
const std::map<std::string, std::vector<const char*>> kSchemas = {
    {"run", {"heddle.run/1"}},
    {"mpirun", {"heddle.run/1"}},
    {"traffic", {"heddle.traffic/1"}},
    {"replay", {"heddle.replay/1", "heddle.run/1"}}};

class AgainCommand final : public Command {
 public:
  explicit AgainCommand(CommandLine line) {
    line.add_option("result", path_, "What --json of run, traffic or replay wrote")
        .type_name("FILE")
        .required();
    line.add_option("--json", json_, "Write the new results as JSON")
        .type_name("FILE")
        .check(not_empty());
    line.add_flag("--changed", changed_,
                  "Run a program also if it is not the one that the result\nis of, or if that "
                  "cannot be told");
  }

  void run() override {
    const Json before = read(path_);
    if (!json_.empty()) report::OutputFile("--json", json_).keep_off({path_});
    const files::ScratchFolder scratch;
    const std::string results = json_.empty() ? scratch.file("result.json") : json_;
    std::vector<std::string> words = words_of(before);
    write_stderr("again: " + shown(words) + "\n");
    add_origin(words, before, scratch, results);
    status_ = run_words(words);
    compare(before, read(results));
  }
  int status() const override { return status_; }

 private:
  static Json read(const std::string& path) {
    const std::string text = platform::read_text_file(path);
    if (text.starts_with('{')) report::require_json(text, path);
    Json document = report::parse_json(text);
    const bool suits = document.is_object() && document.contains("again") &&
                       document["again"].is_array() && document.contains("fingerprint") &&
                       document["fingerprint"].is_string();
    if (!suits) {
      throw InputError({path},
                       "does not say how it came about: accepted is what --json of `heddle run`, "
                       "`heddle traffic` or `heddle replay` writes");
    }
    return document;
  }

  /// The words behind `heddle` that the result came about by.
  std::vector<std::string> words_of(const Json& before) const {
    std::vector<std::string> words;
    for (const Json& word : before["again"]) {
      if (!word.is_string()) throw InputError({path_}, "'again' is not a list of words");
      words.push_back(word);
    }
    const std::string command = words.empty() ? "" : words.front();
    const auto known = kSchemas.find(command);
    if (known == kSchemas.end()) {
      throw InputError({path_}, "'again' does not begin with run, mpirun, traffic or replay");
    }
    const Json schema = before.value("schema", Json());
    const bool suits = std::ranges::any_of(
        known->second, [&](const char* accepted) { return schema == accepted; });
    if (suits) return words;
    throw InputError({path_},
                     fmt::format("the schema of a result of `heddle {}` is {}, not {}", command,
                                 known->second.front(), in_quotes(report::dump_line(schema))));
  }

  /// Puts the machine, the program's hash and where the results go behind the command's name.
  void add_origin(std::vector<std::string>& words, const Json& before,
                  const files::ScratchFolder& scratch, const std::string& results) const {
    std::vector<std::string> added = {"--json", results};
    const Json configuration = before.value("configuration", Json());
    if (configuration.is_string()) {
      const std::string machine = scratch.file("machine.yaml");
      std::ofstream(machine) << configuration.get<std::string>();
      added.insert(added.end(), {"--platform", machine});
    } else if (!configuration.is_null()) {
      throw InputError({path_}, "'configuration' is no text: accepted is a machine file as text");
    }
    const bool runs_program = words.front() == "run" || words.front() == "mpirun";
    if (runs_program && !changed_) {
      for (const std::string& hash : hashes_of(before)) {
        added.insert(added.end(), {"--program-hash", hash});
      }
    }
    words.insert(words.begin() + 1, added.begin(), added.end());
  }

  /// Of each program, in their order.
  std::vector<std::string> hashes_of(const Json& before) const {
    std::vector<Json> programs = {before};
    if (before.contains("programs") && before["programs"].is_array()) {
      programs.clear();
      for (const Json& program : before["programs"]) programs.push_back(program);
    }
    std::vector<std::string> hashes;
    for (const Json& program : programs) {
      const Json hash = program.is_object() ? program.value("program_hash", Json()) : Json();
      if (!hash.is_string()) {
        throw RunError(path_ +
                       ": has no 'program_hash' to know the program by: `heddle again --changed` "
                       "runs it all the same");
      }
      hashes.push_back(hash);
    }
    return hashes;
  }

  /// The command line as a shell would read it, in characters that cannot move a terminal's cursor.
  static std::string shown(const std::vector<std::string>& words) {
    std::string text = "heddle";
    for (const std::string& word : words) text += " " + shell_word(word);
    return text;
  }

  /// Throws RunError if the two differ, with what may be the reason.
  static void compare(const Json& before, const Json& now) {
    if (before["fingerprint"] == now["fingerprint"]) {
      write_stderr("again: the fingerprint is " + now["fingerprint"].get<std::string>() +
                   ", as before\n");
      return;
    }
    std::string reasons;
    for (const char* member : {"heddle", "program_hash", "schedule_hash"}) {
      if (!before.contains(member) || before[member] == now[member]) continue;
      reasons += fmt::format("; {} was {} and is {}", member, report::dump_line(before[member]),
                             report::dump_line(now[member]));
    }
    throw RunError(fmt::format("the fingerprint was {} and is {}{}",
                               report::dump_line(before["fingerprint"]),
                               report::dump_line(now["fingerprint"]), reasons));
  }

  std::string path_;
  std::string json_;
  bool changed_ = false;
  int status_ = 0;
};

}  // namespace

CommandKind again_command() {
  return {
      "again", "Repeat a run, a replay or traffic from the JSON of its results",
      "  heddle traffic --load 0.5 --json r.json && heddle again r.json\n"
      "  heddle again r.json --json new.json   # and keep the new results\n"
      "  heddle again r.json --changed         # with a program that was built anew\n"
      "The file of a run names a program, which is run: first the command line is told, and the\n"
      "program's hash must be the one in the file. Repeat no run of a file that you would not\n"
      "run the program of.",
      make_command<AgainCommand>};
}

}  // namespace heddle::cli
