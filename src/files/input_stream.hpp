// The door by which files of users come in: what passes is noted as read, and unpacked if it is
// packed.
#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "files/packing.hpp"

namespace heddle::files {

/// Bytes of a source, unpacked if they are packed. Throws InputError, with the name of the source,
/// for what is damaged.
class InputBuffer final : public std::streambuf {
 public:
  /// Puts at most `size` bytes at `to` and answers how many; 0 at the end.
  using Source = std::function<std::size_t(char* to, std::size_t size)>;
  InputBuffer(Source source, std::string name);

  /// How the source is packed, as far as it was read.
  Packing packing() const { return packing_; }

 private:
  int_type underflow() override;
  std::string_view next_block();
  std::size_t unpack_piece();

  Source source_;
  std::string name_;
  std::vector<char> block_;     ///< As the source has it.
  std::vector<char> unpacked_;  ///< Empty unless it is packed.
  std::string_view waiting_;    ///< The part of the block that is not unpacked yet.
  std::unique_ptr<Unpacker> unpacker_;
  Packing packing_ = Packing::none;
  bool begun_ = false;
};

/// Reads an open descriptor; throws InputError if that fails.
InputBuffer::Source from_descriptor(int descriptor, const std::string& name);
/// Reads bytes that stay where they are.
InputBuffer::Source from_bytes(std::string_view bytes);

/// A file, or the standard input for "-".
class InputStream final : public std::istream {
 public:
  explicit InputStream(const std::string& path);
  ~InputStream() override;
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;

  /// Whether it can be read: a folder cannot. Nothing else is to be asked if not.
  bool is_open() const { return buffer_ != nullptr; }

 private:
  int descriptor_;
  std::unique_ptr<InputBuffer> buffer_;
};

/// All of a stream, or a little more than `most` bytes of a longer one.
std::string read_at_most(std::istream& in, std::size_t most);
/// Enough of the file at `path` to recognise a format by; "" if it cannot be read, or only
/// once, as a pipe.
std::string beginning_of(const std::string& path);

}  // namespace heddle::files
