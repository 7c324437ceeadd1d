#include <cstdlib>

#include "fuzz.hpp"
#include "platform/machine.hpp"

namespace {

using namespace heddle;

/// Large enough for every rule of the reader, small enough to build thousands of them.
constexpr std::uint64_t kMostVertices = 5000;

/// What is read can be built, or the reason why not is told; and what is written reads back.
void read_and_build(std::string_view text) {
  Settings settings(platform::machine_sections());
  const auto machine = platform::read_machine_text(text, "fuzz.yaml", settings);
  const std::string effective = platform::effective_config(machine, settings);
  Settings again(platform::machine_sections());
  const auto same = platform::read_machine_text(effective, "fuzz.yaml", again);
  if (platform::effective_config(same, again) != effective) std::abort();
  if (machine.simgrid.empty() && !settings.has("graph.file")) {
    platform::build_platform(machine, settings, kMostVertices);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::feed(data, size, read_and_build);
}
