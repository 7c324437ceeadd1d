// Operations on memory that a datatype describes.
#include "host/memory/guarded_memory.hpp"
#include "mpi/rma/operation.hpp"

namespace heddle::mpi {
namespace {

/// Elements with gaps inside, such as those of MPI_DOUBLE_INT: through arrays of them.
void accumulate_spread(AddressSpace& space, const Buffer& memory, const Op& op,
                       const std::byte* packed) {
  const Datatype& unit = *memory.type->unit();
  const std::int64_t size = bytes(memory);
  const std::int64_t count = size / unit.size();
  std::vector<std::byte> in(static_cast<std::size_t>(count * unit.extent()));
  std::vector<std::byte> inout(in.size());
  std::vector<std::byte> held(static_cast<std::size_t>(size));
  // Our own memory: every address is what it says.
  host::GuardedMemory own;
  unpack(own, {in.data(), count, &unit}, packed, size);
  pack(space, memory, held.data());
  unpack(own, {inout.data(), count, &unit}, held.data(), size);
  op.apply(in.data(), inout.data(), count, unit);
  pack(own, {inout.data(), count, &unit}, held.data());
  unpack(space, memory, held.data(), size);
}

void accumulate_run(AddressSpace& space, std::byte* at, std::int64_t length, const Op& op,
                    const Datatype& unit, const std::byte* packed) {
  const std::int64_t count = length / unit.size();
  const auto size = static_cast<std::size_t>(length);
  if (std::byte* direct = space.direct_to_change(at, size)) {
    return op.apply(packed, direct, count, unit);
  }
  std::vector<std::byte> held(size);
  space.read(held.data(), at, size);
  op.apply(packed, held.data(), count, unit);
  space.write(at, held.data(), size);
}

}  // namespace

void accumulate_packed(AddressSpace& space, const Buffer& memory, const Op& op,
                       const std::byte* packed) {
  if (bytes(memory) == 0) return;  // Types without bytes have no unit either.
  const Datatype& unit = *memory.type->unit();
  if (!unit.contiguous()) return accumulate_spread(space, memory, op, packed);
  auto apply = [&](const Runs& runs) {
    for (std::int64_t i = 0; i < runs.count; ++i, packed += runs.length) {
      std::byte* at = static_cast<std::byte*>(memory.address) + runs.offset + i * runs.stride;
      accumulate_run(space, at, runs.length, op, unit, packed);
    }
  };
  LayoutWalk<decltype(apply)>(memory.type->typed_layout(), apply)
      .repeated(memory.count, memory.type->extent(), 0, bytes(memory));
}

}  // namespace heddle::mpi
