#include <cstdlib>

#include "calibrate/format.hpp"
#include "fuzz.hpp"

// Whatever the text, what is read of it are sizes and positive values, each with a line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  return fuzz::feed(data, size, [](std::string_view text) {
    calibrate::Readings readings;
    calibrate::read_text(text, "fuzz.txt", readings);
    for (const calibrate::Measurement& test : readings.measurements) {
      if (test.points.empty()) std::abort();
      for (const calibrate::Point& point : test.points) {
        if (point.bytes < 0 || !(point.value > 0) || point.line == 0) std::abort();
      }
    }
  });
}
