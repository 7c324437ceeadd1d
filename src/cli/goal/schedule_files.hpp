// Schedules in and out of files, as commands take them.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "goal/formats/formats.hpp"
#include "report/output_file.hpp"

namespace heddle::cli {

/// Writes with `write` to the file piece by piece; it appears whole or not at all.
void write_through(const report::OutputFile& file, const std::function<void(std::ostream&)>& write);

}  // namespace heddle::cli
