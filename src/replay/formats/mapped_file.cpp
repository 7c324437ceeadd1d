#include "replay/formats/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "core/error.hpp"

namespace heddle::replay {
namespace {

[[noreturn]] void fail(const std::string& path, const char* action, std::string_view what) {
  throw InputError({path}, fmt::format("cannot {} the {}: {}", action, what, std::strerror(errno)));
}

/// Closes on scope exit: a mapping outlives its descriptor.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

}  // namespace

MappedFile::MappedFile(const std::string& path, std::string_view what) {
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) fail(path, "open", what);
  struct stat info {};
  if (fstat(file.fd, &info) != 0) fail(path, "examine", what);
  if (!S_ISREG(info.st_mode))
    throw InputError({path}, fmt::format("the {} is not a regular file", what));
  size_ = static_cast<std::size_t>(info.st_size);
  if (size_ == 0) return;
  data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (data_ == MAP_FAILED) fail(path, "map", what);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace heddle::replay
