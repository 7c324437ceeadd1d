// Which files this process has read, so that no result replaces one of them.
#pragma once

#include <string>

namespace heddle::files {

/// The open file is an input. Pipes and devices are none: nothing can replace them.
void note_read(int descriptor);
/// The same of a file by its path, for what others open (a database, a program that is started);
/// nothing if there is none.
void note_read(const std::string& path);
/// What is at `path` is Heddle's own, read to be written again.
void forget_read(const std::string& path);
/// Whether the file at `path`, by whatever name or link, was noted.
bool was_read(const std::string& path);

}  // namespace heddle::files
