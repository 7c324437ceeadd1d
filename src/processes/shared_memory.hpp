// Memory that the simulator shares with the processes that it starts.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

#include "core/error.hpp"

namespace heddle::processes {

/// `count` objects that begin as zeros, in memory that has no name: nothing is left behind when the
/// last process is gone. Pages that nobody touches take no space.
template <class T>
class SharedMemory {
 public:
  /// Throws RunError.
  explicit SharedMemory(std::size_t count)
      : size_(count * sizeof(T)), file_(memfd_create("heddle", 0)) {
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(size_)) != 0) fail();
    void* place =
        mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
    if (place == MAP_FAILED) fail();
    objects_ = static_cast<T*>(place);
  }
  ~SharedMemory() {
    munmap(objects_, size_);
    close(file_);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  T& operator[](std::size_t i) { return objects_[i]; }
  /// Open in the processes, too.
  int file() const { return file_; }

 private:
  [[noreturn]] static void fail() {
    throw RunError(std::string("cannot share memory with ranks: ") + std::strerror(errno));
  }

  std::size_t size_;
  int file_;
  T* objects_ = nullptr;
};

}  // namespace heddle::processes
