#include "report/packet_counts.hpp"

#include <fmt/core.h>

#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "report/microseconds.hpp"

namespace heddle::report {
std::string packets_words(const network::PacketCounts& p) {
  std::vector<std::string> parts;
  const auto say = [&parts](std::uint64_t count, std::string_view what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  say(p.marked, "marked");
  say(p.dropped, "dropped");
  say(p.trimmed, "trimmed");
  say(p.sent_again, "sent again");
  say(p.timeouts, "time-outs");
  if (p.pauses > 0) {
    parts.push_back(
        fmt::format("{} pauses of {} us in all, the longest {} us, at most {} at a time", p.pauses,
                    short_us(p.paused), short_us(p.longest_pause), p.most_paused));
  }
  return parts.empty() ? "" : fmt::format("{} arrived; {}", p.arrived, joined(parts));
}

Json packets_json(const network::PacketCounts& packets) {
  Json json = {{"arrived", packets.arrived},        {"out_of_order", packets.out_of_order},
               {"marked", packets.marked},          {"dropped", packets.dropped},
               {"trimmed", packets.trimmed},        {"sent_again", packets.sent_again},
               {"timeouts", packets.timeouts},      {"pauses", packets.pauses},
               {"most_paused", packets.most_paused}};
  put(json, "paused", packets.paused);
  put(json, "longest_pause", packets.longest_pause);
  return json;
}

}  // namespace heddle::report
