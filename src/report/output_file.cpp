#include "report/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "core/error.hpp"

namespace heddle::report {
namespace {

namespace fs = std::filesystem;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

/// The file behind a symbolic link, so that the link survives.
fs::path target_of(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? fs::path(path) : target;
}

/// A device or a pipe is written to; only a regular file can be replaced.
bool is_special(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// Writes and closes; false, with errno set, if any of it fails.
bool write_all(std::FILE* file, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

bool write_directly(const fs::path& path, std::string_view text) {
  const File file(std::fopen(path.c_str(), "w"));
  return file && write_all(file.get(), text);
}

bool write_by_renaming(const fs::path& path, std::string_view text) {
  const std::string temporary = path.string() + "." + std::to_string(getpid()) + ".tmp";
  // "x": a file of that name that is not ours is not overwritten.
  File file(std::fopen(temporary.c_str(), "wx"));
  if (!file) return false;
  const bool written = write_all(file.get(), text) && std::fclose(file.release()) == 0 &&
                       std::rename(temporary.c_str(), path.c_str()) == 0;
  const int reason = errno;
  if (!written) std::remove(temporary.c_str());
  errno = reason;
  return written;
}

std::string failure(const std::string& option, const std::string& path, const char* reason) {
  return option + ": cannot write '" + path + "': " + reason;
}

}  // namespace

OutputFile::OutputFile(std::string option, std::string path)
    : option_(std::move(option)), path_(std::move(path)) {
  if (is_stdout()) return;
  const fs::path target = target_of(path_);
  std::error_code error;
  if (path_.empty() || fs::is_directory(target, error)) {
    throw InputError({}, failure(option_, path_, "a file name is wanted, or - for the output"));
  }
  const fs::path written = is_special(target) ? target : target.parent_path();
  if (access(written.empty() ? "." : written.c_str(), W_OK) != 0) {
    throw InputError({}, failure(option_, path_, std::strerror(errno)));
  }
}

void OutputFile::write(std::string_view text) const {
  errno = 0;
  const fs::path target = is_stdout() ? fs::path() : target_of(path_);
  const bool written = is_stdout()          ? write_all(stdout, text)
                       : is_special(target) ? write_directly(target, text)
                                            : write_by_renaming(target, text);
  if (!written) throw RunError(failure(option_, path_, std::strerror(errno)));
}

}  // namespace heddle::report
