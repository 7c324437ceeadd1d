// Triggered operations: when they happen, in which order, and when they do not.
#include "portals/support.hpp"

namespace heddle::portals {
namespace {

/// Rank 0 runs `body` with a descriptor of `source` and a counter; rank 1 has an entry on `memory`
/// that notes what comes.
struct Scene {
  std::string source = "abcdefgh";
  std::string memory = "........";
  std::vector<ptl_event_t> came;  ///< At rank 1.
};

void play(Scene& scene,
          const std::function<void(const Side&, ptl_handle_md_t, ptl_handle_ct_t)>& body,
          const std::vector<std::string>& sets = {}) {
  Bed bed(2, sets);
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 0) {
      const ptl_handle_md_t md = side.bind(scene.source.data(), 8);
      const ptl_handle_ct_t ct = side.counter();
      pause();
      return body(side, md, ct);
    }
    side.append(me_of(scene.memory.data(), 8, kPutGet | PTL_ME_EVENT_LINK_DISABLE));
    pause(4);
    scene.came = side.events();
  });
  EXPECT_EQ(bed.machine().commands().in_use(), 0U);
  EXPECT_EQ(bed.machine().counters().in_use(), 0U);
}

/// A triggered put of one byte from offset to offset, marked by it.
int put_at(ptl_handle_md_t md, ptl_size_t offset, ptl_handle_ct_t ct, ptl_size_t threshold) {
  return PtlTriggeredPut(md, offset, 1, PTL_NO_ACK_REQ, rank_id(1), kPortal, 0, offset, nullptr,
                         offset, ct, threshold);
}

std::vector<ptl_hdr_data_t> marks(const Scene& scene) {
  std::vector<ptl_hdr_data_t> all;
  for (const ptl_event_t& event : scene.came) all.push_back(event.hdr_data);
  return all;
}

// Memory is read when the operation happens, not when it is set up.
TEST(Triggered, PutHappensAtItsThreshold) {
  Scene scene;
  play(scene, [&](const Side& side, ptl_handle_md_t md, ptl_handle_ct_t ct) {
    EXPECT_OK(put_at(md, 2, ct, 2));
    EXPECT_EQ(PtlMDRelease(md), PTL_IN_USE) << "it will be needed";
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    EXPECT_THAT(side.kinds(), IsEmpty());
    scene.source[2] = 'X';
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_SEND));
    EXPECT_OK(PtlMDRelease(md));
  });
  EXPECT_EQ(scene.memory, "..X.....");
}

TEST(Triggered, HappensAtOnceIfItsThresholdIsReached) {
  Scene scene;
  play(scene, [](const Side&, ptl_handle_md_t md, ptl_handle_ct_t ct) {
    EXPECT_OK(PtlCTSet(ct, {5, 0}));
    EXPECT_OK(put_at(md, 1, ct, 5));
    EXPECT_OK(put_at(md, 2, ct, 0));
    EXPECT_OK(put_at(md, 3, ct, 6));
    pause();
  });
  EXPECT_THAT(marks(scene), ElementsAre(1, 2));
}

// By threshold; those of one threshold in the order of the calls. Failures count like successes.
TEST(Triggered, HappensInTheOrderOfThresholds) {
  Scene scene;
  play(scene, [](const Side&, ptl_handle_md_t md, ptl_handle_ct_t ct) {
    const ptl_size_t thresholds[] = {3, 1, 2, 1, 3, 2};
    for (ptl_size_t i = 0; i < 6; ++i) EXPECT_OK(put_at(md, i, ct, thresholds[i]));
    EXPECT_OK(PtlCTInc(ct, {0, 1}));
    EXPECT_OK(PtlCTSet(ct, {2, 1}));
    pause();
  });
  EXPECT_THAT(marks(scene), ElementsAre(1, 3, 2, 5, 0, 4));
}

// Successes and failures together are compared with the threshold, and do not wrap around: 2^64 - 1
// and 1 reach 2^64 - 1.
TEST(Triggered, HappensAtTheGreatestThreshold) {
  Scene scene;
  play(scene, [](const Side&, ptl_handle_md_t md, ptl_handle_ct_t ct) {
    EXPECT_OK(put_at(md, 1, ct, PTL_SIZE_MAX));
    EXPECT_OK(PtlCTSet(ct, {PTL_SIZE_MAX, 1}));
    pause();
  });
  EXPECT_THAT(marks(scene), ElementsAre(1));
}

// Setting a counter back neither undoes nor repeats.
TEST(Triggered, DoesNotHappenTwice) {
  Scene scene;
  play(scene, [](const Side&, ptl_handle_md_t md, ptl_handle_ct_t ct) {
    EXPECT_OK(put_at(md, 1, ct, 1));
    EXPECT_OK(put_at(md, 2, ct, 2));
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    EXPECT_OK(PtlCTSet(ct, {0, 0}));
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    pause();
  });
  EXPECT_THAT(marks(scene), ElementsAre(1, 2));
}

TEST(Triggered, IsCancelled) {
  Scene scene;
  play(scene, [](const Side&, ptl_handle_md_t md, ptl_handle_ct_t ct) {
    EXPECT_OK(put_at(md, 1, ct, 1));
    EXPECT_OK(put_at(md, 2, ct, 2));
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    EXPECT_OK(PtlCTCancelTriggered(ct));
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    pause();
    EXPECT_OK(PtlMDRelease(md));
  });
  EXPECT_THAT(marks(scene), ElementsAre(1));
}

// Freeing a counter with operations on it, its own changes among them, is no trouble.
TEST(Triggered, GoesWithItsCounter) {
  Scene scene;
  play(scene, [](const Side& side, ptl_handle_md_t md, ptl_handle_ct_t ct) {
    const ptl_handle_ct_t other = side.counter();
    EXPECT_OK(put_at(md, 1, ct, 1));
    EXPECT_OK(PtlTriggeredCTInc(ct, {1, 0}, ct, 1));
    EXPECT_OK(PtlTriggeredCTInc(ct, {1, 0}, other, 1));
    EXPECT_OK(PtlTriggeredCTSet(ct, {1, 0}, other, 1));
    EXPECT_OK(PtlCTFree(ct));
    EXPECT_OK(PtlCTInc(other, {1, 0}));
    EXPECT_EQ(Side::value(other), (ptl_ct_event_t{1, 0}));
    EXPECT_OK(PtlMDRelease(md));
  });
  EXPECT_THAT(scene.came, IsEmpty());
}

// One counter moves the next, and that one a put: the chain runs in the adapter.
TEST(Triggered, CountersMoveCounters) {
  Scene scene;
  play(scene, [](const Side& side, ptl_handle_md_t md, ptl_handle_ct_t ct) {
    const ptl_handle_ct_t second = side.counter(), third = side.counter();
    EXPECT_OK(PtlTriggeredCTInc(second, {2, 0}, ct, 1));
    EXPECT_OK(PtlTriggeredCTSet(third, {7, 0}, second, 2));
    EXPECT_OK(PtlTriggeredCTInc(third, {0, 1}, second, 2));
    EXPECT_OK(put_at(md, 4, third, 8));
    EXPECT_EQ(PtlTriggeredCTInc(third, {1, 1}, second, 2), PTL_ARG_INVALID);
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    ptl_ct_event_t value{};
    EXPECT_OK(PtlCTWait(third, 7, &value));
    EXPECT_EQ(value, (ptl_ct_event_t{7, 1}));
    pause();
  });
  EXPECT_EQ(scene.memory, "....e...");
}

// What comes in from outside triggers too: the get's reply counts, and lets the put go.
TEST(Triggered, FollowsMessages) {
  Scene scene;
  play(scene, [&](const Side& side, ptl_handle_md_t md, ptl_handle_ct_t ct) {
    scene.memory = "ABCDEFGH";
    const ptl_handle_md_t into = side.bind(scene.source.data(), 8, PTL_MD_EVENT_CT_REPLY, ct);
    EXPECT_OK(put_at(md, 0, ct, 1));
    EXPECT_OK(PtlGet(into, 0, 1, rank_id(1), kPortal, 0, 7, nullptr));
    pause();
  });
  EXPECT_EQ(scene.memory, "HBCDEFGH");
}

TEST(Triggered, GetsAndAtomicsHappenToo) {
  Bed bed;
  std::uint64_t target[4] = {10, 20, 30, 40};
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      side.append(me_of(target, sizeof target, kPutGet));
      return pause(3);
    }
    std::uint64_t source[4] = {1, 2, 3, 4}, result[4] = {};
    const ptl_handle_md_t out = side.bind(source, 32), in = side.bind(result, 32);
    const ptl_handle_ct_t ct = side.counter();
    pause();
    const ptl_process_t there = rank_id(1);
    EXPECT_OK(PtlTriggeredAtomic(out, 0, 8, PTL_NO_ACK_REQ, there, kPortal, 0, 0, nullptr, 0,
                                 PTL_SUM, PTL_UINT64_T, ct, 1));
    EXPECT_OK(PtlTriggeredFetchAtomic(in, 8, out, 8, 8, there, kPortal, 0, 8, nullptr, 0, PTL_SUM,
                                      PTL_UINT64_T, ct, 2));
    std::uint64_t operand = 30;
    EXPECT_OK(PtlTriggeredSwap(in, 16, out, 16, 8, there, kPortal, 0, 16, nullptr, 0, &operand,
                               PTL_CSWAP, PTL_UINT64_T, ct, 3));
    operand = 99;  // It was copied.
    EXPECT_OK(PtlTriggeredGet(in, 24, 8, there, kPortal, 0, 24, nullptr, ct, 4));
    EXPECT_EQ(target[0], 10U);
    EXPECT_OK(PtlCTSet(ct, {4, 0}));
    pause();
    EXPECT_THAT(result, ElementsAre(0, 20, 30, 40));
  });
  EXPECT_THAT(target, ElementsAre(11, 22, 3, 40));
}

/// The reference's extra: appends the entry when the counter says so.
ptl_handle_me_t append_at(const Side& side, const ptl_me_t& me, ptl_handle_ct_t ct,
                          ptl_size_t threshold) {
  ptl_handle_me_t handle = 0;
  EXPECT_OK(PtlTriggeredMEAppend(side.ni, kPortal, &me, PTL_PRIORITY_LIST, nullptr, &handle, ct,
                                 threshold));
  return handle;
}

// Entries are appended and taken out when a counter says so. The handle is good at once.
TEST(Triggered, EntriesComeAndGo) {
  Bed bed;
  std::string memory = "........";
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 0) {
      char byte = 'x';
      const ptl_handle_md_t md = side.bind(&byte, 1, PTL_MD_EVENT_SEND_DISABLE);
      for (const ptl_ni_fail_t expected : {PTL_NI_DROPPED, PTL_NI_OK, PTL_NI_DROPPED}) {
        pause();
        EXPECT_OK(side.put(md, 1, 1));
        EXPECT_EQ(side.wait().ni_fail_type, expected);
      }
      return;
    }
    const ptl_handle_ct_t ct = side.counter();
    const ptl_handle_me_t handle = append_at(side, me_of(memory.data(), 8, PTL_ME_OP_PUT), ct, 1);
    EXPECT_OK(PtlTriggeredMEUnlink(handle, ct, 2));
    pause();
    EXPECT_THAT(side.kinds(), IsEmpty());
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_LINK, PTL_EVENT_PUT));
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    EXPECT_EQ(PtlMEUnlink(handle), PTL_ARG_INVALID) << "it is gone";
    pause();
  });
}

// One entry is cancelled, and one is unlinked before it was linked: neither comes.
TEST(Triggered, EntriesMayBeCalledOff) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side side;
    char byte = '.';
    const ptl_me_t me = me_of(&byte, 1, PTL_ME_OP_PUT);
    const ptl_handle_ct_t ct = side.counter();
    const ptl_handle_me_t cancelled = append_at(side, me, ct, 1);
    EXPECT_OK(PtlCTCancelTriggered(ct));
    EXPECT_EQ(PtlMEUnlink(cancelled), PTL_ARG_INVALID);
    EXPECT_OK(PtlMEUnlink(append_at(side, me, ct, 1)));
    EXPECT_OK(PtlCTInc(ct, {1, 0}));
    EXPECT_THAT(side.kinds(), IsEmpty());
    EXPECT_OK(PtlPTFree(side.ni, kPortal));
  });
}

// Two may wait; every kind needs a place, and a place is free again when one happened or is
// cancelled.
TEST(Triggered, IsLimited) {
  Scene scene;
  play(scene,
       [](const Side& side, ptl_handle_md_t md, ptl_handle_ct_t ct) {
         EXPECT_OK(put_at(md, 0, ct, 1));
         EXPECT_OK(put_at(md, 1, ct, 2));
         const ptl_process_t there = rank_id(1);
         std::uint64_t operand = 0;
         const ptl_me_t me = me_of(nullptr, 0, 0);
         ptl_handle_me_t handle = 0;
         const ptl_handle_me_t linked = side.append(me);
         EXPECT_EQ(put_at(md, 0, ct, 1), PTL_NO_SPACE);
         EXPECT_EQ(PtlTriggeredGet(md, 0, 1, there, kPortal, 0, 0, nullptr, ct, 9), PTL_NO_SPACE);
         EXPECT_EQ(PtlTriggeredAtomic(md, 0, 8, PTL_NO_ACK_REQ, there, kPortal, 0, 0, nullptr, 0,
                                      PTL_SUM, PTL_INT64_T, ct, 9),
                   PTL_NO_SPACE);
         EXPECT_EQ(PtlTriggeredFetchAtomic(md, 0, md, 0, 8, there, kPortal, 0, 0, nullptr, 0,
                                           PTL_SUM, PTL_INT64_T, ct, 9),
                   PTL_NO_SPACE);
         EXPECT_EQ(PtlTriggeredSwap(md, 0, md, 0, 8, there, kPortal, 0, 0, nullptr, 0, &operand,
                                    PTL_CSWAP, PTL_INT64_T, ct, 9),
                   PTL_NO_SPACE);
         EXPECT_EQ(PtlTriggeredCTInc(ct, {1, 0}, ct, 9), PTL_NO_SPACE);
         EXPECT_EQ(PtlTriggeredCTSet(ct, {1, 0}, ct, 9), PTL_NO_SPACE);
         EXPECT_EQ(PtlTriggeredMEAppend(side.ni, kPortal, &me, PTL_PRIORITY_LIST, nullptr, &handle,
                                        ct, 9),
                   PTL_NO_SPACE);
         EXPECT_EQ(PtlTriggeredMEUnlink(linked, ct, 9), PTL_NO_SPACE);
         EXPECT_OK(PtlCTInc(ct, {1, 0}));
         EXPECT_OK(put_at(md, 3, ct, 9));
         EXPECT_OK(PtlCTCancelTriggered(ct));
         EXPECT_OK(put_at(md, 4, ct, 9));
         EXPECT_OK(put_at(md, 5, ct, 9));
       },
       {"portals.max_triggered_ops=2"});
}

TEST(Triggered, ChecksArguments) {
  Bed bed(1);
  bed.run([](std::uint32_t) {
    const Side side;
    const Side other(PTL_NI_MATCHING | PTL_NI_PHYSICAL);
    char byte = 0;
    const ptl_handle_md_t md = side.bind(&byte, 1);
    const ptl_handle_ct_t ct = side.counter(), foreign = other.counter();
    EXPECT_EQ(put_at(md, 0, PTL_CT_NONE, 1), PTL_ARG_INVALID);
    EXPECT_EQ(put_at(md, 0, foreign, 1), PTL_ARG_INVALID);
    EXPECT_EQ(put_at(md, 1, ct, 1), PTL_ARG_INVALID) << "outside of the descriptor";
    EXPECT_EQ(PtlTriggeredCTInc(ct, {1, 0}, foreign, 1), PTL_ARG_INVALID);
    EXPECT_EQ(PtlTriggeredCTSet(PTL_CT_NONE, {1, 0}, ct, 1), PTL_ARG_INVALID);
    ptl_handle_me_t handle = 0;
    EXPECT_EQ(
        PtlTriggeredMEAppend(side.ni, kPortal, nullptr, PTL_PRIORITY_LIST, nullptr, &handle, ct, 1),
        PTL_ARG_INVALID);
    EXPECT_EQ(PtlTriggeredMEUnlink(PTL_INVALID_HANDLE, ct, 1), PTL_ARG_INVALID);
  });
}

}  // namespace
}  // namespace heddle::portals
