#include "traces/readers/recorded_trace.hpp"

#include <zstd.h>

#include <algorithm>

#include <fmt/core.h>

#include "core/error.hpp"

namespace heddle::traces {
namespace {

/// No writer makes larger ones; a wrong length must not fill the memory.
constexpr std::uint32_t kLargestBlock = 64U << 20;
constexpr std::uint64_t kMostRanks = 1U << 28;
/// 100 days, so that sums of times never overflow.
constexpr std::int64_t kLongest = 100LL * 86'400 * 1'000'000'000;
constexpr std::string_view kLetters = "bBnNtTvVwWdsr<>gGcMCKqQSfhe#";

// Which field a letter stands for, where it is a number or a list.

struct NumberField {
  char letter;
  std::uint64_t RecordedCall::*member;
  std::uint64_t most = UINT64_MAX;
};
constexpr NumberField kNumbers[] = {
    {'b', &RecordedCall::buffer},
    {'B', &RecordedCall::recv_buffer},
    {'t', &RecordedCall::size, INT64_MAX},
    {'T', &RecordedCall::recv_size, INT64_MAX},
    {'c', &RecordedCall::comm},
    {'h', &RecordedCall::comm},
    {'e', &RecordedCall::comm},
    {'q', &RecordedCall::request},
};
struct SignedField {
  char letter;
  std::int64_t RecordedCall::*member;
};
constexpr SignedField kSignedNumbers[] = {
    {'n', &RecordedCall::count},  {'N', &RecordedCall::recv_count}, {'d', &RecordedCall::peer},
    {'r', &RecordedCall::peer},   {'<', &RecordedCall::peer},       {'>', &RecordedCall::peer},
    {'s', &RecordedCall::source}, {'g', &RecordedCall::tag},        {'G', &RecordedCall::recv_tag},
    {'C', &RecordedCall::colour}, {'K', &RecordedCall::key},
};
struct ListField {
  char letter;
  std::vector<std::int64_t> RecordedCall::*member;
  bool with_sign;
};
constexpr ListField kLists[] = {
    {'v', &RecordedCall::counts, true},
    {'V', &RecordedCall::recv_counts, true},
    {'w', &RecordedCall::sizes, false},
    {'W', &RecordedCall::recv_sizes, false},
};
/// The one of a letter, or null.
template <class Field, std::size_t count>
const Field* field_of(const Field (&fields)[count], char letter) {
  const auto* const found = std::ranges::find(fields, letter, &Field::letter);
  return found == std::end(fields) ? nullptr : found;
}

}  // namespace

RecordedTrace::RecordedTrace(std::string_view bytes, std::string file)
    : file_bytes_(bytes), file_(std::move(file)) {
  read_header();
}

void RecordedTrace::fail(std::string_view problem) const {
  const std::string where = blocks_ == 0 ? "the header" : fmt::format("block {}", blocks_);
  throw InputError({file_}, fmt::format("byte {} of {}: {}", at_, where, problem));
}

// Pieces.

void RecordedTrace::read_header() {
  piece_ = file_bytes_;
  if (!piece_.starts_with(kRecordedMagic)) {
    fail(fmt::format("this is not a recorded trace, which begins with '{}'", kRecordedMagic));
  }
  at_ = kRecordedMagic.size();
  if (const std::uint32_t version = fixed32(); version != kRecordedVersion) {
    fail(fmt::format("version {} is not known: accepted is {}", version, kRecordedVersion));
  }
  const std::uint32_t size = fixed32();
  if (size > piece_.size() - at_) {
    fail(fmt::format("the file ends before the header's {} bytes", size));
  }
  file_at_ = at_ + size;
  piece_ = piece_.substr(0, file_at_);
  header_.rank = static_cast<std::uint32_t>(number(kMostRanks));
  header_.size = static_cast<std::uint32_t>(number(kMostRanks));
  if (header_.rank >= header_.size) fail(fmt::format("rank {} of {}", header_.rank, header_.size));
  header_.wall_clock = number();
  header_.host = text();
  header_.library = text();
  for (std::uint64_t n = length(); n > 0; --n) {
    RecordedFunction function{text(), text()};
    const std::size_t strange = function.letters.find_first_not_of(kLetters);
    if (strange != std::string::npos) {
      fail(fmt::format("'{}' is not a kind of field: accepted are {}",
                       function.letters.substr(strange, 1), kLetters));
    }
    header_.functions.push_back(std::move(function));
  }
  at_ = piece_.size();
}

bool RecordedTrace::next_block() {
  if (file_at_ == file_bytes_.size()) return false;
  ++blocks_;
  piece_ = file_bytes_;
  at_ = file_at_;
  const std::uint32_t size = fixed32();
  const std::uint32_t compressed = fixed32();
  if (size == 0 || size > kLargestBlock) {
    fail(fmt::format("a block of {} bytes: 1 to {} are accepted", size, kLargestBlock));
  }
  if (compressed > piece_.size() - at_) {
    fail(fmt::format("the file ends before the block's {} bytes", compressed));
  }
  const char* from = piece_.data() + at_;
  if (ZSTD_getFrameContentSize(from, compressed) != size) {
    fail(fmt::format("this is no zstd frame of {} bytes", size));
  }
  block_.resize(size);
  const std::size_t got = ZSTD_decompress(block_.data(), size, from, compressed);
  if (ZSTD_isError(got)) fail(fmt::format("zstd: {}", ZSTD_getErrorName(got)));
  if (got != size) fail(fmt::format("{} bytes instead of {}", got, size));
  file_at_ += 8 + compressed;
  piece_ = block_;
  at_ = 0;
  return true;
}

// Records.

void RecordedCall::clear() {
  RecordedCall empty;
  const auto keep_room = [](auto& list, auto& emptied) {
    list.clear();
    emptied.swap(list);
  };
  keep_room(counts, empty.counts);
  keep_room(recv_counts, empty.recv_counts);
  keep_room(sizes, empty.sizes);
  keep_room(recv_sizes, empty.recv_sizes);
  keep_room(requests, empty.requests);
  keep_room(completed, empty.completed);
  *this = std::move(empty);
}

bool RecordedTrace::next(RecordedCall& call) {
  if (at_ == piece_.size() && !next_block()) return false;
  call.clear();
  call.number = ++records_;
  call.function = static_cast<std::uint32_t>(number(UINT32_MAX));
  if (call.function >= header_.functions.size()) {
    fail(fmt::format("function {}, but the header names {}", call.function,
                     header_.functions.size()));
  }
  const std::int64_t gap = signed_number();
  const std::uint64_t duration = number();
  if (gap > kLongest || gap < -kLongest || duration > kLongest) {
    fail("a time of more than 100 days");
  }
  call.start = std::max<std::int64_t>(last_ + gap, 0);
  call.end = call.start + static_cast<std::int64_t>(duration);
  if (call.end > kLongest) fail("a time of more than 100 days");
  last_ = call.end;
  for (const char letter : header_.functions[call.function].letters) read_field(letter, call);
  return true;
}

void RecordedTrace::read_field(char letter, RecordedCall& call) {
  if (const auto* field = field_of(kNumbers, letter)) {
    call.*field->member = number(field->most);
  } else if (const auto* with_sign = field_of(kSignedNumbers, letter)) {
    call.*with_sign->member = signed_number();
  } else if (const auto* list = field_of(kLists, letter)) {
    call.*list->member = read_list(list->with_sign);
  } else {
    read_special(letter, call);
  }
}

void RecordedTrace::read_special(char letter, RecordedCall& call) {
  switch (letter) {
    case 'M':
      call.made = read_comm();
      break;
    case 'Q':
      read_requests(call);
      break;
    case 'S':
      if (number(1)) call.status = read_status();
      break;
    case 'f':
      call.flag = number(1) != 0;
      break;
    default:
      call.failed = number(header_.functions.size() - 1);
  }
}

void RecordedTrace::read_requests(RecordedCall& call) {
  const std::uint64_t named = length();
  for (std::uint64_t i = 0; i < named; ++i) call.requests.push_back(number());
  for (std::uint64_t n = length(); n > 0; --n) {
    const std::uint64_t head = number();
    if (head / 2 >= named) fail(fmt::format("request {} of {} is complete", head / 2, named));
    call.completed.push_back({head / 2, std::nullopt});
    if (head % 2) call.completed.back().status = read_status();
  }
}

std::optional<RecordedComm> RecordedTrace::read_comm() {
  const std::uint64_t kind = number(2);
  if (kind == 0) return std::nullopt;
  RecordedComm comm;
  if (kind == 1) return comm;
  comm.id = number();
  comm.rank = number(kMostRanks);
  comm.size = number(kMostRanks);
  if (comm.rank >= comm.size) {
    fail(fmt::format("rank {} of a communicator of {}", comm.rank, comm.size));
  }
  if (comm.rank != 0) return comm;
  if (comm.size > piece_.size() - at_) {
    fail(fmt::format("{} members, but only {} bytes are left", comm.size, piece_.size() - at_));
  }
  for (std::uint64_t n = 0; n < comm.size; ++n) {
    comm.members.push_back(signed_number());
    if (comm.members.back() >= header_.size) {
      fail(fmt::format("rank {} of {} is a member", comm.members.back(), header_.size));
    }
  }
  return comm;
}

RecordedStatus RecordedTrace::read_status() {
  RecordedStatus status;
  status.source = signed_number();
  status.tag = signed_number();
  status.bytes = number(INT64_MAX);
  return status;
}

std::vector<std::int64_t> RecordedTrace::read_list(bool with_sign) {
  std::vector<std::int64_t> list(length());
  for (std::int64_t& n : list) {
    n = with_sign ? signed_number() : static_cast<std::int64_t>(number(INT64_MAX));
  }
  return list;
}

// Numbers.

std::uint32_t RecordedTrace::fixed32() {
  if (piece_.size() - at_ < 4) fail("the file ends in the middle of a number");
  std::uint32_t value = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    value |= std::uint32_t{static_cast<unsigned char>(piece_[at_++])} << shift;
  }
  return value;
}

std::uint64_t RecordedTrace::number(std::uint64_t most) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (at_ == piece_.size()) fail("it ends in the middle of a record");
    const std::uint64_t byte = static_cast<unsigned char>(piece_[at_++]);
    if (shift == 63 && byte > 1) break;
    value |= (byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    if (value > most) fail(fmt::format("{} is too large: at most {} is accepted", value, most));
    return value;
  }
  fail("a number of more than 64 bits");
}

std::int64_t RecordedTrace::signed_number() {
  const std::uint64_t value = number();
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

std::uint64_t RecordedTrace::length() {
  const std::uint64_t n = number();
  if (n > piece_.size() - at_) {
    fail(fmt::format("a list of {}, but only {} bytes are left", n, piece_.size() - at_));
  }
  return n;
}

std::string RecordedTrace::text() {
  const std::uint64_t n = length();
  std::string text(piece_.substr(at_, n));
  at_ += n;
  return text;
}

}  // namespace heddle::traces
