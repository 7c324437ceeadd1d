#include "traces/readers/xml_scanner.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/error.hpp"
#include "goal/shown_text.hpp"

namespace heddle::traces {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool ends_name(char c) {
  return is_blank(c) || c == '=' || c == '>' || c == '/' || c == '<' || c == '"' || c == '\'';
}

}  // namespace

void XmlScanner::fail(std::size_t offset, const std::string& problem) const {
  const auto begin = text_.begin();
  const auto line = 1 + std::count(begin, begin + static_cast<std::ptrdiff_t>(offset), '\n');
  throw InputError({*file_, static_cast<std::uint32_t>(line)},
                   fmt::format("at byte {}: {}", offset, problem));
}

void XmlScanner::skip_to(std::string_view end) {
  const std::size_t begin = at_;
  at_ = text_.find(end, begin);
  if (at_ == std::string_view::npos) {
    fail(begin, fmt::format("this is not XML: '{}' is expected behind it, and the file ends", end));
  }
  at_ += end.size();
}

void XmlScanner::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

std::string_view XmlScanner::name() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && !ends_name(text_[at_])) ++at_;
  if (at_ == text_.size()) fail(at_, "this is not XML: the file ends within a tag");
  if (at_ == begin) {
    fail(begin, fmt::format("this is not XML: '{}' is no name of an element or attribute",
                            goal::shown_text(text_.substr(begin, 20), 20)));
  }
  return text_.substr(begin, at_ - begin);
}

bool XmlScanner::next() {
  if (empty_) {
    empty_ = false;
    within_.pop_back();
    return false;
  }
  for (;;) {
    const std::size_t begin = std::min(text_.find('<', at_), text_.size());
    if (begin == text_.size()) {
      if (within_.empty()) return false;
      fail(begin, fmt::format("this is not XML: the file ends before </{}>", within_.back()));
    }
    at_ = begin;
    const std::string_view rest = text_.substr(begin);
    if (rest.starts_with("<!--")) {
      skip_to("-->");
    } else if (rest.starts_with("<![CDATA[")) {
      skip_to("]]>");
    } else if (rest.starts_with("<?")) {
      skip_to("?>");
    } else if (rest.starts_with("<!")) {
      skip_to(">");
    } else if (rest.starts_with("</")) {
      close();
      return false;
    } else {
      open();
      return true;
    }
  }
}

void XmlScanner::open() {
  tag_.offset = at_++;
  tag_.name = name();
  tag_.attributes.clear();
  for (skip_blanks(); at_ < text_.size() && text_[at_] != '>' && text_[at_] != '/'; skip_blanks()) {
    read_attribute();
  }
  empty_ = text_.substr(at_).starts_with("/>");
  if (empty_) {
    at_ += 2;
  } else if (at_ < text_.size() && text_[at_] == '>') {
    ++at_;
  } else {
    fail(at_, "this is not XML: '>' or '/>' is expected");
  }
  within_.push_back(tag_.name);
}

void XmlScanner::close() {
  const std::size_t begin = at_;
  at_ += 2;
  const std::string_view closed = name();
  skip_blanks();
  if (within_.empty() || closed != within_.back() || at_ == text_.size() || text_[at_] != '>') {
    fail(begin, within_.empty()
                    ? fmt::format("this is not XML: </{}> closes nothing", closed)
                    : fmt::format("this is not XML: </{}> is expected", within_.back()));
  }
  ++at_;
  within_.pop_back();
}

void XmlScanner::read_attribute() {
  const std::string_view key = name();
  skip_blanks();
  if (at_ == text_.size() || text_[at_] != '=') {
    fail(at_, fmt::format("this is not XML: '=' is expected behind '{}'", key));
  }
  ++at_;
  skip_blanks();
  const char quote = at_ < text_.size() ? text_[at_] : '\0';
  if (quote != '"' && quote != '\'') {
    fail(at_, fmt::format("this is not XML: a value in quotes is expected behind '{}='", key));
  }
  const std::size_t begin = ++at_;
  while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '<') ++at_;
  if (at_ == text_.size() || text_[at_] != quote) {
    fail(at_, fmt::format("this is not XML: the value of '{}' does not end", key));
  }
  tag_.attributes.emplace_back(key, text_.substr(begin, at_ - begin));
  ++at_;
}

void XmlScanner::skip() {
  const std::size_t outside = within_.size() - 1;
  while (within_.size() > outside) next();
}

std::string xml_text(std::string_view value) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string text;
  while (!value.empty()) {
    const auto* const named = std::find_if(std::begin(kNamed), std::end(kNamed),
                                           [&](auto& one) { return value.starts_with(one.first); });
    const bool found = named != std::end(kNamed);
    text += found ? named->second : value[0];
    value.remove_prefix(found ? named->first.size() : 1);
  }
  return text;
}

}  // namespace heddle::traces
