// A file's bytes, mapped into memory.
#pragma once

#include <string>
#include <string_view>

namespace heddle::replay {

/// Read-only; the bytes live as long as the object.
class MappedFile {
 public:
  /// Throws InputError if the file cannot be read; `what` says what it should be.
  explicit MappedFile(const std::string& path, std::string_view what = "file");
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace heddle::replay
