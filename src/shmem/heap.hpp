// The symmetric heap: where its pieces are, the same at all PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::shmem {

/// Gives out pieces of a range by their offsets.
class HeapMap {
 public:
  explicit HeapMap(std::size_t size) : size_(size) { free_[0] = size; }

  /// The offset of a piece, or nothing if there is none that long.
  std::optional<std::size_t> take(std::size_t size, std::size_t alignment);
  /// False if no piece begins there.
  bool give_back(std::size_t offset);
  /// How long the piece at an offset is; nothing if none begins there.
  std::optional<std::size_t> size_at(std::size_t offset) const;
  std::size_t size() const { return size_; }
  /// In pieces that are given out.
  std::size_t used() const { return used_; }

 private:
  std::size_t size_;
  std::size_t used_ = 0;
  std::map<std::size_t, std::size_t> free_;   ///< Lengths by offset.
  std::map<std::size_t, std::size_t> taken_;  ///< The same.
};

/// What PEs do with the heap together: the first to come does it, the others are compared with it.
class SharedHeap {
 public:
  SharedHeap(std::size_t size, std::uint32_t pes) : map_(size), pes_(pes), done_(pes) {}

  enum class Action : std::uint8_t { allocate, free, resize };
  struct Step {
    Action action = Action::allocate;
    std::size_t size = 0;
    std::size_t alignment = 0;
    std::size_t offset = 0;  ///< Of the piece that is freed or resized.
    bool operator==(const Step&) const = default;
    /// "allocates 64 bytes".
    std::string text() const;
  };
  /// What became of a step: the same for all PEs.
  struct Result {
    std::optional<std::size_t> offset;  ///< Of the new piece.
    std::size_t before = 0;             ///< How long a resized piece was.
  };
  /// A PE whose step is another than that of the PE that made it first.
  struct Difference {
    std::uint32_t pe = 0;
    Step step;
    std::uint64_t number = 0;  ///< Of the step, from 1.
  };
  /// The next step of a PE.
  Result next(std::uint32_t pe, const Step& step, std::optional<Difference>& difference);
  const HeapMap& map() const { return map_; }
  /// Whether the PE's next step is one that nobody has made yet.
  bool is_next(std::uint32_t pe) const { return done_[pe] == begin_ + steps_.size(); }

 private:
  struct Entry {
    Step step;
    Result result;
    std::uint32_t first = 0;
    std::uint32_t came = 0;
  };
  Result perform(const Step& step);

  HeapMap map_;
  std::uint32_t pes_;
  std::vector<std::uint32_t> done_;  ///< Steps of each PE.
  std::uint32_t begin_ = 0;          ///< The number of the first of the list.
  std::deque<Entry> steps_;
};

}  // namespace heddle::shmem
