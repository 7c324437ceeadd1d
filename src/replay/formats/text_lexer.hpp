// The words of a GOAL text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace heddle::replay {

enum class TokenKind : std::uint8_t {
  word,
  number,
  minus,
  colon,
  open,
  close,
  newline,
  end,
  other
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Splits a text into tokens, one ahead. Blanks, `// ...` and `/* ... */` may stand anywhere; a
/// comment that runs over several lines does not end the line it stands in.
class TextLexer {
 public:
  TextLexer(std::string_view text, const std::string& file);

  const Token& peek() const { return token_; }
  /// The current token; moves on.
  Token take();
  bool at(TokenKind kind) const { return token_.kind == kind; }
  bool at_word(std::string_view word) const {
    return token_.kind == TokenKind::word && token_.text == word;
  }
  void skip_newlines();

  SourceLocation where(const Token& token) const { return {*file_, token.line, token.column}; }
  /// Throws: this token stands where only `accepted` may.
  [[noreturn]] void reject(const Token& token, std::string_view accepted) const;

 private:
  void advance();
  void skip_blanks();
  void skip_block_comment();
  void start_token(TokenKind kind, std::size_t length);
  std::size_t length_of(bool (*belongs)(char)) const;
  std::uint32_t column() const { return static_cast<std::uint32_t>(at_ - line_start_ + 1); }

  std::string_view text_;
  const std::string* file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  Token token_;
};

}  // namespace heddle::replay
