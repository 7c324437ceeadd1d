// Copying between memory that a datatype describes and packed bytes, or other such memory.
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "coll/datatype/datatype.hpp"
#include "core/error.hpp"

namespace heddle::coll {
namespace {

/// For moves that go through packed bytes: fits into a first-level cache twice.
constexpr std::int64_t kPieceBytes = 8192;
/// Runs of at least this length are moved one by one.
constexpr std::int64_t kLongRun = 256;

/// Whether a copy from there can be made.
bool readable(const AddressSpace& space, const std::byte* from, std::int64_t size) {
  constexpr std::int64_t kPage = 4096;
  std::byte byte;
  for (std::int64_t done = 0; done < size; done += kPage) {
    if (!space.read(&byte, from + done, 1)) return false;
  }
  return space.read(&byte, from + size - 1, 1);
}

/// Copies runs of a length known to the compiler.
template <std::int64_t Length>
void copy_fixed(std::byte* to, std::int64_t to_stride, const std::byte* from,
                std::int64_t from_stride, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * to_stride, from + i * from_stride, Length);
  }
}

void copy_strided(std::byte* to, std::int64_t to_stride, const std::byte* from,
                  std::int64_t from_stride, std::int64_t count, std::int64_t length) {
  switch (length) {
    case 1:
      return copy_fixed<1>(to, to_stride, from, from_stride, count);
    case 2:
      return copy_fixed<2>(to, to_stride, from, from_stride, count);
    case 4:
      return copy_fixed<4>(to, to_stride, from, from_stride, count);
    case 8:
      return copy_fixed<8>(to, to_stride, from, from_stride, count);
    case 12:
      return copy_fixed<12>(to, to_stride, from, from_stride, count);
    case 16:
      return copy_fixed<16>(to, to_stride, from, from_stride, count);
    case 24:
      return copy_fixed<24>(to, to_stride, from, from_stride, count);
    case 32:
      return copy_fixed<32>(to, to_stride, from, from_stride, count);
    default:
      break;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * to_stride, from + i * from_stride, static_cast<std::size_t>(length));
  }
}

/// Where the bytes of a buffer lie, from its address.
Bounds reach(const Buffer& buffer) {
  const std::int64_t last = (buffer.count - 1) * buffer.type->extent();
  return {std::min<std::int64_t>(last, 0) + buffer.type->true_bounds().lower,
          std::max<std::int64_t>(last, 0) + buffer.type->true_bounds().upper};
}
std::byte* at(const Buffer& buffer, std::int64_t offset) {
  // Addresses relative to MPI_BOTTOM are no offsets into an object.
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(buffer.address) + offset);
}
template <typename Byte>
Byte* shifted(Byte* origin, std::int64_t offset) {
  return reinterpret_cast<Byte*>(reinterpret_cast<std::intptr_t>(origin) + offset);
}
/// What to add to offsets to reach the buffer directly, or null.
const std::byte* direct_origin(const AddressSpace& space, const Buffer& buffer) {
  const Bounds bounds = reach(buffer);
  const std::byte* first =
      space.direct(at(buffer, bounds.lower), static_cast<std::size_t>(bounds.extent()));
  return first == nullptr ? nullptr : shifted(first, -bounds.lower);
}
/// The same, to change what is in it.
std::byte* origin_to_change(AddressSpace& space, const Buffer& buffer) {
  const Bounds bounds = reach(buffer);
  std::byte* first =
      space.direct_to_change(at(buffer, bounds.lower), static_cast<std::size_t>(bounds.extent()));
  return first == nullptr ? nullptr : shifted(first, -bounds.lower);
}

/// Calls `visit(runs)` for the bytes from `begin` to `end`.
template <class Visit>
void walk(const Buffer& buffer, std::int64_t begin, std::int64_t end, Visit visit) {
  LayoutWalk<Visit>(buffer.type->layout(), visit)
      .repeated(buffer.count, buffer.type->extent(), begin, end);
}

void read(const AddressSpace& space, std::byte* to, const std::byte* from, std::int64_t size) {
  if (!space.read(to, from, static_cast<std::size_t>(size))) throw NoSuchMemory(space, from);
}
void write(AddressSpace& space, std::byte* to, const std::byte* from, std::int64_t size) {
  if (!space.write(to, from, static_cast<std::size_t>(size))) throw NoSuchMemory(space, to);
}

/// Both sides have the same runs.
void move_alike(std::byte* to_origin, const std::byte* from_origin, const Buffer& layout,
                std::int64_t size) {
  walk(layout, 0, size, [&](const Runs& runs) {
    copy_strided(shifted(to_origin, runs.offset), runs.stride, shifted(from_origin, runs.offset),
                 runs.stride, runs.count, runs.length);
  });
}

void move_contiguous(AddressSpace& to_space, std::byte* to, const AddressSpace& from_space,
                     const std::byte* from, std::int64_t size) {
  if (heddle::copy(to_space, to, from_space, from, static_cast<std::size_t>(size))) return;
  if (!readable(from_space, from, size)) throw NoSuchMemory(from_space, from);
  throw NoSuchMemory(to_space, to);
}

/// Runs that are long on both sides, straight.
void move_by_runs(AddressSpace& to_space, const Buffer& to, const AddressSpace& from_space,
                  const Buffer& from, std::int64_t size) {
  std::int64_t done = 0;
  walk(from, 0, size, [&](const Runs& source) {
    for (std::int64_t i = 0; i < source.count; ++i) {
      const std::byte* next = at(from, source.offset + i * source.stride);
      walk(to, done, done + source.length, [&](const Runs& target) {
        for (std::int64_t j = 0; j < target.count; ++j) {
          move_contiguous(to_space, at(to, target.offset + j * target.stride), from_space, next,
                          target.length);
          next += target.length;
        }
      });
      done += source.length;
    }
  });
}

void move_by_pieces(AddressSpace& to_space, const Buffer& to, const AddressSpace& from_space,
                    const Buffer& from, std::int64_t size) {
  std::array<std::byte, kPieceBytes> piece;
  for (std::int64_t done = 0; done < size; done += kPieceBytes) {
    const std::int64_t end = std::min(done + kPieceBytes, size);
    pack(from_space, from, done, end, piece.data());
    unpack(to_space, to, done, piece.data(), end - done);
  }
}

/// The length of the first run stands for all.
bool has_long_runs(const Buffer& buffer) {
  const Loop* loop = &buffer.type->layout().loops().front();
  while (!loop->run()) loop = &buffer.type->layout().children(*loop).front();
  return loop->size >= kLongRun;
}

bool flat(const Buffer& buffer) {
  return buffer.type->gapless() || (buffer.count == 1 && buffer.type->layout().gapless());
}
std::byte* first_byte(const Buffer& buffer) {
  return at(buffer, buffer.type->true_bounds().lower);
}

}  // namespace

NoSuchMemory::NoSuchMemory(const AddressSpace& whose, const void* address)
    : RunError(fmt::format("a buffer reaches memory that its process does not have, from address "
                           "{} on",
                           address)),
      Error{MPI_ERR_BUFFER, what()},
      space(&whose) {}

void pack(const AddressSpace& space, const Buffer& from, std::byte* to) {
  pack(space, from, 0, bytes(from), to);
}

void pack(const AddressSpace& space, const Buffer& from, std::int64_t begin, std::int64_t end,
          std::byte* to) {
  if (begin >= end) return;
  if (flat(from)) return read(space, to, first_byte(from) + begin, end - begin);
  if (const std::byte* origin = direct_origin(space, from)) {
    return walk(from, begin, end, [&](const Runs& runs) {
      copy_strided(to, runs.length, shifted(origin, runs.offset), runs.stride, runs.count,
                   runs.length);
      to += runs.count * runs.length;
    });
  }
  walk(from, begin, end, [&](const Runs& runs) {
    for (std::int64_t i = 0; i < runs.count; ++i, to += runs.length) {
      read(space, to, at(from, runs.offset + i * runs.stride), runs.length);
    }
  });
}

std::int64_t unpack(AddressSpace& space, const Buffer& to, const std::byte* from,
                    std::int64_t size) {
  const std::int64_t taken = std::min(size, bytes(to));
  unpack(space, to, 0, from, taken);
  return taken;
}

void unpack(AddressSpace& space, const Buffer& to, std::int64_t begin, const std::byte* from,
            std::int64_t size) {
  if (size <= 0) return;
  if (flat(to)) return write(space, first_byte(to) + begin, from, size);
  if (std::byte* origin = origin_to_change(space, to)) {
    return walk(to, begin, begin + size, [&](const Runs& runs) {
      copy_strided(shifted(origin, runs.offset), runs.stride, from, runs.length, runs.count,
                   runs.length);
      from += runs.count * runs.length;
    });
  }
  walk(to, begin, begin + size, [&](const Runs& runs) {
    for (std::int64_t i = 0; i < runs.count; ++i, from += runs.length) {
      write(space, at(to, runs.offset + i * runs.stride), from, runs.length);
    }
  });
}

namespace {

/// With gaps on one side at least.
void move_scattered(AddressSpace& to_space, const Buffer& to, const AddressSpace& from_space,
                    const Buffer& from, std::int64_t size) {
  const bool flat_from = flat(from);
  const bool flat_to = flat(to);
  const std::byte* source = direct_origin(from_space, from);
  std::byte* target = origin_to_change(to_space, to);
  if (flat_from && source) {
    unpack(to_space, to, 0, source + from.type->true_bounds().lower, size);
  } else if (flat_to && target) {
    pack(from_space, from, 0, size, target + to.type->true_bounds().lower);
  } else if (to.type == from.type && source && target) {
    move_alike(target, source, from, size);
  } else if (has_long_runs(from) && has_long_runs(to)) {
    move_by_runs(to_space, to, from_space, from, size);
  } else {
    move_by_pieces(to_space, to, from_space, from, size);
  }
}

}  // namespace

std::int64_t move_any(AddressSpace& to_space, const Buffer& to, const AddressSpace& from_space,
                      const Buffer& from) {
  const std::int64_t size = std::min(bytes(to), bytes(from));
  if (size == 0) return 0;
  if (flat(from) && flat(to)) {
    move_contiguous(to_space, first_byte(to), from_space, first_byte(from), size);
  } else {
    move_scattered(to_space, to, from_space, from, size);
  }
  return size;
}

}  // namespace heddle::coll
