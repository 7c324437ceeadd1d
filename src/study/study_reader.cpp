// From YAML to the points of a study.
#include <fmt/core.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "core/text.hpp"
#include "platform/text_file.hpp"
#include "platform/yaml_document.hpp"
#include "study/design.hpp"
#include "study/span.hpp"
#include "study/study_nodes.hpp"

namespace heddle::study {
namespace {

bool is_name(const std::string& text) {
  static const std::set<std::string> tables = {"points", "timings", "studies"};
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
  });
  return plain && !text.empty() && !text.starts_with("sqlite_") && !tables.contains(text);
}

class StudyReader {
 public:
  StudyReader(std::string_view text, const std::string& file) : text_(text), nodes_(file) {
    study_.file = file;
  }

  Study read() {
    for (const StudyEntry& entry : nodes_.entries(document(), "the study")) top_level(entry);
    if (study_.command.text.empty()) {
      throw InputError({study_.file, 1, 1},
                       "the study has no command: accepted is command: run, replay or traffic");
    }
    if (study_.name.empty()) name_after_file();
    study_.points = combine(study_.parameters.size(), blocks_, {study_.file, 1, 1});
    return std::move(study_);
  }

 private:
  using Read = void (StudyReader::*)(const YAML::Node&);

  void name_after_file() {
    study_.name = std::filesystem::path(study_.file).stem().string();
    if (is_name(study_.name)) return;
    throw InputError({study_.file, 1, 1},
                     "the file's name is no name for a study: accepted is name: WORD in it");
  }

  YAML::Node document() const {
    YAML::Node root = platform::load_yaml(
        text_, study_.file, "study", "a mapping such as {command: traffic, grid: {load: 0.5}}");
    if (root.IsMap()) return root;
    throw InputError({study_.file, 1, 1},
                     "not a study: accepted is a YAML mapping such as {command: traffic, grid: "
                     "{load: [0.1, 0.5]}}");
  }

  void top_level(const StudyEntry& entry) {
    static const std::map<std::string, Read> readers = {
        {"set", &StudyReader::set},          {"grid", &StudyReader::grid},
        {"zip", &StudyReader::zip},          {"list", &StudyReader::list},
        {"random", &StudyReader::random},    {"latin-hypercube", &StudyReader::latin},
        {"measures", &StudyReader::measures}};
    if (entry.key == "name") {
      study_.name = name(entry.value);
    } else if (entry.key == "about") {
      study_.about = nodes_.scalar(entry.value, entry.key, "text");
    } else if (entry.key == "command") {
      command(entry.value);
    } else if (const auto reader = readers.find(entry.key); reader != readers.end()) {
      (this->*reader->second)(entry.value);
    } else {
      std::vector<std::string> keys = {"name", "about", "command"};
      for (const auto& [name, read] : readers) keys.push_back(name);
      throw InputError(entry.where, "unknown key " + in_quotes(entry.key) +
                                        did_you_mean(entry.key, keys) + ": accepted are " +
                                        joined(keys));
    }
  }

  /// It becomes the name of a view beside the tables of results.
  std::string name(const YAML::Node& node) const {
    const std::string accepted =
        "a word of letters, digits, -, _ and . that is not points, timings or studies";
    const std::string text = nodes_.scalar(node, "name", accepted);
    if (!is_name(text)) nodes_.refuse(node, "name", accepted);
    return text;
  }

  void command(const YAML::Node& node) {
    const std::vector<std::string> commands = {"run", "replay", "traffic"};
    const std::string accepted = "one of " + joined(commands);
    const std::string name = nodes_.scalar(node, "command", accepted);
    if (std::find(commands.begin(), commands.end(), name) == commands.end()) {
      throw InputError(nodes_.at(node), "unknown command " + in_quotes(name) +
                                            did_you_mean(name, commands) + ": accepted is " +
                                            accepted);
    }
    study_.command = {name, nodes_.at(node)};
  }

  /// The number of the parameter of that name, which no other part of the study has set.
  std::uint32_t parameter(const StudyEntry& entry, bool varies) {
    for (const Parameter& known : study_.parameters) {
      if (known.name != entry.key) continue;
      throw InputError(entry.where,
                       in_quotes(entry.key) + " is given twice: first at " + known.where.str());
    }
    study_.parameters.push_back({entry.key, entry.where, {}, varies});
    return static_cast<std::uint32_t>(study_.parameters.size() - 1);
  }

  std::uint32_t add_value(std::uint32_t p, Value value) {
    std::vector<Value>& values = study_.parameters[p].values;
    values.push_back(std::move(value));
    return static_cast<std::uint32_t>(values.size() - 1);
  }

  void set(const YAML::Node& node) {
    Block block(1);
    for (const StudyEntry& entry : nodes_.entries(node, "set")) {
      const std::uint32_t p = parameter(entry, false);
      block[0].push_back({p, add_value(p, nodes_.value_of(entry.value, entry.key))});
    }
    blocks_.push_back(std::move(block));
  }

  /// All values that an axis of a grid takes.
  Column column(const StudyEntry& entry) {
    Column column{parameter(entry, true), {}};
    const auto add = [&](const std::vector<std::string>& texts, const YAML::Node& node) {
      for (const std::string& text : texts) {
        column.values.push_back(add_value(column.parameter, {text, nodes_.at(node)}));
      }
    };
    if (entry.value.IsScalar()) {
      const std::string& text = entry.value.Scalar();
      add(range_of(text).value_or(std::vector{text}), entry.value);
    } else if (entry.value.IsSequence()) {
      for (const YAML::Node& item : entry.value) {
        add({nodes_.scalar(item, "an item of " + entry.key, "a value")}, item);
      }
    } else {
      add(nodes_.stretch(entry.value, entry.key), entry.value);
    }
    if (column.values.empty()) nodes_.refuse(entry.value, entry.key, kAcceptedValues);
    return column;
  }

  void grid(const YAML::Node& node) {
    for (const StudyEntry& entry : nodes_.entries(node, "grid")) {
      blocks_.push_back(each(column(entry)));
    }
  }

  void zip(const YAML::Node& node) {
    std::vector<Column> columns;
    for (const StudyEntry& entry : nodes_.entries(node, "zip")) {
      columns.push_back(column(entry));
      if (columns.back().values.size() == columns.front().values.size()) continue;
      throw InputError(
          entry.where,
          fmt::format("{} has {} values and {} has {}: accepted in zip are equally many",
                      in_quotes(entry.key), columns.back().values.size(),
                      in_quotes(study_.parameters[columns.front().parameter].name),
                      columns.front().values.size()));
    }
    if (!columns.empty()) blocks_.push_back(side_by_side(columns));
  }

  void list(const YAML::Node& node) {
    if (!node.IsSequence()) nodes_.refuse(node, "list", "a list of mappings, one for each point");
    std::map<std::string, std::uint32_t> own;
    Block block;
    for (const YAML::Node& item : node) {
      Part& part = block.emplace_back();
      for (const StudyEntry& entry : nodes_.entries(item, "a point of list")) {
        if (!own.contains(entry.key)) own[entry.key] = parameter(entry, true);
        const std::uint32_t p = own[entry.key];
        part.push_back({p, add_value(p, nodes_.value_of(entry.value, entry.key))});
      }
    }
    if (block.empty()) nodes_.refuse(node, "list", "a list of mappings, one for each point");
    blocks_.push_back(std::move(block));
  }

  void random(const YAML::Node& node) { drawn(node, "random", false); }
  void latin(const YAML::Node& node) { drawn(node, "latin-hypercube", true); }

  void drawn(const YAML::Node& node, const std::string& what, bool latin) {
    std::size_t points = 0;
    std::size_t seed = 1;
    std::vector<StudyEntry> drawn;
    for (const StudyEntry& entry : nodes_.entries(node, what)) {
      if (entry.key == "points") {
        points = nodes_.count(entry.value, "points");
      } else if (entry.key == "seed") {
        seed = nodes_.count(entry.value, "seed");
      } else {
        drawn.push_back(entry);
      }
    }
    if (points == 0 || drawn.empty()) {
      throw InputError(nodes_.at(node),
                       what +
                           " needs points and parameters: accepted is, for example, {"
                           "points: 50, link.latency: {from: 10ns, to: 1us}}");
    }
    RandomStream stream = RandomStream(seed).split(what);
    Block block(points);
    for (const StudyEntry& entry : drawn) {
      const RandomStream own = stream.split(entry.key);
      draw(entry, latin ? strata(points, own) : anywhere(points, own), block);
    }
    blocks_.push_back(std::move(block));
  }

  /// Gives each point the value that lies at its place.
  void draw(const StudyEntry& entry, const std::vector<double>& places, Block& block) {
    const std::uint32_t p = parameter(entry, true);
    if (entry.value.IsMap()) {
      const StretchEnds ends = nodes_.ends(entry.value, entry.key, {});
      for (std::size_t i = 0; i < places.size(); ++i) {
        const std::string text = ends.span.at(places[i], ends.logarithmic);
        block[i].push_back({p, add_value(p, {text, nodes_.at(entry.value)})});
      }
      return;
    }
    if (!entry.value.IsSequence() || entry.value.size() == 0) {
      nodes_.refuse(entry.value, entry.key, "{from: A, to: B} or a list of values");
    }
    for (const YAML::Node& item : entry.value) add_value(p, nodes_.value_of(item, entry.key));
    const auto values = static_cast<double>(study_.parameters[p].values.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      block[i].push_back({p, static_cast<std::uint32_t>(places[i] * values)});
    }
  }

  void measures(const YAML::Node& node) {
    for (const StudyEntry& entry : nodes_.entries(node, "measures")) {
      Measure measure{
          entry.key,
          {nodes_.scalar(entry.value, entry.key, "a regular expression"), nodes_.at(entry.value)}};
      try {
        if (std::regex(measure.pattern.text).mark_count() != 1) throw std::regex_error({});
      } catch (const std::regex_error&) {
        nodes_.refuse(
            entry.value, entry.key,
            "a regular expression with one group, around the number, such as 'rate: ([0-9.]+)'");
      }
      study_.measures.push_back(std::move(measure));
    }
  }

  std::string text_;
  StudyNodes nodes_;
  Study study_;
  std::vector<Block> blocks_;
};

}  // namespace

Study read_study_text(std::string_view text, const std::string& file) {
  try {
    return StudyReader(text, file).read();
  } catch (const YAML::Exception& error) {
    throw InputError({file}, "not a study: " + error.msg);
  }
}

Study read_study_file(const std::string& path) {
  return read_study_text(platform::read_text_file(path), path);
}

}  // namespace heddle::study
