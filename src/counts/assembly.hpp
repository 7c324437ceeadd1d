// Counting what code does, by instructions that are put into the assembly that a compiler wrote.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::counts {

enum class Machine : unsigned char { aarch64, x86_64 };

/// The machine that assembly of GCC is for, as its text tells; nothing for what no compiler wrote,
/// which may use registers as it likes.
std::optional<Machine> machine_of(std::string_view assembly);

/// The same program, which adds what it has done to the variable `heddle_counted`: an instruction
/// counts for one, a division or a root for about what it takes, the bytes that memcpy() and the
/// like move by their number. A register that the compiler leaves alone has what a function has
/// done since its last call; whatever leaves the function adds it to the variable first. The
/// compiler must have been told to leave it alone, as heddlecc does.
std::string counted(std::string_view assembly, Machine machine);

}  // namespace heddle::counts
