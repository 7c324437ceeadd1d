// Patterns in which every member sends and receives in rounds: where MPI has their algorithms, as
// those say.
#include <bit>

#include "goal/patterns/patterns.hpp"
#include "goal/patterns/step_writer.hpp"

namespace heddle::goal {

void dissemination(const Side& side, std::uint64_t bytes) {
  write_steps(side, coll::barrier_algorithms(), "bruck", coll::Barrier{}, {{}, bytes});
}

void nway_dissemination(const Side& side, std::uint64_t bytes, std::uint32_t ways,
                        std::uint64_t compute) {
  constexpr std::size_t kFew = 4;
  std::vector<std::uint32_t> before;
  const auto wait = [&](std::uint32_t op) {
    for (const std::uint32_t earlier : before) side.after(op, earlier);
    return op;
  };
  for (std::uint64_t distance = 1; distance < side.size; distance *= ways + 1) {
    // One operation between many and many others, which may be the work with what was received.
    if (before.size() > (compute != 0 ? 0 : kFew)) {
      before.assign(1, wait(side.calc(compute * (before.size() / 2))));
    }
    std::vector<std::uint32_t> round;
    for (std::uint64_t w = 1; w <= ways && w * distance < side.size; ++w) {
      round.push_back(wait(side.send(bytes, side.right(w * distance))));
    }
    for (std::uint64_t w = 1; w <= ways && w * distance < side.size; ++w) {
      round.push_back(wait(side.recv(bytes, side.left(w * distance))));
    }
    before = std::move(round);
  }
}

void linear_alltoallv(const Side& side, const SizeBetween& bytes) {
  for (std::uint32_t step = 1; step < side.size; ++step) {
    side.send(bytes(side.me, side.right(step)), side.right(step));
    side.recv(bytes(side.left(step), side.me), side.left(step));
  }
}

void pairwise_alltoallv(const Side& side, const SizeBetween& bytes) {
  std::vector<std::int64_t> out;
  std::vector<std::int64_t> in;
  for (std::uint32_t other = 0; other < side.size; ++other) {
    out.push_back(static_cast<std::int64_t>(bytes(side.me, other)));
    in.push_back(static_cast<std::int64_t>(bytes(other, side.me)));
  }
  write_steps(side, coll::alltoall_algorithms(), std::has_single_bit(side.size) ? "pair" : "ring",
              coll::Alltoall{blocks_of(out), blocks_of(in)}, {.parted = true});
}

namespace {

void allreduce(const Side& side, std::string_view name, std::uint64_t bytes, const WorkFor& work) {
  write_steps(side, coll::allreduce_algorithms(), name, coll::Allreduce{data_of(bytes)}, {work});
}

}  // namespace

void recursive_doubling(const Side& side, std::uint64_t bytes, const WorkFor& work) {
  allreduce(side, "rdb", bytes, work);
}

void rabenseifner(const Side& side, std::uint64_t bytes, const WorkFor& work) {
  allreduce(side, "rab", bytes, work);
}

/// Everybody hands on its own piece first, as Open MPI does. In the steps that is the piece of the
/// one before, so members are counted from one place further on.
void ring_allreduce(const Side& side, std::uint64_t bytes, const WorkFor& work) {
  std::vector<std::uint32_t> members;
  for (std::uint32_t m = 0; m < side.size; ++m) {
    members.push_back(side.rank_of((m + side.size - 1) % side.size));
  }
  allreduce({side.out, side.right(), side.size, members, side.tag}, "lr", bytes, work);
}

}  // namespace heddle::goal
