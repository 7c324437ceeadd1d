// Reads traces of operations back.
#pragma once

#include <functional>
#include <istream>
#include <string>

#include "trace/row.hpp"

namespace heddle::trace {

using RowHandler = std::function<void(const Row&)>;

/// Hands over the rows of `input` one by one, in their order, and keeps none. Blank lines are
/// skipped. Throws InputError at the first mistake; `file_name` is for the error only.
void read_rows(std::istream& input, const std::string& file_name, const RowHandler& handler);
/// The same for the file at `path` ("-": the standard input); throws InputError if it cannot be
/// read.
void read_file(const std::string& path, const RowHandler& handler);

}  // namespace heddle::trace
