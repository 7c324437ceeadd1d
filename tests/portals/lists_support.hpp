// What tests of the lists share: messages that arrive at a process, and what it hears of them.
#pragma once

#include <utility>

#include "portals/support.hpp"

namespace heddle::portals {

/// The user pointers and kinds of events, as (kind, number).
inline std::vector<std::pair<ptl_event_kind_t, std::uintptr_t>> seen(const Side& side) {
  std::vector<std::pair<ptl_event_kind_t, std::uintptr_t>> all;
  for (const ptl_event_t& event : side.events()) {
    all.emplace_back(event.type, reinterpret_cast<std::uintptr_t>(event.user_ptr));
  }
  return all;
}

using testing::Pair;

/// What rank 0 puts to rank 1: as many of one letter.
struct Message {
  ptl_match_bits_t bits = 0;
  ptl_size_t length = 1;
};

/// Runs `target` on rank 1; the messages, of a, b, c ..., arrive after its first pause.
inline void with_messages(const std::vector<Message>& messages,
                          const std::function<void(const Side&)>& target) {
  Bed bed;
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) return target(side);
    std::vector<char> source(1000);
    const ptl_handle_md_t md = side.bind(source.data(), source.size(), PTL_MD_EVENT_SEND_DISABLE);
    pause();
    for (std::size_t i = 0; i < messages.size(); ++i) {
      std::fill(source.begin(), source.end(), static_cast<char>('a' + i));
      EXPECT_OK(PtlPut(md, 0, messages[i].length, PTL_ACK_REQ, rank_id(1), kPortal,
                       messages[i].bits, 0, nullptr, i));
      EXPECT_EQ(side.wait().type, PTL_EVENT_ACK);
    }
    pause(4);
  });
  EXPECT_EQ(bed.machine().events().in_use(), 0U);
}

/// To the pause in which the messages arrive, and on to its end.
inline void let_them_arrive() {
  pause(2);
}

}  // namespace heddle::portals
