#include "report/page.hpp"

#include "core/error.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kMark = "<script id=\"data\" type=\"application/json\">";
constexpr std::string_view kEnd = "</script>";

/// Nothing in a text may end the element that it stands in.
std::string within_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

void require_page() {
  if (empty_page().find(kMark) != std::string_view::npos) return;
  throw RunError(
      "this program was built without the page of reports: build it where npm is installed, or "
      "give cmake a page that was built elsewhere (-DHEDDLE_REPORT_PAGE=page.html)");
}

std::string page(const Json& data) {
  require_page();
  const std::string_view empty = empty_page();
  const std::size_t at = empty.find(kMark) + kMark.size();
  std::string text(empty.substr(0, at));
  text += within_script(dump_line(data));
  text += empty.substr(empty.find(kEnd, at));
  return text;
}

std::string_view data_text_of_page(std::string_view text) {
  const std::size_t mark = text.find(kMark);
  if (mark == text.npos) return {};
  const std::size_t at = mark + kMark.size();
  const std::size_t end = text.find(kEnd, at);
  return end == text.npos ? std::string_view{} : text.substr(at, end - at);
}

}  // namespace heddle::report
