// What failures during a run did to messages.
#pragma once

#include <string>

#include "network/network.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// A line behind a blank one; nothing where nothing fails during a run.
/// `when` is put behind the word failures.
std::string losses_text(const platform::Platform& platform, const network::Losses& losses,
                        const std::string& when = "");
Json losses_json(const network::Losses& losses);

}  // namespace heddle::report
