#include "calibrate/curve.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace heddle::calibrate {
namespace {

constexpr double kNs = 1e9;

/// Seconds = fixed + slope * bytes.
struct Line {
  std::int64_t above = 0;  ///< Holds for sizes beyond this.
  double fixed = 0;
  double slope = 0;
};

Line flat(std::int64_t above, double seconds) {
  return {above, seconds, 0};
}
Line through(std::int64_t above, const CurvePoint& a, const CurvePoint& b) {
  const double slope = (b.seconds - a.seconds) / static_cast<double>(b.bytes - a.bytes);
  return {above, a.seconds - slope * static_cast<double>(a.bytes), slope};
}

/// Whether the line from the first to the last misses none between them.
bool suffices(std::span<const CurvePoint> points) {
  const Line line = through(0, points.front(), points.back());
  return std::ranges::all_of(points, [&](const CurvePoint& point) {
    const double there = line.fixed + line.slope * static_cast<double>(point.bytes);
    return std::abs(there - point.seconds) <= point.tolerance || &point == &points.front() ||
           &point == &points.back();
  });
}

/// `first`: the size beyond which the curve begins. Between there and its first point it is flat,
/// or goes on as behind that if it is `broken` off from another.
void add_lines(std::vector<Line>& lines, std::int64_t first, bool broken,
               std::span<const CurvePoint> points) {
  lines.push_back(flat(first, points.front().seconds));
  for (std::size_t at = 0; at + 1 < points.size();) {
    std::size_t end = at + 1;
    while (end + 1 < points.size() && suffices(points.subspan(at, end + 2 - at))) ++end;
    Line line = through(points[at].bytes, points[at], points[end]);
    // What is nowhere before it does not need a class of its own.
    if (at == 0 && (broken || points[0].bytes <= first + 1)) {
      lines.pop_back();
      line.above = first;
    }
    lines.push_back(line);
    at = end;
  }
}

std::string written(const Line& line) {
  // To a picosecond, and to an attosecond per byte.
  std::string text = fmt::format("{}:{:.3f}ns", line.above, line.fixed * kNs);
  const std::string slope = fmt::format("{:.9f}", line.slope * kNs);
  if (slope.find_first_not_of("-0.") != slope.npos) text += ":" + slope + "ns/B";
  return text;
}

}  // namespace

std::string times_text(const std::vector<CurvePoint>& points,
                       const std::vector<std::int64_t>& breaks) {
  if (points.empty()) return "0ns";
  std::vector<Line> lines;
  std::int64_t first = 0;
  for (std::size_t at = 0; at < points.size();) {
    const auto next = std::ranges::upper_bound(breaks, points[at].bytes);
    std::size_t end = at + 1;
    while (end < points.size() && (next == breaks.end() || points[end].bytes < *next)) ++end;
    add_lines(lines, first, at > 0, std::span(points).subspan(at, end - at));
    if (end < points.size()) first = *next - 1;
    at = end;
  }
  if (lines.back().slope < 0) {
    lines.push_back(flat(points.back().bytes, points.back().seconds));
  }
  std::string text;
  for (const Line& line : lines) text += (text.empty() ? "" : ";") + written(line);
  return text;
}

}  // namespace heddle::calibrate
