#include "platform/yaml_document.hpp"

#include <yaml-cpp/eventhandler.h>

#include <sstream>
#include <string_view>

#include "core/text.hpp"

namespace heddle::platform {
namespace {

/// Notes where documents start, and nothing else.
class DocumentStarts final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override { last = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

  YAML::Mark last = YAML::Mark::null_mark();
};

/// Where a second document, or text that YAML::Load leaves unread, begins; a null mark if nowhere.
/// (YAML::LoadAll does not end when it meets some of that text.)
YAML::Mark second_document(const std::string& text) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  DocumentStarts starts;
  parser.HandleNextDocument(starts);
  starts.last = YAML::Mark::null_mark();
  parser.HandleNextDocument(starts);
  return starts.last;
}

/// The text at `mark` up to the next blank, in quotes.
std::string word_at(const std::string& text, const YAML::Mark& mark) {
  const auto begin = mark.is_null() ? text.size() : static_cast<std::size_t>(mark.pos);
  if (begin >= text.size()) return "its end";
  const std::string word = text.substr(begin, text.find_first_of(" \t\n", begin + 1) - begin);
  return "'" + word.substr(0, 40) + "'";
}

/// Whether the line of `mark`, or the one before it, begins with a tab, or with blanks and a tab.
bool is_indented_by_tab(std::string_view text, const YAML::Mark& mark) {
  if (mark.is_null()) return false;
  int line = 0;
  bool found = false;
  for_each_line(text, [&](std::string_view whole) {
    const std::size_t first = whole.find_first_not_of(' ');
    const bool tab = first != whole.npos && whole[first] == '\t';
    found = found || (tab && (line == mark.line || line + 1 == mark.line));
    ++line;
  });
  return found;
}

}  // namespace

SourceLocation place_of(const YAML::Mark& mark, const std::string& file) {
  if (mark.is_null()) return {file};
  return {file, static_cast<std::uint32_t>(mark.line + 1),
          static_cast<std::uint32_t>(mark.column + 1)};
}

std::string token_of(const YAML::Node& node) {
  if (node.IsScalar()) return in_quotes(node.Scalar());
  if (node.IsMap()) return "a mapping";
  return node.IsSequence() ? "a list" : "nothing";
}

YAML::Node load_yaml(const std::string& text, const std::string& file, const std::string& what,
                     const std::string& accepted) {
  try {
    const YAML::Node root = YAML::Load(text);
    const YAML::Mark rest = second_document(text);
    if (rest.is_null()) return root;
    throw InputError(place_of(rest, file),
                     "text behind the " + what + ": accepted is one YAML mapping");
  } catch (const YAML::Exception& e) {
    const char* const tab = is_indented_by_tab(text, e.mark)
                                ? " (a line is indented by a tab, where YAML wants spaces)"
                                : "";
    throw InputError(place_of(e.mark, file), "not YAML at " + word_at(text, e.mark) + ": " + e.msg +
                                                 tab + "; accepted is " + accepted);
  }
}

}  // namespace heddle::platform
