#include "record/run_recorder.hpp"

#include <algorithm>
#include <utility>

namespace heddle::record {
namespace {

/// Of what a run does, for looks at what waits: a record may stand for many packets, and as slices
/// grow longer these looks are few in any run.
constexpr std::uint64_t kEnough = std::uint64_t{1} << 40;

}  // namespace

void RunRecorder::put(Kind kind, unsigned detail, std::uint32_t rank, Time begin, Time end) {
  at_least(rank + 1);
  // Spans may be told of before they end.
  if (kind != Kind::span) {
    if (links_.due(end.ps())) links_.advance(end.ps(), records_);
    if (waits_.due(end.ps())) waits_.advance(end.ps(), kEnough);
  }
  packer_.head(kind, detail, rank, begin, end);
}

void RunRecorder::put_of(Kind kind, unsigned detail, RankThread who, Time begin, Time end) {
  if ((kind == Kind::span || kind == Kind::wait) && end >= latest_) {
    latest_ = end;
    last_active_ = who;
  }
  if (who.thread == 0) return put(kind, detail, who.rank, begin, end);
  threads_ = true;
  put(kind, detail | kOtherThread, who.rank, begin, end);
  packer_.number(who.thread);
}

void RunRecorder::put_span(RankThread who, Activity activity, Time begin, Time end) {
  put_of(Kind::span, static_cast<unsigned>(activity), who, begin, end);
  end_record();
}

void RunRecorder::wait(RankThread who, Time begin, Time end, Time late, Waker waker) {
  const Time over = end - late;
  const Time free = causes_.busy_until(who.rank, begin, over);
  if (free > begin) put_span(who, Activity::overhead, begin, free);
  begin = free;
  const WaitCauses::Cause cause = causes_.take(who.rank, begin, over);
  if (over > begin && cause.instead != Activity::wait) {
    put_span(who, cause.instead, begin, over);
  } else if (over > begin) {
    const std::uint64_t back = cause.message == 0 ? 0 : messages_ - cause.message + 1;
    put_of(Kind::wait, 0, who, begin, over);
    packer_.number(back);
    if (back == 0) {
      put_step(waker.step);
      if (waker.step == 0) packer_.number(waker.thread);
    }
    end_record();
  }
  if (late > Time::zero()) put_span(who, Activity::overhead, over, end);
}

void RunRecorder::started(RankThread who, Time at, std::uint32_t by) {
  put_of(Kind::wait, 0, who, at, at);
  packer_.number(0);
  put_step(0);
  packer_.number(by + 1);
  end_record();
}

std::uint64_t RunRecorder::message(const MessageRecord& m) {
  ++messages_;
  adapters_messages_ = adapters_messages_ || m.by_adapters;
  at_least(std::max(m.sender, m.receiver) + 1);
  const Time end = std::max(m.arrived, m.sent);
  put_of(Kind::message, static_cast<unsigned>(m.way), {m.sender, m.thread}, m.sent, end);
  packer_.number(m.receiver);
  packer_.number(static_cast<std::uint64_t>(m.bytes));
  packer_.signed_number((m.met - m.sent).ps());
  if (m.way == Way::answer) packer_.number(messages_ - m.cause);
  if (steps_ > 0) put_step(causes_.acting());
  end_record();
  return messages_;
}

void RunRecorder::call(RankThread who, const char* name, Time begin, Time end, std::int64_t bytes) {
  const std::uint16_t number = names_.number(name);
  const std::uint32_t met = met_.take(who);
  const std::uint32_t group = names_.is_together(number) ? met : 0;
  put_of(Kind::call, group == 0 ? 0 : kTogether, who, begin, end);
  packer_.number(number);
  packer_.number(static_cast<std::uint64_t>(bytes));
  if (group != 0) packer_.number(group);
  end_record();
}

std::uint64_t RunRecorder::step(const StepRecord& s) {
  put(Kind::step, s.what, s.from, s.begin, s.end);
  packer_.number(s.to);
  packer_.number(s.operation);
  packer_.number(static_cast<std::uint64_t>(s.bytes) << 2 | (s.from_memory ? 1U : 0U) |
                 (s.to_memory ? 2U : 0U));
  put_step(s.cause);
  if (s.cause == 0) {
    packer_.number(static_cast<std::uint64_t>(std::max(s.begin - s.since, Time::zero()).ps()));
  }
  ++steps_;
  end_record();
  return steps_;
}

void RunRecorder::end_chunk() {
  store_.append(packer_.take());
  before_.push_back(chunk_begin_);
  chunk_begin_ = {messages_, steps_};
}

void RunRecorder::finish(Time end) {
  if (!packer_.is_empty()) end_chunk();
  links_.finish(end);
  waits_.finish(end);
  end_ = end;
}

}  // namespace heddle::record
