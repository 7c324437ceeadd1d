// Pages to be opened with a browser: one file each, which needs nothing else.
#pragma once

#include <string>
#include <string_view>

#include "report/json.hpp"

namespace heddle::report {

/// The page with its data inside. Throws RunError where the program was built without the page.
std::string page(const Json& data);

/// Throws the same if page() would.
void require_page();

/// The data of a page that page() has made, as JSON, or "".
std::string_view data_text_of_page(std::string_view text);

/// The page without data, as it was built; empty if it was not.
std::string_view empty_page();

}  // namespace heddle::report
