// Handles: what a program holds of an object. They name its kind, its interface, its place in the
// interface's table, and how often that place has been used, so that a stale handle is known.
#pragma once

#include <portals4.h>

#include <cstdint>
#include <optional>

namespace heddle::portals {

enum class ObjectKind : std::uint8_t { interface = 1, descriptor, entry, event_queue, counter };

struct Handle {
  ObjectKind kind{};
  std::uint8_t interface = 0;
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
};

inline constexpr std::uint32_t kGenerations = 1U << 24;
inline constexpr std::uint32_t kNone = UINT32_MAX;

constexpr ptl_handle_any_t encode(const Handle& handle) {
  return (std::uint64_t{handle.generation} << 40) | (std::uint64_t{handle.interface} << 36) |
         (static_cast<std::uint64_t>(handle.kind) << 32) | handle.index;
}

/// The slot of the interface that a handle claims to belong to.
constexpr std::uint8_t interface_of(ptl_handle_any_t handle) {
  return static_cast<std::uint8_t>((handle >> 36) & 15);
}

/// The handle's parts, if it is one of `kind`; nothing is said of whether the object exists.
constexpr std::optional<Handle> decode(ptl_handle_any_t handle, ObjectKind kind) {
  if (((handle >> 32) & 15) != static_cast<std::uint64_t>(kind)) return std::nullopt;
  return Handle{kind, interface_of(handle), static_cast<std::uint32_t>(handle),
                static_cast<std::uint32_t>(handle >> 40)};
}

/// The kind a handle claims to be of.
constexpr ObjectKind kind_of(ptl_handle_any_t handle) {
  return static_cast<ObjectKind>((handle >> 32) & 15);
}

}  // namespace heddle::portals
