// A file's bytes, mapped into memory where that is possible.
#pragma once

#include <string>
#include <string_view>

#include "files/input_stream.hpp"

namespace heddle::goal {

/// Read-only; the bytes live as long as the object. A regular file is mapped; a pipe or device,
/// such as what the shell makes of `<(command)`, is read to its end, and what is packed by gzip or
/// zstd is unpacked.
class MappedFile {
 public:
  /// The most that is read from a pipe or device, or unpacked.
  static constexpr std::size_t kMostPiped = std::size_t{2} << 30;

  /// "-" is the standard input. Throws InputError if the file cannot be read, or if more than
  /// kMostPiped comes out of a pipe or packed file; `what` says what it should be.
  explicit MappedFile(const std::string& path, std::string_view what = "file");
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const {
    return data_ != nullptr ? std::string_view(static_cast<const char*>(data_), size_) : piped_;
  }
  /// Says that the bytes from `begin` to `end` are not needed soon: they take no memory until then.
  /// Moves `begin` to what is left, which is all of them where they are few.
  void forget(std::size_t& begin, std::size_t end) const;

 private:
  void read(const files::InputBuffer::Source& source, const std::string& name,
            std::string_view what);

  void* data_ = nullptr;  ///< Of a mapping.
  std::size_t size_ = 0;
  std::string piped_;
};

}  // namespace heddle::goal
