#include "host/program/loading/loading_folder.hpp"

#include <fmt/core.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/error.hpp"
#include "files/temporary_folder.hpp"

namespace heddle::host {
namespace {

namespace fs = std::filesystem;

/// A file in memory with these contents.
int memory_file(const std::vector<std::byte>& bytes) {
  const int file = memfd_create("heddle program", MFD_CLOEXEC);
  if (file < 0) throw RunError(fmt::format("cannot copy the program: {}", std::strerror(errno)));
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
    if (n <= 0) throw RunError(fmt::format("cannot copy the program: {}", std::strerror(errno)));
    done += static_cast<std::size_t>(n);
  }
  return file;
}

std::string fresh_name() {
  static std::uint32_t number = 0;
  constexpr std::string_view kDigits = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::string name = "./";
  for (std::uint32_t rest = ++number; rest > 0; rest /= kDigits.size()) {
    name += kDigits[rest % kDigits.size()];
  }
  return name;
}

}  // namespace

LoadingFolder::LoadingFolder() {
  path_ = (fs::path(files::temporary_folder()) / "heddle-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) {
    throw RunError(fmt::format("cannot make a folder {}: {}", path_, std::strerror(errno)));
  }
  before_ = fs::current_path();
  fs::current_path(path_);
}

LoadingFolder::~LoadingFolder() {
  for (const auto& [name, file] : files_) close(file);
  std::error_code ignored;
  fs::current_path(before_, ignored);
  fs::remove_all(path_, ignored);
}

std::string LoadingFolder::add(const std::vector<std::byte>& bytes) {
  std::string name = fresh_name();
  const int file = files_[name] = memory_file(bytes);
  fs::create_symlink(fmt::format("/proc/self/fd/{}", file), name);
  return name;
}

}  // namespace heddle::host
