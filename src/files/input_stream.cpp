#include "files/input_stream.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>
#include <filesystem>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "files/files_read.hpp"

namespace heddle::files {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

/// -1 for what cannot be opened, and for folders.
int open_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (descriptor < 0 || (fstat(descriptor, &info) == 0 && !S_ISDIR(info.st_mode))) {
    return descriptor;
  }
  close(descriptor);
  return -1;
}

}  // namespace

InputBuffer::InputBuffer(Source source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), block_(kBlock) {}

std::string_view InputBuffer::next_block() {
  return {block_.data(), source_(block_.data(), block_.size())};
}

InputBuffer::int_type InputBuffer::underflow() {
  if (!std::exchange(begun_, true)) {
    waiting_ = next_block();
    packing_ = packing_in(waiting_);
    unpacker_ = Unpacker::of(packing_);
    if (unpacker_) unpacked_.resize(kBlock);
  } else if (!unpacker_) {
    waiting_ = next_block();
  }
  const std::size_t size = unpacker_ ? unpack_piece() : waiting_.size();
  if (size == 0) return traits_type::eof();
  char* const begin = unpacker_ ? unpacked_.data() : block_.data();
  setg(begin, begin, begin + size);
  return traits_type::to_int_type(*begin);
}

/// Answers how many bytes are in unpacked_; 0 at the end.
std::size_t InputBuffer::unpack_piece() {
  const auto fail = [this](std::string_view how) {
    throw InputError(
        {name_}, fmt::format("the file is packed by {} and damaged: {}", name_of(packing_), how));
  };
  try {
    for (;;) {
      const std::size_t size = unpacker_->unpack(waiting_, unpacked_.data(), unpacked_.size());
      if (size > 0) return size;
      if (!waiting_.empty()) continue;
      waiting_ = next_block();
      if (!waiting_.empty()) continue;
      if (!unpacker_->complete()) fail("it ends before its packed bytes do");
      return 0;
    }
  } catch (const Damaged& damage) {
    fail(damage.what());
  }
  return 0;
}

InputBuffer::Source from_descriptor(int descriptor, const std::string& name) {
  return [descriptor, name](char* to, std::size_t size) -> std::size_t {
    for (;;) {
      const ssize_t count = ::read(descriptor, to, size);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno == EINTR) continue;
      throw InputError({name}, std::string("cannot be read: ") + std::strerror(errno));
    }
  };
}

InputBuffer::Source from_bytes(std::string_view bytes) {
  return [bytes](char* to, std::size_t size) mutable {
    const std::size_t count = bytes.copy(to, size);
    bytes.remove_prefix(count);
    return count;
  };
}

InputStream::InputStream(const std::string& path)
    : std::istream(nullptr), descriptor_(path == "-" ? STDIN_FILENO : open_file(path)) {
  if (descriptor_ < 0) return;
  note_read(descriptor_);
  const std::string name = path == "-" ? "standard input" : path;
  buffer_ = std::make_unique<InputBuffer>(from_descriptor(descriptor_, name), name);
  rdbuf(buffer_.get());
  exceptions(std::ios::badbit);  // What the buffer throws goes through.
}

InputStream::~InputStream() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

std::string read_at_most(std::istream& in, std::size_t most) {
  std::string text;
  std::vector<char> block(kBlock);
  const auto size = static_cast<std::streamsize>(block.size());
  while (text.size() <= most && (in.read(block.data(), size), in.gcount() > 0)) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
  }
  return text;
}

std::string beginning_of(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return "";
  InputStream in(path);
  if (!in.is_open()) return "";
  std::string text(kBlock, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

}  // namespace heddle::files
