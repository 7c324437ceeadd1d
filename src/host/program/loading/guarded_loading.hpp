// The system's loader, which believes every word of a program's file.
#pragma once

#include <string>

namespace heddle::host {

/// What dlopen(3) answers for `name`, a copy of the program at `path`. The loader checks little: if
/// it crashes on what is damaged, throws InputError about `path`.
void* load_guarded(const std::string& name, int flags, const std::string& path);

}  // namespace heddle::host
