#include "platform/topology/slim_fly.hpp"

#include "core/error.hpp"
#include "platform/topology/galois_field.hpp"
#include "platform/topology/shape.hpp"

namespace heddle::platform {
namespace {

using Elements = std::vector<GaloisField::Element>;

/// Of q = 4w + delta: -1, 0 or 1.
int delta_of(const GaloisField& field) {
  const std::uint32_t rest = field.size() % 4;
  if (field.size() < 3 || rest == 2) {
    throw ParamError(
        {"q"}, "q is " + std::to_string(field.size()) + "; accepted are prime powers from 3 on");
  }
  return rest == 3 ? -1 : static_cast<int>(rest);
}

/// Every second power of the primitive element from `first` to `last`.
void add_powers(const GaloisField& field, std::uint32_t first, std::uint32_t last, Elements& out) {
  for (std::uint32_t n = first; n <= last; n += 2) out.push_back(field.power(n));
}

/// By which two switches of one column may differ: X for the first half of the switches, X' for the
/// second.
Elements generators(const GaloisField& field, int delta, bool second) {
  const std::uint32_t q = field.size();
  Elements set;
  if (delta == 1) {
    add_powers(field, second ? 1 : 0, second ? q - 2 : q - 3, set);
  } else if (delta == 0) {
    add_powers(field, second ? 1 : 0, second ? q - 1 : q - 2, set);
  } else {
    const std::uint32_t w = (q + 1) / 4;
    add_powers(field, second ? 1 : 0, second ? 2 * w - 1 : 2 * w - 2, set);
    add_powers(field, second ? 2 * w : 2 * w - 1, second ? 4 * w - 2 : 4 * w - 3, set);
  }
  return set;
}

/// Cables inside of each column of one half.
void join_columns(const GaloisField& field, const Elements& set, std::uint32_t first,
                  DiameterTwoPlan& plan) {
  const std::uint32_t q = field.size();
  for (std::uint32_t column = 0; column < q; ++column) {
    for (std::uint32_t y = 0; y < q; ++y) {
      for (const GaloisField::Element step : set) {
        const std::uint32_t other = field.add(y, step);
        if (y < other) plan.cables.push_back({first + column * q + y, first + column * q + other});
      }
    }
  }
}

void join_halves(const GaloisField& field, DiameterTwoPlan& plan) {
  const std::uint32_t q = field.size();
  for (std::uint32_t x = 0; x < q; ++x) {
    for (std::uint32_t m = 0; m < q; ++m) {
      for (std::uint32_t c = 0; c < q; ++c) {
        const std::uint32_t y = field.add(field.multiply(m, x), c);
        plan.cables.push_back({x * q + y, q * q + m * q + c});
      }
    }
  }
}

}  // namespace

DiameterTwoPlan slim_fly(const SlimFlyShape& shape) {
  const GaloisField field("q", shape.q);
  const int delta = delta_of(field);
  const std::int64_t degree = (3 * shape.q - delta) / 2;
  DiameterTwoPlan plan;
  plan.about = "Slim Fly, q = " + std::to_string(shape.q);
  plan.switches = 2 * field.size() * field.size();
  plan.nodes_per_switch = shape.nodes_per_switch.value_or((degree + 1) / 2);
  check_list("nodes_per_switch", {plan.nodes_per_switch}, 1);
  check_size(capped_product(plan.switches, static_cast<std::uint64_t>(plan.nodes_per_switch)),
             plan.switches, 0);
  join_columns(field, generators(field, delta, false), 0, plan);
  join_columns(field, generators(field, delta, true), field.size() * field.size(), plan);
  const auto inner = static_cast<std::uint32_t>(plan.cables.size());
  join_halves(field, plan);
  plan.runs = {{"local", 0, inner},
               {"global", inner, static_cast<std::uint32_t>(plan.cables.size()) - inner}};
  return plan;
}

}  // namespace heddle::platform
