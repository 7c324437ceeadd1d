// A time by size, from points of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::calibrate {

/// The time at a size, and by how much a line may miss it.
struct CurvePoint {
  std::int64_t bytes = 0;
  double seconds = 0;
  double tolerance = 0;
};

/// Lines between points, as parameters of the type `times` have them
/// ("0:300ns;1024:100ns:0.2ns/B"): as few as miss no point by more than its tolerance. At each size
/// of `breaks`, which are sorted, another curve begins, and the last line before goes on up to
/// there. Before the first point the time is as there; beyond the last the last line goes on, if it
/// rises.
std::string times_text(const std::vector<CurvePoint>& points,
                       const std::vector<std::int64_t>& breaks = {});

}  // namespace heddle::calibrate
