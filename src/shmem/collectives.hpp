// Collective operations of the members of a team.
#pragma once

#include <cstddef>

#include "coll/op/op.hpp"
#include "shmem/call.hpp"

namespace heddle::shmem {

/// Bytes of each member, from its own memory to its own memory.
struct Movement {
  void* dest = nullptr;
  const void* source = nullptr;
  std::size_t bytes = 0;  ///< Of a member's part.
};
struct Reduction {
  coll::Operation operation{};
  Type type;
  void* dest = nullptr;
  const void* source = nullptr;
  std::size_t count = 0;
};

/// Where the caller can reach another PE's memory itself, or null.
void* direct_address(const Call& call, Pe& target, const void* address);

/// Until all members have come.
void meet(const Call& call, Membership& member);
void broadcast(const Call& call, Membership& member, const Movement& data, int root,
               bool also_to_root);
/// Parts of equal length one behind the other, and of different lengths.
void fcollect(const Call& call, Membership& member, const Movement& data);
void collect(const Call& call, Membership& member, const Movement& data);
void alltoall(const Call& call, Membership& member, const Movement& data);
/// Elements of `size` bytes that are strides apart.
void alltoalls(const Call& call, Membership& member, const Movement& data, std::ptrdiff_t dst,
               std::ptrdiff_t sst, std::size_t size);
void reduce(const Call& call, Membership& member, const Reduction& data);
/// Of those before and, unless exclusive, including oneself.
void scan(const Call& call, Membership& member, const Reduction& data, bool exclusive);

}  // namespace heddle::shmem
