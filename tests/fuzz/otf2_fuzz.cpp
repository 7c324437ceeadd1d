// Any events of two ranks, as an OTF2 archive might have them, are refused or become a schedule
// that can be checked. (The bytes of an archive are taken apart by the library OTF2.)
#include "fuzz.hpp"
#include "goal/check.hpp"
#include "traces/convert/convert.hpp"
#include "traces/readers/otf2_calls.hpp"
#include "traces/readers/otf2_receives.hpp"

namespace {

using namespace heddle;

constexpr std::size_t kBytesOfEvent = 8;

traces::Otf2Definitions fuzz_definitions(bool eztrace) {
  traces::Otf2Definitions definitions;
  definitions.ticks_per_second = 1'000'000;
  definitions.locations = {0, 1};
  const char* const names[] = {"main",     "MPI_Init",    "MPI_Send",     "MPI_Isend",
                               "MPI_Wait", "MPI_Waitall", "MPI_Sendrecv", "MPI_Waitsome"};
  for (std::uint32_t i = 0; i < std::size(names); ++i) definitions.regions[i] = names[i];
  definitions.comms[0].members = {0, 1};
  definitions.comms[1].members = {1, 0};
  definitions.comms[2].members = {1};
  definitions.comms[3].self = true;
  definitions.eztrace = eztrace;
  return definitions;
}

/// Its rank is in the first byte.
traces::Otf2Event event_of_bytes(std::string_view bytes, std::uint64_t number) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  traces::Otf2Event event;
  event.kind = static_cast<traces::Otf2Event::Kind>(byte(0) / 2 % 12);
  event.operation = static_cast<traces::Otf2Operation>(byte(1) % 18);
  event.region = byte(2) % 9;
  event.comm = byte(2) % 5;
  event.peer = byte(3) == 255 ? UINT32_MAX : byte(3) % 3;
  event.tag = byte(4) % 4;
  event.bytes = byte(5) * (byte(4) > 200 ? std::uint64_t{1} << 50 : 1);
  event.received = byte(6);
  event.request = byte(6) % 4;
  event.time = number * 4 + byte(7);
  event.number = number;
  return event;
}

void convert_events(std::string_view bytes) {
  if (bytes.empty()) return;
  const traces::Otf2Definitions definitions = fuzz_definitions(bytes[0] % 2 != 0);
  traces::Otf2Calls ranks[] = {{"rank 0", definitions, 0}, {"rank 1", definitions, 1}};
  std::uint64_t number = 0;
  for (std::size_t at = 1; at + kBytesOfEvent <= bytes.size(); at += kBytesOfEvent) {
    const std::string_view piece = bytes.substr(at, kBytesOfEvent);
    ranks[piece[0] % 2 != 0].add(event_of_bytes(piece, ++number));
  }
  std::vector<traces::Otf2Rank> read;
  for (traces::Otf2Calls& rank : ranks) read.push_back(rank.finish());
  find_messages(definitions, read);
  traces::Trace trace;
  trace.agreed_handles = true;
  for (traces::Otf2Rank& rank : read) trace.ranks.push_back(std::move(rank.trace));
  goal::check(convert(trace, traces::convert_table().defaults()).schedule);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return heddle::fuzz::feed(data, size, convert_events);
}
