// Messages of protobuf, field by field.
//
// A reader of our own: of the wire format there are four kinds of fields, which is less to build,
// to link and to feed with broken files than the library and its compiler of schemas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::traces {

/// Takes bytes apart. Throws InputError with the file and the byte.
class WireFields {
 public:
  /// `begin` is the place of the bytes in the file.
  WireFields(std::string_view bytes, const std::string& file, std::size_t begin = 0)
      : bytes_(bytes), file_(&file), begin_(begin) {}

  /// One field: its number, and what it holds.
  struct Field {
    std::uint32_t number = 0;
    bool has_bytes = false;  ///< Else a number: of a fixed one its bits.
    std::uint64_t value = 0;
    std::string_view bytes = {};
    std::size_t offset = 0;  ///< Of the bytes in the file.
  };

  bool done() const { return at_ == bytes_.size(); }
  std::size_t offset() const { return begin_ + at_; }
  Field next();
  /// The next message of several, each behind its length.
  WireFields message(std::string_view what);
  std::uint64_t varint(std::string_view what);
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  std::string_view take(std::uint64_t size, std::string_view what);
  std::uint64_t fixed(std::size_t size);

  std::string_view bytes_;
  const std::string* file_;
  std::size_t begin_;
  std::size_t at_ = 0;
};

/// Of a signed number that is written with its sign last.
constexpr std::int64_t unzigzagged(std::uint64_t n) {
  return static_cast<std::int64_t>(n >> 1) ^ -static_cast<std::int64_t>(n & 1);
}

}  // namespace heddle::traces
