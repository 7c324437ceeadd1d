#include "report/json.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "report/version.hpp"

namespace heddle::report {

Json new_document(std::string_view schema) {
  return {{"schema", std::string(schema)}, {"heddle", std::string(version())}};
}

namespace {

std::string text_of(const Json& value, int indent) {
  // Names may come from files in any encoding: bytes that are not UTF-8 must not stop the output.
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string dump(const Json& document) {
  return text_of(document, 2) + "\n";
}

std::string dump_line(const Json& value) {
  return text_of(value, -1);
}

double significant(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3);
  // Of small numbers by dividing: 0.0017, not 0.0017000000000000001.
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit)
                  : std::round(value / unit) * unit;
}

Json parse_json(std::string_view text) {
  return Json::parse(text, nullptr, false);
}

void require_json(std::string_view text, const std::string& file) {
  try {
    const auto keep_nothing = [](int, Json::parse_event_t, const Json&) { return false; };
    [[maybe_unused]] const Json nothing = Json::parse(text, keep_nothing);
  } catch (const Json::parse_error& error) {
    const std::size_t at = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const std::string_view before = text.substr(0, at);
    const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
    const auto column = static_cast<std::uint32_t>(at - (before.rfind('\n') + 1) + 1);
    throw InputError({file, line, column}, at == text.size()
                                               ? "the file ends within its JSON"
                                               : "not JSON at " + in_quotes(text.substr(at, 1)));
  }
}

void put(Json& object, const std::string& name, Time value) {
  object[name + "_ps"] = value.ps();
  object[name] = format_time(value);
}

void put(Json& object, const std::string& name, Bytes value) {
  object[name + "_bytes"] = value.count();
  object[name] = format_bytes(value);
}

void put(Json& object, const std::string& name, Bandwidth value) {
  object[name + "_bps"] = value.is_unlimited() ? Json() : Json(value.bits_per_second());
  object[name] = format_bandwidth(value);
}

}  // namespace heddle::report
