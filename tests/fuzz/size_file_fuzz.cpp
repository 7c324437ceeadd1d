#include "fuzz.hpp"
#include "traffic/size_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  return fuzz::feed(data, size, [](std::string_view text) {
    const traffic::SizeDistribution sizes = traffic::read_size_text(text, "fuzz.txt");
    RandomStream random(1);
    for (int i = 0; i < 16; ++i) {
      if (sizes.draw(random).count() < 1) __builtin_trap();
    }
    if (!(sizes.mean() >= 1)) __builtin_trap();
  });
}
