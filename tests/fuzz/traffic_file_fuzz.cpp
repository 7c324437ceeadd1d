#include "fuzz.hpp"
#include "platform/topology/single_switch.hpp"
#include "traffic/traffic_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  return fuzz::feed(data, size, [](std::string_view text) {
    traffic::read_traffic_text(text, "fuzz.txt", platform::SingleSwitch(16));
  });
}
