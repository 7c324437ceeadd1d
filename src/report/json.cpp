#include "report/json.hpp"

#include "core/units.hpp"
#include "report/version.hpp"

namespace heddle::report {

Json new_document(std::string_view schema) {
  return {{"schema", std::string(schema)}, {"heddle", std::string(version())}};
}

std::string dump(const Json& document) {
  // Names may come from files in any encoding: bytes that are not UTF-8 must not stop the output.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
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
