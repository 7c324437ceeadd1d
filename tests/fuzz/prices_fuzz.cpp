#include "fuzz.hpp"
#include "platform/cost/prices.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  return fuzz::feed(data, size, [](std::string_view text) {
    platform::read_prices_text(std::string(text), "fuzz.yaml");
  });
}
