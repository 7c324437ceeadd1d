#include "replay/loggops/parameters.hpp"

#include <algorithm>

namespace heddle::replay {

const ParamTable<ReplayConfig>& replay_table() {
  static const auto table = [] {
    ParamTable<ReplayConfig> t("replay", "replay of a schedule, besides the network's own numbers");
    t.add("S", &ReplayConfig::rendezvous, "65535", {"", "1000TiB"},
          "the largest eager message; a larger send ends when its receive is matched");
    t.add("large", &ReplayConfig::large, "auto", {"", "1000TiB"},
          "size from which o_large and O_large apply; auto: never");
    t.add("o_large", &ReplayConfig::large_overhead, "0ns", {"", "1000s"}, "o of large messages");
    t.add("O_large", &ReplayConfig::large_per_byte, "0ns/B", {"", "1s/B"}, "O of large messages");
    t.add("ranks_per_node", &ReplayConfig::ranks_per_node, "auto", {"1", "1G"},
          "rank r runs on node r divided by this; auto: on node r modulo the nodes");
    t.add("switches", &ReplayConfig::switches, "auto", {"0", "1G"},
          "so many of the last ranks are no processes, but the switches inside the nodes, which "
          "reduce and multicast; auto: as the schedule says");
    t.add("time_unit", &ReplayConfig::unit, "1ns", {"1ps", "1h"},
          "what a bare number in a schedule's calc means");
    t.add("measured_on", &ReplayConfig::measured_on, "auto", {"1f", "1000Pf"},
          "speed of the node that calcs were measured on: on others they take longer or shorter by "
          "this over the node's own speed; auto: as long everywhere");
    t.add_choice(
        "class_by", &ReplayConfig::class_by, "none",
        {{"none", ClassBy::nothing},
         {"size", ClassBy::size},
         {"rank", ClassBy::rank},
         {"tag", ClassBy::tag},
         {"nic", ClassBy::nic}},
        "what of a message decides its class (service level): nothing, its size, the rank, "
        "tag or nic of its send");
    t.add("class_bounds", &ReplayConfig::class_bounds, "1", {},
          "with class_by: the class is how many of these numbers the message reaches; of sizes, "
          "bytes");
    t.add("loggopsim_2023", &ReplayConfig::loggopsim_2023, "no", {},
          "keep the accidents of LogGOPSim 2023, to compare with it");
    return t;
  }();
  return table;
}

std::uint8_t class_of(const MessageFacts& message, const ReplayConfig& config) {
  std::uint64_t value = 0;
  switch (config.class_by) {
    case ClassBy::nothing:
      return 0;
    case ClassBy::size:
      value = static_cast<std::uint64_t>(message.size.count());
      break;
    case ClassBy::rank:
      value = raw(message.rank);
      break;
    case ClassBy::tag:
      value = raw(message.tag);
      break;
    case ClassBy::nic:
      value = raw(message.nic);
      break;
  }
  std::uint8_t reached = 0;
  for (const std::int64_t bound : config.class_bounds) {
    reached += bound <= 0 || value >= static_cast<std::uint64_t>(bound);
  }
  return reached;
}

LogGopsParameters combine(const network::LogGopsConfig& loggops, const ReplayConfig& replay) {
  return {loggops.latency.value_or(Time::ns(2500)),
          loggops.overhead,
          loggops.gap,
          loggops.gap_per_byte.value_or(TimePerByte::attoseconds(6'000'000'000)),
          loggops.overhead_per_byte,
          replay};
}

namespace {

/// The cost of `n` bytes; a negative number of bytes gives the negative cost.
Time cost(TimePerByte rate, std::int64_t n) {
  // As time_for(), without the division of 128 bits that most sizes do not need.
  constexpr std::int64_t kPicosecond = 1'000'000;
  std::int64_t product = 0;
  if (n >= 0 && !__builtin_mul_overflow(n, rate.attoseconds(), &product) &&
      product < INT64_MAX - kPicosecond) {
    return Time::ps((product + kPicosecond / 2) / kPicosecond);
  }
  return n < 0 ? Time::zero() - rate.time_for(Bytes(-n)) : rate.time_for(Bytes(n));
}

/// The larger of two numbers of LogGOPSim's unsigned arithmetic, where less than 0 is huge.
Time wrapped_max(Time a, Time b) {
  return Time::ps(static_cast<std::int64_t>(
      std::max(static_cast<std::uint64_t>(a.ps()), static_cast<std::uint64_t>(b.ps()))));
}

}  // namespace

CostModel::CostModel(const LogGopsParameters& parameters) : parameters_(parameters) {
  compute(Bytes(0));
  const auto& [least, most] = std::minmax(parameters.gap_per_byte, parameters.overhead_per_byte);
  if (least.attoseconds() < 0) return;
  constexpr auto kMost = static_cast<std::uint64_t>(INT64_MAX) - kPicosecond;
  common_bytes_ =
      kMost / std::max<std::uint64_t>(1, static_cast<std::uint64_t>(most.attoseconds()));
  if (parameters.replay.large) {
    const auto large = static_cast<std::uint64_t>(parameters.replay.large->count());
    common_bytes_ = std::min(common_bytes_, large == 0 ? 0 : large - 1);
  }
}

goal::ValueLimits CostModel::limits() const {
  const ReplayConfig& replay = parameters_.replay;
  goal::ValueLimits limits = goal::limits_for(replay.unit);
  for (const TimePerByte rate :
       {parameters_.gap_per_byte, parameters_.overhead_per_byte, replay.large_per_byte}) {
    if (rate.attoseconds() == 0) continue;
    const __int128 most = static_cast<__int128>(goal::kLatest) * 1'000'000 / rate.attoseconds();
    if (most < limits.bytes) limits.bytes = static_cast<std::uint64_t>(most);
  }
  return limits;
}

void CostModel::compute(Bytes size) {
  const ReplayConfig& replay = parameters_.replay;
  const bool large = replay.large && size >= *replay.large;
  const std::int64_t bytes = size.count() - 1;
  const std::int64_t rest = replay.loggopsim_2023 ? bytes : std::max<std::int64_t>(0, bytes);
  last_.overhead = large ? replay.large_overhead : parameters_.overhead;
  last_.overhead_bytes = cost(large ? replay.large_per_byte : parameters_.overhead_per_byte, rest);
  last_.gap_bytes = cost(parameters_.gap_per_byte, rest);
  last_.receive_bytes = wrapped_max(last_.overhead_bytes, last_.gap_bytes);
}

Time CostModel::lookahead() const {
  const ReplayConfig& replay = parameters_.replay;
  const Time least =
      replay.large ? std::min(parameters_.overhead, replay.large_overhead) : parameters_.overhead;
  return least + parameters_.latency;
}

}  // namespace heddle::replay
