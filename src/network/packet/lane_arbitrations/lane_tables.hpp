// Which virtual lane sends next: two tables of weights, high priority before low.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "network/packet/lane_arbitration.hpp"

namespace heddle::network {

/// One entry of an arbitration table.
struct LaneWeight {
  std::uint8_t lane;
  std::uint32_t flits;  ///< That may pass before the next entry has its turn.
};

/// Reads "0:1,1:20", "none" or "auto" (every lane with the weight 1); throws ParamError about
/// `parameter` for anything else, a lane past `lanes`, or a weight not in 1..255.
std::vector<LaneWeight> parse_lane_table(std::string_view text, std::int64_t lanes,
                                         const std::string& parameter);

/// The state of one output's arbitration by two tables.
class TableArbiter final : public LaneArbiter {
 public:
  /// The tables must outlive the arbiter. `high_limit` flits of high priority may pass before one
  /// packet of low.
  TableArbiter(const std::vector<LaneWeight>& high, const std::vector<LaneWeight>& low,
               std::int64_t high_limit)
      : high_(high), low_(low), high_limit_(high_limit), high_left_(high_limit) {}

  int choose(std::uint64_t ready) const override;
  void served(int lane, std::uint32_t flits) override;

 private:
  struct Table {
    explicit Table(const std::vector<LaneWeight>& all);
    int choose(std::uint64_t ready) const;
    bool has(int lane) const { return (lanes >> lane & 1) != 0; }
    void served(int lane, std::uint32_t flits);
    std::size_t after(std::size_t entry) const { return entry + 1 < count ? entry + 1 : 0; }

    const LaneWeight* entries;
    std::uint64_t lanes = 0;  ///< Those that it names.
    std::uint32_t count;
    std::uint32_t used = 0;
    std::size_t current = 0;
  };

  Table high_;
  Table low_;
  std::int64_t high_limit_;
  std::int64_t high_left_;
};

}  // namespace heddle::network
