// Distributions of sizes from files.
//
// One point per line: a size, and which part of all messages has at most this size.
//
//     # a comment, to the end of the line
//     size    cumulative
//     100     0.1
//     10kB    50%
//     1MB     1
//
// Between two points all sizes are equally likely; the part of the first point is that of its own
// size. Neither column falls from line to line, and the last part is 1. Parts that go up to 100
// without signs are percentages. Fields stand apart by blanks or by a comma, and a first line of
// words is a header.
#pragma once

#include <string>
#include <string_view>

#include "traffic/sizes.hpp"

namespace heddle::traffic {

/// The distribution in `text`, which `name` stands for. Throws InputError at the first mistake.
SizeDistribution read_size_text(std::string_view text, const std::string& name);
/// The distribution in the file `path`, or in the standard input if it is "-"; throws InputError if
/// it cannot be read or has none.
SizeDistribution read_size_file(const std::string& path);

}  // namespace heddle::traffic
