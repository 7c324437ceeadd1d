// `heddle report`: pages from results, several side by side.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "report/page.hpp"

namespace heddle::cli {
namespace {

using report::Json;

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({path}, "cannot be read: accepted is a file that heddle has written");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string schema_of(const Json& document) {
  if (!document.is_object() || !document.contains("schema")) return "";
  return document["schema"].is_string() ? document["schema"].get<std::string>() : "";
}

/// Has what the page relies on.
bool is_summary(const Json& s) {
  if (schema_of(s) != "heddle.summary/1") return false;
  for (const char* text :
       {"kind", "title", "platform", "machine", "network", "fidelity", "cause"}) {
    if (!s.contains(text) || !s[text].is_string()) return false;
  }
  for (const char* number :
       {"ranks", "nodes", "time_ps", "wall_s", "slowdown", "messages", "bytes"}) {
    if (!s.contains(number) || !s[number].is_number()) return false;
  }
  return s.contains("verdict") && s["verdict"].is_array() &&
         std::all_of(s["verdict"].begin(), s["verdict"].end(),
                     [](const Json& line) { return line.is_string(); });
}

/// What the results of --json say that a summary does, too.
Json summary_of_result(const Json& result) {
  Json summary = report::new_document("heddle.summary/1");
  const std::string schema = schema_of(result);
  summary["kind"] = schema.substr(7, schema.find('/') - 7);
  const auto text = [&](const char* name) {
    return result.contains(name) && result[name].is_string() ? result[name].get<std::string>() : "";
  };
  std::string title = text("program");
  if (title.empty()) title = text("schedule");
  summary["title"] = title.empty() ? schema : std::filesystem::path(title).filename().string();
  summary["platform"] = text("platform");
  summary["machine"] = text("platform");
  summary["network"] = text("network");
  summary["fidelity"] = "network " + text("network");
  const Json ranks = result.value("ranks", Json(0));
  summary["ranks"] = ranks.is_array() ? Json(ranks.size()) : ranks;
  summary["nodes"] = result.value("nodes", Json(0));
  const char* const time = result.contains("time_ps") ? "time_ps" : "makespan_ps";
  const std::int64_t ps = result.value(time, std::int64_t{0});
  report::put(summary, "time", Time::ps(ps));
  const Json simulator = result.value("simulator", Json::object());
  summary["wall_s"] = simulator.value("processor_s", 0.0);
  summary["slowdown"] =
      ps > 0 ? summary["wall_s"].get<double>() / (static_cast<double>(ps) * 1e-12) : 0.0;
  summary["cause"] = "";
  summary["verdict"] = Json::array({fmt::format("The run took {}.", format_time(Time::ps(ps)))});
  const Json mpi = result.value("mpi", Json::object());
  summary["messages"] = mpi.value("messages", 0);
  summary["bytes"] = mpi.value("sent_bytes", std::int64_t{0});
  summary["parameters"] = Json::object();
  summary["configuration"] = text("configuration");
  summary["command"] = result.value("again", Json::array());
  return summary;
}

/// The data of a page, from a page, a summary or a result of --json.
Json data_of_file(const std::string& path) {
  const std::string text = read_text(path);
  Json data = report::data_of_page(text);
  if (data.is_object() && data.contains("summary") && is_summary(data["summary"])) return data;
  const Json document = Json::parse(text, nullptr, false);
  if (is_summary(document)) return {{"summary", document}};
  const std::string schema = schema_of(document);
  if (schema == "heddle.run/1" || schema == "heddle.replay/1" || schema == "heddle.traffic/1") {
    try {
      return {{"summary", summary_of_result(document)}};
    } catch (const Json::exception&) {
      // It is named like a result but has other contents.
    }
  }
  throw InputError({path},
                   "holds no result: accepted are summaries (--summary), pages (--report) and "
                   "results (--json) of heddle run, replay and traffic");
}

class ReportCommand final : public Command {
 public:
  explicit ReportCommand(CommandLine line) {
    line.add_option("file", files_, "Summaries, pages or results of heddle run, replay or traffic")
        .type_name("FILE...")
        .required();
    output_.add_file(line, "--report", "Write a page with them, for a browser");
  }

  void run() override {
    output_.open();
    output_.keep_off(files_);
    std::vector<Json> all;
    for (const std::string& file : files_) all.push_back(data_of_file(file));
    output_.write("--report", [&] { return report::page(page_of(all)); });
    if (output_.text_wanted()) print(all);
    output_.finish();
  }

 private:
  std::string short_name(std::size_t i) const {
    return std::filesystem::path(files_[i]).filename().string();
  }

  /// Of one file its own page; of several a comparison.
  Json page_of(const std::vector<Json>& all) const {
    if (all.size() == 1) return all.front();
    Json page;
    Json& runs = page["compare"] = Json::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
      runs.push_back({{"name", short_name(i)}, {"summary", all[i].at("summary")}});
    }
    return page;
  }

  void print(const std::vector<Json>& all) const {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].contains("summary")) continue;
      const Json& s = all[i]["summary"];
      const auto ps = s.value("time_ps", std::int64_t{0});
      fmt::print("{}: {}, {}", short_name(i), s.value("title", ""), format_time(Time::ps(ps)));
      const std::int64_t first =
          all.front().value("summary", Json::object()).value("time_ps", std::int64_t{0});
      if (i > 0 && first > 0) {
        fmt::print(" ({:+.1f} %)",
                   100 * (static_cast<double>(ps) / static_cast<double>(first) - 1));
      }
      fmt::print("\n");
      for (const Json& line : s.value("verdict", Json::array())) {
        fmt::print("  {}\n", line.get<std::string>());
      }
    }
  }

  std::vector<std::string> files_;
  OutputOptions output_;
};

}  // namespace

CommandKind report_command() {
  return {
      "report", "Pages from results, several runs side by side",
      "  heddle run -n 16 --report page.html --summary a.json ./stencil  # a page, its figures\n"
      "  heddle run -n 32 --summary b.json ./stencil\n"
      "  heddle report a.json b.json                        # what differs, in words\n"
      "  heddle report a.json b.json --report compare.html  # side by side, for a browser",
      make_command<ReportCommand>};
}

}  // namespace heddle::cli
