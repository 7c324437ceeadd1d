#include "files/files_read.hpp"

#include <sys/stat.h>

#include <mutex>
#include <set>
#include <utility>

namespace heddle::files {
namespace {

using File = std::pair<dev_t, ino_t>;

/// One for the process, as its open files are: whoever writes does not know who has read.
struct Registry {
  std::mutex mutex;
  std::set<File> files;
};

Registry& registry() {
  static Registry registry;
  return registry;
}

File file_of(const struct stat& info) {
  return {info.st_dev, info.st_ino};
}

void note(const struct stat& info) {
  if (!S_ISREG(info.st_mode)) return;
  const std::lock_guard lock(registry().mutex);
  registry().files.insert(file_of(info));
}

}  // namespace

void note_read(int descriptor) {
  struct stat info {};
  if (fstat(descriptor, &info) == 0) note(info);
}

void note_read(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) == 0) note(info);
}

void forget_read(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return;
  const std::lock_guard lock(registry().mutex);
  registry().files.erase(file_of(info));
}

bool was_read(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return false;
  const std::lock_guard lock(registry().mutex);
  return registry().files.contains(file_of(info));
}

}  // namespace heddle::files
