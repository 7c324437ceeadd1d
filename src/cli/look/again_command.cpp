// `heddle again`: a result repeated from its JSON.
#include <fmt/core.h>

#include <fstream>

#include "cli/command.hpp"
#include "cli/scratch_folder.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "platform/text_file.hpp"
#include "report/json.hpp"
#include "report/output_file.hpp"
#include "report/version.hpp"

namespace heddle::cli {
namespace {

using report::Json;

class AgainCommand final : public Command {
 public:
  explicit AgainCommand(CommandLine line) {
    line.add_option("result", path_, "What --json of run, traffic or replay wrote")
        .type_name("FILE")
        .required();
    line.add_option("--json", json_, "Write the new results as JSON")
        .type_name("FILE")
        .check(not_empty());
  }

  void run() override {
    const Json before = read(path_);
    if (!json_.empty()) report::OutputFile("--json", json_).keep_off({path_});
    const ScratchFolder scratch;
    const std::string results = json_.empty() ? scratch.file("result.json") : json_;
    status_ = run_words(words_for(before, scratch, results));
    compare(before, read(results));
  }
  int status() const override { return status_; }

 private:
  static Json read(const std::string& path) {
    const std::string text = platform::read_text_file(path);
    if (text.starts_with('{')) report::require_json(text, path);
    Json document = report::parse_json(text);
    const bool suits = document.is_object() && document.contains("again") &&
                       document["again"].is_array() && document.contains("fingerprint");
    if (!suits) {
      throw InputError({path},
                       "does not say how it came about: accepted is what --json of `heddle run`, "
                       "`heddle traffic` or `heddle replay` writes");
    }
    return document;
  }

  /// The command with its machine and its results put in behind its name.
  std::vector<std::string> words_for(const Json& before, const ScratchFolder& scratch,
                                     const std::string& results) const {
    std::vector<std::string> words;
    for (const Json& word : before["again"]) {
      if (!word.is_string()) throw InputError({path_}, "'again' is not a list of words");
      words.push_back(word);
    }
    const bool known =
        !words.empty() && (words[0] == "run" || words[0] == "traffic" || words[0] == "replay");
    if (!known) throw InputError({path_}, "'again' does not begin with run, traffic or replay");
    std::vector<std::string> added = {"--json", results};
    if (before.contains("configuration") && before["configuration"].is_string()) {
      const std::string machine = scratch.file("machine.yaml");
      std::ofstream(machine) << before["configuration"].get<std::string>();
      added.insert(added.end(), {"--platform", machine});
    }
    words.insert(words.begin() + 1, added.begin(), added.end());
    return words;
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
  int status_ = 0;
};

}  // namespace

CommandKind again_command() {
  return {"again", "Repeat a run, a replay or traffic from the JSON of its results",
          "  heddle traffic --load 0.5 --json r.json && heddle again r.json\n"
          "  heddle again r.json --json new.json   # and keep the new results",
          make_command<AgainCommand>};
}

}  // namespace heddle::cli
