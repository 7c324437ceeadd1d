#include "host/program/loading/libtool_script.hpp"

#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/error.hpp"

namespace heddle::host {
namespace {

namespace fs = std::filesystem;

/// The beginning of a file, or "" if it cannot be read.
std::string beginning(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(64 * 1024, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

/// What stands between `begin` and `end` the first time, or "".
std::string between(const std::string& text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return "";
  const std::size_t value = from + begin.size();
  const std::size_t to = text.find(end, value);
  return to == std::string::npos ? "" : text.substr(value, to - value);
}

}  // namespace

std::optional<LibtoolProgram> read_libtool_script(const std::string& path) {
  const std::string text = beginning(path);
  if (!text.starts_with("#!")) return std::nullopt;
  if (text.find("temporary wrapper script for") == std::string::npos) {
    throw InputError({path},
                     "a script, not a program: name the program that it starts, and set "
                     "what that wants of its environment before `heddle run`");
  }
  const fs::path script(path);
  const fs::path folder = script.parent_path() / ".libs";
  for (const std::string prefix : {"", "lt-"}) {
    const fs::path program = folder / (prefix + script.filename().string());
    if (!fs::is_regular_file(program)) continue;
    return LibtoolProgram{program, between(text, "LD_LIBRARY_PATH=\"", "$LD_LIBRARY_PATH\"")};
  }
  throw InputError({path}, "a script of libtool's whose program is not in '" + folder.string() +
                               "': build the program again");
}

}  // namespace heddle::host
