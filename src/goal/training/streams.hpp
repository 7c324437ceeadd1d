// What GPUs do at the same time: computation, and communication of each kind of parallelism.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>
#include <vector>

#include "goal/custom/collective_algorithm.hpp"
#include "goal/schedule_builder.hpp"
#include "goal/training/llm_plan.hpp"

namespace heddle::goal {

/// A processor of the rank each: they go on side by side, and what a replay finds each doing is
/// told by kind.
enum class Stream : std::uint8_t { compute, tp, cp, ep, pp, dp };
inline constexpr std::array<std::string_view, 6> kStreamNames = {"compute", "tp", "cp",
                                                                 "ep",      "pp", "dp"};

/// A stream, and the tag of its messages: that of the stream unless there are several at once.
struct TaggedStream {
  /// Far from each other, so that there is room for tags of others between those of channels.
  static constexpr std::uint32_t kFar = 1 << 22;

  TaggedStream(Stream its_stream)
      : TaggedStream(its_stream, static_cast<std::uint32_t>(its_stream), kFar) {}
  TaggedStream(Stream its_stream, std::uint32_t its_tag, std::uint32_t its_step = 1)
      : stream(its_stream), tag(its_tag), step(its_step) {}
  Stream stream;
  std::uint32_t tag;
  std::uint32_t step;  ///< From the tag of one channel to the next, where there are several.
};

/// Operations of a rank that something waits for: the ends of a computation, of a collective.
class Before {
 public:
  Before() = default;
  Before(std::uint32_t op) { add(op); }
  void add(std::uint32_t op) {
    assert(size_ < ops_.size());
    ops_[size_++] = op;
  }
  void add(const Before& others) {
    for (const std::uint32_t op : others) add(op);
  }
  bool empty() const { return size_ == 0; }
  const std::uint32_t* begin() const { return ops_.data(); }
  const std::uint32_t* end() const { return ops_.data() + size_; }

 private:
  std::array<std::uint32_t, 24> ops_ = {};
  std::uint32_t size_ = 0;
};

/// Which chunks go round a ring.
enum class Ring : std::uint8_t { allgather, reduce_scatter, allreduce };

/// Writes the operations of one rank.
class StreamWriter {
 public:
  /// `algorithms`, which must outlive it, are taken where they fit; null: there are none.
  explicit StreamWriter(ScheduleBuilder& out, const CollectiveAlgorithms* algorithms = nullptr)
      : out_(out), algorithms_(algorithms) {}

  Before calc(std::uint64_t duration, const Before& before, Stream stream = Stream::compute);
  std::uint32_t send(Stream stream, std::uint64_t bytes, std::uint32_t to, std::uint32_t tag,
                     const Before& before);
  std::uint32_t recv(Stream stream, std::uint64_t bytes, std::uint32_t from, std::uint32_t tag,
                     const Before& before);
  /// `bytes` are those of the whole buffer: what each has in the end, or had at first. Answers what
  /// must have ended for it to be over: `before` itself in a group of one.
  Before ring(Ring kind, TaggedStream on, const GpuGroup& group, std::uint64_t bytes,
              const Before& before);
  /// Everybody sends an equal share of its `bytes` to each, itself included.
  Before alltoall(TaggedStream on, const GpuGroup& group, std::uint64_t bytes,
                  const Before& before);
  /// Down a binomial tree from the `root`, or up it to there.
  Before broadcast(TaggedStream on, const GpuGroup& group, std::uint32_t root, std::uint64_t bytes,
                   const Before& before);
  Before reduce(TaggedStream on, const GpuGroup& group, std::uint32_t root, std::uint64_t bytes,
                const Before& before);
  /// Everybody sends to the root, or the root to everybody.
  Before gather(TaggedStream on, const GpuGroup& group, std::uint32_t root, std::uint64_t bytes,
                const Before& before);
  Before scatter(TaggedStream on, const GpuGroup& group, std::uint32_t root, std::uint64_t bytes,
                 const Before& before);

  /// One operation that is over when all these are.
  Before over(Stream stream, const std::vector<std::uint32_t>& all);

 private:
  std::uint32_t follow(std::uint32_t op, const Before& before);
  const CollectiveAlgorithm* algorithm_for(CollectiveKind kind, const GpuGroup& group) const {
    return algorithms_ == nullptr ? nullptr : algorithms_->find(kind, group.size);
  }
  /// As an algorithm does it: thread blocks of its own have processors behind those of streams.
  Before carry_out(const CollectiveAlgorithm& algorithm, TaggedStream on, const GpuGroup& group,
                   std::uint64_t bytes, const Before& before);

  ScheduleBuilder& out_;
  const CollectiveAlgorithms* algorithms_;
};

}  // namespace heddle::goal
