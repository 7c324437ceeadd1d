// What calls refuse: bad handles, places outside of memory, targets that cannot be.
#include "portals/support.hpp"

namespace heddle::portals {
namespace {

static_assert(PTL_EQ_NONE != PTL_INVALID_HANDLE && PTL_CT_NONE != PTL_INVALID_HANDLE);
static_assert(PTL_EQ_NONE != PTL_CT_NONE);
static_assert(PTL_INTERRUPTED != PTL_ABORTED && PTL_INTERRUPTED != PTL_OK);
static_assert(sizeof(ptl_process_t) == 8);

template <class Body>
void run_alone(Body body) {
  Bed bed(1);
  bed.run([&](std::uint32_t) { body(); });
}

TEST(Descriptor, ChecksArguments) {
  run_alone([] {
    const Side side;
    const Side other(PTL_NI_MATCHING | PTL_NI_PHYSICAL);
    ptl_handle_md_t handle = 0;
    const auto bind = [&](const ptl_md_t& md) { return PtlMDBind(side.ni, &md, &handle); };
    EXPECT_OK(bind({nullptr, 0, 0, PTL_EQ_NONE, PTL_CT_NONE}));
    EXPECT_OK(bind({nullptr, PTL_SIZE_MAX, 0, side.eq, PTL_CT_NONE}));
    EXPECT_EQ(bind({nullptr, 0, 1U << 30, PTL_EQ_NONE, PTL_CT_NONE}), PTL_ARG_INVALID);
    EXPECT_EQ(bind({nullptr, 0, 0, other.eq, PTL_CT_NONE}), PTL_ARG_INVALID);
    EXPECT_EQ(bind({nullptr, 0, 0, PTL_EQ_NONE, other.counter()}), PTL_ARG_INVALID);
    EXPECT_EQ(bind({nullptr, 0, 0, PTL_INVALID_HANDLE, PTL_CT_NONE}), PTL_ARG_INVALID);
    EXPECT_EQ(bind({nullptr, 1, PTL_IOVEC, PTL_EQ_NONE, PTL_CT_NONE}), PTL_ARG_INVALID);
    EXPECT_EQ(bind({nullptr, 1ULL << 40, PTL_IOVEC, PTL_EQ_NONE, PTL_CT_NONE}), PTL_ARG_INVALID);
    EXPECT_EQ(PtlMDBind(side.ni, nullptr, &handle), PTL_ARG_INVALID);
    const ptl_md_t fine{nullptr, 0, 0, PTL_EQ_NONE, PTL_CT_NONE};
    EXPECT_EQ(PtlMDBind(side.ni, &fine, nullptr), PTL_ARG_INVALID);
    EXPECT_EQ(PtlMDBind(PTL_INVALID_HANDLE, &fine, &handle), PTL_ARG_INVALID);
    EXPECT_EQ(PtlMDBind(side.eq, &fine, &handle), PTL_ARG_INVALID) << "a handle of another kind";
    EXPECT_EQ(PtlMDRelease(side.eq), PTL_ARG_INVALID);
  });
}

TEST(Transfer, ChecksArguments) {
  run_alone([] {
    const Side side;
    char memory[8] = {};
    const ptl_handle_md_t md = side.bind(memory, 8);
    const auto put = [&](ptl_handle_md_t from, ptl_size_t offset, ptl_size_t length,
                         ptl_ack_req_t ack = PTL_ACK_REQ, std::uint32_t target = 0) {
      return PtlPut(from, offset, length, ack, rank_id(target), kPortal, 0, 0, nullptr, 0);
    };
    EXPECT_EQ(put(PTL_INVALID_HANDLE, 0, 1), PTL_ARG_INVALID);
    EXPECT_EQ(put(side.ni, 0, 1), PTL_ARG_INVALID);
    EXPECT_EQ(put(md, 0, 9), PTL_ARG_INVALID);
    EXPECT_EQ(put(md, 8, 1), PTL_ARG_INVALID);
    EXPECT_EQ(put(md, PTL_SIZE_MAX, 2), PTL_ARG_INVALID) << "the sum overflows";
    EXPECT_EQ(put(md, 0, 1, static_cast<ptl_ack_req_t>(9)), PTL_ARG_INVALID);
    EXPECT_EQ(put(md, 0, 1, PTL_ACK_REQ, 1), PTL_ARG_INVALID) << "there is one rank";
    EXPECT_EQ(put(md, 0, 1, PTL_ACK_REQ, PTL_RANK_ANY), PTL_ARG_INVALID);
    const ptl_handle_md_t all = side.bind(nullptr, PTL_SIZE_MAX);
    EXPECT_EQ(put(all, 0, (4ULL << 30) + 1), PTL_ARG_INVALID) << "4 GiB is the most";
    EXPECT_EQ(side.get(md, 9, 0), PTL_ARG_INVALID);
    EXPECT_EQ(side.get(PTL_INVALID_HANDLE, 1, 0), PTL_ARG_INVALID);
    const Side physical(PTL_NI_MATCHING | PTL_NI_PHYSICAL);
    const ptl_handle_md_t there = physical.bind(memory, 8);
    ptl_process_t target = any_process();
    EXPECT_EQ(PtlPut(there, 0, 1, PTL_ACK_REQ, target, kPortal, 0, 0, nullptr, 0), PTL_ARG_INVALID);
    target.phys = {1, 1};
    EXPECT_EQ(PtlPut(there, 0, 1, PTL_ACK_REQ, target, kPortal, 0, 0, nullptr, 0), PTL_ARG_INVALID)
        << "there is one node";
    EXPECT_THAT(side.kinds(), IsEmpty());
  });
}

}  // namespace
}  // namespace heddle::portals
