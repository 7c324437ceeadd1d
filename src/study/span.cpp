#include "study/span.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

#include "core/random.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "study/study.hpp"

namespace heddle::study {
namespace {

std::optional<double> plain_number(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole_text = error == std::errc() && end == text.data() + text.size();
  return whole_text && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

template <class Quantity, class Number>
std::optional<double> as_number(const std::optional<Quantity>& quantity, Number number) {
  if (!quantity) return std::nullopt;
  return static_cast<double>(number(*quantity));
}

/// What people would write down of a number that was drawn.
double to_four_digits(double value) {
  return *plain_number(fmt::format("{:.4g}", value));
}

}  // namespace

std::optional<double> Span::parse(Kind kind, std::string_view text) {
  switch (kind) {
    case Kind::number:
      return plain_number(text);
    case Kind::time:
      return as_number(parse_time(text), [](Time t) { return t.ps(); });
    case Kind::bytes:
      return as_number(parse_bytes(text), [](Bytes b) { return b.count(); });
    case Kind::bandwidth:
      return as_number(parse_bandwidth(text), [](Bandwidth b) { return b.bits_per_second(); });
    case Kind::time_per_byte:
      break;
  }
  return as_number(parse_time_per_byte(text), [](TimePerByte t) { return t.attoseconds(); });
}

std::optional<Span> Span::between(std::string_view from, std::string_view to) {
  for (const Kind kind :
       {Kind::number, Kind::time, Kind::bytes, Kind::bandwidth, Kind::time_per_byte}) {
    const auto low = parse(kind, from);
    const auto high = parse(kind, to);
    if (!low || !high) continue;
    Span span;
    span.kind_ = kind;
    span.from_ = *low;
    span.to_ = *high;
    const auto has_point = [](std::string_view text) {
      return text.find_first_of(".eE") != std::string_view::npos;
    };
    span.whole_ = kind != Kind::number || !(has_point(from) || has_point(to));
    return span;
  }
  return std::nullopt;
}

std::optional<double> Span::number(std::string_view text) const {
  return parse(kind_, text);
}

std::string Span::text(double value) const {
  const double whole = std::round(value);
  const auto count = static_cast<std::int64_t>(std::clamp(whole, -0x1p62, 0x1p62));
  switch (kind_) {
    case Kind::number:
      break;
    case Kind::time:
      return exact_time(Time::ps(count));
    case Kind::bytes:
      return exact_bytes(Bytes(count));
    case Kind::bandwidth:
      return exact_bandwidth(Bandwidth::bits_per_second(count));
    case Kind::time_per_byte:
      return exact_time_per_byte(TimePerByte::attoseconds(count));
  }
  if (whole_) return fmt::format("{}", count);
  // Twelve digits hide the last bits of 3 * 0.1.
  return fmt::format("{:.12g}", value);
}

double Span::value_at(double part, bool logarithmic) const {
  if (part <= 0) return from_;
  if (part >= 1) return to_;
  return logarithmic ? from_ * portable_exp(part * portable_log(to_ / from_))
                     : from_ + part * (to_ - from_);
}

std::string Span::at(double part, bool logarithmic) const {
  const double value = value_at(part, logarithmic);
  const bool short_enough = kind_ == Kind::bytes || (kind_ == Kind::number && whole_);
  return text(short_enough ? value : to_four_digits(value));
}

std::vector<std::string> Span::even(std::size_t points, bool logarithmic) const {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < points; ++i) {
    const double part = points == 1 ? 0 : static_cast<double>(i) / static_cast<double>(points - 1);
    std::string value = text(value_at(part, logarithmic));
    if (values.empty() || values.back() != value) values.push_back(std::move(value));
  }
  return values;
}

std::vector<std::string> Span::stepped(double step) const {
  std::vector<std::string> values;
  const double steps = std::floor((to_ - from_) / step + 1e-9);
  Span shown = *this;
  shown.whole_ = whole_ && (kind_ != Kind::number || step == std::round(step));
  for (double i = 0; i <= steps; ++i) values.push_back(shown.text(from_ + i * step));
  return values;
}

std::optional<std::vector<std::string>> range_of(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() != 3) return std::nullopt;
  const auto span = Span::between(parts[0], parts[1]);
  const auto step = span ? span->number(parts[2]) : std::nullopt;
  if (!step || *step == 0) return std::nullopt;
  const double steps = (span->to() - span->from()) / *step;
  if (steps < 0 || steps > static_cast<double>(Study::kMostPoints)) return std::nullopt;
  return span->stepped(*step);
}

}  // namespace heddle::study
