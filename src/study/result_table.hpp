// The results of a study as a table: a row per point, a column per parameter and measure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/result_store.hpp"

namespace heddle::study {

/// Every point with all that is known of it, as comma-separated values.
std::string csv_of(const std::vector<StoredPoint>& points);

/// The text of a member: "" for none.
std::string text_of(const Json& value);

}  // namespace heddle::study
