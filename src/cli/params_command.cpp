// `heddle params`: every parameter, from the tables that declare them.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "report/table.hpp"

namespace heddle::cli {
namespace {

std::string range_of(const ParamInfo& param) {
  if (!param.choices.empty()) return joined(param.choices, " | ");
  if (param.min_text.empty() && param.max_text.empty()) return "any";
  if (param.max_text.empty()) return ">= " + param.min_text;
  if (param.min_text.empty()) return "<= " + param.max_text;
  return param.min_text + " .. " + param.max_text;
}

std::string default_of(const ParamInfo& param) {
  return param.default_text.empty() ? "\"\"" : param.default_text;
}

report::Table table_of(const ParamSection& section) {
  report::Table table({{"parameter"}, {"type"}, {"default"}, {"range"}, {"meaning"}});
  for (const ParamInfo& param : section.params()) {
    table.add({section.section() + "." + param.name, param.type, default_of(param), range_of(param),
               param.meaning});
  }
  return table;
}

report::Json to_json(const ParamInfo& param) {
  report::Json json = {{"name", param.name},
                       {"type", param.type},
                       {"default", param.default_text},
                       {"meaning", param.meaning},
                       {"accepted", param.accepted}};
  if (!param.min_text.empty()) json["min"] = param.min_text;
  if (!param.max_text.empty()) json["max"] = param.max_text;
  if (!param.choices.empty()) json["choices"] = param.choices;
  return json;
}

report::Json to_json(const std::vector<const ParamSection*>& sections) {
  report::Json document = report::new_document("heddle.params/1");
  for (const ParamSection* section : sections) {
    report::Json entry = {{"section", section->section()}, {"about", section->about()}};
    entry["parameters"] = report::Json::array();
    for (const ParamInfo& param : section->params()) entry["parameters"].push_back(to_json(param));
    document["sections"].push_back(std::move(entry));
  }
  return document;
}

const ParamSection* find_section(const std::string& name) {
  std::vector<std::string> names;
  for (const ParamSection* section : all_sections()) {
    if (section->section() == name) return section;
    names.push_back(section->section());
  }
  throw InputError({}, "unknown section of parameters '" + name + "'" + did_you_mean(name, names) +
                           ": accepted are " + joined(names));
}

class ParamsCommand final : public Command {
 public:
  explicit ParamsCommand(CLI::App& app) {
    app.add_option("section", names_, "Sections to show; all if none is named")
        ->type_name("SECTION");
    output_.add_to(app);
  }

  void run() override {
    output_.open();
    const auto sections = chosen();
    if (output_.text_wanted()) print(sections);
    output_.write(to_json(sections));
  }

 private:
  std::vector<const ParamSection*> chosen() const {
    if (names_.empty()) return all_sections();
    std::vector<const ParamSection*> sections;
    for (const std::string& name : names_) sections.push_back(find_section(name));
    return sections;
  }

  static void print(const std::vector<const ParamSection*>& sections) {
    for (const ParamSection* section : sections) {
      fmt::print("{}: {}\n{}\n", section->section(), section->about(), table_of(*section).text(2));
    }
    fmt::print("Set one with --set name=value, or in a machine's file.\n");
  }

  std::vector<std::string> names_;
  OutputOptions output_;
};

}  // namespace

CommandKind params_command() {
  return {"params", "List every parameter with its type, default, range and meaning",
          "  heddle params              # all of them\n"
          "  heddle params link queue   # those of cables and of the queue model",
          make_command<ParamsCommand>};
}

}  // namespace heddle::cli
