// `heddle report`: pages from results, several side by side.
#include <fmt/core.h>

#include <filesystem>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "platform/text_file.hpp"
#include "report/page.hpp"
#include "report/run_document.hpp"

namespace heddle::cli {
namespace {

using report::Json;

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
    for (const std::string& file : files_) {
      all.push_back(report::data_of_run(platform::read_text_file(file), file));
    }
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
      Json run = {{"name", short_name(i)}, {"summary", all[i].at("summary")}};
      // What a page has beyond a summary: the timeline, which is shown beside those of others.
      for (const char* part : {"timeline", "path"}) {
        if (all[i].contains(part)) run[part] = all[i][part];
      }
      runs.push_back(std::move(run));
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
