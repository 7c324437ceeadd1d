// Exchanges among neighbours of a topology.
#include "coll/algorithms/parts.hpp"

namespace heddle::coll {
namespace neighbour_ways {
namespace {

void receive_all(Steps& s, const Neighbours& w) {
  for (std::size_t i = 0; i < w.sources.size(); ++i) {
    if (w.sources[i] >= 0) s.receive(w.in[static_cast<int>(i)], w.sources[i]);
  }
}
/// Calls `send(i)` for each destination that there is, in the order in which messages are sent.
template <class Send>
void in_order(const Neighbours& w, Send send) {
  for (std::size_t k = 0; k < w.destinations.size(); ++k) {
    const std::size_t i = w.cartesian ? k ^ 1U : k;
    if (w.destinations[i] >= 0) send(i);
  }
}

void all_at_once(Steps& s, const Neighbours& w, const Tuning&) {
  receive_all(s, w);
  in_order(w, [&](std::size_t i) { s.send(w.out[static_cast<int>(i)], w.destinations[i]); });
  s.wait();
}
void one_by_one(Steps& s, const Neighbours& w, const Tuning&) {
  receive_all(s, w);
  in_order(w, [&](std::size_t i) { s.send_now(w.out[static_cast<int>(i)], w.destinations[i]); });
  s.wait();
}

}  // namespace
}  // namespace neighbour_ways

std::span<const Algorithm<Neighbours>> neighbour_algorithms() {
  using namespace neighbour_ways;
  static constexpr Algorithm<Neighbours> kAll[] = {
      {"linear", "with all neighbours at once", all_at_once},
      {"sequential", "receives from all at once, sends to one after another", one_by_one},
  };
  return kAll;
}

}  // namespace heddle::coll
