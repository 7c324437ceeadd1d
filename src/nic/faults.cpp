#include "nic/faults.hpp"

#include "core/error.hpp"
#include "core/units.hpp"

namespace heddle::nic {
namespace {

constexpr std::string_view kAccepted =
    ": accepted are drop=P and corrupt=P with a probability P such as 0.01 or 1e-3, and "
    "down=GLOB@FROM-TO with times such as 1ms (TO may be left out), separated by commas";

[[noreturn]] void refuse(std::string_view part, const SourceLocation& where,
                         const std::string& why) {
  throw InputError(where,
                   "'" + std::string(part) + "' is not a fault" + why + std::string(kAccepted));
}

double probability(std::string_view part, std::string_view text, const SourceLocation& where) {
  const auto value = parse_ratio(text);
  if (!value || *value < 0 || *value > 1) refuse(part, where, "'s probability");
  return *value;
}

Time time_of(std::string_view part, std::string_view text, const SourceLocation& where) {
  const auto value = parse_time(text);
  if (!value) refuse(part, where, ": '" + std::string(text) + "' is not a time");
  return *value;
}

/// "GLOB@FROM-TO" or "GLOB@FROM-". The glob may contain dashes, the times cannot.
Outage outage(std::string_view part, std::string_view text, const SourceLocation& where) {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos || at == 0) refuse(part, where, ": no '@' before its times");
  const std::string_view times = text.substr(at + 1);
  const std::size_t dash = times.find('-');
  if (dash == std::string_view::npos) refuse(part, where, ": no '-' between its times");
  Outage result;
  result.cable = text.substr(0, at);
  result.from = time_of(part, times.substr(0, dash), where);
  const std::string_view end = times.substr(dash + 1);
  if (!end.empty()) result.to = time_of(part, end, where);
  if (result.to <= result.from) refuse(part, where, ": it ends before it begins");
  return result;
}

void add_part(Faults& faults, std::string_view part, const SourceLocation& where) {
  const std::size_t equals = part.find('=');
  const std::string_view name = part.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
  if (name == "drop") {
    faults.drop = probability(part, value, where);
  } else if (name == "corrupt") {
    faults.corrupt = probability(part, value, where);
  } else if (name == "down") {
    faults.outages.push_back(outage(part, value, where));
  } else {
    refuse(part, where, did_you_mean(name, {"drop", "corrupt", "down"}));
  }
}

}  // namespace

void add_faults(Faults& faults, std::string_view text, const SourceLocation& where) {
  while (true) {
    const std::size_t comma = text.find(',');
    add_part(faults, text.substr(0, comma), where);
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace heddle::nic
