// What the plain model's transfers do to memory: byte after byte, element after element.
#pragma once

#include <cstring>

#include "portals/model/types.hpp"

namespace heddle::portals::model {

/// The size of an element, of the three types that the model knows.
inline std::size_t size_of(ptl_datatype_t type) {
  return type == PTL_UINT8_T ? 1 : type == PTL_INT32_T ? 4 : 8;
}

/// What lies at the target after an operation on `a`, which lay there, and `b`, which came; `c` is
/// the operand of swaps that have one. Only operations that the model knows.
template <class T>
T result(ptl_op_t op, T a, T b, T c) {
  switch (op) {
    case PTL_MIN:
      return std::min(a, b);
    case PTL_MAX:
      return std::max(a, b);
    case PTL_SUM:
      return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    case PTL_BAND:
      return static_cast<T>(a & b);
    case PTL_BXOR:
      return static_cast<T>(a ^ b);
    case PTL_LOR:
      return static_cast<T>(a != 0 || b != 0);
    case PTL_SWAP:
      return b;
    case PTL_CSWAP:
      return c == a ? b : a;
    case PTL_CSWAP_GT:
      return c > a ? b : a;
    case PTL_CSWAP_LE:
      return c <= a ? b : a;
    case PTL_MSWAP:
      return static_cast<T>((b & c) | (a & ~c));
    default:
      return a;
  }
}

template <class T>
Bytes combined_as(const Transfer& t, const Bytes& old, const Bytes& come) {
  T a, b, c{};
  std::memcpy(&a, old.data(), sizeof(T));
  std::memcpy(&b, come.data(), sizeof(T));
  if (!t.operand.empty()) std::memcpy(&c, t.operand.data(), sizeof(T));
  const T r = result<T>(t.op, a, b, c);
  Bytes bytes(sizeof(T));
  std::memcpy(bytes.data(), &r, sizeof(T));
  return bytes;
}
/// The bytes of one element after the operation.
inline Bytes combined(const Transfer& t, const Bytes& old, const Bytes& come) {
  if (t.type == PTL_UINT8_T) return combined_as<std::uint8_t>(t, old, come);
  if (t.type == PTL_INT32_T) return combined_as<std::int32_t>(t, old, come);
  return combined_as<std::uint64_t>(t, old, come);
}

/// Whole elements of `length` bytes, those of the target from `offset` of `positions` on.
inline void calculate(const Transfer& t, Bytes& initiator, Bytes& target,
                      const Positions& positions, std::uint64_t offset, std::uint64_t length) {
  const std::size_t size = size_of(t.type);
  for (std::uint64_t i = 0; i + size <= length; i += size) {
    Bytes old(size), come(size);
    for (std::size_t b = 0; b < size; ++b) {
      old[b] = target[positions[offset + i + b]];
      come[b] = initiator[t.source[i + b]];
    }
    const Bytes now = combined(t, old, come);
    for (std::size_t b = 0; b < size; ++b) {
      if (t.kind == Kind::fetch) initiator[t.result[i + b]] = old[b];
      target[positions[offset + i + b]] = now[b];
    }
  }
}

/// Carries out a transfer of `length` bytes between the two memories, which may be the same; at the
/// target from `offset` of `positions` on.
inline void move(const Transfer& t, Bytes& initiator, Bytes& target, const Positions& positions,
                 std::uint64_t offset, std::uint64_t length) {
  if (calculates(t.kind)) return calculate(t, initiator, target, positions, offset, length);
  for (std::uint64_t i = 0; i < length; ++i) {
    unsigned char& here = target[positions[offset + i]];
    if (t.kind == Kind::put) {
      here = initiator[t.source[i]];
    } else {
      initiator[t.result[i]] = here;
    }
  }
}

}  // namespace heddle::portals::model
