#include "network/packet/failing_wire.hpp"

namespace heddle::network {

WirePassage passage_on(const platform::Platform& platform, LinkId link, const WirePassage& plain,
                       Time latency) {
  const platform::CableHistory* const history = platform.history(link);
  if (history == nullptr) return plain;
  const Time end = history->finish(plain.begin, plain.end - plain.begin);
  const bool held = platform.failures().under_way == platform::UnderWay::held;
  if (held && end != Time::never()) return {history->up_from(plain.begin), end};
  const Time lost =
      held ? history->down_for_good(plain.begin) : history->first_down(plain.begin, end + latency);
  if (lost != Time::never()) return {plain.begin, plain.end, lost};
  return {plain.begin, end};
}

}  // namespace heddle::network
