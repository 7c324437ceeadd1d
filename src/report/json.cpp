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

namespace {

/// Takes nothing of a text, and notes where it is wrong and why.
class Finder final : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    constexpr int kTooLarge = 406;
    position_ = position;
    if (error.id == kTooLarge) too_large_ = token;
    return false;
  }

  /// Of the byte behind what is wrong, from 1.
  std::size_t position() const { return position_; }
  /// The number that no computer could hold, or "".
  const std::string& too_large() const { return too_large_; }

 private:
  std::size_t position_ = 0;
  std::string too_large_;
};

}  // namespace

void require_json(std::string_view text, const std::string& file) {
  Finder finder;
  if (Json::sax_parse(text, &finder)) return;
  const std::size_t length = std::max<std::size_t>(finder.too_large().size(), 1);
  const std::size_t at =
      std::min(finder.position() - std::min(finder.position(), length), text.size());
  const std::string_view before = text.substr(0, at);
  const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
  const auto column = static_cast<std::uint32_t>(at - (before.rfind('\n') + 1) + 1);
  std::string problem = "not JSON at " + in_quotes(text.substr(at, 1));
  if (at == text.size()) problem = "the file ends within its JSON";
  if (!finder.too_large().empty()) {
    problem =
        in_quotes(finder.too_large()) + " is too large for a number: accepted is up to 1.8e308";
  }
  throw InputError({file, line, column}, problem);
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
