// Makes schedules of operations and what they wait for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "goal/rank_packer.hpp"

namespace heddle::goal {

/// Makes a schedule, one rank after another in any order. Generators, readers of files and
/// converters of traces all speak to it.
class ScheduleBuilder {
 public:
  static constexpr std::uint32_t kMostOps = RankPacker::kMostOps;

  /// `ranks` is the number of ranks; those that are never begun stay empty.
  explicit ScheduleBuilder(std::uint32_t ranks, std::string source = {})
      : packer_(ranks, std::move(source)) {}

  std::uint32_t ranks() const { return packer_.ranks(); }
  /// Ranks of other shares stay empty, whatever is added to them. To be called before any is begun.
  void keep(const RankShare& share) { packer_.keep(share); }
  bool keeps(std::uint32_t rank) const { return packer_.keeps(rank); }
  /// Room for what is to come, where it is known.
  void reserve(std::uint64_t ops, std::uint64_t edges) { packer_.reserve(ops, edges); }

  void begin_rank(std::uint32_t rank) { packer_.begin_rank(rank); }
  void end_rank();

  /// Adds an operation to the rank and returns its index there. Throws InputError beyond kMostOps.
  std::uint32_t add(const Op& op) { return packer_.append(op); }
  std::uint32_t send(std::uint64_t bytes, std::uint32_t to, std::uint32_t tag = 0) {
    return add({OpKind::send, bytes, to, tag, 0, 0});
  }
  std::uint32_t recv(std::uint64_t bytes, std::uint32_t from, std::uint32_t tag = 0) {
    return add({OpKind::recv, bytes, from, tag, 0, 0});
  }
  std::uint32_t calc(std::uint64_t duration, std::uint8_t cpu = 0) {
    return add({OpKind::calc, duration, 0, 0, cpu, 0});
  }
  /// `later` starts only after `earlier` has ended.
  void requires_end(std::uint32_t later, std::uint32_t earlier) { link(later, earlier, false); }
  /// `later` starts only after `earlier` has started.
  void requires_start(std::uint32_t later, std::uint32_t earlier) { link(later, earlier, true); }
  /// Remembers where the last operation added stands in its file.
  void mark(std::string_view label, std::uint32_t line) { packer_.mark(label, line); }

  /// Operations of the rank so far.
  std::uint32_t size() const { return packer_.size(); }
  /// Dependencies of the rank so far.
  std::size_t links() const { return links_.size(); }
  /// Calls `visit(later, earlier)` for those from the `first` on.
  template <class Visitor>
  void for_links(std::size_t first, Visitor visit) const {
    for (std::size_t i = first; i < links_.size(); ++i) {
      visit(std::uint32_t{links_[i].edge.target}, links_[i].earlier);
    }
  }
  /// Operations of all ranks so far.
  std::uint64_t total_ops() const { return packer_.total_ops(); }

  /// Hands over the result; the builder is then empty.
  Schedule finish() { return packer_.finish(); }

 private:
  struct Link {
    std::uint32_t earlier;
    Edge edge;
  };
  void link(std::uint32_t later, std::uint32_t earlier, bool from_start) {
    links_.push_back({earlier, {later, from_start}});
  }
  void place_edges();

  RankPacker packer_;
  std::vector<Link> links_;             ///< Of the rank being built, in the order given.
  std::vector<std::uint32_t> cursors_;  ///< Scratch for placing the edges.
  std::vector<Edge> placed_;            ///< The same.
};

/// One schedule of several, of which each keeps the share of the ranks that follows the last; a
/// thread per part copies it. There is no copy of the first if it has room for all.
Schedule joined_shares(std::vector<Schedule> parts);

}  // namespace heddle::goal
