#include "report/picture.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "core/error.hpp"
#include "files/temporary_folder.hpp"

namespace heddle::report {
namespace {

/// A file with a text in it, gone when it is no longer needed.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& text) {
    std::string pattern = files::temporary_folder() + "/heddle-plot-XXXXXX";
    const int file = mkstemp(pattern.data());
    path_ = pattern;
    std::FILE* stream = file < 0 ? nullptr : fdopen(file, "w");
    const bool written =
        stream != nullptr && std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    const bool closed = stream != nullptr && std::fclose(stream) == 0;
    if (!written || !closed) throw RunError("cannot write '" + path_ + "'");
  }
  ~ScratchFile() { std::remove(path_.c_str()); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::string converted(const std::string& svg, const std::string& format) {
  if (std::system("command -v rsvg-convert >/dev/null 2>&1") != 0) {
    throw RunError(
        "rsvg-convert makes " + format +
        " of the drawing, and is not installed: on Debian and Ubuntu it is in the package "
        "librsvg2-bin; a name that ends in .svg needs nothing");
  }
  const ScratchFile file(svg);
  const std::string command = "rsvg-convert --zoom 2 --format " + format + " '" + file.path() + "'";
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string picture;
  std::array<char, 1 << 16> block{};
  while (pipe != nullptr) {
    const std::size_t n = std::fread(block.data(), 1, block.size(), pipe);
    if (n == 0) break;
    picture.append(block.data(), n);
  }
  if (pipe == nullptr || pclose(pipe) != 0) throw RunError("rsvg-convert failed");
  return picture;
}

}  // namespace heddle::report
