// Verdicts beside reruns: what summaries predict, held against runs of machines that were changed
// accordingly. The experiments are those of tests/data/verdicts/table.txt.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "cli/hosted.hpp"
#include "validation.hpp"

namespace heddle::verdicts {
namespace {

using cli::Outcome;
using nlohmann::json;

/// Of the time of the run, in both directions.
constexpr double kAllowed = 0.05;
/// What rounding may add to a bound.
constexpr double kRounding = 0.005;
constexpr const char* kSubject =
    "Verdicts beside reruns: gain predicted, and of the better machine";

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(' ');
  return from == text.npos ? "" : text.substr(from, text.find_last_not_of(' ') - from + 1);
}
std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) {
    part = trimmed(part);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

struct Change {
  std::string key;      ///< Of the what-if.
  bool unsure = false;  ///< No figure is promised.
  std::vector<std::string> what;
};
struct Experiment {
  std::string name;
  bool slice = false;
  std::vector<std::string> command;
  std::vector<std::string> causes;
  std::vector<Change> changes;
};

void PrintTo(const Experiment& experiment, std::ostream* out) {
  *out << experiment.name;
}

/// The file of experiments; what `let` names is put in its place.
class Table {
 public:
  Table() {
    std::istringstream in(cli::file_text(HEDDLE_TEST_DATA "/verdicts/table.txt"));
    for (std::string line; std::getline(in, line);) read(trimmed(line));
  }
  const std::vector<Experiment>& experiments() const { return experiments_; }

 private:
  void read(const std::string& line) {
    if (line.empty() || line.front() == '#') return;
    if (line.starts_with("let ")) {
      const auto is = line.find('=');
      names_[trimmed(line.substr(4, is - 4))] = split(line.substr(is + 1), ' ');
      return;
    }
    const std::vector<std::string> cells = split(line, '|');
    if (cells.size() != 5) throw std::runtime_error("not five cells: " + line);
    Experiment experiment{cells[0], cells[1] == "slice", split(cells[2], ' '), {}, {}};
    if (cells[3] != "-") experiment.causes = split(cells[3], ' ');
    for (const std::string& change : split(cells[4], ';')) read_change(experiment, change);
    experiments_.push_back(std::move(experiment));
  }
  void read_change(Experiment& experiment, const std::string& text) {
    const auto colon = text.find(':');
    if (colon == text.npos) return;
    Change change{trimmed(text.substr(0, colon)), false, {}};
    change.unsure = change.key.back() == '?';
    if (change.unsure) change.key.pop_back();
    for (const std::string& word : split(text.substr(colon + 1), ' ')) {
      const auto named = names_.find(word);
      if (named == names_.end()) {
        change.what.push_back(word);
      } else {
        change.what.insert(change.what.end(), named->second.begin(), named->second.end());
      }
    }
    experiment.changes.push_back(std::move(change));
  }

  std::map<std::string, std::vector<std::string>> names_;
  std::vector<Experiment> experiments_;
};

const Table& table() {
  static const Table all;
  return all;
}

/// "@mpi" and "@shmem" are programs beside the table, others those of examples/portals.
std::string program(const std::string& name) {
  static std::map<std::string, TemporaryFolder> folders;
  TemporaryFolder& folder = folders[name];
  const std::string built = folder / "program";
  if (std::filesystem::exists(built)) return built;
  const std::string data = HEDDLE_TEST_DATA;
  std::string source = data + "/verdicts/" + name + ".c";
  if (!std::filesystem::exists(source)) source = data + "/../../examples/portals/" + name + ".c";
  const Outcome outcome = cli::shell(cli::built("heddlecc") + " " + source + " -o " + built);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return built;
}

/// The words of a command: its parameters, the rest of its options, and what comes with a program.
struct Words {
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<std::string> options;
  std::vector<std::string> program;

  explicit Words(const std::vector<std::string>& command) {
    for (std::size_t i = 0; i < command.size(); ++i) {
      const std::string& word = command[i];
      if (word.front() == '@') {
        program.push_back(verdicts::program(word.substr(1)));
      } else if (!program.empty()) {
        program.push_back(word);
      } else if (word == "--set") {
        set(command[++i]);
      } else {
        options.push_back(word);
      }
    }
  }
  void set(const std::string& parameter) {
    const auto is = parameter.find('=');
    const std::string name = parameter.substr(0, is);
    std::erase_if(parameters, [&](const auto& p) { return p.first == name; });
    parameters.emplace_back(name, parameter.substr(is + 1));
  }
  void change(const std::vector<std::string>& what) {
    if (what.front() == "args") {
      program.resize(1);
      program.insert(program.end(), what.begin() + 1, what.end());
    } else {
      for (const std::string& parameter : what) set(parameter);
    }
  }
  std::string text() const {
    std::string text = options.front() + (program.empty() ? "" : " -q") + " --summary s.json";
    for (const auto& [name, value] : parameters) text += " --set " + name + "=" + value;
    for (std::size_t i = 1; i < options.size(); ++i) text += " " + options[i];
    for (const std::string& word : program) text += " " + word;
    return text;
  }
};

class Verdicts : public testing::TestWithParam<Experiment> {
 protected:
  json summary(const Words& words) {
    const Outcome outcome = cli::heddle(words.text(), folder_.path());
    EXPECT_EQ(outcome.status, 0) << words.text() << "\n" << outcome.err;
    return json::parse(cli::file_text(folder_ / "s.json"), nullptr, false);
  }
  /// As parts of the run's time. What is not told of gains nothing.
  struct Prediction {
    double gain = 0;
    double at_least = 0;
    double at_most = 0;
    bool sure = true;
  };
  static Prediction predicted(const json& summary, const std::string& key) {
    for (const json& w : summary["what_if"]) {
      if (w["key"] != key) continue;
      const auto part = [&](const char* name) { return w[name].get<double>() / time(summary); };
      return {part("gain_ps"), part("at_least_ps"), part("at_most_ps"), w["sure"].get<bool>()};
    }
    return {};
  }
  static double time(const json& summary) { return summary["time_ps"].get<double>(); }

  void expect_no_link_blamed_beyond_its_use(const json& summary) {
    for (const json& link : summary["links"]) {
      const double blamed =
          link["path_bandwidth_ps"].get<double>() + link["path_contention_ps"].get<double>();
      EXPECT_LE(blamed, link["utilisation"].get<double>() * time(summary) * 1.001 + 10)
          << link.dump();
    }
  }
  void compare(const Experiment& experiment, const json& before, const Change& change) {
    Words words(experiment.command);
    words.change(change.what);
    const json after = summary(words);
    const double gain = 1 - time(after) / time(before);
    const Prediction expected = predicted(before, change.key);
    EXPECT_LE(gain, expected.at_most + kRounding) << change.key;
    EXPECT_TRUE(expected.gain == 0 || gain >= expected.at_least - kRounding) << change.key;
    if (change.unsure) {
      EXPECT_FALSE(expected.sure) << change.key;
    } else {
      EXPECT_NEAR(expected.gain, gain, kAllowed) << change.key << ": " << before["what_if"].dump();
    }
    const std::string range =
        fmt::format("{:.0f} to {:.0f} %", 100 * expected.at_least, 100 * expected.at_most);
    validation_row(kSubject, fmt::format("{}; {}", experiment.name, change.key),
                   change.unsure ? range : fmt::format("{:.1f} %", 100 * expected.gain),
                   fmt::format("{:.1f} %", 100 * gain),
                   change.unsure ? "" : fmt::format("{:+.1f}", 100 * (expected.gain - gain)),
                   change.unsure ? "" : fmt::format("{:.0f}", 100 * kAllowed));
  }

  TemporaryFolder folder_;
};

TEST_P(Verdicts, PredictWhatTheBetterMachineGains) {
  const Experiment& experiment = GetParam();
  if (!experiment.slice && std::getenv("HEDDLE_VALIDATE") == nullptr) {
    GTEST_SKIP() << "of `make validate`";
  }
  const json before = summary(Words(experiment.command));
  const std::string cause = before["cause"];
  EXPECT_TRUE(experiment.causes.empty() ||
              std::ranges::find(experiment.causes, cause) != experiment.causes.end())
      << cause << ": " << before["verdict"].dump();
  expect_no_link_blamed_beyond_its_use(before);
  for (const Change& change : experiment.changes) compare(experiment, before, change);
}

TEST(VerdictsNote, SaysWhatTheRowsAre) {
  EXPECT_GT(table().experiments().size(), 40U);
  validation_note(
      kSubject,
      "Gains are parts of the time of the run, errors percentage points of it: what the "
      "summary of a run predicts under a key of `what_if`, and what the run of the "
      "machine that was changed accordingly took less. Where much is held up, no figure "
      "is promised, but a range. No rerun gained more than was said to be possible at "
      "most, or less than at least, and no link was blamed for longer than it was busy. "
      "The experiments are in tests/data/verdicts/table.txt; some of them run with "
      "`make test`.");
}

INSTANTIATE_TEST_SUITE_P(Experiments, Verdicts, testing::ValuesIn(table().experiments()),
                         [](const auto& each) {
                           std::string name;
                           for (const char c : each.param.name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
                           }
                           return name;
                         });

}  // namespace
}  // namespace heddle::verdicts
