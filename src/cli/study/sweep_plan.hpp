// The points of a study as command lines, checked before any of them runs.
#pragma once

#include <string>
#include <vector>

#include "study/batch.hpp"
#include "study/result_store.hpp"
#include "study/study.hpp"

namespace heddle::cli {

using study::PlannedPoint;

/// The command line and the hash of each point. Throws InputError, with line and column in the
/// study, for what no command accepts and for a parameter that has no effect at any point.
std::vector<PlannedPoint> plan(const study::Study& study);

/// The words as a user would type them.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace heddle::cli
