// Which virtual lane sends next: two tables of weights, high priority before low.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace heddle::network {

/// One entry of an arbitration table.
struct LaneWeight {
  std::uint8_t lane;
  std::uint32_t flits;  ///< That may pass before the next entry has its turn.
};

/// Reads "0:1,1:20", "none" or "auto" (every lane with the weight 1); throws InputError for
/// anything else, a lane past `lanes`, or a weight not in 1..255.
std::vector<LaneWeight> parse_lane_table(std::string_view text, std::int64_t lanes,
                                         const SourceLocation& where);

/// The state of one output's arbitration between lanes.
class LaneArbiter {
 public:
  /// The tables must outlive the arbiter. `high_limit` flits of high priority may pass before one
  /// packet of low.
  LaneArbiter(const std::vector<LaneWeight>& high, const std::vector<LaneWeight>& low,
              std::int64_t high_limit)
      : high_{&high, 0, 0}, low_{&low, 0, 0}, high_limit_(high_limit), high_left_(high_limit) {}

  /// The lane to serve among those for which `ready(lane)` holds, or -1.
  template <class Ready>
  int choose(Ready ready) const {
    if (high_left_ > 0) {
      if (const int lane = high_.choose(ready); lane >= 0) return lane;
    }
    if (const int lane = low_.choose(ready); lane >= 0) return lane;
    return high_.choose(ready);
  }
  /// A packet of `flits` flits of `lane` has been let through.
  void served(int lane, std::uint32_t flits);

 private:
  struct Table {
    const std::vector<LaneWeight>* entries;
    std::size_t current;
    std::uint32_t used;

    template <class Ready>
    int choose(Ready ready) const {
      for (std::size_t i = 0; i < entries->size(); ++i) {
        const LaneWeight& entry = (*entries)[(current + i) % entries->size()];
        if (ready(entry.lane)) return entry.lane;
      }
      return -1;
    }
    bool has(int lane) const;
    void served(int lane, std::uint32_t flits);
  };

  Table high_;
  Table low_;
  std::int64_t high_limit_;
  std::int64_t high_left_;
};

}  // namespace heddle::network
