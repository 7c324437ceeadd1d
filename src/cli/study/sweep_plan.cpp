#include "cli/study/sweep_plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/replay/trace_replay.hpp"
#include "cli/setting_notes.hpp"
#include "cli/study/sweep_names.hpp"
#include "core/text.hpp"
#include "platform/machine_files/machine_writer.hpp"
#include "report/repeat.hpp"
#include "report/version.hpp"
#include "traffic/traffic_config.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using study::Point;
using study::Study;
using study::Value;

/// FNV-1a of 128 bits: points are many, and no two may be taken for one.
class LongHash {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      value_ = (value_ ^ static_cast<unsigned char>(c)) * kPrime;
    }
    value_ *= kPrime;  // Parts that follow each other do not run together.
  }
  std::string text() const {
    return report::hex(static_cast<std::uint64_t>(value_ >> 64)) +
           report::hex(static_cast<std::uint64_t>(value_));
  }

 private:
  using Wide = unsigned __int128;
  static constexpr Wide kPrime = (static_cast<Wide>(1) << 88) + 0x13b;
  Wide value_ = (static_cast<Wide>(0x6c62272e07bb0142) << 64) + 0x62b821756295c58d;
};

/// A machine before the study changes it.
struct BaseMachine {
  Settings settings;
  platform::MachineDescription description;
  bool named = true;
};

class Planner {
 public:
  explicit Planner(const Study& study) : study_(study) {
    for (const study::Parameter& parameter : study.parameters) {
      names_.push_back(study_name(study.command.text, parameter));
    }
    idle_.resize(names_.size());
  }

  std::vector<PlannedPoint> plan() {
    std::vector<PlannedPoint> points;
    points.reserve(study_.points.size());
    for (const Point& point : study_.points) points.push_back(plan(point));
    refuse_idle();
    return points;
  }

 private:
  PlannedPoint plan(const Point& point) {
    PlannedPoint planned;
    planned.words = {study_.command.text};
    std::vector<std::string> last;
    LongHash hash;
    hash.add(study_.command.text);
    hash.add(report::version());
    hash.add(program_);
    BaseMachine machine = base(point);
    for (std::size_t p = 0; p < names_.size(); ++p) {
      const Value* value = study_.value(point, p);
      if (value == nullptr) continue;
      const std::string& key = study_.parameters[p].name;
      planned.parameters[key] = value->text;
      const std::string text = resolved(names_[p], *value);
      check_option(names_[p], text, *value);
      add_words(names_[p], text, planned.words, last);
      assign(names_[p], {text, value->where}, machine.settings);
      if (names_[p].parameter.empty() && names_[p].kind != StudyName::Kind::platform) {
        add_to_hash(hash, names_[p], text);
      }
    }
    planned.words.insert(planned.words.end(), last.begin(), last.end());
    check(point, machine);
    note_idle(point, machine);
    add_machine(hash, machine);
    for (const study::Measure& measure : study_.measures) {
      hash.add(measure.name);
      hash.add(measure.pattern.text);
    }
    planned.hash = hash.text();
    return planned;
  }

  /// An option that the command would refuse at every point is found before the first one.
  void check_option(const StudyName& name, const std::string& text, const Value& value) {
    if (name.option.empty() || name.option == "--set") return;
    if (!checked_.insert(name.option + " " + text).second) return;
    const std::string problem = problem_with_words({study_.command.text, name.option, text});
    if (!problem.empty()) throw InputError(value.where, problem);
  }

  const Value* value_named(const Point& point, std::string_view name) const {
    for (std::size_t p = 0; p < names_.size(); ++p) {
      if (names_[p].name == name) return study_.value(point, p);
    }
    return nullptr;
  }

  /// Paths start from the folder of the study.
  std::string from_study(const std::string& path) const {
    return (fs::absolute(fs::path(study_.file)).parent_path() / path).lexically_normal().string();
  }

  /// The value with what it says of files made absolute; throws InputError if one is not there.
  std::string resolved(const StudyName& name, const Value& value) {
    switch (name.kind) {
      case StudyName::Kind::platform:
        return machine_name(value);
      case StudyName::Kind::file:
        return existing(value, from_study(value.text));
      case StudyName::Kind::program: {
        const std::size_t end = value.text.find(' ');
        return existing(value, from_study(value.text.substr(0, end))) +
               (end == value.text.npos ? "" : value.text.substr(end));
      }
      case StudyName::Kind::map: {
        constexpr std::string_view kFile = "file:";
        if (!value.text.starts_with(kFile)) return value.text;
        return std::string(kFile) + existing(value, from_study(value.text.substr(kFile.size())));
      }
      case StudyName::Kind::other:
        break;
    }
    return value.text;
  }

  static std::string existing(const Value& value, const std::string& path) {
    if (!fs::exists(path)) {
      throw InputError(value.where, "there is no file '" + path + "'; paths start from the study");
    }
    return path;
  }

  std::string machine_name(const Value& value) const {
    for (const platform::BuiltinMachine& machine : platform::builtin_machines()) {
      if (machine.name == value.text) return value.text;
    }
    return existing_machine(value, from_study(value.text));
  }

  static std::string existing_machine(const Value& value, const std::string& path) {
    if (fs::exists(path)) return path;
    std::vector<std::string> names;
    for (const auto& machine : platform::builtin_machines()) names.emplace_back(machine.name);
    throw InputError(value.where, "there is no machine " + in_quotes(value.text) +
                                      did_you_mean(value.text, names) +
                                      ": accepted is a file's path or one of " + joined(names));
  }

  /// What the machine of a point says itself.
  BaseMachine base(const Point& point) {
    const Value* platform = value_named(point, "platform");
    const std::string& command = study_.command.text;
    std::string name = command == "traffic" ? "fat-tree-64" : command == "run" ? "bxi-v2" : "";
    if (platform != nullptr) name = machine_name(*platform);
    const auto known = machines_.find(name);
    if (known != machines_.end()) return known->second;
    BaseMachine machine{Settings(all_sections()), {}, !name.empty()};
    if (name.empty()) {
      assume_loggopsim(machine.settings);
    } else {
      machine.description = platform::read_machine(name, machine.settings);
      machine.description.about.clear();
    }
    return machines_.emplace(name, std::move(machine)).first->second;
  }

  static void add_words(const StudyName& name, const std::string& text,
                        std::vector<std::string>& words, std::vector<std::string>& last) {
    if (name.option.empty()) {
      const auto parts = name.kind == StudyName::Kind::program ? program_words(text)
                                                               : std::vector<std::string>{text};
      last.insert(last.end(), parts.begin(), parts.end());
    } else if (name.option == "--set") {
      words.insert(words.end(), {name.option, name.parameter + "=" + text});
    } else {
      words.insert(words.end(), {name.option, text});
    }
  }

  static std::vector<std::string> program_words(const std::string& text) {
    std::vector<Field> fields;
    split_by_blanks(text, fields);
    std::vector<std::string> words;
    for (const Field& field : fields) words.emplace_back(field.text);
    return words;
  }

  static void assign(const StudyName& name, const Value& value, Settings& settings) {
    if (name.parameter.empty()) return;
    settings.assign(name.parameter, value.text, value.where);
    if (!name.also.empty()) settings.assign(name.also, value.where);
  }

  void add_to_hash(LongHash& hash, const StudyName& name, const std::string& text) {
    hash.add(name.name);
    switch (name.kind) {
      case StudyName::Kind::file:
        return hash.add(content(text));
      case StudyName::Kind::program: {
        const std::size_t end = text.find(' ');
        hash.add(content(text.substr(0, end)));
        return hash.add(end == text.npos ? "" : text.substr(end));
      }
      default:
        hash.add(text.starts_with("file:") ? content(text.substr(5)) : text);
    }
  }

  /// A number of what is in a file or, for a list of traces or a folder, beside it.
  std::string content(const std::string& path) {
    std::string& known = contents_[path];
    if (!known.empty()) return known;
    if (!fs::is_directory(path)) return known = report::dump_line(report::hash_of_file(path));
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    LongHash hash;
    for (const std::string& file : files) hash.add(report::dump_line(report::hash_of_file(file)));
    return known = hash.text();
  }

  /// The configuration in force, with the contents of files in the place of their names.
  void add_machine(LongHash& hash, BaseMachine& machine) {
    for (const ParamSection* section : machine.settings.known()) {
      for (const ParamInfo& param : section->params()) {
        if (param.type != kFileType) continue;
        const std::string name = section->section() + "." + param.name;
        if (!machine.settings.has(name)) continue;
        const std::string path = value_of(*section, param.name, machine.settings);
        if (!names_file(param, path)) continue;
        hash.add(content(path));
        machine.settings.assign(name, "-", {});
      }
    }
    if (!machine.description.simgrid.empty()) {
      hash.add(content(machine.description.simgrid));
      machine.description.simgrid = "/";
    }
    hash.add(configs_.text(machine.description, machine.settings));
  }

  static std::string value_of(const ParamSection& section, const std::string& name,
                              const Settings& settings) {
    return section.effective(settings)[*section.find(name)].second;
  }

  /// What can be seen to be wrong without running it.
  void check(const Point& point, const BaseMachine& machine) const {
    const std::string& command = study_.command.text;
    if (command == "run" && value_named(point, "program") == nullptr) {
      throw InputError(study_.command.where, "a point has no program: accepted is program: PATH");
    }
    if (command == "replay" && value_named(point, "schedule") == nullptr &&
        value_named(point, "pattern") == nullptr) {
      throw InputError(study_.command.where,
                       "a point has no schedule: accepted is schedule: PATH or pattern: NAME");
    }
    if (command != "traffic") return;
    const auto config = machine.settings.get(traffic::traffic_table());
    const bool open = config.loop == traffic::Loop::open && config.pattern != "file";
    if (!open || config.find_saturation || config.load.list.size() == 1) return;
    throw InputError(study_.command.where,
                     "a point has several loads: accepted is one, such as load: 0.5 under set, or "
                     "load: 0.1:0.9:0.1 under grid, which makes a point of each");
  }

  /// Which of the parameters set at the point have no effect there.
  void note_idle(const Point& point, const BaseMachine& machine) {
    if (all_used_) return;
    const Uses uses = uses_at(point, machine);
    all_used_ = true;
    for (std::size_t p = 0; p < names_.size(); ++p) {
      Idle& idle = idle_[p];
      if (!idle.used && study_.value(point, p) != nullptr) {
        const std::string& parameter = names_[p].parameter;
        idle.reason = parameter.empty()
                          ? ""
                          : idle_reason(machine.settings, machine.description, uses, parameter);
        idle.used = idle.reason.empty();
      }
      all_used_ = all_used_ && idle.used;
    }
  }

  Uses uses_at(const Point& point, const BaseMachine& machine) const {
    const Value* schedule = value_named(point, "schedule");
    const bool traces = schedule != nullptr && names_traces(from_study(schedule->text));
    Uses uses = uses_of(traces ? "replay traces" : study_.command.text);
    uses.machine = machine.named;
    const Value* pattern = value_named(point, "pattern");
    if (study_.command.text == "replay" && pattern != nullptr) {
      uses.names.emplace_back("pattern");
      uses.pattern = pattern->text;
    }
    return uses;
  }

  void refuse_idle() const {
    for (std::size_t p = 0; p < names_.size(); ++p) {
      if (idle_[p].used) continue;
      throw InputError(study_.parameters[p].where,
                       fmt::format("'{}' has no effect at any point of the study: {}",
                                   study_.parameters[p].name, idle_[p].reason));
    }
  }

  /// What was built: of a commit with changes, the program itself says more.
  static std::string program() {
    std::string commit(report::commit());
    if (commit.find(' ') == commit.npos && commit != "unknown") return commit;
    const fs::path self = fs::read_symlink("/proc/self/exe");
    return fmt::format("{} {} {}", commit, fs::file_size(self),
                       fs::last_write_time(self).time_since_epoch().count());
  }

  struct Idle {
    bool used = false;
    std::string reason = {};
  };
  const Study& study_;
  std::string program_ = program();
  std::vector<StudyName> names_;  ///< Of the study's parameters.
  std::vector<Idle> idle_;        ///< The same.
  bool all_used_ = false;
  std::map<std::string, BaseMachine> machines_;
  platform::ConfigWriter configs_;
  std::map<std::string, std::string> contents_;  ///< Of files, by path.
  std::set<std::string> checked_;                ///< Options with their values.
};

}  // namespace

std::vector<PlannedPoint> plan(const study::Study& study) {
  return Planner(study).plan();
}

std::string shell_words(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+/%-=:,@";
  std::string text = "heddle";
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
    text += plain ? " " + word : " '" + word + "'";
  }
  return text;
}

}  // namespace heddle::cli
