// Gets, and what they share with puts.
#include "portals/support.hpp"

namespace heddle::portals {
namespace {

/// Rank 1 offers "abcdefgh", rank 0 gets `length` bytes from `offset`.
struct GetOutcome {
  std::string memory;
  std::vector<ptl_event_t> initiator, target;
  ptl_ct_event_t count{};
};

GetOutcome run_get(unsigned int me_options, ptl_size_t length, ptl_size_t offset,
                   unsigned int md_options = 0) {
  GetOutcome outcome{std::string(8, '.'), {}, {}, {}};
  std::string source = "abcdefgh";
  Bed bed;
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      side.append(me_of(source.data(), 8, me_options | PTL_ME_EVENT_LINK_DISABLE));
      pause();
      outcome.target = side.events();
      return;
    }
    const ptl_handle_ct_t ct = side.counter();
    const ptl_handle_md_t md = side.bind(outcome.memory.data(), 8, md_options, ct);
    pause();
    EXPECT_OK(side.get(md, length, 1, 0, offset));
    EXPECT_EQ(PtlMDRelease(md), PTL_IN_USE);
    outcome.initiator = side.events();
    outcome.count = Side::value(ct);
    EXPECT_OK(PtlMDRelease(md));
  });
  EXPECT_EQ(bed.machine().commands().in_use(), 0U);
  return outcome;
}

// The reply says how much came, from where and from which list; the target hears GET.
TEST(Get, BringsData) {
  const GetOutcome done = run_get(PTL_ME_OP_GET, 3, 2, PTL_MD_EVENT_CT_REPLY);
  EXPECT_EQ(done.memory, "cde.....");
  ASSERT_EQ(done.initiator.size(), 1U);
  EXPECT_EQ(done.initiator[0].type, PTL_EVENT_REPLY);
  EXPECT_EQ(done.initiator[0].mlength, 3U);
  EXPECT_EQ(done.initiator[0].remote_offset, 2U);
  EXPECT_EQ(done.initiator[0].ni_fail_type, PTL_NI_OK);
  ASSERT_EQ(done.target.size(), 1U);
  EXPECT_EQ(done.target[0].type, PTL_EVENT_GET);
  EXPECT_EQ(done.target[0].mlength, 3U);
  EXPECT_EQ(done.count, (ptl_ct_event_t{1, 0}));
}

TEST(Get, IsTruncated) {
  const GetOutcome done =
      run_get(PTL_ME_OP_GET, 5, 6, PTL_MD_EVENT_CT_REPLY | PTL_MD_EVENT_CT_BYTES);
  EXPECT_EQ(done.memory, "gh......");
  EXPECT_EQ(done.initiator[0].mlength, 2U);
  EXPECT_EQ(done.count, (ptl_ct_event_t{2, 0}));
}

TEST(Get, NeedsPermission) {
  const GetOutcome done =
      run_get(PTL_ME_OP_PUT, 3, 0, PTL_MD_EVENT_CT_REPLY | PTL_MD_EVENT_CT_BYTES);
  EXPECT_EQ(done.memory, "........");
  EXPECT_EQ(done.initiator[0].ni_fail_type, PTL_NI_OP_VIOLATION);
  EXPECT_EQ(done.count, (ptl_ct_event_t{0, 1})) << "failures count one, not bytes";
  EXPECT_THAT(done.target, IsEmpty());
}

TEST(Get, WithoutAMatchIsDropped) {
  const GetOutcome done = run_get(PTL_ME_OP_GET | PTL_ME_NO_TRUNCATE, 8, 1);
  EXPECT_EQ(done.initiator[0].ni_fail_type, PTL_NI_DROPPED);
}

// A get that finds its entry in the overflow list leaves a header there.
TEST(Get, MayBeUnexpected) {
  Bed bed;
  std::string source = "abcdefgh", memory(8, '.');
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      side.append(me_of(source.data(), 8, PTL_ME_OP_GET | PTL_ME_EVENT_LINK_DISABLE),
                  PTL_OVERFLOW_LIST);
      pause();
      EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_GET));
      side.append(me_of(nullptr, 0, PTL_ME_OP_GET | PTL_ME_USE_ONCE));
      const std::vector<ptl_event_t> events = side.events();
      EXPECT_EQ(events.size(), 2U);
      EXPECT_EQ(events[0].type, PTL_EVENT_GET_OVERFLOW);
      EXPECT_EQ(events[0].start, source.data() + 1);
      EXPECT_EQ(events[1].type, PTL_EVENT_AUTO_UNLINK);
      return;
    }
    pause();
    EXPECT_OK(side.get(side.bind(memory.data(), 8), 3, 1, 0, 1));
    const ptl_event_t reply = side.wait();
    EXPECT_EQ(reply.ptl_list, PTL_OVERFLOW_LIST);
    EXPECT_EQ(reply.mlength, 3U);
  });
  EXPECT_EQ(memory, "bcd.....");
}

TEST(Get, ScattersIntoPieces) {
  Bed bed;
  std::string source = "abcdefgh", a = "..", b = "....";
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      side.append(me_of(source.data(), 8, PTL_ME_OP_GET));
      return pause(2);
    }
    ptl_iovec_t pieces[] = {{a.data(), 2}, {nullptr, 0}, {b.data(), 4}};
    const ptl_handle_md_t md = side.bind(pieces, 3, PTL_IOVEC);
    pause();
    EXPECT_OK(PtlGet(md, 1, 4, rank_id(1), kPortal, 0, 0, nullptr));
    EXPECT_EQ(side.wait().start, a.data() + 1);
  });
  EXPECT_EQ(a + "|" + b, ".a|bcd.");
}

}  // namespace
}  // namespace heddle::portals
