#include "traffic/sizes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "core/units.hpp"

namespace heddle::traffic {
namespace {

/// Largest size: sums and products of sizes stay exact in a double.
constexpr std::int64_t kLargest = std::int64_t{1} << 50;

std::optional<Bytes> parse_size(std::string_view text) {
  const auto size = parse_bytes(text);
  if (!size || size->count() < 1 || size->count() > kLargest) return std::nullopt;
  return size;
}

Bytes whole(double size, Bytes low, Bytes high) {
  return std::clamp(Bytes(static_cast<std::int64_t>(size)), low, high);
}

double real(Bytes size) {
  return static_cast<double>(size.count());
}

}  // namespace

std::optional<SizeDistribution> SizeDistribution::parse(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() == 1) {
    for (const PublishedSizes& sizes : published_sizes()) {
      if (sizes.name == text) return measured(std::string(text), sizes.points);
    }
    const auto size = parse_size(text);
    return size ? std::optional(SizeDistribution(Kind::fixed, *size, *size)) : std::nullopt;
  }
  if (parts[0] == "mix") return parse_mix(text.substr(4));
  const auto low = parse_size(parts[1]);
  if (!low) return std::nullopt;
  if (parts[0] == "exponential" && parts.size() == 2) {
    return SizeDistribution(Kind::exponential, *low, Bytes(kLargest));
  }
  const auto high = parts.size() == 3 ? parse_size(parts[2]) : std::nullopt;
  if (!high || *high < *low) return std::nullopt;
  if (parts[0] == "uniform") return SizeDistribution(Kind::uniform, *low, *high);
  if (parts[0] == "log-uniform") return SizeDistribution(Kind::log_uniform, *low, *high);
  return std::nullopt;
}

SizeDistribution SizeDistribution::measured(std::string name, std::vector<Point> points) {
  SizeDistribution sizes(Kind::measured, Bytes(1), points.back().size);
  sizes.points_ = std::move(points);
  sizes.name_ = std::move(name);
  return sizes;
}

/// Weights may have any sum, but percentages are of all messages.
std::optional<SizeDistribution> SizeDistribution::parse_mix(std::string_view parts) {
  SizeDistribution sizes(Kind::mix, Bytes(1), Bytes(1));
  for (const std::string_view part : split(parts, ',')) {
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto weight = parse_ratio(part.substr(0, colon));
    const auto size = parse_size(part.substr(colon + 1));
    if (!weight || !size || *weight > 1e9) return std::nullopt;
    sizes.mix_.push_back({*weight, *size});
  }
  const double total = sizes.total_weight();
  const bool percentages = parts.find('%') != std::string_view::npos;
  if (total <= 0 || (percentages && std::abs(total - 1) > 1e-6)) return std::nullopt;
  return sizes;
}

std::string SizeDistribution::text() const {
  switch (kind_) {
    case Kind::fixed:
      return exact_bytes(low_);
    case Kind::uniform:
      return "uniform:" + exact_bytes(low_) + ":" + exact_bytes(high_);
    case Kind::log_uniform:
      return "log-uniform:" + exact_bytes(low_) + ":" + exact_bytes(high_);
    case Kind::exponential:
      return "exponential:" + exact_bytes(low_);
    case Kind::measured:
      return name_;
    case Kind::mix:
      break;
  }
  std::vector<std::string> parts;
  for (const Part& part : mix_) {
    parts.push_back(exact_ratio(part.weight) + ":" + exact_bytes(part.size));
  }
  return "mix:" + joined(parts, ",");
}

double SizeDistribution::total_weight() const {
  double total = 0;
  for (const Part& part : mix_) total += part.weight;
  return total;
}

/// Sizes that round to low .. high lie between low - 1/2 and high + 1/2: the logarithm of their
/// ratio.
double SizeDistribution::log_span() const {
  return portable_log((real(high_) + 0.5) / (real(low_) - 0.5));
}

/// With this scale the whole part of an exponential number, plus one, has the mean `low_`.
double SizeDistribution::exponential_scale() const {
  return low_.count() == 1 ? 0 : -1 / portable_log(1 - 1 / real(low_));
}

Bytes SizeDistribution::draw(RandomStream& random) const {
  switch (kind_) {
    case Kind::fixed:
      return low_;
    case Kind::uniform:
      return low_ + Bytes(static_cast<std::int64_t>(
                        random.below(static_cast<std::uint64_t>((high_ - low_).count()) + 1)));
    case Kind::log_uniform:
      return whole((real(low_) - 0.5) * portable_exp(random.uniform() * log_span()) + 0.5, low_,
                   high_);
    case Kind::exponential:
      return whole(1 + random.exponential(exponential_scale()), Bytes(1), high_);
    case Kind::measured:
      return draw_measured(random.uniform());
    case Kind::mix:
      break;
  }
  return draw_from_mix(random);
}

Bytes SizeDistribution::draw_from_mix(RandomStream& random) const {
  double rest = random.uniform() * total_weight();
  for (const Part& part : mix_) {
    if (rest < part.weight) return part.size;
    rest -= part.weight;
  }
  return mix_.back().size;
}

Bytes SizeDistribution::draw_measured(double share) const {
  const auto above = std::ranges::upper_bound(points_, share, {}, &Point::share);
  if (above == points_.begin()) return std::max(above->size, low_);
  const Point& upper = above == points_.end() ? points_.back() : *above;
  const Point& lower = *std::prev(above);
  const double part =
      upper.share > lower.share ? (share - lower.share) / (upper.share - lower.share) : 1;
  return whole(real(lower.size) + part * (real(upper.size) - real(lower.size)) + 0.5, low_, high_);
}

/// Of the points, which whole sizes come near to.
double SizeDistribution::measured_mean() const {
  double mean = points_.front().share * real(points_.front().size);
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const Point& low = points_[i - 1];
    const Point& high = points_[i];
    mean += (high.share - low.share) * (real(low.size) + real(high.size)) / 2;
  }
  return std::max(mean, 1.0);
}

double SizeDistribution::mean() const {
  switch (kind_) {
    case Kind::fixed:
    case Kind::exponential:
      return real(low_);
    case Kind::uniform:
      return (real(low_) + real(high_)) / 2;
    case Kind::log_uniform:
      return (real(high_) - real(low_) + 1) / log_span();
    case Kind::measured:
      return measured_mean();
    case Kind::mix:
      break;
  }
  double sum = 0;
  for (const Part& part : mix_) sum += part.weight * real(part.size);
  return sum / total_weight();
}

}  // namespace heddle::traffic
