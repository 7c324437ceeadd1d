#include "goal/formats/text_lexer.hpp"

#include <algorithm>
#include <array>

#include "goal/shown_text.hpp"

namespace heddle::goal {
namespace {

enum class CharKind : std::uint8_t { other, blank, letter, digit, slash, single };

constexpr std::array<CharKind, 256> char_kinds() {
  std::array<CharKind, 256> kinds{};
  const auto set = [&kinds](std::string_view chars, CharKind kind) {
    for (const char c : chars) kinds[static_cast<unsigned char>(c)] = kind;
  };
  set(" \t\r\v\f", CharKind::blank);
  set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", CharKind::letter);
  set("0123456789", CharKind::digit);
  set("/", CharKind::slash);
  set("\n-:{}", CharKind::single);
  return kinds;
}
constexpr std::array<CharKind, 256> kCharKinds = char_kinds();

CharKind kind_of(char c) {
  return kCharKinds[static_cast<unsigned char>(c)];
}

TokenKind single_kind(char c) {
  switch (c) {
    case '\n':
      return TokenKind::newline;
    case '-':
      return TokenKind::minus;
    case ':':
      return TokenKind::colon;
    case '{':
      return TokenKind::open;
    default:
      return TokenKind::close;
  }
}

}  // namespace

TextLexer::TextLexer(std::string_view text, const std::string& file)
    : text_(text), file_(&file), at_(text.data()), end_(text.data() + text.size()) {
  advance();
}

SourceLocation TextLexer::where(const Token& token) const {
  const char* line = token.text.data();
  while (line != text_.data() && line[-1] != '\n') --line;
  return {*file_, token.line, static_cast<std::uint32_t>(token.text.data() - line + 1)};
}

void TextLexer::reject(const Token& token, std::string_view accepted) const {
  throw InputError(where(token), shown(token) + " where " + std::string(accepted) + " is expected");
}

/// What to call a token in an error.
std::string TextLexer::shown(const Token& token) const {
  if (token.kind == TokenKind::newline) return "the line ends";
  if (token.kind == TokenKind::end) return "the file ends";
  if (token.kind == TokenKind::other) {
    const auto at = static_cast<std::size_t>(token.text.data() - text_.data());
    return shown_byte(text_.substr(at), at == 0) + " stands";
  }
  return "'" + shown_text(token.text) + "' stands";
}

void TextLexer::advance() {
  const char* at = at_;
  CharKind kind = CharKind::other;
  for (;; ++at) {
    if (at == end_) {
      at_ = at;
      token_ = {TokenKind::end, line_, {at, 0}};  // NOLINT: empty, but at its place
      return;
    }
    kind = kind_of(*at);
    if (kind == CharKind::blank) continue;
    if (kind != CharKind::slash) break;
    at_ = at;
    if (!skip_comment()) break;
    at = at_ - 1;
  }
  const char* const begin = at++;
  token_.line = line_;
  if (kind == CharKind::letter) {
    while (at != end_ && (kind_of(*at) == CharKind::letter || kind_of(*at) == CharKind::digit)) {
      ++at;
    }
    token_.kind = TokenKind::word;
  } else if (kind == CharKind::digit) {
    while (at != end_ && kind_of(*at) == CharKind::digit) ++at;
    token_.kind = TokenKind::number;
  } else {
    token_.kind = kind == CharKind::single ? single_kind(*begin) : TokenKind::other;
    line_ += *begin == '\n';
  }
  token_.text = {begin, static_cast<std::size_t>(at - begin)};
  at_ = at;
}

/// False if the slash at `at_` does not begin a comment.
bool TextLexer::skip_comment() {
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  if (rest.starts_with("//")) {
    at_ += std::min(rest.find('\n'), rest.size());
    return true;
  }
  if (!rest.starts_with("/*")) return false;
  const std::size_t close = rest.find("*/", 2);
  if (close == std::string_view::npos) {
    throw InputError(where({TokenKind::other, line_, rest}),
                     "this comment is never closed by '*/'");
  }
  line_ += static_cast<std::uint32_t>(
      std::count(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(close), '\n'));
  at_ += close + 2;
  return true;
}

}  // namespace heddle::goal
