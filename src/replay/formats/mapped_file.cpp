#include "replay/formats/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace heddle::replay {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw InputError({path}, std::string(what) + ": " + std::strerror(errno));
}

/// Closes on scope exit: a mapping outlives its descriptor.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) fail(path, "cannot open the schedule");
  struct stat info {};
  if (fstat(file.fd, &info) != 0) fail(path, "cannot examine the schedule");
  if (!S_ISREG(info.st_mode)) throw InputError({path}, "not a regular file");
  size_ = static_cast<std::size_t>(info.st_size);
  if (size_ == 0) return;
  data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (data_ == MAP_FAILED) fail(path, "cannot map the schedule");
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace heddle::replay
