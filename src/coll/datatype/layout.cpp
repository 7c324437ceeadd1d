#include "coll/datatype/layout.hpp"

#include <map>

namespace heddle::coll {
namespace {

/// A part with at most so many loops is copied into place, a larger one becomes a loop of its own
/// that can be shared.
constexpr std::size_t kFewLoops = 4;

/// A layout without basic types, sharing what repeats.
class Untyping {
 public:
  explicit Untyping(const Layout& layout) : layout_(layout) {}
  Layout of(std::span<const Loop> loops) {
    LayoutBuilder builder;
    for (Loop loop : loops) {
      if (loop.run()) {
        loop.basic = &byte_basic();
        builder.append_run(loop);
      } else {
        builder.append(inner(loop), loop.offset, loop.count, loop.stride);
      }
    }
    return builder.take();
  }

 private:
  const Layout& inner(const Loop& loop) {
    const auto key = std::pair(loop.first, loop.children);
    const auto known = inner_.find(key);
    if (known != inner_.end()) return known->second;
    return inner_.emplace(key, of(layout_.children(loop))).first->second;
  }
  const Layout& layout_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Layout> inner_;
};

}  // namespace

Layout::Layout(const Basic& basic) {
  if (basic.size == 0) return;
  Loop run;
  run.size = basic.size;
  run.basic = &basic;
  top_.push_back(run);
  size_ = basic.size;
}

Layout Layout::untyped() const {
  return Untyping(*this).of(top_);
}

void LayoutBuilder::append(const Layout& part, std::int64_t offset, std::int64_t count,
                           std::int64_t stride) {
  if (part.size_ == 0 || count == 0) return;
  if (part.top_.size() == 1) {
    Loop loop = part.top_.front();
    const bool continues = loop.count * loop.stride == stride;
    if (count == 1 || loop.count == 1 || continues) {
      if (count > 1 && loop.count == 1) loop.stride = stride;
      loop.count *= count;
      loop.offset += offset;
      if (!loop.run()) loop.first += inner_of(part);
      return append_loop(loop);
    }
  } else if (count == 1 && part.top_.size() <= kFewLoops) {
    return append_top(part, offset);
  }
  append_nested(part, offset, count, stride);
}

void LayoutBuilder::append_top(const Layout& part, std::int64_t offset) {
  for (Loop loop : part.top_) {
    loop.offset += offset;
    if (!loop.run()) loop.first += inner_of(part);
    append_loop(loop);
  }
}

void LayoutBuilder::append_nested(const Layout& part, std::int64_t offset, std::int64_t count,
                                  std::int64_t stride) {
  Loop loop;
  loop.offset = offset;
  loop.count = count;
  loop.stride = stride;
  loop.size = part.size_;
  loop.first = top_of(part);
  loop.children = static_cast<std::uint32_t>(part.top_.size());
  append_loop(loop);
}

std::uint32_t LayoutBuilder::adopt(std::span<const Loop> loops, std::uint32_t shift) {
  const auto at = static_cast<std::uint32_t>(made_.inner_.size());
  for (Loop loop : loops) {
    if (!loop.run()) loop.first += shift;
    made_.inner_.push_back(loop);
  }
  return at;
}

std::uint32_t LayoutBuilder::inner_of(const Layout& part) {
  if (inner_adopted_ != &part) {
    inner_at_ = adopt(part.inner_, static_cast<std::uint32_t>(made_.inner_.size()));
    inner_adopted_ = &part;
  }
  return inner_at_;
}

std::uint32_t LayoutBuilder::top_of(const Layout& part) {
  if (top_adopted_ != &part) {
    const std::uint32_t inner = inner_of(part);
    top_at_ = adopt(part.top_, inner);
    top_adopted_ = &part;
  }
  return top_at_;
}

void LayoutBuilder::append_loop(Loop loop) {
  if (loop.run()) return append_run(loop);
  loop.before = made_.size_;
  made_.size_ += loop.bytes();
  made_.top_.push_back(loop);
}

void LayoutBuilder::append_run(Loop run) {
  if (run.bytes() == 0) return;
  if (run.count > 1 && run.stride == run.size) {
    run.size *= run.count;
    run.count = 1;
  }
  if (!continue_last(run)) {
    run.before = made_.size_;
    made_.top_.push_back(run);
  }
  made_.size_ += run.bytes();
}

/// Makes the last loop so much longer, if it and `run` belong together.
bool LayoutBuilder::continue_last(const Loop& run) {
  if (made_.top_.empty()) return false;
  Loop& last = made_.top_.back();
  if (!last.run() || last.basic != run.basic) return false;
  const std::int64_t last_begins = last.offset + (last.count - 1) * last.stride;
  if (run.count == 1 && last_begins + last.size == run.offset) {
    lengthen_last(run);
    return true;
  }
  if (run.size != last.size) return false;
  const std::int64_t step = run.offset - last_begins;
  if ((last.count > 1 && step != last.stride) || (run.count > 1 && step != run.stride)) {
    return false;
  }
  last.stride = step;
  last.count += run.count;
  return true;
}

/// `run` begins where the last run of the last loop ends.
void LayoutBuilder::lengthen_last(const Loop& run) {
  Loop& last = made_.top_.back();
  if (last.count == 1) {
    last.size += run.size;
    return;
  }
  Loop longer = last;
  longer.count = 1;
  longer.offset += (last.count - 1) * last.stride;
  --last.count;
  longer.before = last.before + last.bytes();
  longer.size += run.size;
  made_.top_.push_back(longer);
}

}  // namespace heddle::coll
