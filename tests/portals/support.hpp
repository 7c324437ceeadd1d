// What tests of Portals share: a job on a small machine, and a process with the usual objects.
#pragma once

#include <gmock/gmock.h>
#include <portals4.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "job_bed.hpp"
#include "portals/machine.hpp"

namespace heddle::portals {

#define EXPECT_OK(call) EXPECT_EQ((call), PTL_OK)

/// Ranks with adapters behind PCIe, on the network `queue`.
class Bed : public JobBed {
 public:
  explicit Bed(std::uint32_t ranks = 2, const std::vector<std::string>& sets = {},
               std::uint32_t ranks_per_node = 1, const nic::Faults& faults = {},
               AddressSpace* memory = nullptr)
      : JobBed({ranks, ranks_per_node, kMachineWithPcie, "queue", memory}, {&portals_table()},
               sets),
        machine_(job(), network(), settings().get(portals_table()), faults) {}

  void run(std::function<void(std::uint32_t)> body) { run_plain(std::move(body)); }
  Machine& machine() { return machine_; }

 private:
  Machine machine_;
};

/// Lets the running rank sleep to the next whole millisecond, or the one `times` further on: what
/// is under way is done then, and ranks that pause as often meet.
inline void pause(std::int64_t times = 1) {
  host::Rank& rank = *host::current_rank();
  const std::int64_t millisecond = Time::ms(1).ps();
  const Time next = Time::ms(rank.now().ps() / millisecond + times);
  rank.thread().waits().sleep(next - rank.now());
}
inline Time now() {
  return host::current_rank()->now();
}

/// A number as what a caller gives an operation or entry to know its events by.
inline void* user(std::uintptr_t number) {
  return reinterpret_cast<void*>(number);
}

inline ptl_process_t rank_id(std::uint32_t rank) {
  ptl_process_t id{};
  id.rank = rank;
  return id;
}
inline ptl_process_t any_process() {
  ptl_process_t id{};
  id.phys = {PTL_NID_ANY, PTL_PID_ANY};
  return id;
}

/// A match-list entry that takes everything whose bits are `bits`.
inline ptl_me_t me_of(void* start, ptl_size_t length, unsigned int options,
                      ptl_match_bits_t bits = 0) {
  ptl_me_t me{};
  me.start = start;
  me.length = length;
  me.ct_handle = PTL_CT_NONE;
  me.uid = PTL_UID_ANY;
  me.options = options;
  me.match_id = any_process();
  me.match_bits = bits;
  return me;
}
/// The same without matching.
inline ptl_le_t le_of(const ptl_me_t& me) {
  return {me.start, me.length, me.ct_handle, me.uid, me.options};
}
inline ptl_le_t le_of(void* start, ptl_size_t length, unsigned int options) {
  return le_of(me_of(start, length, options));
}

inline constexpr unsigned int kPutGet = PTL_ME_OP_PUT | PTL_ME_OP_GET;
/// Of an entry for puts that does not tell when it is linked.
inline constexpr unsigned int kQuiet = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE;
inline constexpr ptl_pt_index_t kPortal = 4;

/// A process with one interface, an event queue, and portal 4 on it.
class Side {
 public:
  explicit Side(unsigned int interface = PTL_NI_MATCHING | PTL_NI_LOGICAL,
                unsigned int portal_options = 0, ptl_size_t events = 100) {
    EXPECT_OK(PtlInit());
    EXPECT_OK(PtlNIInit(PTL_IFACE_DEFAULT, interface, PTL_PID_ANY, nullptr, &limits, &ni));
    EXPECT_OK(PtlEQAlloc(ni, events, &eq));
    ptl_pt_index_t index = 0;
    EXPECT_OK(PtlPTAlloc(ni, portal_options, eq, kPortal, &index));
    EXPECT_EQ(index, kPortal);
  }

  ptl_handle_md_t bind(void* start, ptl_size_t length, unsigned int options = 0,
                       ptl_handle_ct_t ct = PTL_CT_NONE) const {
    const ptl_md_t md{start, length, options, eq, ct};
    ptl_handle_md_t handle = PTL_INVALID_HANDLE;
    EXPECT_OK(PtlMDBind(ni, &md, &handle));
    return handle;
  }
  ptl_handle_me_t append(const ptl_me_t& me, ptl_list_t list = PTL_PRIORITY_LIST,
                         void* user = nullptr) const {
    ptl_handle_me_t handle = PTL_INVALID_HANDLE;
    EXPECT_OK(PtlMEAppend(ni, kPortal, &me, list, user, &handle));
    return handle;
  }
  ptl_handle_ct_t counter() const {
    ptl_handle_ct_t handle = PTL_INVALID_HANDLE;
    EXPECT_OK(PtlCTAlloc(ni, &handle));
    return handle;
  }
  /// A put of the whole descriptor to portal 4 of `target`.
  int put(ptl_handle_md_t md, ptl_size_t length, std::uint32_t target, ptl_match_bits_t bits = 0,
          ptl_size_t remote_offset = 0, ptl_ack_req_t ack = PTL_ACK_REQ) const {
    return PtlPut(md, 0, length, ack, rank_id(target), kPortal, bits, remote_offset, nullptr, 0);
  }
  int get(ptl_handle_md_t md, ptl_size_t length, std::uint32_t target, ptl_match_bits_t bits = 0,
          ptl_size_t remote_offset = 0) const {
    return PtlGet(md, 0, length, rank_id(target), kPortal, bits, remote_offset, nullptr);
  }

  ptl_event_t wait() const {
    ptl_event_t event{};
    EXPECT_OK(PtlEQWait(eq, &event));
    return event;
  }
  /// All events that are there when everything under way is done.
  std::vector<ptl_event_t> events() const {
    pause();
    std::vector<ptl_event_t> all;
    ptl_event_t event;
    while (PtlEQGet(eq, &event) == PTL_OK) all.push_back(event);
    return all;
  }
  std::vector<ptl_event_kind_t> kinds() const {
    std::vector<ptl_event_kind_t> all;
    for (const ptl_event_t& event : events()) all.push_back(event.type);
    return all;
  }
  static ptl_ct_event_t value(ptl_handle_ct_t ct) {
    ptl_ct_event_t event{};
    EXPECT_OK(PtlCTGet(ct, &event));
    return event;
  }
  ptl_sr_value_t status(ptl_sr_index_t which) const {
    ptl_sr_value_t value = 0;
    EXPECT_OK(PtlNIStatus(ni, which, &value));
    return value;
  }

  ptl_handle_ni_t ni = PTL_INVALID_HANDLE;
  ptl_handle_eq_t eq = PTL_INVALID_HANDLE;
  ptl_ni_limits_t limits{};
};

using testing::ElementsAre;
using testing::IsEmpty;

}  // namespace heddle::portals

inline bool operator==(const ptl_ct_event_t& a, const ptl_ct_event_t& b) {
  return a.success == b.success && a.failure == b.failure;
}
