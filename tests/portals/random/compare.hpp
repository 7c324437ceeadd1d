// Expects the same of a process of the real thing and of the model's.
#pragma once

#include "portals/random/real.hpp"

namespace heddle::portals::random {

/// Those fields of an event that mean something in its kind.
inline model::Event translated(const Real& real, const ptl_event_t& event) {
  model::Event result = model::plain(event.type, reinterpret_cast<std::uint64_t>(event.user_ptr));
  result.fail = event.ni_fail_type;
  const bool ends = event.type == PTL_EVENT_ACK || event.type == PTL_EVENT_REPLY;
  const bool found = event.type == PTL_EVENT_SEARCH && event.ni_fail_type == PTL_NI_OK;
  if (ends || found || event.type <= PTL_EVENT_FETCH_ATOMIC_OVERFLOW) {
    result.mlength = event.mlength;
    result.offset = event.remote_offset;
    result.list = event.ptl_list;
  }
  if (found || event.type <= PTL_EVENT_FETCH_ATOMIC_OVERFLOW) {
    result.start = static_cast<unsigned char*>(event.start) - real.memory.data();
    if (event.mlength == 0) result.start = -1;
    result.hdr_data = event.hdr_data;
    result.bits = event.match_bits;
    result.rlength = event.rlength;
    result.initiator = event.initiator.rank;
  }
  return result;
}

inline std::string text(const model::Event& e) {
  return "kind " + std::to_string(e.kind) + " user " + std::to_string(e.user) + " fail " +
         std::to_string(e.fail) + " start " + std::to_string(e.start) + " hdr " +
         std::to_string(e.hdr_data) + " bits " + std::to_string(e.bits) + " rlength " +
         std::to_string(e.rlength) + " mlength " + std::to_string(e.mlength) + " offset " +
         std::to_string(e.offset) + " from " + std::to_string(e.initiator) + " list " +
         std::to_string(e.list);
}

/// Reads one event of the target's queue on both sides; false if there is none.
inline bool compare_next_event(const Real& real, model::Process& process) {
  ptl_event_t event{};
  const int answer = PtlEQGet(real.target_queue, &event);
  auto expected = process.target_queue.read();
  if (!expected) {
    EXPECT_EQ(answer, PTL_EQ_EMPTY);
    return false;
  }
  if (expected->first.mlength == 0) expected->first.start = -1;
  EXPECT_EQ(answer, expected->second ? PTL_EQ_DROPPED : PTL_OK) << text(expected->first);
  EXPECT_EQ(text(translated(real, event)), text(expected->first));
  return answer != PTL_EQ_EMPTY;
}

inline void sort_by_operation(std::vector<model::Event>& events) {
  std::stable_sort(events.begin(), events.end(),
                   [](const auto& a, const auto& b) { return a.user < b.user; });
}

/// Reads all events at the initiator, by operation: those of several may come in any order.
inline void compare_initiator(const Real& real, model::Process& process) {
  std::vector<model::Event> came, expected;
  ptl_event_t event{};
  while (PtlEQGet(real.initiator_queue, &event) == PTL_OK) came.push_back(translated(real, event));
  while (const auto next = process.initiator_queue.read()) expected.push_back(next->first);
  sort_by_operation(came);
  sort_by_operation(expected);
  EXPECT_EQ(came.size(), expected.size());
  for (std::size_t i = 0; i < std::min(came.size(), expected.size()); ++i) {
    EXPECT_EQ(text(came[i]), text(expected[i]));
  }
}

/// Counters, status registers and memory.
inline void compare_state(const Real& real, const model::Process& process) {
  for (std::size_t i = 0; i < kCounters; ++i) {
    ptl_ct_event_t value{};
    EXPECT_OK(PtlCTGet(real.counters[i], &value));
    EXPECT_EQ(value.success, process.counters[i].value.success) << "of counter " << i;
    EXPECT_EQ(value.failure, process.counters[i].value.failure) << "of counter " << i;
  }
  for (int i = 0; i < PTL_SR_LAST; ++i) {
    ptl_sr_value_t value = 0;
    EXPECT_OK(PtlNIStatus(real.ni, static_cast<ptl_sr_index_t>(i), &value));
    EXPECT_EQ(value, process.status[i]) << "of status register " << i;
  }
  EXPECT_TRUE(real.memory == process.memory) << "memory differs";
}

}  // namespace heddle::portals::random
