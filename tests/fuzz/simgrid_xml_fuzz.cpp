#include <algorithm>
#include <cstdlib>

#include "fuzz.hpp"
#include "platform/simgrid_xml.hpp"

namespace {

using namespace heddle;

/// Large enough for every rule of the reader, small enough to build thousands of them.
constexpr platform::simgrid::Limits kLimits{256, 4096};

/// The route is found to its end, or the file declares none.
void walk_route(const platform::Platform& machine, std::uint32_t from, std::uint32_t to) {
  const platform::NoLoads loads;
  platform::Walk walk = machine.routes().walk({NodeId{from}}, {NodeId{to}}, 0);
  try {
    for (LinkId link{}; link != kNoLink;) link = machine.routes().next(walk, loads);
  } catch (const InputError&) {
  }
}

/// The profiles of links go on in time.
void follow_profiles(const platform::LinkProfiles& all) {
  for (const platform::LinkProfile& link : all.links) {
    const platform::Profile& profile = all.profiles.at(link.profile);
    Time now;
    for (int step = 0; step < 100 && now < Time::never(); ++step) {
      const Time next = profile.next_after(now);
      if (next <= now || (next < Time::never() && !profile.at(next))) std::abort();
      now = next;
    }
  }
}

/// What is read has a name for every link and an answer for every pair of hosts.
void read_and_route(std::string_view text) {
  const auto machine = platform::read_simgrid_platform_text(text, "fuzz.xml", kLimits);
  for (std::uint32_t id = 0; id < machine->links().ids(); ++id) machine->links().name(LinkId{id});
  const std::uint32_t hosts = std::min(machine->nodes(), 12U);
  for (std::uint32_t from = 0; from < hosts; ++from) {
    for (std::uint32_t to = 0; to < hosts; ++to) walk_route(*machine, from, to);
  }
  walk_route(*machine, 0, machine->nodes() - 1);
  follow_profiles(machine->profiles());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::feed(data, size, read_and_route);
}
