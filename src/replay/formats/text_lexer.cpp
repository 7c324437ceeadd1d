#include "replay/formats/text_lexer.hpp"

#include <algorithm>

namespace heddle::replay {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_word(char c) {
  return is_letter(c) || is_digit(c);
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/// What to call a token in an error.
std::string shown(const Token& token) {
  if (token.kind == TokenKind::newline) return "the line ends";
  if (token.kind == TokenKind::end) return "the file ends";
  const std::string_view text = token.text.substr(0, 40);
  std::string clean(text);
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return "'" + clean + "' stands";
}

}  // namespace

TextLexer::TextLexer(std::string_view text, const std::string& file) : text_(text), file_(&file) {
  advance();
}

Token TextLexer::take() {
  const Token token = token_;
  advance();
  return token;
}

void TextLexer::skip_newlines() {
  while (at(TokenKind::newline)) advance();
}

void TextLexer::reject(const Token& token, std::string_view accepted) const {
  throw InputError(where(token), shown(token) + " where " + std::string(accepted) + " is expected");
}

void TextLexer::start_token(TokenKind kind, std::size_t length) {
  token_ = {kind, text_.substr(at_, length), line_, column()};
  at_ += length;
}

std::size_t TextLexer::length_of(bool (*belongs)(char)) const {
  std::size_t end = at_ + 1;
  while (end < text_.size() && belongs(text_[end])) ++end;
  return end - at_;
}

void TextLexer::advance() {
  skip_blanks();
  if (at_ >= text_.size()) return start_token(TokenKind::end, 0);
  const char c = text_[at_];
  if (is_letter(c)) return start_token(TokenKind::word, length_of(is_word));
  if (is_digit(c)) return start_token(TokenKind::number, length_of(is_digit));
  switch (c) {
    case '\n':
      start_token(TokenKind::newline, 1);
      ++line_;
      line_start_ = at_;
      return;
    case '-':
      return start_token(TokenKind::minus, 1);
    case ':':
      return start_token(TokenKind::colon, 1);
    case '{':
      return start_token(TokenKind::open, 1);
    case '}':
      return start_token(TokenKind::close, 1);
    default:
      return start_token(TokenKind::other, 1);
  }
}

void TextLexer::skip_blanks() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_, 2);
    if (is_blank(rest[0])) {
      ++at_;
    } else if (rest == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (rest == "/*") {
      skip_block_comment();
    } else {
      return;
    }
  }
}

void TextLexer::skip_block_comment() {
  const std::size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos)
    throw InputError({*file_, line_, column()}, "this comment is never closed by '*/'");
  for (; at_ < end + 2; ++at_) {
    if (text_[at_] != '\n') continue;
    ++line_;
    line_start_ = at_ + 1;
  }
}

}  // namespace heddle::replay
