// What calls do with the memory of other PEs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shmem/call.hpp"

namespace heddle::shmem {

/// When a put or get may return.
enum class Until : std::uint8_t {
  started,   ///< At once: the call is a non-blocking one.
  reusable,  ///< The local memory may be used again.
};

/// `bytes` at `source` to what the caller knows as `dest`, at the PE `pe` of the call's context.
void put(const Call& call, void* dest, const void* source, std::size_t bytes, int pe, Until until);
void get(const Call& call, void* dest, const void* source, std::size_t bytes, int pe, Until until);

/// A regular pattern of blocks: strides in elements, blocks of so many.
struct Strides {
  std::ptrdiff_t dest = 1;
  std::ptrdiff_t source = 1;
  std::size_t block = 1;
  std::size_t blocks = 0;
};
void put(const Call& call, void* dest, const void* source, const Strides& strides, std::size_t size,
         int pe);
void get(const Call& call, void* dest, const void* source, const Strides& strides, std::size_t size,
         int pe);

/// An atomic operation on what the caller knows as `dest`.
struct Update {
  Atomic atomic{};
  Type type;
  std::uint64_t value = 0;
  std::uint64_t condition = 0;
};
void update(const Call& call, const void* dest, const Update& update, int pe);
/// Answers what was there before.
std::uint64_t fetch(const Call& call, const void* dest, const Update& update, int pe);
/// Puts what was there before to `to`, some time before the next quiet.
void fetch_later(const Call& call, void* to, const void* dest, const Update& update, int pe);

/// A put, and a signal behind it.
struct Signal {
  std::uint64_t* address = nullptr;
  std::uint64_t value = 0;
  bool adds = false;
};
void put_signal(const Call& call, void* dest, const void* source, std::size_t bytes,
                const Signal& signal, int pe, Until until);

}  // namespace heddle::shmem
