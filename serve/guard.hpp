// Who may ask: only pages that this server itself has given out.
#pragma once

#include <string>
#include <string_view>

namespace httplib {
struct Request;
}

namespace heddle::serve {

/// A random word, known to whoever reads the address that the server prints.
std::string new_token();

/// Knows the server's address and token.
class Guard {
 public:
  explicit Guard(std::string token) : token_(std::move(token)) {}
  void listen_on(int port);

  const std::string& token() const { return token_; }
  /// "http://127.0.0.1:PORT"
  const std::string& origin() const { return origin_; }
  /// Why the request is refused, or "": it has to name this server (others' names could be made to
  /// lead here), to come from no other page, and to have the token.
  std::string refusal(const httplib::Request& request) const;

 private:
  bool is_token(std::string_view text) const;

  std::string token_;
  std::string origin_;
  std::string host_;
};

}  // namespace heddle::serve
