// Any text is a platform or an InputError, and every route of a platform is found or an InputError.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "platform/simgrid_xml.hpp"

namespace {

using namespace heddle;
using namespace heddle::platform;

void walk_route(const Platform& platform, std::uint32_t from, std::uint32_t to) {
  const NoLoads loads;
  try {
    Walk walk = platform.walk({NodeId{from}}, {NodeId{to}}, 0);
    while (true) {
      const LinkId link = platform.next(walk, loads);
      if (link == kNoLink) break;
      platform.link_name(link);
    }
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto platform = read_simgrid_platform_text(text, "fuzz.xml", {256, 4096});
    const std::uint32_t hosts = std::min(platform->nodes(), 12U);
    for (std::uint32_t from = 0; from < hosts; ++from) {
      for (std::uint32_t to = 0; to < hosts; ++to) walk_route(*platform, from, to);
    }
    walk_route(*platform, 0, platform->nodes() - 1);
  } catch (const InputError&) {
  }
  return 0;
}
