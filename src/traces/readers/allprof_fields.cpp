#include "traces/readers/allprof_fields.hpp"

#include <algorithm>
#include <iterator>

namespace heddle::traces {

std::optional<Instant> parse_instant(std::string_view text) {
  Instant instant;
  if (const auto plain = plain_number<std::int64_t>(text)) {
    instant.us = *plain;
    return instant;
  }
  const std::size_t point = text.find('.');
  const auto us = whole_number<std::int64_t>(text.substr(0, point));
  if (!us || *us < 0) return std::nullopt;
  instant.us = *us;
  if (point == std::string_view::npos) return instant;
  std::int64_t digit = 100'000;
  for (const char c : text.substr(point + 1)) {
    if (c < '0' || c > '9') return std::nullopt;
    instant.ps += (c - '0') * digit;
    digit /= 10;
  }
  return instant;
}

Instant instant_of(Fields& fields) {
  const auto value = parse_instant(fields.take("a time in microseconds"));
  if (!value) fields.reject("a time in microseconds such as 1302767374553965");
  return *value;
}

std::int64_t AllprofClock::time(Fields& fields, std::uint64_t& backwards) {
  const Instant now = instant_of(fields);
  start(now);
  constexpr std::int64_t kLongest = INT64_MAX / 4'000'000;
  const std::int64_t us = now.us - origin_.us;
  if (us > kLongest || us < -kLongest) {
    fields.reject("a time less than 26 days from the beginning of the trace");
  }
  const std::int64_t time = us * 1'000'000 + now.ps - origin_.ps;
  if (time < latest_) ++backwards;
  latest_ = std::max(latest_, time);
  return latest_;
}

std::int32_t number32(Fields& fields, std::string_view what) {
  const std::int64_t value = fields.integer(what);
  if (value < INT32_MIN || value > INT32_MAX) fields.reject(std::string(what) + " of 32 bits");
  return static_cast<std::int32_t>(value);
}

std::int64_t datatype(Fields& fields) {
  Fields parts = fields.parts("a datatype", ',');
  parts.take("a datatype's code");
  const std::int64_t size = parts.integer("a datatype's size");
  parts.integer("a datatype's extent");
  parts.expect_done();
  return size;
}

std::uint64_t product(const Fields& fields, std::int64_t count, std::int64_t size) {
  std::int64_t bytes = 0;
  if (count < 0 || size < 0 || __builtin_mul_overflow(count, size, &bytes)) {
    throw InputError(fields.where(), "'" + std::to_string(count) + "' elements of '" +
                                         std::to_string(size) +
                                         "' bytes is no size: both must be 0 or more");
  }
  return static_cast<std::uint64_t>(bytes);
}

namespace {

// Which member a letter of AllprofFunction stands for, where it is a number or a list.

template <class T, class Holder>
struct LetterMember {
  char letter;
  T Holder::*member;
  std::string_view what;
};
constexpr LetterMember<std::uint64_t, Call> kAllprofAddresses[] = {
    {'b', &Call::buffer, "the address of a buffer"},
    {'B', &Call::recv_buffer, "the address of a buffer"},
    {'q', &Call::request, "the address of a request"},
};
constexpr LetterMember<std::int32_t, Call> kAllprofNumbers[] = {
    {'d', &Call::peer, "a rank"},    {'r', &Call::peer, "a rank"},   {'g', &Call::tag, "a tag"},
    {'G', &Call::recv_tag, "a tag"}, {'C', &Call::peer, "a colour"}, {'K', &Call::tag, "a key"},
};
constexpr LetterMember<std::int64_t, AllprofArguments> kAllprofCounts[] = {
    {'n', &AllprofArguments::count, "a count"},
    {'N', &AllprofArguments::recv_count, "a count"},
};
constexpr LetterMember<std::vector<std::int64_t>, AllprofArguments> kAllprofLists[] = {
    {'v', &AllprofArguments::counts, "a count"},
    {'V', &AllprofArguments::recv_counts, "a count"},
    {'x', &AllprofArguments::displacements, "a count"},
};
/// The one of a letter, or null.
template <class Member, std::size_t count>
const Member* member_of(const Member (&members)[count], char letter) {
  const auto* const found = std::ranges::find(members, letter, &Member::letter);
  return found == std::end(members) ? nullptr : found;
}

/// An address, then the numbers as a field of their own.
void counts(Fields& fields, std::vector<std::int64_t>& list) {
  fields.address("the address of counts");
  Fields parts = fields.parts("counts such as 4,4,8", ',');
  list.clear();
  while (!parts.done()) list.push_back(parts.integer("a count"));
}

}  // namespace

bool read_number(Fields& fields, char letter, AllprofArguments& arguments, Call& call) {
  if (const auto* address = member_of(kAllprofAddresses, letter)) {
    call.*address->member = fields.address(address->what);
  } else if (const auto* number = member_of(kAllprofNumbers, letter)) {
    call.*number->member = number32(fields, number->what);
  } else if (const auto* count = member_of(kAllprofCounts, letter)) {
    arguments.*count->member = fields.integer(count->what);
  } else if (const auto* list = member_of(kAllprofLists, letter)) {
    counts(fields, arguments.*list->member);
  } else {
    return false;
  }
  return true;
}

}  // namespace heddle::traces
