// The busiest links of a run, as `heddle traffic` and `heddle replay` tell of them.
#pragma once

#include <string>
#include <vector>

#include "network/link_use.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// `of` follows "Busiest links" in the heading; empty if there are none.
std::string busiest_text(const platform::Platform& platform,
                         const std::vector<network::LinkUse>& uses, const std::string& of = "");
Json busiest_json(const platform::Platform& platform, const std::vector<network::LinkUse>& uses);
/// A bar of # for a part of 0 to 1.
std::string bar(double part);

}  // namespace heddle::report
