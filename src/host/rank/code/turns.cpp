#include "host/rank/code/turns.hpp"

#include <algorithm>

namespace heddle::host {

Turns::Places Turns::once_in_each(std::uint32_t rounds) {
  const auto end = steps_.begin() + static_cast<std::ptrdiff_t>(count_);
  std::sort(steps_.begin(), end, [](const Step& a, const Step& b) { return a.place < b.place; });
  const Places places = come_to(rounds);
  return places[0] != 0 || rounds == 1 ? places : come_to(rounds + 1);
}

Turns::Places Turns::come_to(std::uint32_t times) const {
  Places places{};
  const auto end = steps_.begin() + static_cast<std::ptrdiff_t>(count_);
  int top = INT32_MAX;
  for (auto step = steps_.begin(); step != end; ++step) top = std::min(top, step->depth);
  std::size_t found = 0;
  for (auto step = steps_.begin(); step != end && found < places.size();) {
    const auto next =
        std::find_if(step, end, [&](const Step& other) { return other.place != step->place; });
    if (step->depth == top && next - step == times) places[found++] = step->place;
    step = next;
  }
  return places;
}

}  // namespace heddle::host
