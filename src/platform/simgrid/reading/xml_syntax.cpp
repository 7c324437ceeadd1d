#include "platform/simgrid/reading/xml_syntax.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::platform::simgrid {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// Goes once through the text, over comments and the like, and looks at what is left.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<XmlMistake> find() {
    while (at_ < text_.size() && !mistake_) step();
    return std::move(mistake_);
  }

 private:
  using Brackets = std::pair<std::string_view, std::string_view>;

  void step() {
    static constexpr std::array<Brackets, 4> kSkipped = {
        {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}}};
    const std::string_view rest = text_.substr(at_);
    for (const auto& [open, close] : kSkipped) {
      if (!rest.starts_with(open)) continue;
      const std::size_t end = rest.find(close, open.size());
      at_ = end == std::string_view::npos ? text_.size() : at_ + end + close.size();
      return;
    }
    character();
  }

  /// Inside a tag, quotes begin and end the value of an attribute.
  void character() {
    const char c = text_[at_];
    if (c == '&') {
      reference();
    } else if (quote_ != '\0') {
      if (c == '<') fail("'<' inside an attribute's value: accepted is &lt;");
      if (c == quote_) quote_ = '\0';
    } else if (c == '<' || c == '>') {
      in_tag_ = c == '<';
    } else if (in_tag_ && (c == '"' || c == '\'')) {
      quote_ = c;
    }
    ++at_;
  }

  void reference() {
    const std::size_t end = text_.find_first_of(";<\"' \t\r\n", at_);
    const bool closed = end != std::string_view::npos && text_[end] == ';';
    const std::string_view name = text_.substr(at_ + 1, closed ? end - at_ - 1 : 0);
    if (closed && is_reference(name)) return;
    const std::string word = closed ? "&" + std::string(name) + ";" : "&";
    fail("undefined entity '" + word +
         "': accepted are &amp; &lt; &gt; &quot; &apos; and numbers such as &#65;");
  }

  static bool is_reference(std::string_view name) {
    static constexpr std::array<std::string_view, 5> kNames = {"amp", "lt", "gt", "quot", "apos"};
    if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
    if (!name.starts_with('#')) return false;
    const bool hex = name.starts_with("#x");
    const std::string_view digits = name.substr(hex ? 2 : 1);
    const std::string_view known = hex ? "0123456789abcdefABCDEF" : "0123456789";
    return !digits.empty() && digits.find_first_not_of(known) == std::string_view::npos;
  }

  void fail(std::string problem) { mistake_ = XmlMistake{at_, std::move(problem)}; }

  std::string_view text_;
  std::size_t at_ = 0;
  bool in_tag_ = false;
  char quote_ = '\0';  ///< That of the value it stands in.
  std::optional<XmlMistake> mistake_;
};

}  // namespace

std::optional<XmlMistake> find_bad_character(std::string_view text) {
  return Scanner(text).find();
}

std::string token_at(std::string_view text, std::size_t offset) {
  constexpr std::size_t kLongest = 40;
  const std::size_t begin = text.find_first_not_of(kBlanks, std::min(offset, text.size()));
  // The parser stops one before the end where it misses something there.
  if (begin == std::string_view::npos || begin + 1 == text.size()) return "the end of the file";
  const std::size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
  return "'" + std::string(text.substr(begin, std::min(end - begin, kLongest))) + "'";
}

std::string accepted_instead(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_bad_pi:
      return "<?NAME ...?>";
    case pugi::status_bad_comment:
      return "<!-- ... -->";
    case pugi::status_bad_cdata:
      return "<![CDATA[ ... ]]>";
    case pugi::status_bad_doctype:
      return "<!DOCTYPE platform SYSTEM \"...\">";
    case pugi::status_bad_attribute:
      return "NAME=\"VALUE\"";
    case pugi::status_bad_start_element:
      return "<NAME ...> or <NAME .../>";
    case pugi::status_bad_end_element:
      return "</NAME>";
    case pugi::status_end_element_mismatch:
      return "the end tag of the element that was begun last";
    default:
      return "one element <platform version=\"4.1\">";
  }
}

}  // namespace heddle::platform::simgrid
