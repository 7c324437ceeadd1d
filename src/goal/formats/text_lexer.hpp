// The words of a GOAL text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace heddle::goal {

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
  std::uint32_t line = 1;
  std::string_view text;  ///< A part of the text that is read, whatever its kind.
};

/// Splits a text into tokens, one ahead. Blanks, `// ...` and `/* ... */` may stand anywhere; a
/// comment that runs over several lines does not end the line it stands in.
class TextLexer {
 public:
  TextLexer(std::string_view text, const std::string& file);

  const Token& peek() const { return token_; }
  /// The current token; moves on.
  Token take() {
    const Token token = token_;
    advance();
    return token;
  }
  bool at(TokenKind kind) const { return token_.kind == kind; }
  bool at_word(std::string_view word) const {
    return token_.kind == TokenKind::word && token_.text == word;
  }
  void skip_newlines() {
    while (at(TokenKind::newline)) advance();
  }
  /// How much of the text lies behind the current token.
  std::size_t passed() const { return static_cast<std::size_t>(token_.text.data() - text_.data()); }

  SourceLocation where(const Token& token) const;
  /// Throws: this token stands where only `accepted` may.
  [[noreturn]] void reject(const Token& token, std::string_view accepted) const;

 private:
  void advance();
  bool skip_comment();
  std::string shown(const Token& token) const;

  std::string_view text_;
  const std::string* file_;
  const char* at_;
  const char* end_;
  std::uint32_t line_ = 1;
  Token token_;
};

}  // namespace heddle::goal
