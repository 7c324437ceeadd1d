#include "traces/call_list.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

namespace heddle::traces {
namespace {

/// What is said of a call, as numbers that are 0 where there is nothing to say: of most calls, and
/// of few.
using CommonFields = std::array<std::uint64_t, 12>;
using RareFields = std::array<std::uint64_t, 6>;

/// Small for numbers near 0, whatever their sign.
constexpr std::uint64_t zigzagged(std::int64_t n) {
  return static_cast<std::uint64_t>(n) << 1 ^ static_cast<std::uint64_t>(n >> 63);
}
constexpr std::int64_t straightened(std::uint64_t n) {
  return static_cast<std::int64_t>(n >> 1 ^ (~(n & 1) + 1));
}
/// Differences may leave the range, as fuzzed traces have any numbers: then they wrap.
constexpr std::uint64_t step_between(std::uint64_t from, std::uint64_t to) {
  return zigzagged(static_cast<std::int64_t>(to - from));
}
constexpr std::uint64_t after_step(std::uint64_t from, std::uint64_t by) {
  return from + static_cast<std::uint64_t>(straightened(by));
}

constexpr std::uint64_t kRareFollow = 1 << 5;  ///< Among the flags.

std::uint64_t flags_of(const Call& call) {
  const auto bit = [](bool flag, unsigned place) { return std::uint64_t{flag} << place; };
  return static_cast<std::uint64_t>(call.kind) | bit(call.nonblocking, 6) |
         bit(call.persistent, 7) | bit(call.synchronous, 8) | bit(call.detached, 9) |
         bit(call.buffered, 10) | bit(call.per_member, 11) | bit(call.untyped, 12) |
         std::uint64_t{(call.element - 1U) & 0xff} << 13;
}
void set_flags(Call& call, std::uint64_t word) {
  const auto bit = [word](unsigned place) { return (word >> place & 1) != 0; };
  call.kind = static_cast<CallKind>(word & 31);
  call.nonblocking = bit(6);
  call.persistent = bit(7);
  call.synchronous = bit(8);
  call.detached = bit(9);
  call.buffered = bit(10);
  call.per_member = bit(11);
  call.untyped = bit(12);
  call.element = static_cast<std::uint8_t>((word >> 13) + 1);
}
static_assert(static_cast<unsigned>(CallKind::see) < 32);

RareFields rare_fields_of(const Call& call) {
  return {call.others + 1,  // Mostly unsaid.
          call.recv_buffer,
          static_cast<std::uint32_t>(call.list + 1),  // Mostly none.
          static_cast<std::uint32_t>(call.others_list + 1),
          zigzagged(call.source),
          zigzagged(call.recv_tag)};
}
CommonFields common_fields_of(const Call& call, const Call& before) {
  const auto unsigned_of = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  return {flags_of(call),
          step_between(before.line, call.line),
          call.comm,
          step_between(unsigned_of(before.end), unsigned_of(call.start)),
          step_between(unsigned_of(call.start), unsigned_of(call.end)),
          call.bytes,
          call.recv_bytes,
          call.buffer,
          step_between(before.request, call.request),
          call.requests,
          zigzagged(call.peer),
          zigzagged(call.tag)};
}
/// How many bytes a number needs.
constexpr unsigned width_of(std::uint64_t number) {
  return static_cast<unsigned>(std::bit_width(number) + 7) / 8;
}
constexpr std::size_t kWidest = 8;

/// Puts eight bytes; those that the number does not need are written over.
void put_word(std::uint8_t* at, std::uint64_t number) {
  if constexpr (std::endian::native == std::endian::big) number = __builtin_bswap64(number);
  std::memcpy(at, &number, sizeof number);
}
/// Looks at eight bytes, however wide the number is.
std::uint64_t taken_word(const std::uint8_t* at, unsigned width) {
  constexpr std::uint64_t kAll = UINT64_MAX;
  static constexpr std::uint64_t kParts[] = {
      0, kAll >> 56, kAll >> 48, kAll >> 40, kAll >> 32, kAll >> 24, kAll >> 16, kAll >> 8, kAll};
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word & kParts[width];
}

/// The width of each in half a byte, and they. Nothing depends on how wide they are but where the
/// next one stands, so that the processor has nothing to guess.
template <std::size_t count>
std::uint8_t* put_fields(std::uint8_t* at, const std::array<std::uint64_t, count>& fields) {
  static_assert(count % 2 == 0);
  std::uint8_t* widths = at;
  at += count / 2;
  const auto put = [&at](std::uint64_t field) {
    const unsigned width = width_of(field);
    put_word(at, field);
    at += width;
    return width;
  };
  for (std::size_t i = 0; i < count; i += 2) {
    const unsigned first = put(fields[i]);
    *widths++ = static_cast<std::uint8_t>(first | put(fields[i + 1]) << 4);
  }
  return at;
}
/// The fields that stand at a place, which moves on behind them.
template <std::size_t count>
void take_fields(const std::uint8_t*& at, std::array<std::uint64_t, count>& fields) {
  const std::uint8_t* widths = at;
  at += count / 2;
  const auto take = [&at](unsigned width) {
    const std::uint64_t field = taken_word(at, width);
    at += width;
    return field;
  };
  for (std::size_t i = 0; i < count; i += 2, ++widths) {
    fields[i] = take(*widths & 15);
    fields[i + 1] = take(*widths >> 4);
  }
}

/// What is behind the fields, as numbers are put and looked at by eight bytes.
constexpr std::size_t kMargin = kWidest;
/// The most that a call takes.
constexpr std::size_t kWidestCall =
    (std::tuple_size_v<CommonFields> + std::tuple_size_v<RareFields>)*(kWidest + 1) + kMargin;

std::uint8_t* put_call(std::uint8_t* at, const Call& call, const Call& before) {
  CommonFields common = common_fields_of(call, before);
  const RareFields rare = rare_fields_of(call);
  std::uint64_t any = 0;
  for (const std::uint64_t field : rare) any |= field;
  if (any == 0) return put_fields(at, common);
  common[0] |= kRareFollow;
  return put_fields(put_fields(at, common), rare);
}

/// The call at a place, which moves on behind it.
void take_call(const std::uint8_t*& at, const Call& before, Call& call) {
  const auto small = [](std::uint64_t field) { return static_cast<std::uint32_t>(field); };
  const auto rank = [](std::uint64_t field) {
    return static_cast<std::int32_t>(straightened(field));
  };
  const auto time = [](std::int64_t from, std::uint64_t field) {
    return static_cast<std::int64_t>(after_step(static_cast<std::uint64_t>(from), field));
  };
  CommonFields common;
  take_fields(at, common);
  set_flags(call, common[0] & ~kRareFollow);
  call.line = small(after_step(before.line, common[1]));
  call.comm = small(common[2]);
  call.start = time(before.end, common[3]);
  call.end = time(call.start, common[4]);
  call.bytes = common[5];
  call.recv_bytes = common[6];
  call.buffer = common[7];
  call.request = after_step(before.request, common[8]);
  call.requests = small(common[9]);
  call.peer = rank(common[10]);
  call.tag = rank(common[11]);
  RareFields rare = {};
  if ((common[0] & kRareFollow) != 0) take_fields(at, rare);
  call.others = rare[0] - 1;
  call.recv_buffer = rare[1];
  call.list = small(rare[2]) - 1;
  call.others_list = small(rare[3]) - 1;
  call.source = rank(rare[4]);
  call.recv_tag = rank(rare[5]);
}

CallKinds kinds_of(const Call& call) {
  return set_of(call.kind) | (is_open(call) ? kOpenCalls : 0);
}

}  // namespace

CallList::Block CallList::packed(std::span<const Call> calls) {
  Block block;
  std::array<std::uint8_t, kBlock * kWidestCall> room;
  std::uint8_t* at = room.data();
  const Call nothing;
  const Call* before = &nothing;
  for (const Call& call : calls) {
    at = put_call(at, call, *before);
    block.kinds |= kinds_of(call);
    before = &call;
  }
  block.bytes = {room.data(), at + kMargin};
  return block;
}

bool CallList::has_any(CallKinds kinds) const {
  keep_changes();
  return std::any_of(blocks_.begin(), blocks_.end(),
                     [&](const Block& block) { return (block.kinds & kinds) != 0; }) ||
         std::any_of(last_.begin(), last_.end(),
                     [&](const Call& call) { return (kinds_of(call) & kinds) != 0; });
}

void CallList::push_back(const Call& call) {
  if (last_.size() == kLast) {
    const Call added = call;  // It may be one of these.
    blocks_.push_back(packed(std::span(last_).first(kBlock)));
    last_.erase(last_.begin(), last_.begin() + kBlock);
    last_.push_back(added);
    return;
  }
  last_.push_back(call);
}

Call CallList::operator[](std::size_t i) const {
  const std::size_t block = i / kBlock;
  if (block >= blocks_.size()) return last_[i - kBlock * blocks_.size()];
  unpack(block);
  return open_[i % kBlock];
}

Call& CallList::edit(std::size_t i) {
  const std::size_t block = i / kBlock;
  if (block >= blocks_.size()) return last_[i - kBlock * blocks_.size()];
  unpack(block);
  changed_ = true;
  return open_[i % kBlock];
}

void CallList::pop_back() {
  assert(!empty());
  last_.pop_back();
  if (!last_.empty() || blocks_.empty()) return;
  unpack(blocks_.size() - 1);
  last_ = open_;
  changed_ = false;
  open_block_ = kNone;
  blocks_.pop_back();
}

void CallList::unpack(std::size_t block) const {
  if (block == open_block_) return;
  keep_changes();
  open_.resize(kBlock);
  const std::uint8_t* at = blocks_[block].bytes.data();
  const Call nothing;
  const Call* before = &nothing;
  for (Call& call : open_) {
    take_call(at, *before, call);
    before = &call;
  }
  open_block_ = block;
}

void CallList::keep_changes() const {
  if (!changed_) return;
  blocks_[open_block_] = packed(open_);
  changed_ = false;
}

}  // namespace heddle::traces
