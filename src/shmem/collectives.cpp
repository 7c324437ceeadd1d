#include "shmem/collectives.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <cstring>

#include "coll/algorithms/blocks.hpp"
#include "shmem/put_steps.hpp"
#include "shmem/trees.hpp"

namespace heddle::shmem {
namespace {

using coll::Blocks;
using coll::Buffer;
using coll::byte_type;
using coll::Collective;
using coll::Datatype;

/// The type of MPI that has the same elements.
const Datatype& element_of(const Call& call, Type type) {
  int handle = MPI_BYTE;
  if (type.number == Number::real) {
    handle = type.size == sizeof(float)    ? MPI_FLOAT
             : type.size == sizeof(double) ? MPI_DOUBLE
                                           : MPI_LONG_DOUBLE;
  } else if (type.number == Number::complex) {
    handle = type.size == 2 * sizeof(float) ? MPI_CXX_FLOAT_COMPLEX : MPI_CXX_DOUBLE_COMPLEX;
  } else {
    const bool has_sign = type.number == Number::signed_integer;
    handle = type.size == 1   ? (has_sign ? MPI_INT8_T : MPI_UINT8_T)
             : type.size == 2 ? (has_sign ? MPI_INT16_T : MPI_UINT16_T)
             : type.size == 4 ? (has_sign ? MPI_INT32_T : MPI_UINT32_T)
                              : (has_sign ? MPI_INT64_T : MPI_UINT64_T);
  }
  const Datatype* found = Datatype::predefined(handle);
  if (found == nullptr) call.refuse("there is no such type");
  return *found;
}

Buffer bytes_at(const void* address, std::size_t bytes) {
  return {const_cast<void*>(address), static_cast<std::int64_t>(bytes), &byte_type()};
}

std::int64_t count_of(std::size_t n) {
  return static_cast<std::int64_t>(n);
}

/// Copies elements `from_stride` and `to_stride` elements apart.
void copy_strided(std::byte* to, std::ptrdiff_t to_stride, const std::byte* from,
                  std::ptrdiff_t from_stride, std::size_t count, std::size_t size) {
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to, from, size);
    to += to_stride * static_cast<std::ptrdiff_t>(size);
    from += from_stride * static_cast<std::ptrdiff_t>(size);
  }
}

}  // namespace

void meet(const Call& call, Membership& member) {
  Trees& trees = call.world().trees();
  if (trees.take(Collective::barrier, 0)) {
    return trees.run(call, member, Collective::barrier, {.up = true});
  }
  PutSteps steps(call.pe(), member, Collective::barrier);
  run_as_chosen(steps, Collective::barrier, coll::barrier_algorithms(), coll::Barrier{}, 0);
  steps.wait();
}

void broadcast(const Call& call, Membership& member, const Movement& data, int root,
               bool also_to_root) {
  const int size = member.team->members.size();
  if (root < 0 || root >= size) {
    call.refuse(fmt::format("there is no root {} in {}: accepted are 0 to {}", root,
                            member.team->label(), size - 1));
  }
  const bool is_root = member.number == root;
  if (Trees& trees = call.world().trees(); trees.take(Collective::bcast, data.bytes)) {
    trees.run(call, member, Collective::bcast,
              {.root = root,
               .bytes = data.bytes,
               .dest = is_root ? nullptr : data.dest,
               .source = data.source});
  } else {
    const void* place = is_root ? data.source : data.dest;
    PutSteps steps(call.pe(), member, Collective::bcast, {data.bytes, root});
    run_as_chosen(steps, Collective::bcast, coll::bcast_algorithms(),
                  coll::Bcast{bytes_at(place, data.bytes), root}, count_of(data.bytes));
    steps.wait();
  }
  if (is_root && also_to_root && data.dest != data.source) {
    std::memmove(data.dest, data.source, data.bytes);
  }
}

void fcollect(const Call& call, Membership& member, const Movement& data) {
  PutSteps steps(call.pe(), member, Collective::allgather, {data.bytes});
  const Blocks blocks = Blocks::equal(data.dest, count_of(data.bytes), byte_type());
  steps.copy(bytes_at(data.source, data.bytes), blocks[steps.rank()]);
  run_as_chosen(steps, Collective::allgather, coll::allgather_algorithms(), coll::Allgather{blocks},
                count_of(data.bytes));
  steps.wait();
}

void collect(const Call& call, Membership& member, const Movement& data) {
  PutSteps steps(call.pe(), member, Collective::allgatherv);
  const auto pes = static_cast<std::size_t>(steps.size());
  // First how much each has.
  std::vector<std::int64_t> counts(pes);
  counts[static_cast<std::size_t>(steps.rank())] = count_of(data.bytes);
  const Blocks lengths = Blocks::equal(counts.data(), sizeof(std::int64_t), byte_type());
  run_as_chosen(steps, Collective::allgather, coll::allgather_algorithms(),
                coll::Allgather{lengths}, sizeof(std::int64_t));
  steps.wait();
  std::int64_t total = 0;
  for (const std::int64_t count : counts) total += count;
  call.check_symmetric(data.dest, static_cast<std::size_t>(total), "dest");
  const Blocks blocks = Blocks::packed(data.dest, counts, byte_type());
  steps.copy(bytes_at(data.source, data.bytes), blocks[steps.rank()]);
  run_as_chosen(steps, Collective::allgatherv, coll::allgather_algorithms(),
                coll::Allgather{blocks}, total / steps.size());
  steps.wait();
}

void alltoall(const Call& call, Membership& member, const Movement& data) {
  PutSteps steps(call.pe(), member, Collective::alltoall, {data.bytes});
  const auto count = count_of(data.bytes);
  run_as_chosen(steps, Collective::alltoall, coll::alltoall_algorithms(),
                coll::Alltoall{Blocks::equal(const_cast<void*>(data.source), count, byte_type()),
                               Blocks::equal(data.dest, count, byte_type())},
                count);
  steps.wait();
}

void alltoalls(const Call& call, Membership& member, const Movement& data, std::ptrdiff_t dst,
               std::ptrdiff_t sst, std::size_t size) {
  PutSteps steps(call.pe(), member, Collective::alltoall, {data.bytes});
  const auto pes = static_cast<std::size_t>(steps.size());
  const std::size_t elements = data.bytes / size * pes;
  const Buffer out = steps.scratch(count_of(data.bytes * pes), byte_type());
  const Buffer in = steps.scratch(count_of(data.bytes * pes), byte_type());
  copy_strided(static_cast<std::byte*>(out.address), 1, static_cast<const std::byte*>(data.source),
               sst, elements, size);
  const auto count = count_of(data.bytes);
  run_as_chosen(steps, Collective::alltoall, coll::alltoall_algorithms(),
                coll::Alltoall{Blocks::equal(out.address, count, byte_type()),
                               Blocks::equal(in.address, count, byte_type())},
                count);
  steps.wait();
  copy_strided(static_cast<std::byte*>(data.dest), dst, static_cast<const std::byte*>(in.address),
               1, elements, size);
}

void reduce(const Call& call, Membership& member, const Reduction& data) {
  const std::size_t bytes = data.count * data.type.size;
  Trees& trees = call.world().trees();
  if (const auto combination = trees.take(data.operation, data.type, bytes)) {
    return trees.run(call, member, Collective::allreduce,
                     {.up = true,
                      .bytes = bytes,
                      .dest = data.dest,
                      .source = data.source,
                      .operation = combination->operation,
                      .type = combination->type});
  }
  const Datatype& element = element_of(call, data.type);
  const coll::Op op(data.operation);
  const Buffer result{data.dest, count_of(data.count), &element};
  const Buffer own{const_cast<void*>(data.source), result.count, &element};
  PutSteps steps(call.pe(), member, Collective::allreduce, {bytes}, &op);
  steps.copy(own, result);
  run_as_chosen(steps, Collective::allreduce, coll::allreduce_algorithms(),
                coll::Allreduce{result, true}, coll::bytes(result));
  steps.wait();
}

void scan(const Call& call, Membership& member, const Reduction& data, bool exclusive) {
  const Datatype& element = element_of(call, data.type);
  const coll::Op op(data.operation);
  const Buffer result{data.dest, count_of(data.count), &element};
  const Buffer own{const_cast<void*>(data.source), result.count, &element};
  const Collective which = exclusive ? Collective::exscan : Collective::scan;
  PutSteps steps(call.pe(), member, which, {data.count * data.type.size}, &op);
  steps.copy(own, result);
  run_as_chosen(steps, which, coll::scan_algorithms(), coll::Scan{result, exclusive},
                coll::bytes(result));
  steps.wait();
  // Nobody comes before the first: its sum is that of nothing.
  if (exclusive && member.number == 0) std::memset(data.dest, 0, data.count * data.type.size);
}

}  // namespace heddle::shmem
