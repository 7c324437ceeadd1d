// The page that the server gives, which is part of the program.
#pragma once

#include <string_view>

namespace heddle::serve {

/// page.html, with the word NONCE where a fresh one has to stand.
std::string_view page();

}  // namespace heddle::serve
