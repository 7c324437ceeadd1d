// Operations of a schedule: as a user writes them, and as they are stored with what waits for them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::goal {

/// Values in the order in which operations that become free together are started.
enum class OpKind : std::uint8_t { send = 0, recv = 1, calc = 2 };
std::string_view name_of(OpKind kind);

inline constexpr std::uint32_t kAnySource = UINT32_MAX;  ///< Peer of a receive from any rank.
inline constexpr std::uint32_t kAnyTag = UINT32_MAX;

/// Tags from here on belong to collective operations: a receive of any tag does not take their
/// messages, as MPI keeps those in a context of their own.
inline constexpr std::uint32_t kFirstCollectiveTag = 1U << 31;

/// Whether a message and a receive with these tags, in either order, go together.
constexpr bool tags_match(std::uint32_t a, std::uint32_t b) {
  return a == b || (a == kAnyTag && b < kFirstCollectiveTag) ||
         (b == kAnyTag && a < kFirstCollectiveTag);
}

/// One operation, as a user would write it.
struct Op {
  OpKind kind = OpKind::calc;
  std::uint64_t value = 0;  ///< Bytes, or for a calc its duration in the schedule's time unit.
  std::uint32_t peer = 0;   ///< Rank, or kAnySource; 0 for a calc.
  std::uint32_t tag = 0;
  std::uint8_t cpu = 0;
  std::uint8_t nic = 0;
  bool operator==(const Op&) const = default;
};

/// The other end of a dependency, seen from the operation that must come first.
struct Edge {
  std::uint32_t target : 31;     ///< The operation that waits, by its index in the rank.
  std::uint32_t from_start : 1;  ///< It waits for the start (irequires), not the end (requires).
};

/// An operation as it is stored: 20 bytes, so that tens of millions of them fit.
struct PackedOp {
  std::uint32_t value_low;
  std::uint8_t value_high;
  std::uint8_t kind_and_flags;  ///< OpKind; with kWide the value is a place in Schedule::wide_.
  std::uint8_t cpu;
  std::uint8_t nic;
  std::uint32_t peer;
  std::uint32_t tag;
  /// What waits for it, or where that stands: see Successors.
  Edge next;

  static constexpr std::uint8_t kWide = 0x80;
  static constexpr std::uint8_t kStartAwaited = 0x40;
  // What waits for it. One of these, or none.
  static constexpr std::uint8_t kOneSuccessor = 0x20;
  static constexpr std::uint8_t kListed = 0x10;
  static constexpr std::uint8_t kTwoSuccessors = 0x30;
  static constexpr std::uint8_t kRun = 0x08;
  OpKind kind() const { return static_cast<OpKind>(kind_and_flags & 0x03); }
  bool wide() const { return kind_and_flags & kWide; }
  /// Whether an operation waits for its start.
  bool start_awaited() const { return kind_and_flags & kStartAwaited; }
  std::uint8_t successor_flags() const { return kind_and_flags & (kTwoSuccessors | kRun); }
  std::uint64_t narrow_value() const {
    return value_low | static_cast<std::uint64_t>(value_high) << 32;
  }
};
static_assert(sizeof(PackedOp) == 20);

/// Two operations that wait for the same one, and are not far from it, in the room of one.
struct NearPair {
  std::int16_t first;  ///< The distance, times two; plus one if it waits for the start.
  std::int16_t second;

  static bool fits(std::uint32_t op, Edge edge) {
    const std::int64_t distance = std::int64_t{edge.target} - op;
    return distance >= -0x4000 && distance < 0x4000;
  }
  static std::int16_t half_of(std::uint32_t op, Edge edge) {
    return static_cast<std::int16_t>((std::int64_t{edge.target} - op) * 2 + edge.from_start);
  }
  static Edge edge_of(std::uint32_t op, std::int16_t half) {
    return {static_cast<std::uint32_t>(std::int64_t{op} + (half >> 1)),
            static_cast<std::uint32_t>(half & 1)};
  }
};

/// Operations that wait for the end of the same one, follow each other and are not far from it, in
/// the room of one.
struct NearRun {
  std::int16_t distance;  ///< Of the first.
  std::uint16_t size;

  static bool fits(std::uint32_t op, std::span<const Edge> edges) {
    const std::int64_t distance = std::int64_t{edges.front().target} - op;
    if (distance < INT16_MIN || distance > INT16_MAX || edges.size() > UINT16_MAX) return false;
    const Edge first = edges.front();
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
      if (edges[i].target != first.target + i || edges[i].from_start) return false;
    }
    return true;
  }
  static NearRun of(std::uint32_t op, std::span<const Edge> edges) {
    return {static_cast<std::int16_t>(std::int64_t{edges.front().target} - op),
            static_cast<std::uint16_t>(edges.size())};
  }
  std::uint32_t first(std::uint32_t op) const {
    return static_cast<std::uint32_t>(std::int64_t{op} + distance);
  }
};

/// What waits for an operation: one, two or a run are stored with it, as most have no more; of
/// others `next` is the place of a list in the edges of the rank, where their number stands, and
/// they behind it. Calls `visit(edge)` for each; `edges()` is asked where the edges of the rank are
/// if they are needed.
template <class Edges, class Visitor>
void for_successors(const PackedOp& packed, std::uint32_t op, Edges edges, Visitor visit) {
  const std::uint8_t flags = packed.successor_flags();
  if (flags == PackedOp::kOneSuccessor) {
    visit(packed.next);
  } else if (flags == PackedOp::kTwoSuccessors) {
    const auto pair = std::bit_cast<NearPair>(packed.next);
    visit(NearPair::edge_of(op, pair.first));
    visit(NearPair::edge_of(op, pair.second));
  } else if (flags == PackedOp::kRun) {
    const auto run = std::bit_cast<NearRun>(packed.next);
    const std::uint32_t first = run.first(op);
    for (std::uint32_t i = 0; i < run.size; ++i) visit(Edge{first + i, 0});
  } else if (flags == PackedOp::kListed) {
    const Edge* const list = edges() + packed.next.target;
    for (std::uint32_t i = 1; i <= list->target; ++i) visit(list[i]);
  }
}

/// The same, to be looked at in any order.
class Successors {
 public:
  /// `packed` is operation `op` of a rank that has these edges.
  Successors(const PackedOp& packed, std::uint32_t op, const Edge* edges) {
    switch (packed.successor_flags()) {
      case PackedOp::kOneSuccessor:
        near_[0] = packed.next;
        size_ = 1;
        break;
      case PackedOp::kTwoSuccessors: {
        const auto pair = std::bit_cast<NearPair>(packed.next);
        near_[0] = NearPair::edge_of(op, pair.first);
        near_[1] = NearPair::edge_of(op, pair.second);
        size_ = 2;
        break;
      }
      case PackedOp::kRun: {
        const auto run = std::bit_cast<NearRun>(packed.next);
        near_[0] = {run.first(op), 0};
        size_ = run.size;
        break;
      }
      case PackedOp::kListed:
        listed_ = edges + packed.next.target + 1;
        size_ = listed_[-1].target;
        break;
      default:
        break;
    }
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Edge operator[](std::size_t i) const {
    if (listed_ != nullptr) return listed_[i];
    if (size_ <= 2) return near_[i];
    return {near_[0].target + static_cast<std::uint32_t>(i), 0};
  }
  Edge front() const { return (*this)[0]; }

  class Iterator {
   public:
    Iterator(const Successors& all, std::size_t at) : all_(all), at_(at) {}
    Edge operator*() const { return all_[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Successors& all_;
    std::size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

 private:
  Edge near_[2] = {};  ///< Of a run the first.
  const Edge* listed_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace heddle::goal
