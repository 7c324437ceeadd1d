// What random sequences of Portals calls are made of, in terms of the model.
#pragma once

#include <initializer_list>
#include <utility>

#include "core/random.hpp"
#include "portals/model/memory.hpp"

namespace heddle::portals::random {

inline constexpr std::uint32_t kRanks = 3;

// A process's memory: entries, then what it sends, then what it gets back from each rank.
inline constexpr std::size_t kEntries = 256, kSource = 64, kResult = 64;
inline constexpr std::size_t kMemory = kEntries + kSource + kRanks * kResult;
inline constexpr std::size_t kLongestEntry = 64;
inline constexpr std::size_t kPortals = 2;   ///< The second with flow control.
inline constexpr std::size_t kCounters = 4;  ///< The last two are those that messages change.
inline constexpr std::size_t kDriven = 2;    ///< The first two, which only calls change.
inline constexpr std::size_t kDescriptors = 4;

/// Bytes of a process's memory: all in a row, or (PTL_IOVEC) in two pieces, the second one first.
struct Area {
  std::size_t begin = 0, size = 0;
  std::optional<std::size_t> cut;

  model::Positions positions() const {
    const std::size_t first = cut.value_or(0);
    model::Positions all;
    for (std::size_t i = first; i < size; ++i) all.push_back(begin + i);
    for (std::size_t i = 0; i < first; ++i) all.push_back(begin + i);
    return all;
  }
};

struct DrawnEntry {
  model::EntrySpec spec;
  Area area;
};

struct Descriptor {
  unsigned int options = 0;
  std::optional<std::size_t> counter;
  Area area;
  ptl_handle_md_t handle = 0;  ///< Of the real thing.
};

/// Where in a descriptor a transfer begins.
struct Buffer {
  const Descriptor* descriptor = nullptr;
  ptl_size_t offset = 0;
};

struct DrawnTransfer {
  model::Transfer transfer;
  Buffer out, in;  ///< Those that its kind needs.
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed), matching_(chance(75)) {}

  /// Whether the sequence is one of a matching interface.
  bool matching() const { return matching_; }

  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  bool chance(std::uint64_t percent) { return below(100) < percent; }
  std::uint32_t rank() { return static_cast<std::uint32_t>(below(kRanks)); }
  std::uint32_t other_rank(std::uint32_t rank) {
    return static_cast<std::uint32_t>((rank + 1 + below(kRanks - 1)) % kRanks);
  }
  ptl_pt_index_t portal() { return static_cast<ptl_pt_index_t>(below(kPortals)); }
  /// One that messages change.
  std::size_t message_counter() { return kDriven + below(kCounters - kDriven); }

  Descriptor descriptor(std::size_t begin, std::size_t size) {
    Descriptor descriptor;
    descriptor.options = some({{PTL_MD_EVENT_SUCCESS_DISABLE, 15},
                               {PTL_MD_EVENT_SEND_DISABLE, 25},
                               {PTL_MD_EVENT_CT_SEND, 40},
                               {PTL_MD_EVENT_CT_REPLY, 60},
                               {PTL_MD_EVENT_CT_ACK, 60},
                               {PTL_MD_EVENT_CT_BYTES, 40},
                               {PTL_MD_VOLATILE, 30},
                               {PTL_IOVEC, 40}});
    if (chance(70)) descriptor.counter = message_counter();
    descriptor.area = area(begin, size, descriptor.options);
    return descriptor;
  }

  DrawnEntry entry() {
    DrawnEntry drawn;
    model::EntrySpec& spec = drawn.spec;
    spec.options = entry_options();
    if (matching_) choose_matching(spec);
    spec.right_user = chance(92);
    if (chance(70)) spec.counter = message_counter();
    spec.user = next_user_++;
    const std::size_t begin = below(kEntries - kLongestEntry);
    drawn.area = area(begin, below(kLongestEntry + 1), spec.options);
    spec.positions = drawn.area.positions();
    return drawn;
  }

  /// One to `target`, from one of `sources` and into one of `results`, as far as it needs them.
  DrawnTransfer transfer(std::uint32_t target, const std::vector<Descriptor>& sources,
                         const std::vector<Descriptor>& results) {
    DrawnTransfer drawn;
    model::Transfer& t = drawn.transfer;
    t.kind = static_cast<model::Kind>(below(4));
    t.target = target;
    t.portal = below(kPortals);
    t.bits = matching_ ? below(2) : 0;
    t.offset = chance(60) ? 0 : below(70);
    t.hdr_data = model::puts(t.kind) ? below(1000) : 0;
    t.user = next_user_++;
    t.length = chance(70) ? below(33) : below(kSource + 1);
    if (model::calculates(t.kind)) choose_atomic(t);
    if (!model::gets(t.kind)) t.ack = static_cast<ptl_ack_req_t>(below(4));
    if (model::puts(t.kind)) {
      drawn.out = buffer(sources, t.length, t.source);
      t.out_options = drawn.out.descriptor->options;
      t.out_counter = drawn.out.descriptor->counter;
    }
    if (model::gets(t.kind)) {
      drawn.in = buffer(results, t.length, t.result);
      t.in_options = drawn.in.descriptor->options;
      t.in_counter = drawn.in.descriptor->counter;
    }
    return drawn;
  }

 private:
  /// Each option with its own chance, in percent.
  unsigned int some(std::initializer_list<std::pair<unsigned int, std::uint64_t>> options) {
    unsigned int result = 0;
    for (const auto& [option, percent] : options) {
      if (chance(percent)) result |= option;
    }
    return result;
  }

  Area area(std::size_t begin, std::size_t size, unsigned int options) {
    Area area{begin, size, std::nullopt};
    if ((options & PTL_IOVEC) != 0) area.cut = below(size + 1);
    return area;
  }

  unsigned int entry_options() {
    return some({{PTL_ME_OP_PUT, 90},
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
  }

  /// What only entries of matching interfaces have.
  void choose_matching(model::EntrySpec& spec) {
    spec.options |= some({{PTL_ME_MANAGE_LOCAL, 40},
                          {PTL_ME_NO_TRUNCATE, 20},
                          {PTL_ME_MAY_ALIGN, 20},
                          {PTL_ME_LOCAL_INC_UH_RLENGTH, 20}});
    spec.bits = below(2);
    spec.ignore = chance(50) ? 3 : 0;
    if (chance(15)) spec.from = rank();
    spec.min_free = chance(50) ? below(20) : 0;
  }

  /// Type and operation, and a length that goes with them.
  void choose_atomic(model::Transfer& t) {
    constexpr ptl_datatype_t types[] = {PTL_UINT8_T, PTL_INT32_T, PTL_UINT64_T};
    constexpr ptl_op_t plain[] = {PTL_MIN, PTL_MAX, PTL_SUM, PTL_BAND, PTL_BXOR, PTL_LOR};
    constexpr ptl_op_t swaps[] = {PTL_SWAP, PTL_CSWAP, PTL_CSWAP_GT, PTL_CSWAP_LE, PTL_MSWAP};
    t.type = types[below(3)];
    const std::size_t size = model::size_of(t.type);
    t.length -= t.length % size;
    if (t.kind == model::Kind::atomic || chance(50)) {
      t.op = plain[below(6)];
      return;
    }
    t.op = swaps[below(5)];
    if (t.op == PTL_SWAP) return;
    t.length = std::min<std::uint64_t>(t.length, size);
    for (std::size_t i = 0; i < size; ++i) {
      t.operand.push_back(static_cast<unsigned char>(below(4)));
    }
  }

  /// `length` bytes of one of the descriptors; `positions` become theirs.
  Buffer buffer(const std::vector<Descriptor>& all, std::uint64_t length,
                model::Positions& positions) {
    Buffer buffer{&all[below(all.size())], 0};
    const Area& area = buffer.descriptor->area;
    buffer.offset = below(area.size - length + 1);
    const model::Positions whole = area.positions();
    const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(buffer.offset);
    positions.assign(begin, begin + static_cast<std::ptrdiff_t>(length));
    return buffer;
  }

  RandomStream random_;
  bool matching_;
  std::uint64_t next_user_ = 1;
};

}  // namespace heddle::portals::random
