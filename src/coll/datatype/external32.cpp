#include "coll/datatype/external32.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::coll {
namespace {

/// Copies one number to the other byte order.
void swap_bytes(const std::byte* from, std::byte* to, std::size_t size) {
  std::reverse_copy(from, from + size, to);
}

bool is_signed(Number number) {
  return number == Number::i8 || number == Number::i16 || number == Number::i32 ||
         number == Number::i64;
}

/// Integers lose or gain bytes at their upper end.
void resize_integer(const std::byte* from, std::size_t from_size, std::byte* to,
                    std::size_t to_size, bool with_sign) {
  const bool negative =
      with_sign && (static_cast<unsigned>(from[from_size - 1]) & 0x80U) != 0;  // Little-endian.
  std::memset(to, negative ? 0xff : 0, to_size);
  std::memcpy(to, from, std::min(from_size, to_size));
}

struct Sizes {
  std::size_t native;
  std::size_t external;
};
Sizes sizes_of(const Basic& basic) {
  return {static_cast<std::size_t>(basic.size / basic.numbers),
          static_cast<std::size_t>(basic.external_size / basic.numbers)};
}

void encode_number(const Basic& basic, const std::byte* native, std::byte* external) {
  const Sizes size = sizes_of(basic);
  std::byte number[16];
  if (basic.number == Number::f80) {
    long double value;
    std::memcpy(&value, native, sizeof value);
    const auto wide = static_cast<Quad>(value);
    std::memcpy(number, &wide, sizeof wide);
  } else {
    resize_integer(native, size.native, number, size.external, is_signed(basic.number));
  }
  swap_bytes(number, external, size.external);
}

void decode_number(const Basic& basic, const std::byte* external, std::byte* native) {
  const Sizes size = sizes_of(basic);
  std::byte number[16];
  swap_bytes(external, number, size.external);
  if (basic.number == Number::f80) {
    Quad wide;
    std::memcpy(&wide, number, sizeof wide);
    const auto value = static_cast<long double>(wide);
    std::memset(native, 0, size.native);
    std::memcpy(native, &value, 10);
  } else {
    resize_integer(number, size.external, native, size.native, is_signed(basic.number));
  }
}

/// Calls `visit(basic, number)` for the numbers of basic types that follow one another.
template <class Visit>
void for_basics(const Datatype& type, std::int64_t count, Visit visit) {
  auto runs_of = [&](const Runs& runs) {
    visit(*runs.basic, runs.count * runs.length / runs.basic->size * runs.basic->numbers);
  };
  LayoutWalk<decltype(runs_of)>(type.typed_layout(), runs_of)
      .repeated(count, type.extent(), 0, count * type.size());
}

}  // namespace

std::int64_t external_size(const Datatype& type) {
  std::int64_t size = 0;
  for_basics(type, 1, [&](const Basic& basic, std::int64_t numbers) {
    size += numbers * static_cast<std::int64_t>(sizes_of(basic).external);
  });
  return size;
}

void encode_external(const Datatype& type, std::int64_t count, const std::byte* packed,
                     std::byte* external) {
  for_basics(type, count, [&](const Basic& basic, std::int64_t numbers) {
    const Sizes size = sizes_of(basic);
    for (std::int64_t i = 0; i < numbers; ++i) {
      encode_number(basic, packed, external);
      packed += size.native;
      external += size.external;
    }
  });
}

void decode_external(const Datatype& type, std::int64_t count, const std::byte* external,
                     std::byte* packed) {
  for_basics(type, count, [&](const Basic& basic, std::int64_t numbers) {
    const Sizes size = sizes_of(basic);
    for (std::int64_t i = 0; i < numbers; ++i) {
      decode_number(basic, external, packed);
      packed += size.native;
      external += size.external;
    }
  });
}

}  // namespace heddle::coll
