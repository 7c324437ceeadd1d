// Where the bytes of a datatype lie: loops over runs of bytes, merged as far as possible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "coll/datatype/basic.hpp"

namespace heddle::coll {

/// `count` repeats of something, `stride` bytes apart in memory: of a run of `size` bytes if there
/// are no `children`, else of these loops, which have `size` bytes together.
struct Loop {
  std::int64_t offset = 0;  ///< Of the first repeat, from where the parent's repeat begins.
  std::int64_t count = 1;
  std::int64_t stride = 0;
  std::int64_t size = 0;
  std::int64_t before = 0;  ///< Bytes of the siblings before it.
  std::uint32_t first = 0;  ///< Of the children, among the layout's inner loops.
  std::uint32_t children = 0;
  const Basic* basic = nullptr;  ///< Of a run, what it is made of.

  bool run() const { return children == 0; }
  std::int64_t bytes() const { return count * size; }
};

/// Runs of equal length at equal distances.
struct Runs {
  std::int64_t offset;
  std::int64_t length;
  std::int64_t count;
  std::int64_t stride;
  const Basic* basic;
};

/// A sequence of loops. Bytes are numbered in the order in which they are packed.
class Layout {
 public:
  Layout() = default;
  explicit Layout(const Basic& basic);

  std::int64_t size() const { return size_; }
  std::span<const Loop> loops() const { return top_; }
  std::span<const Loop> children(const Loop& loop) const {
    return std::span(inner_).subspan(loop.first, loop.children);
  }
  /// One run of bytes without gaps, or nothing at all.
  bool gapless() const {
    return top_.empty() || (top_.size() == 1 && top_[0].run() && top_[0].count == 1);
  }
  /// The same bytes, whatever they are made of, with fewer and longer runs.
  Layout untyped() const;

 private:
  friend class LayoutBuilder;
  std::vector<Loop> top_;
  std::vector<Loop> inner_;
  std::int64_t size_ = 0;
};

/// Makes a layout of others, which must outlive it.
class LayoutBuilder {
 public:
  /// Appends `count` times `part`, the first at `offset`, the others `stride` bytes apart.
  void append(const Layout& part, std::int64_t offset, std::int64_t count, std::int64_t stride);
  void append_run(Loop run);
  Layout take() { return std::move(made_); }

 private:
  void append_loop(Loop loop);
  void append_top(const Layout& part, std::int64_t offset);
  void append_nested(const Layout& part, std::int64_t offset, std::int64_t count,
                     std::int64_t stride);
  bool continue_last(const Loop& run);
  void lengthen_last(const Loop& run);
  /// Where the inner loops of `part` begin among ours.
  std::uint32_t inner_of(const Layout& part);
  /// Where the top loops of `part` are among our inner loops.
  std::uint32_t top_of(const Layout& part);
  std::uint32_t adopt(std::span<const Loop> loops, std::uint32_t shift);

  Layout made_;
  const Layout* inner_adopted_ = nullptr;  ///< The last part whose loops were taken over.
  const Layout* top_adopted_ = nullptr;
  std::uint32_t inner_at_ = 0;
  std::uint32_t top_at_ = 0;
};

/// Calls `visit(Runs)` for the runs of `count` layouts, `stride` bytes apart, in the order of
/// packing: for their bytes from `begin` to `end` (not included).
template <class Visit>
class LayoutWalk {
 public:
  LayoutWalk(const Layout& layout, Visit& visit) : layout_(layout), visit_(visit) {}

  void repeated(std::int64_t count, std::int64_t stride, std::int64_t begin, std::int64_t end) {
    if (begin >= end) return;
    if (layout_.loops().size() == 1) {
      Loop loop = layout_.loops().front();
      if (loop.count == 1 || loop.count * loop.stride == stride) {
        if (loop.count == 1) loop.stride = stride;
        loop.count *= count;
        if (loop.run() && loop.stride == loop.size) {
          loop.size = loop.bytes();
          loop.count = 1;
        }
        return part(loop, 0, begin, end);
      }
    }
    repeats(layout_.loops(), layout_.size(), 0, stride, begin, end);
  }

 private:
  using Loops = std::span<const Loop>;

  void whole(Loops loops, std::int64_t base) {
    for (const Loop& loop : loops) whole(loop, base);
  }
  void whole(const Loop& loop, std::int64_t base) {
    const std::int64_t at = base + loop.offset;
    if (loop.run()) return visit_(Runs{at, loop.size, loop.count, loop.stride, loop.basic});
    const Loops children = layout_.children(loop);
    for (std::int64_t i = 0; i < loop.count; ++i) whole(children, at + i * loop.stride);
  }
  void part(Loops loops, std::int64_t base, std::int64_t begin, std::int64_t end) {
    auto loop = std::upper_bound(loops.begin(), loops.end(), begin,
                                 [](std::int64_t at, const Loop& l) { return at < l.before; });
    for (--loop; loop != loops.end() && loop->before < end; ++loop) {
      part(*loop, base, std::max<std::int64_t>(begin - loop->before, 0),
           std::min(end - loop->before, loop->bytes()));
    }
  }
  void part(const Loop& loop, std::int64_t base, std::int64_t begin, std::int64_t end) {
    if (begin == 0 && end == loop.bytes()) return whole(loop, base);
    const std::int64_t at = base + loop.offset;
    if (loop.run()) return part_of_runs(loop, at, begin, end);
    repeats(layout_.children(loop), loop.size, at, loop.stride, begin, end);
  }
  void repeats(Loops loops, std::int64_t size, std::int64_t base, std::int64_t stride,
               std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin / size; i * size < end; ++i) {
      const std::int64_t from = std::max<std::int64_t>(begin - i * size, 0);
      const std::int64_t to = std::min(end - i * size, size);
      if (from == 0 && to == size) {
        whole(loops, base + i * stride);
      } else {
        part(loops, base + i * stride, from, to);
      }
    }
  }
  void part_of_runs(const Loop& loop, std::int64_t at, std::int64_t begin, std::int64_t end) {
    std::int64_t i = begin / loop.size;
    if (const std::int64_t skip = begin % loop.size; skip > 0) {
      const std::int64_t length = std::min(loop.size - skip, end - begin);
      visit_(Runs{at + i * loop.stride + skip, length, 1, 0, loop.basic});
      ++i;
    }
    const std::int64_t last = end / loop.size;
    if (i > last) return;
    if (i < last) visit_(Runs{at + i * loop.stride, loop.size, last - i, loop.stride, loop.basic});
    const std::int64_t rest = end % loop.size;
    if (rest > 0) visit_(Runs{at + last * loop.stride, rest, 1, 0, loop.basic});
  }

  const Layout& layout_;
  Visit& visit_;
};

}  // namespace heddle::coll
