#include "platform/topology/polarfly.hpp"

#include <array>

#include "platform/topology/galois_field.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {
namespace {

using Point3 = std::array<GaloisField::Element, 3>;

Point3 point(const GaloisField& field, std::uint32_t number) {
  const std::uint32_t q = field.size();
  if (number < q * q) return {1, number / q, number % q};
  if (number < q * q + q) return {0, 1, number - q * q};
  return {0, 0, 1};
}

/// The number of the point whose coordinates are a multiple of these, not all of which are zero.
std::uint32_t number_of(const GaloisField& field, const Point3& v) {
  const std::uint32_t q = field.size();
  if (v[0] != 0) {
    const GaloisField::Element scale = field.inverse(v[0]);
    return field.multiply(v[1], scale) * q + field.multiply(v[2], scale);
  }
  if (v[1] != 0) return q * q + field.multiply(v[2], field.inverse(v[1]));
  return q * q + q;
}

/// The points orthogonal to one are the line that two of them span: q + 1 points.
void join(const GaloisField& field, std::uint32_t from, DiameterTwoPlan& plan) {
  const Point3 u = point(field, from);
  // Two different points of that line.
  Point3 one{0, 0, 0};
  Point3 other{0, 0, 0};
  if (u[0] != 0) {
    one = {field.negate(u[1]), u[0], 0};
    other = {field.negate(u[2]), 0, u[0]};
  } else {
    one = {1, 0, 0};
    other = {0, field.negate(u[2]), u[1]};
  }
  for (std::uint32_t t = 0; t <= field.size(); ++t) {
    Point3 sum = other;
    if (t < field.size()) {
      for (std::size_t i = 0; i < 3; ++i) sum[i] = field.add(one[i], field.multiply(t, other[i]));
    }
    const std::uint32_t to = number_of(field, sum);
    if (from < to) plan.cables.push_back({from, to});
  }
}

}  // namespace

DiameterTwoPlan polarfly(const PolarFlyShape& shape) {
  const GaloisField field("q", shape.q);
  DiameterTwoPlan plan;
  plan.about = "PolarFly, q = " + std::to_string(shape.q);
  plan.switches = field.size() * field.size() + field.size() + 1;
  plan.nodes_per_switch = shape.nodes_per_switch.value_or((shape.q + 2) / 2);
  check_list("nodes_per_switch", {plan.nodes_per_switch}, 1);
  check_size(capped_product(plan.switches, static_cast<std::uint64_t>(plan.nodes_per_switch)),
             plan.switches, 0);
  for (std::uint32_t s = 0; s < plan.switches; ++s) join(field, s, plan);
  plan.runs = {{"cables", 0, static_cast<std::uint32_t>(plan.cables.size())}};
  return plan;
}

}  // namespace heddle::platform
