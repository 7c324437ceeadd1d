#include <cstdlib>

#include "fuzz.hpp"
#include "platform/noise.hpp"

// Whatever the trace, work is delayed by some time or the run ends with an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  return fuzz::feed(data, size, [](std::string_view text) {
    auto events = platform::parse_noise(text, "fuzz.txt");
    if (events.empty()) return;
    const Time length = events.back().start + events.back().duration;
    const platform::Noise noise(std::move(events), length, {}, 1);
    try {
      for (const Time at : {Time::zero(), Time::ns(7), Time::s(1), Time::s(80'000)}) {
        if (noise.delay(0, at.ps(), Time::us(10).ps()) < 0) std::abort();
      }
    } catch (const RunError&) {
    }
  });
}
