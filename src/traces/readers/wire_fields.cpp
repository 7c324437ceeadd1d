#include "traces/readers/wire_fields.hpp"

#include <fmt/core.h>

#include "core/error.hpp"

namespace heddle::traces {

void WireFields::fail(std::string_view problem) const {
  throw InputError({*file_}, fmt::format("at byte {}: {}", offset(), problem));
}

std::uint64_t WireFields::varint(std::string_view what) {
  std::uint64_t n = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (done()) fail(fmt::format("the file ends within {}", what));
    const auto byte = static_cast<unsigned char>(bytes_[at_++]);
    if (shift == 63 && byte > 1) fail(fmt::format("{} has more than 64 bits", what));
    n |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return n;
  }
}

std::string_view WireFields::take(std::uint64_t size, std::string_view what) {
  if (size > bytes_.size() - at_) {
    fail(fmt::format("{} of {} bytes is expected, and {} are left", what, size,
                     bytes_.size() - at_));
  }
  const std::string_view taken = bytes_.substr(at_, size);
  at_ += size;
  return taken;
}

std::uint64_t WireFields::fixed(std::size_t size) {
  const std::string_view taken = take(size, "a number");
  std::uint64_t n = 0;
  for (std::size_t i = size; i-- > 0;) n = n << 8 | static_cast<unsigned char>(taken[i]);
  return n;
}

WireFields::Field WireFields::next() {
  constexpr unsigned kVarint = 0;
  constexpr unsigned kFixed64 = 1;
  constexpr unsigned kBytes = 2;
  constexpr unsigned kFixed32 = 5;
  const std::uint64_t key = varint("the number of a field");
  Field field;
  field.number = static_cast<std::uint32_t>(key >> 3);
  if (key >> 3 == 0 || key >> 32 != 0) fail("fields are numbered from 1");
  switch (key & 7) {
    case kVarint:
      field.value = varint("a number");
      return field;
    case kFixed64:
      field.value = fixed(8);
      return field;
    case kFixed32:
      field.value = fixed(4);
      return field;
    case kBytes: {
      const std::uint64_t size = varint("a length");
      field.has_bytes = true;
      field.offset = offset();
      field.bytes = take(size, "a field");
      return field;
    }
    default:
      fail(fmt::format("a field of kind {}: accepted are 0, 1, 2 and 5", key & 7));
  }
}

WireFields WireFields::message(std::string_view what) {
  const std::uint64_t size = varint("the length of a message");
  const std::size_t begin = offset();
  return {take(size, what), *file_, begin};
}

}  // namespace heddle::traces
