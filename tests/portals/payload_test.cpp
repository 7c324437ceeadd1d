// Payloads of puts: until when they are read, and the memory that they come from and go to.
#include "portals/support.hpp"

namespace heddle::portals {
namespace {

/// Rank 1 has an entry of `length` bytes; rank 0 has bound as many x and calls `send`. All of them
/// must get there, whatever `send` does to them.
void expect_to_get_there(
    std::size_t length, unsigned int md_options,
    const std::function<void(const Side&, ptl_handle_md_t, std::vector<char>&)>& send) {
  std::vector<char> memory(length, '.');
  Bed bed;
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      side.append(me_of(memory.data(), length, PTL_ME_OP_PUT));
      return pause(2);
    }
    std::vector<char> source(length, 'x');
    const ptl_handle_md_t md = side.bind(source.data(), length, md_options);
    pause();
    send(side, md, source);
    pause();
  });
  EXPECT_EQ(memory, std::vector<char>(length, 'x'));
}

// A volatile descriptor's memory may change when the call has returned, whatever the way the
// payload takes (8 and 416 bytes), and another's when SEND has come.
TEST(Payload, IsTakenWithTheCallIfVolatile) {
  for (const std::size_t length : {8UL, 100UL, 416UL}) {
    expect_to_get_there(length, PTL_MD_VOLATILE,
                        [](const Side& side, ptl_handle_md_t md, std::vector<char>& source) {
                          EXPECT_OK(side.put(md, source.size(), 1));
                          std::fill(source.begin(), source.end(), '!');
                          EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
                        });
  }
}

TEST(Payload, IsReadUntilSent) {
  for (const std::size_t length : {8UL, 64UL, 65UL, 5000UL}) {
    expect_to_get_there(length, 0,
                        [](const Side& side, ptl_handle_md_t md, std::vector<char>& source) {
                          EXPECT_OK(side.put(md, source.size(), 1, 0, 0, PTL_NO_ACK_REQ));
                          EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
                          std::fill(source.begin(), source.end(), '!');
                          EXPECT_OK(PtlMDRelease(md)) << "nothing more will be heard of it";
                        });
  }
}

// A rank that ends (and whose memory goes) right after its puts has still sent them.
TEST(Payload, OutlivesItsInitiator) {
  std::vector<char> memory(100'000, '.');
  Bed bed;
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      side.append(me_of(memory.data(), memory.size(), PTL_ME_OP_PUT | PTL_ME_MANAGE_LOCAL));
      EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_LINK));
      EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_PUT, PTL_EVENT_PUT));
      return;
    }
    const auto source = std::make_unique<std::vector<char>>(50'000, 'x');
    const ptl_handle_md_t md = side.bind(source->data(), source->size());
    pause();
    EXPECT_OK(side.put(md, source->size(), 1, 0, 0, PTL_NO_ACK_REQ));
    EXPECT_OK(side.put(md, source->size(), 1));
    PtlFini();
    std::fill(source->begin(), source->end(), '!');
  });
  EXPECT_EQ(memory, std::vector<char>(100'000, 'x'));
  EXPECT_EQ(bed.machine().commands().in_use(), 0U);
}

// Pieces of memory are one region at both ends, offsets included: "abcdefgh" from 2 + 6 bytes,
// from offset 1, to 3 + 3 + 4 bytes, to offset 2.
TEST(Payload, IsGatheredAndScattered) {
  std::string first = "ab", second = "cdefgh";
  std::string a = "...", b = "...", c = "....";
  Bed bed;
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      ptl_iovec_t pieces[] = {{a.data(), 3}, {b.data(), 3}, {c.data(), 4}};
      side.append(me_of(pieces, 3, PTL_ME_OP_PUT | PTL_IOVEC));
      side.events();
      pieces[0] = {};  // They were copied.
      const std::vector<ptl_event_t> events = side.events();
      EXPECT_EQ(events.size(), 1U);
      EXPECT_EQ(events[0].start, a.data() + 2);
      EXPECT_EQ(events[0].mlength, 7U);
    } else {
      const ptl_iovec_t pieces[] = {{first.data(), 2}, {second.data(), 6}};
      const ptl_handle_md_t md = side.bind(const_cast<ptl_iovec_t*>(pieces), 2, PTL_IOVEC);
      pause();
      EXPECT_EQ(PtlPut(md, 2, 7, PTL_NO_ACK_REQ, rank_id(1), kPortal, 0, 0, nullptr, 0),
                PTL_ARG_INVALID);
      EXPECT_OK(PtlPut(md, 1, 7, PTL_NO_ACK_REQ, rank_id(1), kPortal, 0, 2, nullptr, 0));
      pause();
    }
  });
  EXPECT_EQ(a + "|" + b + "|" + c, "..b|cde|fgh.");
}

// A descriptor and an entry of all memory: offsets are addresses.
TEST(Payload, MayLieAnywhereInMemory) {
  char source = 's', target = '.';
  Bed bed;
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      side.append(me_of(nullptr, PTL_SIZE_MAX, PTL_ME_OP_PUT));
      return pause(2);
    }
    const ptl_handle_md_t md = side.bind(nullptr, PTL_SIZE_MAX);
    pause();
    EXPECT_OK(PtlPut(md, reinterpret_cast<ptl_size_t>(&source), 1, PTL_NO_ACK_REQ, rank_id(1),
                     kPortal, 0, reinterpret_cast<ptl_size_t>(&target), nullptr, 0));
    pause();
  });
  EXPECT_EQ(target, 's');
}

}  // namespace
}  // namespace heddle::portals
