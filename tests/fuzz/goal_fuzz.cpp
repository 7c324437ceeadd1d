// Any bytes given as a schedule are refused or can be checked, written, read back and replayed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>

#include "goal/check.hpp"
#include "goal/formats/formats.hpp"
#include "replay/loggops/loggops_replay.hpp"

using namespace heddle;
using namespace heddle::goal;
using namespace heddle::replay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ReadLimits limits{10000};
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const Schedule schedule = parse_schedule(bytes, "fuzz", limits);
    for (const Format format : {Format::text, Format::binary, Format::compact}) {
      std::ostringstream out;
      write_schedule(schedule, format, out);
      if (parse_schedule(out.str(), "copy", limits).ops() != schedule.ops()) std::abort();
    }
    check(schedule);
    loggops_replay(schedule, {combine({}, replay_table().defaults())});
  } catch (const InputError&) {
  } catch (const RunError&) {
  }
  return 0;
}
