// Addresses of code, as people know them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace heddle::host {

/// Notes that code of a program or of a library of its own is in memory: from `base` on as the file
/// has it from its beginning on.
void add_program_code(std::span<const std::byte> code, const std::byte* base,
                      const std::string& file);

/// Whether code is a program's or its own libraries', rather than the simulator's or the system's.
/// Signal handlers may ask.
bool is_programs(const void* place);

/// Where in the program: "solve+0x1c (solve.c:12)", the source if the program says it and the tool
/// addr2line is there; or in which library, or the bare address.
std::string place_name(const void* place);

}  // namespace heddle::host
