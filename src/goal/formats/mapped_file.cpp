#include "goal/formats/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/core.h>

#include "core/error.hpp"
#include "files/files_read.hpp"
#include "goal/shown_text.hpp"

namespace heddle::goal {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& name, const char* action, std::string_view what) {
  throw InputError({name}, fmt::format("cannot {} the {}: {}", action, what, std::strerror(errno)));
}

/// Closes on scope exit: a mapping outlives its descriptor. The standard input stays open.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd > STDIN_FILENO) close(fd);
  }
};

/// An endless stream of what is no input at all is recognised by how it begins.
void check_beginning(std::string_view bytes, const std::string& name, std::string_view what) {
  if (bytes.substr(0, 8).find_first_not_of('\0') == std::string_view::npos && bytes.size() >= 8) {
    throw InputError({name}, fmt::format("{} stands where a {} is expected to begin",
                                         shown_byte(bytes, true), what));
  }
}

}  // namespace

MappedFile::MappedFile(const std::string& path, std::string_view what) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const Descriptor file{standard ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) fail(name, "open", what);
  files::note_read(file.fd);
  struct stat info {};
  if (fstat(file.fd, &info) != 0) fail(name, "examine", what);
  if (S_ISDIR(info.st_mode)) throw InputError({name}, fmt::format("the {} is a folder", what));
  // Of a shared standard input only what is left is meant.
  if (!S_ISREG(info.st_mode) || (standard && lseek(file.fd, 0, SEEK_CUR) != 0)) {
    read(files::from_descriptor(file.fd, name), name, what);
    return;
  }
  size_ = static_cast<std::size_t>(info.st_size);
  if (size_ == 0) return;
  data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (data_ == MAP_FAILED) {
    data_ = nullptr;
    fail(name, "map", what);
  }
  if (files::packing_in(bytes()) == files::Packing::none) return;
  read(files::from_bytes(bytes()), name, what);
  munmap(std::exchange(data_, nullptr), size_);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

void MappedFile::read(const files::InputBuffer::Source& source, const std::string& name,
                      std::string_view what) {
  files::InputBuffer buffer(source, name);
  for (;;) {
    const std::size_t size = piped_.size();
    piped_.resize(size + kPiece);
    const auto count = static_cast<std::size_t>(buffer.sgetn(piped_.data() + size, kPiece));
    piped_.resize(size + count);
    if (count == 0) return;
    if (size == 0) check_beginning(piped_, name, what);
    if (piped_.size() > kMostPiped) {
      throw InputError({name}, fmt::format("the {} is larger than 2 GiB, the most that is read "
                                           "from a pipe or unpacked: accepted is a file",
                                           what));
    }
  }
}

void MappedFile::forget(std::size_t& begin, std::size_t end) const {
  constexpr std::size_t kWorthwhile = std::size_t{1} << 22;  // A call costs as much as many pages.
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  const std::size_t from = (begin + page - 1) / page * page;
  const std::size_t to = std::min(end, size_) / page * page;
  if (data_ == nullptr || to < from + kWorthwhile) return;
  madvise(static_cast<char*>(data_) + from, to - from, MADV_DONTNEED);
  begin = to;
}

}  // namespace heddle::goal
