// Random sequences of calls, through Portals on simulated adapters and through the plain model:
// answers, memory, events, counters and status registers must be the same after every step.
//
// Steps follow one another when everything is quiet, so that the model needs no idea of time. What
// one step triggers in several processes may happen in any order, so it is kept to what commutes:
// counters that messages change trigger increments only; the others, which only calls change, also
// trigger messages, none of them to the process itself.
#include <memory>

#include "core/random.hpp"
#include "portals/model.hpp"
#include "portals/support.hpp"

namespace heddle::portals {
namespace {

constexpr std::uint32_t kRanks = 3;
constexpr int kSteps = 80;
constexpr std::uint64_t kFirstSeed = 1;
constexpr std::uint64_t kSequences = 1200;

// A process's memory: entries, then what it sends, then what it gets back from each rank.
constexpr std::size_t kEntries = 256, kSource = 64, kResult = 64;
constexpr std::size_t kMemory = kEntries + kSource + kRanks * kResult;
constexpr std::size_t kPortals = 2;   ///< The second with flow control.
constexpr std::size_t kCounters = 4;  ///< The last two are those that messages change.
constexpr std::size_t kDriven = 2;
constexpr std::size_t kDescriptors = 4;
constexpr std::size_t kQueue = 8;

struct Descriptor {
  ptl_handle_md_t handle = 0;
  unsigned int options = 0;
  std::optional<std::size_t> counter;
  model::Positions positions;
};

struct Appended {
  ptl_handle_me_t handle = 0;
  std::size_t id = 0;
  std::size_t portal = 0;
};

/// One process of the real thing.
struct Real {
  std::vector<unsigned char> memory = std::vector<unsigned char>(kMemory);
  ptl_handle_ni_t ni = 0;
  ptl_handle_eq_t target_queue = 0, initiator_queue = 0;
  std::vector<ptl_handle_ct_t> counters;
  std::vector<Descriptor> sources;
  std::vector<std::vector<Descriptor>> results;  ///< By target.
  std::vector<Appended> entries;
};

/// One sequence.
class Sequence {
 public:
  explicit Sequence(std::uint64_t seed) : seed_(seed), random_(seed), real_(kRanks) {
    world_.processes.resize(kRanks);
    world_.max_headers = 4;
    world_.matching = chance(75);
    for (model::Process& process : world_.processes) {
      process.memory.resize(kMemory);
      process.portals.resize(kPortals);
      process.portals[1].flow_control = true;
      process.counters.resize(kCounters);
      process.target_queue.capacity = kQueue;
      process.initiator_queue.capacity = 1000;
    }
  }

  void run() {
    SCOPED_TRACE("seed " + std::to_string(seed_));
    Bed bed(kRanks, {"portals.max_unexpected_headers=4"});
    bed.run([this](std::uint32_t rank) { live(rank); });
    EXPECT_EQ(bed.machine().commands_in_use(), 0U);
    EXPECT_EQ(bed.machine().events().in_use(), 0U);
    EXPECT_EQ(bed.machine().counters().in_use(), 0U);
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  bool chance(std::uint64_t percent) { return below(100) < percent; }
  /// Each bit with its own chance.
  unsigned int some(std::initializer_list<std::pair<unsigned int, int>> options) {
    unsigned int result = 0;
    for (const auto& [option, percent] : options) {
      if (chance(static_cast<std::uint64_t>(percent))) result |= option;
    }
    return result;
  }

  void live(std::uint32_t rank) {
    set_up(rank);
    for (int i = 0; i < kSteps && !testing::Test::HasFailure(); ++i) {
      pause();
      if (rank == 0) actor_ = static_cast<std::uint32_t>(below(kRanks));
      pause();
      if (rank == actor_) step(rank);
      pause();
      check(rank, "step " + std::to_string(i) + " " + did_);
    }
    pause();
    read_all(rank);
  }

  // Setting up.

  void set_up(std::uint32_t rank) {
    Real& real = real_[rank];
    const unsigned int matching = world_.matching ? PTL_NI_MATCHING : PTL_NI_NO_MATCHING;
    EXPECT_OK(PtlInit());
    EXPECT_OK(PtlNIInit(PTL_IFACE_DEFAULT, matching | PTL_NI_LOGICAL, PTL_PID_ANY, nullptr, nullptr,
                        &real.ni));
    EXPECT_OK(PtlEQAlloc(real.ni, kQueue, &real.target_queue));
    EXPECT_OK(PtlEQAlloc(real.ni, 1000, &real.initiator_queue));
    for (ptl_pt_index_t i = 0; i < kPortals; ++i) {
      ptl_pt_index_t index = 0;
      EXPECT_OK(PtlPTAlloc(real.ni, i == 1 ? PTL_PT_FLOWCTRL : 0, real.target_queue, i, &index));
    }
    real.counters.resize(kCounters);
    for (ptl_handle_ct_t& counter : real.counters) EXPECT_OK(PtlCTAlloc(real.ni, &counter));
    real.sources = descriptors(real, kEntries, kSource);
    for (std::uint32_t r = 0; r < kRanks; ++r) {
      real.results.push_back(descriptors(real, kEntries + kSource + r * kResult, kResult));
    }
  }

  std::vector<Descriptor> descriptors(Real& real, std::size_t begin, std::size_t size) {
    std::vector<Descriptor> all(kDescriptors);
    for (Descriptor& descriptor : all) {
      descriptor.options = some({{PTL_MD_EVENT_SUCCESS_DISABLE, 15},
                                 {PTL_MD_EVENT_SEND_DISABLE, 25},
                                 {PTL_MD_EVENT_CT_SEND, 40},
                                 {PTL_MD_EVENT_CT_REPLY, 60},
                                 {PTL_MD_EVENT_CT_ACK, 60},
                                 {PTL_MD_EVENT_CT_BYTES, 40},
                                 {PTL_MD_VOLATILE, 30},
                                 {PTL_IOVEC, 40}});
      if (chance(70)) descriptor.counter = kDriven + below(kCounters - kDriven);
      std::vector<ptl_iovec_t> pieces;
      descriptor.positions = positions(real, begin, size, descriptor.options, pieces);
      void* const start =
          pieces.empty() ? static_cast<void*>(real.memory.data() + begin) : pieces.data();
      const ptl_md_t md{start, pieces.empty() ? size : pieces.size(), descriptor.options,
                        real.initiator_queue, counter_of(real, descriptor.counter)};
      EXPECT_OK(PtlMDBind(real.ni, &md, &descriptor.handle));
    }
    return all;
  }

  static ptl_handle_ct_t counter_of(const Real& real, const std::optional<std::size_t>& counter) {
    return counter ? real.counters[*counter] : PTL_CT_NONE;
  }

  /// The bytes from `begin`: all in a row, or (PTL_IOVEC) in two pieces, the second one first.
  model::Positions positions(Real& real, std::size_t begin, std::size_t size, unsigned int options,
                             std::vector<ptl_iovec_t>& pieces) {
    model::Positions all;
    const std::size_t cut = (options & PTL_IOVEC) != 0 ? below(size + 1) : 0;
    for (std::size_t i = cut; i < size; ++i) all.push_back(begin + i);
    for (std::size_t i = 0; i < cut; ++i) all.push_back(begin + i);
    if ((options & PTL_IOVEC) != 0) {
      pieces = {{real.memory.data() + begin + cut, size - cut}, {real.memory.data() + begin, cut}};
    }
    return all;
  }

  // Steps.

  void step(std::uint32_t rank) {
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
        return append(rank);
      case 3:
      case 4:
      case 5:
        return transfer(rank);
      case 6:
        return unlink(rank);
      case 7:
        return search(rank);
      case 8:
        return read_some(rank);
      case 9:
        return count(rank);
      case 10:
        return trigger(rank);
      default:
        return switch_portal(rank);
    }
  }

  model::EntrySpec entry_spec(Real& real, std::vector<ptl_iovec_t>& pieces, std::size_t& begin) {
    model::EntrySpec spec;
    spec.options = some({{PTL_ME_OP_PUT, 90},
                         {PTL_ME_OP_GET, 80},
                         {PTL_ME_USE_ONCE, 30},
                         {PTL_ME_ACK_DISABLE, 10},
                         {PTL_ME_UNEXPECTED_HDR_DISABLE, 15},
                         {PTL_ME_IS_ACCESSIBLE, 20},
                         {PTL_ME_EVENT_LINK_DISABLE, 60},
                         {PTL_ME_EVENT_COMM_DISABLE, 25},
                         {PTL_ME_EVENT_FLOWCTRL_DISABLE, 20},
                         {PTL_ME_EVENT_SUCCESS_DISABLE, 10},
                         {PTL_ME_EVENT_OVER_DISABLE, 15},
                         {PTL_ME_EVENT_UNLINK_DISABLE, 30},
                         {PTL_ME_EVENT_CT_COMM, 60},
                         {PTL_ME_EVENT_CT_OVERFLOW, 50},
                         {PTL_ME_EVENT_CT_BYTES, 40},
                         {PTL_IOVEC, 20}});
    if (world_.matching) {
      spec.options |= some({{PTL_ME_MANAGE_LOCAL, 40},
                            {PTL_ME_NO_TRUNCATE, 20},
                            {PTL_ME_MAY_ALIGN, 20},
                            {PTL_ME_LOCAL_INC_UH_RLENGTH, 20}});
      spec.bits = below(2);
      spec.ignore = chance(50) ? 3 : 0;
      if (chance(15)) spec.from = static_cast<std::uint32_t>(below(kRanks));
      spec.min_free = chance(50) ? below(20) : 0;
    }
    spec.right_user = chance(92);
    if (chance(70)) spec.counter = kDriven + below(kCounters - kDriven);
    spec.user = next_user_++;
    begin = below(kEntries - 64);
    spec.positions = positions(real, begin, below(65), spec.options, pieces);
    return spec;
  }

  ptl_me_t me_for(Real& real, const model::EntrySpec& spec, std::size_t begin,
                  std::vector<ptl_iovec_t>& pieces) {
    ptl_me_t me = me_of(real.memory.data() + begin, spec.positions.size(), spec.options, spec.bits);
    if (!pieces.empty()) {
      me.start = pieces.data();
      me.length = pieces.size();
    }
    me.ct_handle = counter_of(real, spec.counter);
    if (!spec.right_user) me.uid = 7;
    me.ignore_bits = spec.ignore;
    me.min_free = spec.min_free;
    if (spec.from) me.match_id = rank_id(*spec.from);
    return me;
  }

  static ptl_le_t le_for(const ptl_me_t& me) {
    return {me.start, me.length, me.ct_handle, me.uid, me.options};
  }
  static void* pointer(std::uint64_t number) { return reinterpret_cast<void*>(number); }

  void append(std::uint32_t rank) {
    Real& real = real_[rank];
    std::vector<ptl_iovec_t> pieces;
    std::size_t begin = 0;
    const model::EntrySpec spec = entry_spec(real, pieces, begin);
    const auto portal = static_cast<ptl_pt_index_t>(below(kPortals));
    const ptl_list_t list = chance(50) ? PTL_PRIORITY_LIST : PTL_OVERFLOW_LIST;
    did_ = "append by " + std::to_string(rank);
    const ptl_me_t me = me_for(real, spec, begin, pieces);
    const ptl_le_t le = le_for(me);
    ptl_handle_me_t handle = 0;
    EXPECT_OK(world_.matching
                  ? PtlMEAppend(real.ni, portal, &me, list, pointer(spec.user), &handle)
                  : PtlLEAppend(real.ni, portal, &le, list, pointer(spec.user), &handle));
    real.entries.push_back({handle, world_.append(rank, portal, spec, list), portal});
  }

  void unlink(std::uint32_t rank) {
    Real& real = real_[rank];
    if (real.entries.empty()) return;
    const Appended entry = real.entries[below(real.entries.size())];
    did_ = "unlink by " + std::to_string(rank);
    const int answer = world_.matching ? PtlMEUnlink(entry.handle) : PtlLEUnlink(entry.handle);
    EXPECT_EQ(answer, world_.unlink(rank, entry.portal, entry.id));
  }

  void search(std::uint32_t rank) {
    Real& real = real_[rank];
    std::vector<ptl_iovec_t> pieces;
    std::size_t begin = 0;
    const model::EntrySpec spec = entry_spec(real, pieces, begin);
    const auto portal = static_cast<ptl_pt_index_t>(below(kPortals));
    const ptl_search_op_t what = chance(50) ? PTL_SEARCH_ONLY : PTL_SEARCH_DELETE;
    did_ = "search by " + std::to_string(rank);
    const ptl_me_t me = me_for(real, spec, begin, pieces);
    const ptl_le_t le = le_for(me);
    EXPECT_OK(world_.matching ? PtlMESearch(real.ni, portal, &me, what, pointer(spec.user))
                              : PtlLESearch(real.ni, portal, &le, what, pointer(spec.user)));
    world_.search(rank, portal, spec, what);
  }

  /// The real thing's side of a transfer.
  struct Buffers {
    const Descriptor* out = nullptr;
    const Descriptor* in = nullptr;
    ptl_size_t out_offset = 0, in_offset = 0;
  };

  model::Transfer make_transfer(std::uint32_t rank, std::uint32_t target, Buffers& buffers) {
    Real& real = real_[rank];
    model::Transfer t;
    t.kind = static_cast<model::Kind>(below(4));
    t.target = target;
    t.portal = below(kPortals);
    t.bits = world_.matching ? below(2) : 0;
    t.offset = chance(60) ? 0 : below(70);
    t.hdr_data = t.kind == model::Kind::get ? 0 : below(1000);
    t.user = next_user_++;
    t.length = chance(70) ? below(33) : below(kSource + 1);
    if (t.kind == model::Kind::atomic || t.kind == model::Kind::fetch) choose_atomic(t);
    if (t.kind == model::Kind::put || t.kind == model::Kind::atomic) {
      t.ack = static_cast<ptl_ack_req_t>(below(4));
    }
    if (t.kind != model::Kind::get) {
      buffers.out = &real.sources[below(kDescriptors)];
      buffers.out_offset = below(kSource - t.length + 1);
      slice(*buffers.out, buffers.out_offset, t.length, t.source);
    }
    if (t.kind == model::Kind::get || t.kind == model::Kind::fetch) {
      buffers.in = &real.results[target][below(kDescriptors)];
      buffers.in_offset = below(kResult - t.length + 1);
      slice(*buffers.in, buffers.in_offset, t.length, t.result);
    }
    return t;
  }

  static void slice(const Descriptor& descriptor, ptl_size_t offset, ptl_size_t length,
                    model::Positions& positions) {
    const auto begin = descriptor.positions.begin() + static_cast<std::ptrdiff_t>(offset);
    positions.assign(begin, begin + static_cast<std::ptrdiff_t>(length));
  }

  void choose_atomic(model::Transfer& t) {
    constexpr ptl_datatype_t types[] = {PTL_UINT8_T, PTL_INT32_T, PTL_UINT64_T};
    constexpr ptl_op_t plain[] = {PTL_MIN, PTL_MAX, PTL_SUM, PTL_BAND, PTL_BXOR, PTL_LOR};
    constexpr ptl_op_t swaps[] = {PTL_SWAP, PTL_CSWAP, PTL_CSWAP_GT, PTL_CSWAP_LE, PTL_MSWAP};
    t.type = types[below(3)];
    const std::size_t size = element_size(t.type);
    t.length -= t.length % size;
    if (t.kind == model::Kind::atomic || chance(50)) {
      t.op = plain[below(6)];
      return;
    }
    t.op = swaps[below(5)];
    if (t.op == PTL_SWAP) return;
    t.length = std::min<std::uint64_t>(t.length, size);
    for (std::size_t i = 0; i < size; ++i)
      t.operand.push_back(static_cast<unsigned char>(below(4)));
  }

  static bool is_swap(const model::Transfer& t) { return t.op >= PTL_SWAP && t.op <= PTL_MSWAP; }

  int start(const model::Transfer& t, const Buffers& b) const {
    const ptl_process_t to = rank_id(t.target);
    const auto portal = static_cast<ptl_pt_index_t>(t.portal);
    void* const user = pointer(t.user);
    switch (t.kind) {
      case model::Kind::put:
        return PtlPut(b.out->handle, b.out_offset, t.length, t.ack, to, portal, t.bits, t.offset,
                      user, t.hdr_data);
      case model::Kind::get:
        return PtlGet(b.in->handle, b.in_offset, t.length, to, portal, t.bits, t.offset, user);
      case model::Kind::atomic:
        return PtlAtomic(b.out->handle, b.out_offset, t.length, t.ack, to, portal, t.bits, t.offset,
                         user, t.hdr_data, t.op, t.type);
      case model::Kind::fetch:
        break;
    }
    if (is_swap(t)) {
      return PtlSwap(b.in->handle, b.in_offset, b.out->handle, b.out_offset, t.length, to, portal,
                     t.bits, t.offset, user, t.hdr_data, t.operand.data(), t.op, t.type);
    }
    return PtlFetchAtomic(b.in->handle, b.in_offset, b.out->handle, b.out_offset, t.length, to,
                          portal, t.bits, t.offset, user, t.hdr_data, t.op, t.type);
  }

  int start_triggered(const model::Transfer& t, const Buffers& b, ptl_handle_ct_t counter,
                      ptl_size_t threshold) const {
    const ptl_process_t to = rank_id(t.target);
    const auto portal = static_cast<ptl_pt_index_t>(t.portal);
    void* const user = pointer(t.user);
    switch (t.kind) {
      case model::Kind::put:
        return PtlTriggeredPut(b.out->handle, b.out_offset, t.length, t.ack, to, portal, t.bits,
                               t.offset, user, t.hdr_data, counter, threshold);
      case model::Kind::get:
        return PtlTriggeredGet(b.in->handle, b.in_offset, t.length, to, portal, t.bits, t.offset,
                               user, counter, threshold);
      case model::Kind::atomic:
        return PtlTriggeredAtomic(b.out->handle, b.out_offset, t.length, t.ack, to, portal, t.bits,
                                  t.offset, user, t.hdr_data, t.op, t.type, counter, threshold);
      case model::Kind::fetch:
        break;
    }
    if (is_swap(t)) {
      return PtlTriggeredSwap(b.in->handle, b.in_offset, b.out->handle, b.out_offset, t.length, to,
                              portal, t.bits, t.offset, user, t.hdr_data, t.operand.data(), t.op,
                              t.type, counter, threshold);
    }
    return PtlTriggeredFetchAtomic(b.in->handle, b.in_offset, b.out->handle, b.out_offset, t.length,
                                   to, portal, t.bits, t.offset, user, t.hdr_data, t.op, t.type,
                                   counter, threshold);
  }

  /// What the model has to know of the descriptors.
  static void describe(model::Transfer& t, const Buffers& b) {
    if (b.out) {
      t.out_options = b.out->options;
      t.out_counter = b.out->counter;
    }
    if (b.in) {
      t.in_options = b.in->options;
      t.in_counter = b.in->counter;
    }
  }

  void transfer(std::uint32_t rank) {
    const auto target = static_cast<std::uint32_t>(below(kRanks));
    Real& real = real_[rank];
    for (std::size_t i = kEntries; i < kEntries + kSource; ++i) {
      real.memory[i] = static_cast<unsigned char>(below(256));
      world_.processes[rank].memory[i] = real.memory[i];
    }
    // Several in a row go to one target, in order.
    const std::uint64_t count = 1 + below(3);
    did_ = std::to_string(count) + " transfers from " + std::to_string(rank) + " to " +
           std::to_string(target);
    for (std::uint64_t i = 0; i < count; ++i) {
      Buffers buffers;
      model::Transfer t = make_transfer(rank, target, buffers);
      describe(t, buffers);
      EXPECT_OK(start(t, buffers));
      world_.transfer(rank, t);
    }
  }

  void count(std::uint32_t rank) {
    const std::size_t counter = below(kCounters);
    const ptl_handle_ct_t handle = real_[rank].counters[counter];
    did_ = "count by " + std::to_string(rank);
    if (chance(70)) {
      const ptl_ct_event_t by = chance(80) ? ptl_ct_event_t{below(4), 0} : ptl_ct_event_t{0, 1};
      EXPECT_OK(PtlCTInc(handle, by));
      world_.increment(rank, counter, by);
    } else {
      const ptl_ct_event_t to{below(10), below(2)};
      EXPECT_OK(PtlCTSet(handle, to));
      world_.set(rank, counter, to);
    }
  }

  void trigger(std::uint32_t rank) {
    Real& real = real_[rank];
    const std::size_t counter = below(kCounters);
    did_ = "trigger by " + std::to_string(rank);
    if (chance(15)) {
      EXPECT_OK(PtlCTCancelTriggered(real.counters[counter]));
      return world_.cancel(rank, counter);
    }
    const ptl_ct_event_t value = world_.processes[rank].counters[counter].value;
    const ptl_size_t threshold = below(value.success + value.failure + 8);
    model::Action action;
    if (counter < kDriven && chance(60)) {
      Buffers buffers;
      const auto target = static_cast<std::uint32_t>((rank + 1 + below(kRanks - 1)) % kRanks);
      action.transfer = make_transfer(rank, target, buffers);
      describe(action.transfer, buffers);
      EXPECT_OK(start_triggered(action.transfer, buffers, real.counters[counter], threshold));
    } else {
      const bool driven = counter < kDriven;
      action.what =
          driven && chance(40) ? model::Action::What::set : model::Action::What::increment;
      action.counter = driven ? below(kDriven) : kDriven + below(kCounters - kDriven);
      action.change = {below(4), 0};
      const auto call =
          action.what == model::Action::What::set ? PtlTriggeredCTSet : PtlTriggeredCTInc;
      EXPECT_OK(
          call(real.counters[action.counter], action.change, real.counters[counter], threshold));
    }
    world_.trigger(rank, counter, threshold, action);
  }

  void switch_portal(std::uint32_t rank) {
    const auto portal = static_cast<ptl_pt_index_t>(below(kPortals));
    const bool enable = chance(90);
    did_ = "switch by " + std::to_string(rank);
    EXPECT_OK(enable ? PtlPTEnable(real_[rank].ni, portal) : PtlPTDisable(real_[rank].ni, portal));
    world_.processes[rank].portals[portal].enabled = enable;
  }

  // Comparison.

  model::Event translated(std::uint32_t rank, const ptl_event_t& event) const {
    model::Event result;
    result.kind = event.type;
    result.user = reinterpret_cast<std::uint64_t>(event.user_ptr);
    result.fail = event.ni_fail_type;
    const bool ends = event.type == PTL_EVENT_ACK || event.type == PTL_EVENT_REPLY;
    const bool found = event.type == PTL_EVENT_SEARCH && event.ni_fail_type == PTL_NI_OK;
    if (ends || found || event.type <= PTL_EVENT_FETCH_ATOMIC_OVERFLOW) {
      result.mlength = event.mlength;
      result.offset = event.remote_offset;
      result.list = event.ptl_list;
    }
    if (found || event.type <= PTL_EVENT_FETCH_ATOMIC_OVERFLOW) {
      result.start = static_cast<unsigned char*>(event.start) - real_[rank].memory.data();
      if (event.mlength == 0) result.start = -1;
      result.hdr_data = event.hdr_data;
      result.bits = event.match_bits;
      result.rlength = event.rlength;
      result.initiator = event.initiator.rank;
    }
    return result;
  }

  static std::string text(const model::Event& e) {
    return "kind " + std::to_string(e.kind) + " user " + std::to_string(e.user) + " fail " +
           std::to_string(e.fail) + " start " + std::to_string(e.start) + " hdr " +
           std::to_string(e.hdr_data) + " bits " + std::to_string(e.bits) + " rlength " +
           std::to_string(e.rlength) + " mlength " + std::to_string(e.mlength) + " offset " +
           std::to_string(e.offset) + " from " + std::to_string(e.initiator) + " list " +
           std::to_string(e.list);
  }

  /// Reads one event of the target's queue on both sides; false if there is none.
  bool read_one(std::uint32_t rank) {
    ptl_event_t event{};
    const int answer = PtlEQGet(real_[rank].target_queue, &event);
    auto expected = world_.read(world_.processes[rank].target_queue);
    if (!expected) {
      EXPECT_EQ(answer, PTL_EQ_EMPTY);
      return false;
    }
    if (expected->first.mlength == 0) expected->first.start = -1;
    EXPECT_EQ(answer, expected->second ? PTL_EQ_DROPPED : PTL_OK) << text(expected->first);
    EXPECT_EQ(text(translated(rank, event)), text(expected->first));
    return answer != PTL_EQ_EMPTY;
  }

  void read_some(std::uint32_t rank) {
    did_ = "read by " + std::to_string(rank);
    const std::uint64_t count = 1 + below(kQueue);
    for (std::uint64_t i = 0; i < count && read_one(rank); ++i) {
    }
  }

  void read_all(std::uint32_t rank) {
    SCOPED_TRACE("at the end");
    while (read_one(rank) && !testing::Test::HasFailure()) {
    }
  }

  static void sort(std::vector<model::Event>& events) {
    std::stable_sort(events.begin(), events.end(),
                     [](const auto& a, const auto& b) { return a.user < b.user; });
  }

  /// The events at the initiator, by operation: those of several may come in any order.
  void check_initiator(std::uint32_t rank) {
    std::vector<model::Event> came, expected;
    ptl_event_t event{};
    while (PtlEQGet(real_[rank].initiator_queue, &event) == PTL_OK) {
      came.push_back(translated(rank, event));
    }
    while (const auto next = world_.read(world_.processes[rank].initiator_queue)) {
      expected.push_back(next->first);
    }
    sort(came);
    sort(expected);
    EXPECT_EQ(came.size(), expected.size());
    for (std::size_t i = 0; i < std::min(came.size(), expected.size()); ++i) {
      EXPECT_EQ(text(came[i]), text(expected[i]));
    }
  }

  void check(std::uint32_t rank, const std::string& after) {
    SCOPED_TRACE("seed " + std::to_string(seed_) + ", rank " + std::to_string(rank) + " after " +
                 after);
    const Real& real = real_[rank];
    const model::Process& process = world_.processes[rank];
    check_initiator(rank);
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

  std::uint64_t seed_;
  RandomStream random_;
  model::World world_;
  std::vector<Real> real_;
  std::uint32_t actor_ = 0;
  std::uint64_t next_user_ = 1;
  std::string did_;
};

TEST(Random, SequencesAgreeWithTheModel) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSequences && !HasFailure(); ++seed) {
    Sequence(seed).run();
  }
  RecordProperty("seeds",
                 std::to_string(kFirstSeed) + ".." + std::to_string(kFirstSeed + kSequences - 1));
}

}  // namespace
}  // namespace heddle::portals
