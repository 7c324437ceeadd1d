// Heddle's compact schedules. Numbers are LEB128 ("varint"), signed ones zigzag coded.
//
//   "HEDDLEGS", version, ranks, bodies, { body length, body }, { runs of ranks: body, run length }
//   body := operations, { head, [value], [peer], [tag], [cpu, nic], [successors, { successor }] }
//   head := kind + 4 (value given) + 8 (tag given) + 16 (cpu and nic given) + 32 (successors)
//           + 64 (receive from any)
//
// What is not given is as in the operation before (at first 0). A peer is its distance from the
// rank, going up and around, so ranks that do alike share one body. A successor is its distance
// from the operation, times two, plus one if it waits for the start.
#include "goal/formats/compact.hpp"
#include "goal/schedule_builder.hpp"

#include <unordered_map>

#include <fmt/core.h>

#include "goal/formats/formats.hpp"

namespace heddle::goal {
namespace {

enum Head : std::uint8_t {
  kKind = 3,
  kValue = 4,
  kTag = 8,
  kUnits = 16,
  kSuccessors = 32,
  kAny = 64
};

constexpr std::uint64_t zigzag(std::int64_t n) {
  return static_cast<std::uint64_t>(n) << 1 ^ static_cast<std::uint64_t>(n >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t n) {
  return static_cast<std::int64_t>(n >> 1) ^ -static_cast<std::int64_t>(n & 1);
}

void put_varint(std::string& out, std::uint64_t n) {
  for (; n >= 0x80; n >>= 7) out += static_cast<char>(n | 0x80);
  out += static_cast<char>(n);
}

void put_successors(std::string& out, std::uint32_t op, const Successors& successors) {
  put_varint(out, successors.size());
  for (const Edge e : successors) {
    const std::int64_t distance = std::int64_t{e.target} - op;
    put_varint(out, zigzag(distance * 2 + e.from_start));
  }
}

void put_op(std::string& out, const RankView& rank, std::uint32_t i, std::uint32_t r,
            std::uint32_t ranks, const Op& before) {
  const Op op = rank.op(i);
  const auto successors = rank.successors(i);
  const bool any = op.kind == OpKind::recv && op.peer == kAnySource;
  const bool units = op.cpu != before.cpu || op.nic != before.nic;
  std::uint64_t head = static_cast<std::uint64_t>(op.kind);
  if (op.value != before.value) head |= kValue;
  if (op.tag != before.tag) head |= kTag;
  if (units) head |= kUnits;
  if (!successors.empty()) head |= kSuccessors;
  if (any) head |= kAny;
  put_varint(out, head);
  if (head & kValue) put_varint(out, op.value);
  if (op.kind != OpKind::calc && !any) {
    put_varint(out, (std::uint64_t{op.peer} + ranks - r) % ranks);
  }
  if (head & kTag) put_varint(out, op.tag);
  if (units) {
    put_varint(out, op.cpu);
    put_varint(out, op.nic);
  }
  if (head & kSuccessors) put_successors(out, i, successors);
}

std::string body_of(const RankView& rank, std::uint32_t r, std::uint32_t ranks) {
  std::string body;
  put_varint(body, rank.size());
  Op before;
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    put_op(body, rank, i, r, ranks, before);
    before = rank.op(i);
  }
  return body;
}

class CompactReader {
 public:
  CompactReader(std::string_view bytes, const std::string& name, const ReadLimits& limits)
      : bytes_(bytes), name_(name), limits_(limits) {}

  Schedule read() {
    at_ = kCompactMagic.size();
    if (const std::uint64_t version = get("version"); version != kCompactVersion) {
      fail(fmt::format("version {} is not known: accepted is {}", version, kCompactVersion));
    }
    ranks_ = static_cast<std::uint32_t>(
        get("number of ranks", std::min<std::uint64_t>(INT32_MAX, limits_.ops)));
    if (ranks_ == 0) fail("a schedule needs at least one rank");
    read_bodies();
    ScheduleBuilder builder(ranks_, name_);
    builder.keep(limits_.share);
    for (std::uint32_t r = 0; r < ranks_;) r += read_run(builder, r);
    if (at_ != bytes_.size()) fail("more bytes follow the last rank");
    return builder.finish();
  }

 private:
  [[noreturn]] void fail(std::string_view problem) const {
    throw InputError({name_}, fmt::format("at byte {}: {}", at_, problem));
  }

  /// The next number, which is `what`.
  std::uint64_t get(std::string_view what, std::uint64_t limit = UINT64_MAX) {
    std::uint64_t n = 0;
    for (int shift = 0;; shift += 7) {
      if (at_ >= end()) fail("the file ends within a number");
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      if (shift == 63 && byte > 1) fail("a number has more than 64 bits");
      n |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (n > limit) fail(fmt::format("{} as a {}: at most {} is accepted", n, what, limit));
    return n;
  }
  std::size_t end() const { return body_end_ == 0 ? bytes_.size() : body_end_; }

  void read_bodies() {
    const std::uint64_t count = get("number of descriptions of ranks");
    for (std::uint64_t b = 0; b < count; ++b) {
      const std::uint64_t size = get("length of a description");
      if (size > bytes_.size() - at_) fail("the file ends within the operations of a rank");
      bodies_.push_back({at_, at_ + size});
      at_ += size;
    }
    if (bodies_.empty()) fail("no rank is described");
  }

  std::uint32_t read_run(ScheduleBuilder& builder, std::uint32_t r) {
    const Body body = bodies_[get("number of a description", bodies_.size() - 1)];
    const auto run = static_cast<std::uint32_t>(get("number of ranks alike", ranks_ - r));
    if (run == 0) fail("a run of ranks is empty");
    const std::size_t resume = at_;
    for (std::uint32_t k = 0; k < run; ++k) read_rank(builder, r + k, body);
    body_end_ = 0;
    at_ = resume;
    return run;
  }

  struct Body {
    std::size_t begin;
    std::size_t end;
  };

  void read_rank(ScheduleBuilder& builder, std::uint32_t r, Body body) {
    at_ = body.begin;
    body_end_ = body.end;
    size_ = static_cast<std::uint32_t>(
        get("number of operations", std::min<std::uint64_t>(body.end - body.begin, INT32_MAX)));
    if (builder.total_ops() + size_ > limits_.ops) {
      fail(fmt::format("more than {} operations", limits_.ops));
    }
    builder.begin_rank(r);
    Op op;
    for (std::uint32_t i = 0; i < size_; ++i) read_op(builder, r, i, op);
    builder.end_rank();
    if (at_ != body_end_) fail("more bytes follow the last operation of a rank");
  }

  void read_op(ScheduleBuilder& builder, std::uint32_t r, std::uint32_t i, Op& op) {
    const std::uint64_t head = get("kind of operation", 127);
    if ((head & kKind) == 3) fail("unknown kind of operation");
    op.kind = static_cast<OpKind>(head & kKind);
    if (head & kValue) op.value = get("value");
    op.peer = read_peer(op.kind, r, head & kAny);
    if (head & kTag) op.tag = static_cast<std::uint32_t>(get("tag", UINT32_MAX));
    if (head & kUnits) {
      op.cpu = static_cast<std::uint8_t>(get("cpu", UINT8_MAX));
      op.nic = static_cast<std::uint8_t>(get("nic", UINT8_MAX));
    }
    builder.add(op);
    if (head & kSuccessors) read_successors(builder, i);
  }

  std::uint32_t read_peer(OpKind kind, std::uint32_t r, bool any) {
    if (any && kind != OpKind::recv) fail("only a receive may name any rank");
    if (any) return kAnySource;
    if (kind == OpKind::calc) return 0;
    return static_cast<std::uint32_t>((r + get("distance to a rank", ranks_ - 1)) % ranks_);
  }

  void read_successors(ScheduleBuilder& builder, std::uint32_t i) {
    const std::uint64_t count = get("number of successors", body_end_ - at_);
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::int64_t coded = unzigzag(get("successor"));
      const std::int64_t distance = coded >> 1;
      if (distance < -std::int64_t{i} || distance >= std::int64_t{size_} - i) {
        fail("a dependency names an operation that does not exist");
      }
      const auto target = static_cast<std::uint32_t>(std::int64_t{i} + distance);
      if (coded & 1) {
        builder.requires_start(target, i);
      } else {
        builder.requires_end(target, i);
      }
    }
  }

  std::string_view bytes_;
  const std::string& name_;
  const ReadLimits& limits_;
  std::size_t at_ = 0;
  std::size_t body_end_ = 0;  ///< 0 outside a body.
  std::uint32_t ranks_ = 0;
  std::uint32_t size_ = 0;  ///< Operations of the rank being read.
  std::vector<Body> bodies_;
};

}  // namespace

Schedule parse_compact(std::string_view bytes, const std::string& name, const ReadLimits& limits) {
  return CompactReader(bytes, name, limits).read();
}

void write_compact(const Schedule& schedule, std::ostream& out) {
  std::unordered_map<std::string, std::uint64_t> known;
  std::string bodies;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    std::string body = body_of(schedule.rank(r), r, schedule.ranks());
    const std::size_t size = body.size();
    const auto [it, fresh] = known.emplace(std::move(body), known.size());
    if (fresh) {
      put_varint(bodies, size);
      bodies += it->first;
    }
    if (runs.empty() || runs.back().first != it->second) runs.emplace_back(it->second, 0);
    ++runs.back().second;
  }
  std::string head(kCompactMagic);
  put_varint(head, kCompactVersion);
  put_varint(head, schedule.ranks());
  put_varint(head, known.size());
  std::string tail;
  for (const auto& [body, length] : runs) {
    put_varint(tail, body);
    put_varint(tail, length);
  }
  out << head << bodies << tail;
}

}  // namespace heddle::goal
