// What links carried as time went by, in few slices of time however long the run.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/containers/sparse_vector.hpp"
#include "core/time.hpp"

namespace heddle::record {

/// Looks at the links now and then. When there are too many slices, two become one. Looking stays
/// cheap beside what the run does: on a machine with many links and little to do, looks are fewer.
/// Memory is for links that carried something.
class LinkSamples {
 public:
  /// Bytes that each link has carried so far.
  using Look = std::function<SparseVector<std::int64_t>()>;

  void watch(std::uint32_t links, Look look);
  /// Whether `now` is in another slice than the last look.
  bool due(std::int64_t now_ps) const { return now_ps >= next_; }
  /// Time has come to `now`, all of whose events are not over; so many things have been `done` in
  /// the run so far, each of which pays for reading some links.
  void advance(std::int64_t now_ps, std::uint64_t done);
  /// The run is over.
  void finish(Time end);

  std::uint32_t links() const { return links_; }
  Time slice() const { return Time::ps(slice_); }
  std::size_t slices() const { return bytes_.size(); }
  /// In a slice, by link. The last may be shorter than the others.
  std::int64_t bytes(std::size_t slice, std::uint32_t link) const { return bytes_[slice][link]; }
  /// In all.
  const SparseVector<std::int64_t>& total() const { return before_; }

 private:
  static constexpr std::size_t kMostNumbers = std::size_t{1} << 19;
  static constexpr std::size_t kMostSlices = 256;
  /// Links that may be read for nothing, and for each thing done.
  static constexpr std::uint64_t kFreeReads = std::uint64_t{1} << 20;
  static constexpr std::uint64_t kReadsPerThing = 4;
  /// Slices until now, of which there is room for all.
  std::size_t ended_by(std::int64_t now_ps);
  void look(std::size_t ended);
  /// Calls `take` with each link that has carried something since the last look, and how much: now
  /// is the last look.
  template <class Take>
  void take_carried(Take take);
  void add_slices_until(std::size_t ended);
  void halve();

  Look look_;
  std::uint32_t links_ = 0;
  std::size_t most_ = kMostSlices;
  std::int64_t slice_ = 100'000;  ///< In ps.
  std::int64_t next_ = INT64_MAX;
  std::uint64_t read_ = 0;  ///< Links, in all looks.
  SparseVector<std::int64_t> before_;
  std::vector<SparseVector<std::int64_t>> bytes_;  ///< By slice and link.
};

}  // namespace heddle::record
