// The real thing's side of a random sequence: what was drawn, as calls of Portals.
#pragma once

#include "portals/random/draw.hpp"
#include "portals/support.hpp"

namespace heddle::portals::random {

inline constexpr std::size_t kQueue = 8;              ///< Events that a target's queue holds.
inline constexpr std::size_t kInitiatorQueue = 1000;  ///< More than ever are in it.

/// One process of the real thing.
class Real {
 public:
  void set_up(Draw& draw) {
    matching_ = draw.matching();
    EXPECT_OK(PtlInit());
    EXPECT_OK(PtlNIInit(PTL_IFACE_DEFAULT,
                        (matching_ ? PTL_NI_MATCHING : PTL_NI_NO_MATCHING) | PTL_NI_LOGICAL,
                        PTL_PID_ANY, nullptr, nullptr, &ni));
    EXPECT_OK(PtlEQAlloc(ni, kQueue, &target_queue));
    EXPECT_OK(PtlEQAlloc(ni, kInitiatorQueue, &initiator_queue));
    for (ptl_pt_index_t i = 0; i < kPortals; ++i) {
      ptl_pt_index_t index = 0;
      EXPECT_OK(PtlPTAlloc(ni, i == 1 ? PTL_PT_FLOWCTRL : 0, target_queue, i, &index));
    }
    counters.resize(kCounters);
    for (ptl_handle_ct_t& counter : counters) EXPECT_OK(PtlCTAlloc(ni, &counter));
    sources = descriptors(draw, kEntries, kSource);
    for (std::uint32_t r = 0; r < kRanks; ++r) {
      results.push_back(descriptors(draw, kEntries + kSource + r * kResult, kResult));
    }
  }

  // Lists.

  ptl_handle_me_t append(const DrawnEntry& drawn, ptl_pt_index_t portal, ptl_list_t list) {
    std::vector<ptl_iovec_t> pieces;
    const ptl_me_t me = me_for(drawn, pieces);
    const ptl_le_t le = le_of(me);
    void* const user_ptr = user(drawn.spec.user);
    ptl_handle_me_t handle = 0;
    EXPECT_OK(matching_ ? PtlMEAppend(ni, portal, &me, list, user_ptr, &handle)
                        : PtlLEAppend(ni, portal, &le, list, user_ptr, &handle));
    return handle;
  }
  int unlink(ptl_handle_me_t entry) const {
    return matching_ ? PtlMEUnlink(entry) : PtlLEUnlink(entry);
  }
  void search(const DrawnEntry& drawn, ptl_pt_index_t portal, ptl_search_op_t what) {
    std::vector<ptl_iovec_t> pieces;
    const ptl_me_t me = me_for(drawn, pieces);
    const ptl_le_t le = le_of(me);
    void* const user_ptr = user(drawn.spec.user);
    EXPECT_OK(matching_ ? PtlMESearch(ni, portal, &me, what, user_ptr)
                        : PtlLESearch(ni, portal, &le, what, user_ptr));
  }

  // Operations.

  static int start(const DrawnTransfer& drawn) {
    const auto& [t, out, in] = drawn;
    const ptl_process_t to = rank_id(t.target);
    const auto portal = static_cast<ptl_pt_index_t>(t.portal);
    void* const user_ptr = user(t.user);
    switch (t.kind) {
      case model::Kind::put:
        return PtlPut(out.descriptor->handle, out.offset, t.length, t.ack, to, portal, t.bits,
                      t.offset, user_ptr, t.hdr_data);
      case model::Kind::get:
        return PtlGet(in.descriptor->handle, in.offset, t.length, to, portal, t.bits, t.offset,
                      user_ptr);
      case model::Kind::atomic:
        return PtlAtomic(out.descriptor->handle, out.offset, t.length, t.ack, to, portal, t.bits,
                         t.offset, user_ptr, t.hdr_data, t.op, t.type);
      case model::Kind::fetch:
        break;
    }
    if (is_swap(t)) {
      return PtlSwap(in.descriptor->handle, in.offset, out.descriptor->handle, out.offset, t.length,
                     to, portal, t.bits, t.offset, user_ptr, t.hdr_data, t.operand.data(), t.op,
                     t.type);
    }
    return PtlFetchAtomic(in.descriptor->handle, in.offset, out.descriptor->handle, out.offset,
                          t.length, to, portal, t.bits, t.offset, user_ptr, t.hdr_data, t.op,
                          t.type);
  }

  static int start_triggered(const DrawnTransfer& drawn, ptl_handle_ct_t counter,
                             ptl_size_t threshold) {
    const auto& [t, out, in] = drawn;
    const ptl_process_t to = rank_id(t.target);
    const auto portal = static_cast<ptl_pt_index_t>(t.portal);
    void* const user_ptr = user(t.user);
    switch (t.kind) {
      case model::Kind::put:
        return PtlTriggeredPut(out.descriptor->handle, out.offset, t.length, t.ack, to, portal,
                               t.bits, t.offset, user_ptr, t.hdr_data, counter, threshold);
      case model::Kind::get:
        return PtlTriggeredGet(in.descriptor->handle, in.offset, t.length, to, portal, t.bits,
                               t.offset, user_ptr, counter, threshold);
      case model::Kind::atomic:
        return PtlTriggeredAtomic(out.descriptor->handle, out.offset, t.length, t.ack, to, portal,
                                  t.bits, t.offset, user_ptr, t.hdr_data, t.op, t.type, counter,
                                  threshold);
      case model::Kind::fetch:
        break;
    }
    if (is_swap(t)) {
      return PtlTriggeredSwap(in.descriptor->handle, in.offset, out.descriptor->handle, out.offset,
                              t.length, to, portal, t.bits, t.offset, user_ptr, t.hdr_data,
                              t.operand.data(), t.op, t.type, counter, threshold);
    }
    return PtlTriggeredFetchAtomic(in.descriptor->handle, in.offset, out.descriptor->handle,
                                   out.offset, t.length, to, portal, t.bits, t.offset, user_ptr,
                                   t.hdr_data, t.op, t.type, counter, threshold);
  }

  std::vector<unsigned char> memory = std::vector<unsigned char>(kMemory);
  ptl_handle_ni_t ni = 0;
  ptl_handle_eq_t target_queue = 0, initiator_queue = 0;
  std::vector<ptl_handle_ct_t> counters;
  std::vector<Descriptor> sources;
  std::vector<std::vector<Descriptor>> results;  ///< By target.

 private:
  static bool is_swap(const model::Transfer& t) { return t.op >= PTL_SWAP && t.op <= PTL_MSWAP; }

  std::vector<Descriptor> descriptors(Draw& draw, std::size_t begin, std::size_t size) {
    std::vector<Descriptor> all;
    for (std::size_t i = 0; i < kDescriptors; ++i) {
      all.push_back(draw.descriptor(begin, size));
      Descriptor& descriptor = all.back();
      std::vector<ptl_iovec_t> pieces;
      ptl_md_t md{memory.data() + begin, size, descriptor.options, initiator_queue,
                  counter_of(descriptor.counter)};
      cut_up(descriptor.area, pieces, md);
      EXPECT_OK(PtlMDBind(ni, &md, &descriptor.handle));
    }
    return all;
  }

  /// `pieces` must live as long as the call that the result is for.
  ptl_me_t me_for(const DrawnEntry& drawn, std::vector<ptl_iovec_t>& pieces) {
    const model::EntrySpec& spec = drawn.spec;
    ptl_me_t me = me_of(memory.data() + drawn.area.begin, drawn.area.size, spec.options, spec.bits);
    cut_up(drawn.area, pieces, me);
    me.ct_handle = counter_of(spec.counter);
    if (!spec.right_user) me.uid = 7;
    me.ignore_bits = spec.ignore;
    me.min_free = spec.min_free;
    if (spec.from) me.match_id = rank_id(*spec.from);
    return me;
  }

  /// Names the area's pieces instead of its bytes, if it is in pieces.
  template <class EntryOrDescriptor>
  void cut_up(const Area& area, std::vector<ptl_iovec_t>& pieces, EntryOrDescriptor& what) {
    if (!area.cut) return;
    unsigned char* const start = memory.data() + area.begin;
    pieces = {{start + *area.cut, area.size - *area.cut}, {start, *area.cut}};
    what.start = pieces.data();
    what.length = pieces.size();
  }

  ptl_handle_ct_t counter_of(const std::optional<std::size_t>& counter) const {
    return counter ? counters[*counter] : PTL_CT_NONE;
  }

  bool matching_ = true;
};

}  // namespace heddle::portals::random
