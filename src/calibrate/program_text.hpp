// The program that measures what others leave open.
#pragma once

#include <string_view>

namespace heddle::calibrate {

/// A program in C, of one file, for two nodes of a real machine; heddle_format.cpp reads what it
/// prints.
std::string_view program_text();

}  // namespace heddle::calibrate
