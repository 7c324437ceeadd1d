#include "record/run_recorder.hpp"

#include <algorithm>
#include <utility>

namespace heddle::record {
namespace {

/// A detail of a record: the number of a thread follows.
constexpr unsigned kOtherThread = 16;
/// Of a call: the number of a group follows.
constexpr unsigned kTogether = 1;

}  // namespace

RunRecorder::RunRecorder()
    : chunk_(kChunk + kLongest), at_(chunk_.data()), limit_(chunk_.data() + kChunk - kLongest) {}

/// The head of every record. Ends are close to those before; the rest is short.
void RunRecorder::put(Kind kind, unsigned detail, std::uint32_t rank, Time begin, Time end) {
  if (rank >= ranks_.size()) state(rank);
  // Spans may be told of before they end.
  if (kind != Kind::span && links_.due(end.ps())) links_.advance(end.ps(), records_);
  *at_++ = static_cast<std::byte>(static_cast<unsigned>(kind) | detail << 3);
  put_number(rank);
  put_signed(end.ps() - last_);
  put_number(static_cast<std::uint64_t>((end - begin).ps()));
  last_ = end.ps();
}

void RunRecorder::put_lane(Kind kind, unsigned detail, Lane lane, Time begin, Time end) {
  if ((kind == Kind::span || kind == Kind::wait) && end >= latest_) {
    latest_ = end;
    last_active_ = lane;
  }
  if (lane.thread == 0) return put(kind, detail, lane.rank, begin, end);
  threads_ = true;
  put(kind, detail | kOtherThread, lane.rank, begin, end);
  put_number(lane.thread);
}

void RunRecorder::put_span(Lane lane, Activity activity, Time begin, Time end) {
  put_lane(Kind::span, static_cast<unsigned>(activity), lane, begin, end);
  end_record();
}

void RunRecorder::wait(Lane lane, Time begin, Time end, Time late, Waker waker) {
  RankState& s = state(lane.rank);
  const Time over = end - late;
  const Time busy = std::min(s.busy, over);
  if (busy > begin) {
    put_span(lane, Activity::overhead, begin, busy);
    begin = busy;
  }
  const bool known = s.caused_at >= begin && s.caused_at <= over;
  s.decided = false;
  if (over > begin && known && s.owed != Activity::wait) {
    put_span(lane, s.owed, begin, over);
  } else if (over > begin) {
    const std::uint64_t back = known && s.cause != 0 ? messages_ - s.cause + 1 : 0;
    put_lane(Kind::wait, 0, lane, begin, over);
    put_number(back);
    if (back == 0) {
      put_step(waker.step);
      if (waker.step == 0) put_number(waker.thread);
    }
    end_record();
  }
  if (late > Time::zero()) put_span(lane, Activity::overhead, over, end);
}

void RunRecorder::started(Lane lane, Time at, std::uint32_t by) {
  put_lane(Kind::wait, 0, lane, at, at);
  put_number(0);
  put_step(0);
  put_number(by + 1);
  end_record();
}

std::uint64_t RunRecorder::message(const MessageRecord& m) {
  ++messages_;
  adapters_messages_ = adapters_messages_ || m.by_adapters;
  state(std::max(m.sender, m.receiver));
  const Time end = std::max(m.arrived, m.sent);
  put_lane(Kind::message, static_cast<unsigned>(m.way), {m.sender, m.thread}, m.sent, end);
  put_number(m.receiver);
  put_number(static_cast<std::uint64_t>(m.bytes));
  put_signed((m.met - m.sent).ps());
  if (m.way == Way::answer) put_number(messages_ - m.cause);
  if (steps_ > 0) put_step(acting_);
  end_record();
  return messages_;
}

void RunRecorder::meets(Lane lane, std::uint32_t group) {
  if (lane.rank >= met_.size()) met_.resize(std::size_t{lane.rank} + 1);
  met_[lane.rank] = {group + 1, lane.thread};
}

/// The number of the group that a thread has met in its call, and 1; 0: none.
std::uint32_t RunRecorder::take_met(Lane lane) {
  if (lane.rank >= met_.size() || met_[lane.rank].second != lane.thread) return 0;
  return std::exchange(met_[lane.rank].first, 0);
}

void RunRecorder::call(Lane lane, const char* name, Time begin, Time end, std::int64_t bytes) {
  const std::uint16_t number = name == last_name_ ? last_number_ : number_of(name);
  const std::uint32_t met = take_met(lane);
  const std::uint32_t group = together_[number] ? met : 0;
  put_lane(Kind::call, group == 0 ? 0 : kTogether, lane, begin, end);
  put_number(number);
  put_number(static_cast<std::uint64_t>(bytes));
  if (group != 0) put_number(group);
  end_record();
}

std::uint64_t RunRecorder::step(const StepRecord& s) {
  put(Kind::step, s.what, s.from, s.begin, s.end);
  put_number(s.to);
  put_number(s.operation);
  put_number(static_cast<std::uint64_t>(s.bytes) << 2 | (s.from_memory ? 1U : 0U) |
             (s.to_memory ? 2U : 0U));
  put_step(s.cause);
  if (s.cause == 0)
    put_number(static_cast<std::uint64_t>(std::max(s.begin - s.since, Time::zero()).ps()));
  ++steps_;
  end_record();
  return steps_;
}

/// Equal names may stand in several places.
std::uint16_t RunRecorder::number_of(const char* name) {
  const auto [known, is_new] = numbers_.try_emplace(name, 0);
  if (is_new) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    known->second = static_cast<std::uint16_t>(found - names_.begin());
    if (found == names_.end()) {
      names_.emplace_back(name);
      together_.push_back(is_collective(name));
    }
  }
  last_name_ = name;
  last_number_ = known->second;
  return last_number_;
}

void RunRecorder::end_chunk() {
  store_.append({chunk_.data(), static_cast<std::size_t>(at_ - chunk_.data())});
  before_.push_back(chunk_begin_);
  chunk_begin_ = {messages_, steps_};
  at_ = chunk_.data();
  last_ = 0;
}

void RunRecorder::finish(Time end) {
  if (at_ != chunk_.data()) end_chunk();
  links_.finish(end);
  end_ = end;
}

void RunRecorder::look_at(const Program& program) {
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
