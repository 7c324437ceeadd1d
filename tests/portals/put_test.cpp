#include <numeric>

#include "portals/support.hpp"

namespace heddle::portals {
namespace {

std::vector<char> letters(std::size_t count, char first = 'a') {
  std::vector<char> all(count);
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// Rank 1 appends `me` on memory of `room` bytes of '.', rank 0 puts `length` letters to it.
struct Exchange {
  std::vector<char> memory;
  std::vector<ptl_event_t> initiator;  ///< Events there.
  std::vector<ptl_event_t> target;
};

Exchange exchange(std::size_t room, unsigned int me_options, std::size_t length,
                  ptl_size_t offset = 0, unsigned int md_options = 0,
                  ptl_ack_req_t ack = PTL_ACK_REQ) {
  Exchange result;
  result.memory.assign(room, '.');
  Bed bed;
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      side.append(me_of(result.memory.data(), room, me_options | PTL_ME_EVENT_LINK_DISABLE));
      pause();
      result.target = side.events();
    } else {
      std::vector<char> source = letters(length);
      const ptl_handle_md_t md = side.bind(source.data(), length, md_options);
      pause();
      EXPECT_OK(PtlPut(md, 0, length, ack, rank_id(1), kPortal, 0, offset, &result, 77));
      result.initiator = side.events();
    }
  });
  return result;
}

std::vector<ptl_event_kind_t> kinds(const std::vector<ptl_event_t>& events) {
  std::vector<ptl_event_kind_t> all;
  for (const ptl_event_t& event : events) all.push_back(event.type);
  return all;
}

std::string text(const std::vector<char>& memory) {
  return {memory.begin(), memory.end()};
}

// The data lands at the offset asked for; the initiator hears SEND and ACK, the target PUT, each
// with what belongs to it.
TEST(Put, MovesDataAndTellsBothSides) {
  const Exchange done = exchange(8, PTL_ME_OP_PUT, 3, 2);
  EXPECT_EQ(text(done.memory), "..abc...");
  ASSERT_THAT(kinds(done.initiator), ElementsAre(PTL_EVENT_SEND, PTL_EVENT_ACK));
  const ptl_event_t& ack = done.initiator[1];
  EXPECT_EQ(ack.mlength, 3U);
  EXPECT_EQ(ack.remote_offset, 2U);
  EXPECT_EQ(ack.ptl_list, PTL_PRIORITY_LIST);
  EXPECT_EQ(ack.ni_fail_type, PTL_NI_OK);
  EXPECT_EQ(ack.user_ptr, &done);
  ASSERT_THAT(kinds(done.target), ElementsAre(PTL_EVENT_PUT));
  const ptl_event_t& put = done.target[0];
  EXPECT_EQ(put.start, done.memory.data() + 2);
  EXPECT_EQ(put.rlength, 3U);
  EXPECT_EQ(put.mlength, 3U);
  EXPECT_EQ(put.hdr_data, 77U);
  EXPECT_EQ(put.initiator.rank, 0U);
  EXPECT_EQ(put.pt_index, kPortal);
  EXPECT_EQ(put.ptl_list, PTL_PRIORITY_LIST);
}

}  // namespace
}  // namespace heddle::portals
