#include <algorithm>
#include <charconv>

#include "network/packet/lane_arbitrations/lane_tables.hpp"
#include "network/packet/rules.hpp"

namespace heddle::network {
namespace {

/// Takes a number and the character behind it from the front of `text`.
bool take_number(std::string_view& text, char terminator, std::uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.empty()) return terminator == ',';
  if (text.front() != terminator) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::vector<LaneWeight> parse_lane_table(std::string_view text, std::int64_t lanes,
                                         const std::string& parameter) {
  std::vector<LaneWeight> table;
  if (text == "none") return table;
  if (text == "auto") {
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      table.push_back({static_cast<std::uint8_t>(lane), 1});
    }
    return table;
  }
  for (std::string_view rest = text; !rest.empty();) {
    std::uint32_t lane = 0;
    std::uint32_t weight = 0;
    const bool read = take_number(rest, ':', lane) && take_number(rest, ',', weight);
    if (!read || lane >= static_cast<std::uint32_t>(lanes) || weight < 1 || weight > 255) {
      throw ParamError(
          {parameter},
          "'" + std::string(text) +
              "' is not an arbitration table: accepted is lane:weight,... with lanes below " +
              std::to_string(lanes) +
              " and weights from 1 to 255, for example 0:1,1:20; none; or auto");
    }
    table.push_back({static_cast<std::uint8_t>(lane), weight});
  }
  return table;
}

TableArbiter::Table::Table(const std::vector<LaneWeight>& all)
    : entries(all.data()), count(static_cast<std::uint32_t>(all.size())) {
  for (const LaneWeight& entry : all) lanes |= std::uint64_t{1} << entry.lane;
}

int TableArbiter::Table::choose(std::uint64_t ready) const {
  if ((ready & lanes) == 0) return -1;
  std::size_t entry = current;
  while ((ready >> entries[entry].lane & 1) == 0) entry = after(entry);
  return entries[entry].lane;
}

/// The lane is in the table.
void TableArbiter::Table::served(int lane, std::uint32_t flits) {
  if (entries[current].lane != lane) {
    used = 0;
    while (entries[current].lane != lane) current = after(current);
  }
  used += flits;
  if (used <= entries[current].flits) return;
  used = 0;
  current = after(current);
}

int TableArbiter::choose(std::uint64_t ready) const {
  if (high_left_ > 0) {
    if (const int lane = high_.choose(ready); lane >= 0) return lane;
  }
  if (const int lane = low_.choose(ready); lane >= 0) return lane;
  return high_.choose(ready);
}

void TableArbiter::served(int lane, std::uint32_t flits) {
  if (high_left_ > 0 && high_.has(lane)) {
    high_.served(lane, flits);
    high_left_ -= flits;
  } else {
    if (low_.has(lane)) low_.served(lane, flits);
    high_left_ = high_limit_;
  }
}

namespace {

/// InfiniBand's.
class WeightedLanes final : public LaneArbitration {
 public:
  WeightedLanes(const PacketConfig& config, std::int64_t lanes)
      : high_(parse_lane_table(config.high_table, lanes, "packet.high_table")),
        low_(parse_lane_table(config.low_table, lanes, "packet.low_table")),
        high_limit_(config.high_limit) {
    for (const auto* table : {&high_, &low_}) {
      for (const LaneWeight& entry : *table) served_ |= std::uint64_t{1} << entry.lane;
    }
  }
  bool serves(std::size_t lane) const override { return (served_ >> lane & 1) != 0; }
  std::unique_ptr<LaneArbiter> new_arbiter() const override {
    return std::make_unique<TableArbiter>(high_, low_, high_limit_);
  }

 private:
  std::vector<LaneWeight> high_;
  std::vector<LaneWeight> low_;
  std::int64_t high_limit_;
  std::uint64_t served_ = 0;  ///< By lane: whether a table names it.
};

}  // namespace

const PacketRule<LaneArbitration>& weighted_lanes() {
  static const PacketRule<LaneArbitration> rule = {
      "tables", "InfiniBand's, by high_table, low_table and high_limit", nullptr,
      [](const RuleInputs& inputs) -> std::unique_ptr<const LaneArbitration> {
        return std::make_unique<WeightedLanes>(inputs.config,
                                               static_cast<std::int64_t>(inputs.lanes));
      }};
  return rule;
}

}  // namespace heddle::network
