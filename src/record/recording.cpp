#include "record/recording.hpp"

#include "record/record_packer.hpp"

namespace heddle::record {

void Recording::look_at(const Program& program) {
  program_ = program;
  Time latest;
  for_each([&](const Record& r) {
    if ((r.kind != Kind::span && r.kind != Kind::wait) || r.end < latest) return;
    latest = r.end;
    program_last_ = {r.rank, r.thread};
  });
}

inline std::uint64_t RecordReader::number() {
  auto value = static_cast<std::uint64_t>(*at_++);
  if (value < 0x80) return value;
  value &= 0x7f;
  for (unsigned shift = 7;; shift += 7) {
    const auto b = static_cast<std::uint64_t>(*at_++);
    value |= (b & 0x7f) << shift;
    if (b < 0x80) return value;
  }
}

inline std::int64_t RecordReader::signed_number() {
  const std::uint64_t value = number();
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

bool RecordReader::next(Record& r) {
  if (at_ == end_) return false;
  r = {};
  const auto head = static_cast<unsigned>(*at_++);
  r.kind = static_cast<Kind>(head & 7);
  r.rank = static_cast<std::uint32_t>(number());
  last_ += signed_number();
  r.end = Time::ps(last_);
  r.begin = r.end - Time::ps(static_cast<std::int64_t>(number()));
  if ((head >> 3 & kOtherThread) != 0) r.thread = static_cast<std::uint32_t>(number());
  rest(r, (head >> 3) & (kOtherThread - 1));
  return true;
}

/// What records of this kind have besides.
inline void RecordReader::rest(Record& r, unsigned detail) {
  switch (r.kind) {
    case Kind::span:
      r.activity = static_cast<Activity>(detail);
      break;
    case Kind::wait: {
      r.activity = Activity::wait;
      const std::uint64_t back = number();
      r.number = back == 0 ? 0 : messages_ - back + 1;
      if (back == 0) r.cause = step_back();
      if (back == 0 && r.cause == 0) r.waker = static_cast<std::uint32_t>(number());
      break;
    }
    case Kind::message:
      r.way = static_cast<Way>(detail);
      r.number = ++messages_;
      r.peer = static_cast<std::uint32_t>(number());
      r.bytes = static_cast<std::int64_t>(number());
      r.middle = r.begin + Time::ps(signed_number());
      if (r.way == Way::answer) r.cause = r.number - number();
      if (steps_ > 0) r.step = step_back();
      break;
    case Kind::call:
      r.what = static_cast<std::uint16_t>(number());
      r.bytes = static_cast<std::int64_t>(number());
      r.number = (detail & kTogether) == 0 ? 0 : number();
      break;
    case Kind::step:
      r.what = static_cast<std::uint16_t>(detail);
      rest_of_step(r);
      break;
  }
}

inline void RecordReader::rest_of_step(Record& r) {
  r.peer = static_cast<std::uint32_t>(number());
  r.number = number();
  const std::uint64_t carried = number();
  r.bytes = static_cast<std::int64_t>(carried >> 2);
  r.from_memory = (carried & 1) != 0;
  r.to_memory = (carried & 2) != 0;
  r.cause = step_back();
  if (r.cause == 0) r.middle = r.begin - Time::ps(static_cast<std::int64_t>(number()));
  r.step = ++steps_;
}

/// Steps are told of by how many there have been since.
inline std::uint64_t RecordReader::step_back() {
  const std::uint64_t back = number();
  return back == 0 ? 0 : steps_ - back + 1;
}

}  // namespace heddle::record
