#include "counts/lines.hpp"

#include <utility>

namespace heddle::counts {
namespace {

constexpr std::string_view kBlank = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t,\"'()") == text.npos;
}

/// `.text`, `.text.unlikely`, with or without quotes.
bool names_code(std::string_view section) {
  if (section.starts_with('"')) section.remove_prefix(1);
  return section.starts_with(".text");
}

}  // namespace

Line parsed(std::string_view text) {
  Line line;
  line.text = text;
  std::string_view rest = trimmed(text);
  if (rest.empty() || rest.starts_with('#') || rest.starts_with("//")) return line;
  const std::size_t end = rest.find_first_of(kBlank);
  const std::string_view word = rest.substr(0, end);
  if (word.ends_with(':') && is_name(word)) {
    line.kind = LineKind::label;
    line.label = word.substr(0, word.size() - 1);
    return line;
  }
  line.kind = word.starts_with('.') ? LineKind::directive : LineKind::instruction;
  line.instruction = {word, end == rest.npos ? std::string_view() : trimmed(rest.substr(end))};
  return line;
}

std::vector<Line> lines_of(std::string_view assembly) {
  std::vector<Line> lines;
  while (!assembly.empty()) {
    const std::size_t end = assembly.find('\n');
    lines.push_back(parsed(assembly.substr(0, end)));
    if (end == assembly.npos) break;
    assembly.remove_prefix(end + 1);
  }
  return lines;
}

Names names_of(const std::vector<Line>& lines) {
  Names names;
  for (const Line& line : lines) {
    if (line.kind != LineKind::directive) continue;
    const auto& [name, operands] = line.instruction;
    const std::string_view first = operands.substr(0, operands.find_first_of(",- \t"));
    if (name == ".type" && operands.find("function") != operands.npos) {
      names.functions.insert(first);
    }
    if (name == ".uleb128" && is_code_label(first) && operands.find("-.LFB") != operands.npos) {
      names.landings.insert(first);
    }
  }
  return names;
}

void Sections::see(const Instruction& directive) {
  const auto& [name, operands] = directive;
  const auto enter = [this](bool code) { before_ = std::exchange(code_, code); };
  if (name == ".text") return enter(true);
  if (name == ".data" || name == ".bss") return enter(false);
  if (name == ".section") return enter(names_code(operands));
  if (name == ".previous") return std::swap(code_, before_);
  if (name == ".pushsection") {
    pushed_.push_back(code_);
    return enter(names_code(operands));
  }
  if (name != ".popsection" || pushed_.empty()) return;
  code_ = pushed_.back();
  pushed_.pop_back();
}

}  // namespace heddle::counts
