// What waited at links as time went by, and what came of it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/containers/sparse_vector.hpp"
#include "record/link_samples.hpp"

namespace heddle::record {

/// Queues, pauses, marks, losses and rates, slice by slice: of all links together, and of each
/// where there is room for that. Memory does not grow with the run.
class WaitSamples {
 public:
  enum Column : std::uint8_t {
    queued,   ///< Bytes that wait, at the end of the slice.
    held_up,  ///< Picoseconds, in the slice, in which the link had leave for no packet.
    marked,   ///< Packets, in the slice.
    lost,     ///< Packets that were dropped or cut, in the slice.
    carried,  ///< Bytes, in the slice.
    columns,
  };
  using Row = std::array<std::int64_t, columns>;
  /// By link: what waits now, and the others since the beginning. None: nothing is known of them.
  using Look = std::function<std::vector<Row>()>;

  void watch(Look look);
  bool due(std::int64_t now_ps) const { return samples_.due(now_ps); }
  void advance(std::int64_t now_ps, std::uint64_t done) { samples_.advance(now_ps, done); }
  void finish(Time end);

  /// Whether anything ever waited, was held up, marked or lost.
  bool any() const;
  std::uint32_t links() const { return links_; }  ///< 0: they are known together only.
  Time slice() const { return samples_.slice(); }
  std::size_t slices() const { return samples_.slices(); }
  /// Slice by slice, of a link, ...
  std::vector<std::int64_t> of(std::uint32_t link, Column column) const {
    return series((link + 1) * columns + column);
  }
  /// ... and of all together.
  std::vector<std::int64_t> of_all(Column column) const { return series(column); }

 private:
  SparseVector<std::int64_t> flattened() const;
  std::vector<std::int64_t> series(std::uint32_t place) const;

  Look look_;
  std::uint32_t links_ = 0;
  LinkSamples samples_;  ///< Of numbers: a row of all links together, then those of each.
};

}  // namespace heddle::record
