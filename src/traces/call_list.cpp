#include "traces/call_list.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

namespace heddle::traces {
namespace {

/// What is said of a call, as numbers that are 0 where there is nothing to say.
using CallFields = std::array<std::uint64_t, 18>;

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

std::uint64_t flags_of(const Call& call) {
  const auto bit = [](bool flag, unsigned place) { return std::uint64_t{flag} << place; };
  return static_cast<std::uint64_t>(call.kind) | bit(call.nonblocking, 5) |
         bit(call.persistent, 6) | bit(call.synchronous, 7) | bit(call.detached, 8) |
         bit(call.buffered, 9) | bit(call.per_member, 10) | bit(call.untyped, 11) |
         std::uint64_t{(call.element - 1U) & 0xff} << 12;
}
void set_flags(Call& call, std::uint64_t word) {
  const auto bit = [word](unsigned place) { return (word >> place & 1) != 0; };
  call.kind = static_cast<CallKind>(word & 31);
  call.nonblocking = bit(5);
  call.persistent = bit(6);
  call.synchronous = bit(7);
  call.detached = bit(8);
  call.buffered = bit(9);
  call.per_member = bit(10);
  call.untyped = bit(11);
  call.element = static_cast<std::uint8_t>((word >> 12) + 1);
}
static_assert(static_cast<unsigned>(CallKind::see) < 32);

CallFields fields_of(const Call& call, const Call& before) {
  const auto unsigned_of = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  return {flags_of(call),
          step_between(before.line, call.line),
          call.comm,
          step_between(unsigned_of(before.end), unsigned_of(call.start)),
          step_between(unsigned_of(call.start), unsigned_of(call.end)),
          call.bytes,
          call.recv_bytes,
          call.others + 1,  // Mostly unsaid.
          call.buffer,
          call.recv_buffer,
          step_between(before.request, call.request),
          call.requests,
          static_cast<std::uint32_t>(call.list + 1),  // Mostly none.
          static_cast<std::uint32_t>(call.others_list + 1),
          zigzagged(call.peer),
          zigzagged(call.source),
          zigzagged(call.tag),
          zigzagged(call.recv_tag)};
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
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return width == kWidest ? word : word & ((std::uint64_t{1} << 8 * width) - 1);
}

constexpr unsigned kSaidWidth = 3;
static_assert(std::tuple_size_v<CallFields> <= 8 * kSaidWidth);

/// Which fields are not 0, the width of each in half a byte, and they.
void put_fields(std::vector<std::uint8_t>& bytes, const CallFields& fields) {
  std::array<std::uint8_t, kSaidWidth + (kWidest + 1) * (std::tuple_size_v<CallFields> + 1)> room;
  std::uint64_t said = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) said |= std::uint64_t{fields[i] != 0} << i;
  put_word(room.data(), said);
  std::uint8_t* const widths = room.data() + kSaidWidth;
  std::uint8_t* at = widths + (std::popcount(said) + 1) / 2;
  unsigned number = 0;
  for (const std::uint64_t field : fields) {
    if (field == 0) continue;
    const unsigned width = width_of(field);
    std::uint8_t& pair = widths[number / 2];
    pair = static_cast<std::uint8_t>(number % 2 == 0 ? width : pair | width << 4);
    ++number;
    put_word(at, field);
    at += width;
  }
  bytes.insert(bytes.end(), room.data(), at);
}

/// Gives the fields of one call after another.
class FieldReader {
 public:
  explicit FieldReader(const std::uint8_t* at) : at_(at) {}

  void begin() {
    said_ = taken_word(at_, kSaidWidth);
    widths_ = at_ + kSaidWidth;
    at_ = widths_ + (std::popcount(said_) + 1) / 2;
    number_ = 0;
  }
  std::uint64_t next() {
    const bool there = (said_ & 1) != 0;
    said_ >>= 1;
    if (!there) return 0;
    const unsigned width = widths_[number_ / 2] >> 4 * (number_ % 2) & 15;
    ++number_;
    const std::uint64_t field = taken_word(at_, width);
    at_ += width;
    return field;
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* widths_ = nullptr;
  std::uint64_t said_ = 0;
  unsigned number_ = 0;
};

/// The next call; every field in the order of CallFields.
void take_call(FieldReader& in, const Call& before, Call& call) {
  const auto small = [&] { return static_cast<std::uint32_t>(in.next()); };
  const auto rank = [&] { return static_cast<std::int32_t>(straightened(in.next())); };
  const auto time = [&](std::int64_t from) {
    return static_cast<std::int64_t>(after_step(static_cast<std::uint64_t>(from), in.next()));
  };
  in.begin();
  set_flags(call, in.next());
  call.line = static_cast<std::uint32_t>(after_step(before.line, in.next()));
  call.comm = small();
  call.start = time(before.end);
  call.end = time(call.start);
  call.bytes = in.next();
  call.recv_bytes = in.next();
  call.others = in.next() - 1;
  call.buffer = in.next();
  call.recv_buffer = in.next();
  call.request = after_step(before.request, in.next());
  call.requests = small();
  call.list = small() - 1;
  call.others_list = small() - 1;
  call.peer = rank();
  call.source = rank();
  call.tag = rank();
  call.recv_tag = rank();
}

CallKinds kinds_of(const Call& call) {
  return set_of(call.kind) | (is_open(call) ? kOpenCalls : 0);
}

}  // namespace

CallList::Block CallList::packed(std::span<const Call> calls) {
  Block block;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(calls.size() * sizeof(Call) / 4);
  const Call nothing;
  const Call* before = &nothing;
  for (const Call& call : calls) {
    put_fields(bytes, fields_of(call, *before));
    block.kinds |= kinds_of(call);
    before = &call;
  }
  bytes.resize(bytes.size() + kWidest);  // What is looked at behind the last number.
  block.bytes = {bytes.begin(), bytes.end()};
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
  FieldReader in(blocks_[block].bytes.data());
  const Call nothing;
  const Call* before = &nothing;
  for (Call& call : open_) {
    take_call(in, *before, call);
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
