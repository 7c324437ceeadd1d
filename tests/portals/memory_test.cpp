// Memory that is not there, and memory that can only be reached by copying.
#include <cstring>

#include "portals/support.hpp"

namespace heddle::portals {
namespace {

/// Has everything but one range, and gives no direct access.
class Holey final : public AddressSpace {
 public:
  bool read(void* to, const void* address, std::size_t size) const override {
    if (hit(address, size)) return false;
    std::memmove(to, address, size);
    return true;
  }
  bool store(void* address, const void* from, std::size_t size) override {
    if (hit(address, size)) return false;
    std::memmove(address, from, size);
    return true;
  }
  const std::byte* direct(const void*, std::size_t) const override { return nullptr; }
  char hole[64] = {};

 private:
  bool hit(const void* address, std::size_t size) const {
    const auto first = reinterpret_cast<std::uintptr_t>(address);
    const auto begin = reinterpret_cast<std::uintptr_t>(hole);
    return first < begin + sizeof hole && begin < first + size;
  }
};

/// Rank 0 runs `initiator`, rank 1 offers `target`; answers rank 1's events.
std::vector<ptl_event_t> pair(Holey& memory, void* target,
                              const std::function<void(const Side&)>& initiator) {
  std::vector<ptl_event_t> events;
  Bed bed(2, {}, 1, {}, &memory);
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 0) {
      pause();
      return initiator(side);
    }
    side.append(me_of(target, 64, kPutGet | PTL_ME_EVENT_LINK_DISABLE));
    pause();
    events = side.events();
  });
  return events;
}

// Copies go through read and write where nothing is direct, 5000 bytes in pieces.
TEST(Memory, IsReachedByCopying) {
  Holey memory;
  std::vector<char> source(5000, 'x'), target(5000, '.');
  Bed bed(2, {}, 1, {}, &memory);
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      side.append(me_of(target.data(), target.size(), PTL_ME_OP_PUT));
      return pause(2);
    }
    pause();
    EXPECT_OK(side.put(side.bind(source.data(), source.size()), source.size(), 1));
    pause();
  });
  EXPECT_EQ(target, source);
}

// The target's memory is not there: both sides hear SEGV, nothing is counted as moved.
TEST(Memory, OfTheTargetMayBeMissing) {
  Holey memory;
  char byte = 'x';
  const auto events = pair(memory, memory.hole, [&](const Side& side) {
    EXPECT_OK(side.put(side.bind(&byte, 1), 1, 1));
    EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
    const ptl_event_t ack = side.wait();
    EXPECT_EQ(ack.ni_fail_type, PTL_NI_SEGV);
    EXPECT_EQ(ack.mlength, 0U);
  });
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].ni_fail_type, PTL_NI_SEGV);
}

TEST(Memory, OfTheInitiatorMayBeMissing) {
  Holey memory;
  char target[64] = {};
  // Short ones are taken when they are sent, long ones when they arrive.
  for (const ptl_size_t length : {8U, 64U}) {
    for (const unsigned int options : {0U, PTL_MD_VOLATILE}) {
      pair(memory, target, [&](const Side& side) {
        EXPECT_OK(side.put(side.bind(memory.hole, 64, options), length, 1));
        EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
        EXPECT_EQ(side.wait().ni_fail_type, PTL_NI_SEGV);
      });
    }
  }
  pair(memory, target, [&](const Side& side) {
    EXPECT_OK(side.get(side.bind(memory.hole, 64), 8, 1));
    EXPECT_EQ(side.wait().ni_fail_type, PTL_NI_SEGV);
  });
  pair(memory, target, [&](const Side& side) {
    std::int64_t one = 1;
    EXPECT_OK(PtlFetchAtomic(side.bind(memory.hole, 64), 0, side.bind(&one, 8), 0, 8, rank_id(1),
                             kPortal, 0, 0, nullptr, 0, PTL_SUM, PTL_INT64_T));
    EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
    EXPECT_EQ(side.wait().ni_fail_type, PTL_NI_SEGV);
  });
  EXPECT_EQ(target[0], 0) << "an atomic whose old value has no place does not happen";
}

// The atomics of a hole fail as puts do.
TEST(Memory, OfAnAtomicMayBeMissing) {
  Holey memory;
  pair(memory, memory.hole, [&](const Side& side) {
    std::int64_t one = 1;
    EXPECT_OK(PtlAtomic(side.bind(&one, 8), 0, 8, PTL_ACK_REQ, rank_id(1), kPortal, 0, 0, nullptr,
                        0, PTL_SUM, PTL_INT64_T));
    EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
    EXPECT_EQ(side.wait().ni_fail_type, PTL_NI_SEGV);
  });
}

}  // namespace
}  // namespace heddle::portals
