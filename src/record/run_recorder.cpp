#include "record/run_recorder.hpp"

#include <algorithm>

namespace heddle::record {
namespace {

/// Reads what RunRecorder packs.
class Unpacker {
 public:
  explicit Unpacker(const std::byte* at) : at_(at) {}
  const std::byte* at() const { return at_; }
  unsigned byte() { return static_cast<unsigned>(*at_++); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto b = static_cast<std::uint64_t>(*at_++);
      value |= (b & 0x7f) << shift;
      if (b < 0x80) return value;
    }
  }
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }

 private:
  const std::byte* at_;
};

}  // namespace

RunRecorder::RunRecorder()
    : chunk_(kChunk + kLongest), at_(chunk_.data()), limit_(chunk_.data() + kChunk - kLongest) {}

/// The head of every record. Ends are close to those before; the rest is short.
void RunRecorder::put(Kind kind, unsigned detail, std::uint32_t rank, Time begin, Time end) {
  if (rank >= ranks_.size()) state(rank);
  // Spans may be told of before they end.
  if (kind != Kind::span && links_.due(end.ps())) links_.advance(end.ps());
  *at_++ = static_cast<std::byte>(static_cast<unsigned>(kind) | detail << 3);
  put_number(rank);
  put_signed(end.ps() - last_);
  put_number(static_cast<std::uint64_t>((end - begin).ps()));
  last_ = end.ps();
}

void RunRecorder::put_span(std::uint32_t rank, Activity activity, Time begin, Time end) {
  put(Kind::span, static_cast<unsigned>(activity), rank, begin, end);
  end_record();
}

void RunRecorder::wait(std::uint32_t rank, Time begin, Time end, Time late) {
  RankState& s = state(rank);
  const Time over = end - late;
  const Time busy = std::min(s.busy, over);
  if (busy > begin) {
    put_span(rank, Activity::overhead, begin, busy);
    begin = busy;
  }
  const bool known = s.caused_at >= begin && s.caused_at <= over && s.cause != 0;
  s.decided = false;
  if (over > begin) {
    put(Kind::wait, 0, rank, begin, over);
    put_number(known ? messages_ - s.cause + 1 : 0);
    end_record();
  }
  if (late > Time::zero()) put_span(rank, Activity::overhead, over, end);
}

std::uint64_t RunRecorder::message(const MessageRecord& m) {
  ++messages_;
  state(std::max(m.sender, m.receiver));
  const Time end = std::max(m.arrived, m.sent);
  put(Kind::message, static_cast<unsigned>(m.way), m.sender, m.sent, end);
  put_number(m.receiver);
  put_number(static_cast<std::uint64_t>(m.bytes));
  put_signed((m.met - m.sent).ps());
  end_record();
  return messages_;
}

void RunRecorder::call(std::uint32_t rank, const char* name, Time begin, Time end,
                       std::int64_t bytes) {
  const std::uint16_t number = name == last_name_ ? last_number_ : number_of(name);
  put(Kind::call, 0, rank, begin, end);
  put_number(number);
  put_number(static_cast<std::uint64_t>(bytes));
  end_record();
}

void RunRecorder::step(std::uint16_t what, std::uint64_t operation, std::uint32_t from,
                       std::uint32_t to, std::int64_t bytes, Time begin, Time end) {
  ++steps_;
  put(Kind::step, what, from, begin, end);
  put_number(to);
  put_number(operation);
  put_number(static_cast<std::uint64_t>(bytes));
  end_record();
}

/// Equal names may stand in several places.
std::uint16_t RunRecorder::number_of(const char* name) {
  const auto [known, is_new] = numbers_.try_emplace(name, 0);
  if (is_new) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    known->second = static_cast<std::uint16_t>(found - names_.begin());
    if (found == names_.end()) names_.emplace_back(name);
  }
  last_name_ = name;
  last_number_ = known->second;
  return last_number_;
}

void RunRecorder::end_chunk() {
  store_.append({chunk_.data(), static_cast<std::size_t>(at_ - chunk_.data())});
  first_message_.push_back(chunk_messages_);
  chunk_messages_ = messages_;
  at_ = chunk_.data();
  last_ = 0;
}

void RunRecorder::finish(Time end) {
  if (at_ != chunk_.data()) end_chunk();
  links_.finish(end);
  end_ = end;
}

void RunRecorder::unpack(std::size_t chunk, std::vector<Record>& records) const {
  std::vector<std::byte> bytes;
  store_.read(chunk, bytes);
  records.clear();
  Unpacker from(bytes.data());
  std::int64_t last = 0;
  std::uint64_t messages = first_message_[chunk];
  while (from.at() < bytes.data() + bytes.size()) {
    Record& r = records.emplace_back();
    const unsigned head = from.byte();
    const unsigned detail = head >> 3;
    r.kind = static_cast<Kind>(head & 7);
    r.rank = static_cast<std::uint32_t>(from.number());
    last += from.signed_number();
    r.end = Time::ps(last);
    r.begin = r.end - Time::ps(static_cast<std::int64_t>(from.number()));
    switch (r.kind) {
      case Kind::span:
        r.activity = static_cast<Activity>(detail);
        break;
      case Kind::wait: {
        r.activity = Activity::wait;
        const std::uint64_t back = from.number();
        r.number = back == 0 ? 0 : messages - back + 1;
        break;
      }
      case Kind::message:
        r.way = static_cast<Way>(detail);
        r.number = ++messages;
        r.peer = static_cast<std::uint32_t>(from.number());
        r.bytes = static_cast<std::int64_t>(from.number());
        r.middle = r.begin + Time::ps(from.signed_number());
        break;
      case Kind::call:
        r.what = static_cast<std::uint16_t>(from.number());
        r.bytes = static_cast<std::int64_t>(from.number());
        break;
      case Kind::step:
        r.what = static_cast<std::uint16_t>(detail);
        r.peer = static_cast<std::uint32_t>(from.number());
        r.number = from.number();
        r.bytes = static_cast<std::int64_t>(from.number());
        break;
    }
  }
}

}  // namespace heddle::record
