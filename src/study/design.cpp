#include "study/design.hpp"

#include <fmt/core.h>

#include <utility>

namespace heddle::study {

Block each(const Column& column) {
  Block block;
  for (const std::uint32_t value : column.values) block.push_back({{column.parameter, value}});
  return block;
}

Block side_by_side(const std::vector<Column>& columns) {
  Block block(columns.front().values.size());
  for (const Column& column : columns) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      block[i].push_back({column.parameter, column.values[i]});
    }
  }
  return block;
}

std::vector<double> anywhere(std::size_t count, RandomStream stream) {
  std::vector<double> places(count);
  for (double& place : places) place = stream.uniform();
  return places;
}

std::vector<double> strata(std::size_t count, RandomStream stream) {
  std::vector<double> places(count);
  for (std::size_t i = 0; i < count; ++i) {
    places[i] = (static_cast<double>(i) + stream.uniform()) / static_cast<double>(count);
  }
  for (std::size_t i = count; i > 1; --i) std::swap(places[i - 1], places[stream.below(i)]);
  return places;
}

std::vector<Point> combine(std::size_t parameters, const std::vector<Block>& blocks,
                           const SourceLocation& where) {
  std::vector<Point> points(1, Point(parameters, Study::kUnset));
  for (const Block& block : blocks) {
    if (points.size() * block.size() > Study::kMostPoints) {
      throw InputError(where, fmt::format("the study has more points than are accepted: {}",
                                          Study::kMostPoints));
    }
    std::vector<Point> more;
    more.reserve(points.size() * block.size());
    for (const Point& point : points) {
      for (const Part& part : block) {
        Point& next = more.emplace_back(point);
        for (const Setting& setting : part) next[setting.parameter] = setting.value;
      }
    }
    points = std::move(more);
  }
  return points;
}

}  // namespace heddle::study
