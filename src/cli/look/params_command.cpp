// `heddle params`: every parameter, from the tables that declare them.
#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <functional>

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

std::string shown_default(const ParamInfo& param) {
  return param.default_text.empty() ? "\"\"" : param.default_text;
}

/// The parameters of a section that are shown; there are some.
struct Shown {
  const ParamSection* section;
  std::vector<const ParamInfo*> params;
};

std::string full_name(const ParamSection& section, const ParamInfo& param) {
  return section.section() + "." + param.name;
}

report::Table table_of(const Shown& shown) {
  report::Table table({{"parameter"}, {"type"}, {"default"}, {"range"}, {"meaning"}});
  for (const ParamInfo* param : shown.params) {
    table.add({full_name(*shown.section, *param), param->type, shown_default(*param),
               range_of(*param), param->meaning});
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

report::Json to_json(const std::vector<Shown>& sections) {
  report::Json document = report::new_document("heddle.params/1");
  for (const Shown& shown : sections) {
    report::Json entry = {{"section", shown.section->section()}, {"about", shown.section->about()}};
    entry["parameters"] = report::Json::array();
    for (const ParamInfo* param : shown.params) entry["parameters"].push_back(to_json(*param));
    document["sections"].push_back(std::move(entry));
  }
  return document;
}

/// Says whether a parameter is meant by `word`.
using Meant = bool (*)(const std::string& word, const ParamSection& section,
                       const ParamInfo& param);

/// What a word of the user's may mean, in this order: the first that means anything counts.
constexpr Meant kMeanings[] = {
    [](const std::string& word, const ParamSection& section, const ParamInfo&) {
      return section.section() == word;
    },
    [](const std::string& word, const ParamSection& section, const ParamInfo& param) {
      return full_name(section, param) == word;
    },
    [](const std::string& word, const ParamSection&, const ParamInfo& param) {
      return param.name == word;
    },
    [](const std::string& word, const ParamSection& section, const ParamInfo& param) {
      return !word.empty() && full_name(section, param).starts_with(word);
    },
};

std::vector<Shown> shown_if(const std::function<bool(const ParamSection&, const ParamInfo&)>& is) {
  std::vector<Shown> sections;
  for (const ParamSection* section : all_sections()) {
    Shown shown{section, {}};
    for (const ParamInfo& param : section->params()) {
      if (is(*section, param)) shown.params.push_back(&param);
    }
    if (!shown.params.empty()) sections.push_back(std::move(shown));
  }
  return sections;
}

[[noreturn]] void fail_unknown(const std::string& word) {
  std::vector<std::string> sections;
  std::vector<std::string> names;
  for (const ParamSection* section : all_sections()) {
    sections.push_back(section->section());
    for (const ParamInfo& param : section->params()) names.push_back(full_name(*section, param));
  }
  const bool dotted = word.find('.') != std::string::npos;
  throw InputError({}, "unknown parameter or section '" + word + "'" +
                           did_you_mean(word, dotted ? names : sections) +
                           ": accepted are parameters such as link.latency, the beginnings of "
                           "their names, and the sections " +
                           joined(sections));
}

std::vector<Shown> find(const std::string& word) {
  for (const Meant meant : kMeanings) {
    auto found = shown_if([&](const ParamSection& section, const ParamInfo& param) {
      return meant(word, section, param);
    });
    if (!found.empty()) return found;
  }
  fail_unknown(word);
}

class ParamsCommand final : public Command {
 public:
  explicit ParamsCommand(CommandLine line) {
    line.add_option("name", words_,
                    "Sections, parameters, or the beginnings of their names; all if none is named")
        .type_name("NAME");
    output_.add_to(line);
  }

  void run() override {
    output_.open();
    const auto sections = chosen();
    if (output_.text_wanted()) print(sections);
    output_.write_json([&] { return to_json(sections); });
    output_.finish();
  }

 private:
  std::vector<Shown> chosen() const {
    if (words_.empty()) return shown_if([](const auto&, const auto&) { return true; });
    std::vector<Shown> sections;
    for (const std::string& word : words_) {
      for (Shown& shown : find(word)) sections.push_back(std::move(shown));
    }
    return sections;
  }

  /// No limit for what is not read on a terminal: a line has a parameter then.
  static std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return SIZE_MAX;
    return size.ws_col;
  }

  static void print(const std::vector<Shown>& sections) {
    for (const Shown& shown : sections) {
      fmt::print("{}: {}\n{}\n", shown.section->section(), shown.section->about(),
                 table_of(shown).text(2, terminal_width()));
    }
    fmt::print("Set one with --set name=value, or in a machine's file.\n");
  }

  std::vector<std::string> words_;
  OutputOptions output_;
};

}  // namespace

CommandKind params_command() {
  return {"params", "List every parameter with its type, default, range and meaning",
          "  heddle params              # all of them\n"
          "  heddle params link queue   # those of cables and of the queue model\n"
          "  heddle params link.latency # one of them\n"
          "  heddle params traffic.hot  # those whose names begin so",
          make_command<ParamsCommand>};
}

}  // namespace heddle::cli
