#include "guard.hpp"

#include <httplib.h>
#include <sys/random.h>

#include <stdexcept>

namespace heddle::serve {

std::string new_token() {
  constexpr std::size_t kBytes = 16;
  unsigned char bytes[kBytes];
  if (getrandom(bytes, kBytes, 0) != static_cast<ssize_t>(kBytes)) {
    throw std::runtime_error("no random bytes for a token");
  }
  std::string token;
  for (const unsigned char byte : bytes) {
    token += "0123456789abcdef"[byte >> 4];
    token += "0123456789abcdef"[byte & 15];
  }
  return token;
}

void Guard::listen_on(int port) {
  host_ = "127.0.0.1:" + std::to_string(port);
  origin_ = "http://" + host_;
}

std::string Guard::refusal(const httplib::Request& request) const {
  if (request.get_header_value("Host") != host_) return "the address is not this server's";
  // Frames of reports are sandboxed, so that their origin is "null"; they ask for nothing.
  if (request.has_header("Origin") && request.get_header_value("Origin") != origin_) {
    return "the request comes from another page";
  }
  const bool known = is_token(request.get_header_value("X-Heddle-Token")) ||
                     (request.method == "GET" && is_token(request.get_param_value("token")));
  return known ? "" : "the token is missing or wrong: open the address that `heddle serve` printed";
}

/// In a time that does not tell where they differ.
bool Guard::is_token(std::string_view text) const {
  if (text.size() != token_.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    difference |= static_cast<unsigned char>(text[i] ^ token_[i]);
  }
  return difference == 0;
}

}  // namespace heddle::serve
