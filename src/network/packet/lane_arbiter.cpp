#include "network/packet/lane_arbiter.hpp"

#include <algorithm>
#include <charconv>

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
                                         const SourceLocation& where) {
  std::vector<LaneWeight> table;
  if (text == "none") return table;
  if (text == "auto") {
    for (std::int64_t lane = 0; lane < lanes; ++lane)
      table.push_back({static_cast<std::uint8_t>(lane), 1});
    return table;
  }
  for (std::string_view rest = text; !rest.empty();) {
    std::uint32_t lane = 0;
    std::uint32_t weight = 0;
    const bool read = take_number(rest, ':', lane) && take_number(rest, ',', weight);
    if (!read || lane >= static_cast<std::uint32_t>(lanes) || weight < 1 || weight > 255) {
      throw InputError(
          where,
          "'" + std::string(text) +
              "' is not an arbitration table: accepted is lane:weight,... with lanes below " +
              std::to_string(lanes) +
              " and weights from 1 to 255, for example 0:1,1:20; none; or auto");
    }
    table.push_back({static_cast<std::uint8_t>(lane), weight});
  }
  return table;
}

bool LaneArbiter::Table::has(int lane) const {
  return std::any_of(entries->begin(), entries->end(),
                     [lane](const LaneWeight& e) { return e.lane == lane; });
}

void LaneArbiter::Table::served(int lane, std::uint32_t flits) {
  if ((*entries)[current].lane != lane) {
    used = 0;
    for (std::size_t i = 0; i < entries->size() && (*entries)[current].lane != lane; ++i) {
      current = (current + 1) % entries->size();
    }
  }
  used += flits;
  if (used <= (*entries)[current].flits) return;
  used = 0;
  current = (current + 1) % entries->size();
}

void LaneArbiter::served(int lane, std::uint32_t flits) {
  if (high_left_ > 0 && high_.has(lane)) {
    high_.served(lane, flits);
    high_left_ -= flits;
  } else {
    if (low_.has(lane)) low_.served(lane, flits);
    high_left_ = high_limit_;
  }
}

}  // namespace heddle::network
