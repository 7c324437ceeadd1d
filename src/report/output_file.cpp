#include "report/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "files/files_read.hpp"

namespace heddle::report {
namespace {

namespace fs = std::filesystem;

/// The file behind symbolic links, there or not, so that the links survive.
fs::path target_of(const std::string& path) {
  std::error_code error;
  fs::path target = fs::absolute(path, error);
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  return target;
}

/// A device or a pipe is written to; only a regular file can be replaced.
bool is_special(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// The name of the file that is to become `target`: no longer than a name may be.
std::string beside(const fs::path& target) {
  const std::string ending = "." + std::to_string(getpid()) + ".tmp";
  std::string name = target.filename().string();
  name.resize(std::min<std::size_t>(name.size(), NAME_MAX - ending.size()));
  return (target.parent_path() / (name + ending)).string();
}

/// Where what is called "-" goes, if not to the standard output.
std::FILE* results_stream = nullptr;

std::string failure(const std::string& option, const std::string& path, const char* reason) {
  return option + ": cannot write '" + path + "': " + reason;
}

}  // namespace

void keep_results_apart() {
  if (results_stream != nullptr) return;
  std::fflush(stdout);
  const int results = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  results_stream = results < 0 ? nullptr : fdopen(results, "w");
  if (results_stream == nullptr) return;  // Closed: nothing can be written to it in any case.
  if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
}

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

bool OutputFile::is_same(const std::string& path) const {
  if (is_stdout() || path == "-") return path == path_;
  std::error_code error;
  const fs::path mine = target_of(path_);
  return !is_special(mine) &&
         fs::weakly_canonical(mine, error) == fs::weakly_canonical(target_of(path), error);
}

void OutputFile::keep_off(const std::vector<std::string>& inputs) const {
  for (const std::string& input : inputs) {
    if (!input.empty() && input != "-") files::note_read(input);
  }
  keep_off_inputs();
}

void OutputFile::keep_off_inputs() const {
  if (is_stdout() || !files::was_read(target_of(path_))) return;
  throw InputError({option_},
                   "'" + path_ + "' is what the command reads: accepted is another file");
}

void OutputFile::write(std::string_view text) const {
  OutputStream stream(*this);
  stream.append(text);
  stream.finish();
}

OutputStream::OutputStream(const OutputFile& file)
    : file_(file), packer_(files::Packer::of(files::packing_for(file.path()))) {
  file_.keep_off_inputs();
  if (file_.is_stdout()) {
    stream_ = results_stream == nullptr ? stdout : results_stream;
    return;
  }
  const fs::path target = target_of(file_.path_);
  target_ = target.string();
  if (!is_special(target)) temporary_ = beside(target);
  // "x": a file of that name that is not ours is not overwritten.
  stream_ =
      temporary_.empty() ? std::fopen(target_.c_str(), "w") : std::fopen(temporary_.c_str(), "wx");
  if (stream_ == nullptr) fail();
  keep_mode();
}

/// Who may read what was there before may read what replaces it, and nobody else.
void OutputStream::keep_mode() {
  struct stat before {};
  if (temporary_.empty() || stat(target_.c_str(), &before) != 0) return;
  if (fchmod(fileno(stream_), before.st_mode & 07777) != 0) fail();
}

OutputStream::~OutputStream() {
  if (stream_ != nullptr && !file_.is_stdout()) std::fclose(stream_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void OutputStream::append(std::string_view text) {
  if (!packer_) return put(text);
  packer_->pack(text, [this](std::string_view packed) { put(packed); });
}

void OutputStream::put(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) fail();
}

void OutputStream::finish() {
  if (!failure_.empty()) throw RunError(failure_);
  if (packer_) packer_->finish([this](std::string_view packed) { put(packed); });
  if (std::fflush(stream_) != 0) fail();
  if (!file_.is_stdout() && std::fclose(std::exchange(stream_, nullptr)) != 0) fail();
  file_.keep_off_inputs();  // Some are known only by now.
  if (!temporary_.empty() && std::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
}

void OutputStream::fail() {
  failure_ = failure(file_.option_, file_.path_, std::strerror(errno));
  throw RunError(failure_);
}

}  // namespace heddle::report
