#include "portals/directory.hpp"

#include "support.hpp"

namespace heddle::portals {
namespace {

Process& process_of(Bed& bed, std::uint32_t rank) {
  return *Process::of(bed.machine().directory().rank(rank));
}

/// Two ranks per node: ranks 2 and 3 are the first and the second process of node 1, whose ids
/// begin where the configuration says.
TEST(Directory, NumbersProcessesByTheirPlaceOnTheNode) {
  Bed bed(4, {}, 2);
  const Directory& directory = bed.machine().directory();
  const auto first = static_cast<std::uint32_t>(bed.machine().config().first_pid);
  EXPECT_EQ(directory.address(2), (nic::ProcessId{NodeId{1}, first}));
  EXPECT_EQ(directory.address(3), (nic::ProcessId{NodeId{1}, first + 1}));
  EXPECT_EQ(directory.physical(3).phys.nid, 1U);
  for (std::uint32_t r = 0; r < 4; ++r) {
    EXPECT_EQ(directory.process_at(directory.address(r)), &process_of(bed, r));
  }
  EXPECT_EQ(directory.process_at({NodeId{1}, first + 2}), nullptr);
  EXPECT_EQ(directory.process_at({NodeId{1}, first - 1}), nullptr);
}

/// A rank has no process before somebody asks for it, and takes no room for one; its id is known
/// all the same, and nobody else gets it.
TEST(Directory, MakesProcessesThatAreAskedFor) {
  Bed bed(2, {}, 2);
  Directory& directory = bed.machine().directory();
  host::Rank& rank = directory.rank(1);
  EXPECT_EQ(rank.extensions().at(Process::slot), nullptr);
  EXPECT_EQ(directory.claim(process_of(bed, 0), directory.address(1).pid), PTL_PID_IN_USE);
  EXPECT_EQ(rank.extensions().at(Process::slot), nullptr);
  EXPECT_EQ(directory.process_at(directory.address(1))->rank().id(), rank.id());
  EXPECT_EQ(rank.extensions().at(Process::slot).get(), Process::of(rank));
}

/// A process that takes another id is found by that only; its neighbour cannot have it, a process
/// of another node can.
TEST(Directory, HonoursIdsThatAreFree) {
  Bed bed(4, {}, 2);
  Directory& directory = bed.machine().directory();
  const nic::ProcessId before = directory.address(0);
  EXPECT_EQ(directory.claim(process_of(bed, 0), 77), PTL_OK);
  EXPECT_EQ(directory.address(0), (nic::ProcessId{NodeId{0}, 77}));
  EXPECT_EQ(directory.process_at({NodeId{0}, 77}), &process_of(bed, 0));
  EXPECT_EQ(directory.process_at(before), nullptr);
  EXPECT_EQ(directory.claim(process_of(bed, 1), 77), PTL_PID_IN_USE);
  EXPECT_EQ(directory.claim(process_of(bed, 2), 77), PTL_OK);
}

}  // namespace
}  // namespace heddle::portals
