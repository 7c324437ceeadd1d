#include <istream>

#include "files/input_stream.hpp"
#include "fuzz.hpp"

/// Unpacks what is packed, as all readers do below their own work.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle;
  return fuzz::feed(data, size, [](std::string_view bytes) {
    constexpr std::size_t kMost = std::size_t{1} << 24;
    files::InputBuffer buffer(files::from_bytes(bytes), "fuzz.gz");
    std::istream in(&buffer);
    in.exceptions(std::ios::badbit);
    files::read_at_most(in, kMost);
  });
}
