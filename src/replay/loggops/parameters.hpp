// The numbers of the LogGOPS model as a replay charges them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/params.hpp"
#include "core/quantity.hpp"
#include "network/loggops/loggops_network.hpp"
#include "replay/ids.hpp"
#include "replay/result.hpp"

namespace heddle::replay {

/// What decides the class of a message.
enum class ClassBy { nothing, size, rank, tag, nic };

/// What a replay is told besides L, o, g, G and O.
struct ReplayConfig {
  Bytes rendezvous;            ///< S: a send of more ends when its receive is matched.
  std::optional<Bytes> large;  ///< Messages of this size and more use the next two.
  Time large_overhead;         ///< o of large messages.
  TimePerByte large_per_byte;  ///< O of large messages.
  std::optional<std::int64_t> ranks_per_node;  ///< Not given: rank r is on node r modulo nodes.
  /// So many of the last ranks are the switches inside nodes; not given: as the schedule says.
  std::optional<std::int64_t> switches;
  Time unit;                         ///< What 1 means in a schedule's calc.
  std::optional<Speed> measured_on;  ///< Speed of the node whose times the calcs are, if it counts.
  ClassBy class_by = ClassBy::nothing;
  std::vector<std::int64_t> class_bounds;  ///< A message's class: how many of these it reaches.
  bool loggopsim_2023 = false;             ///< Keep the accidents of LogGOPSim 2023.
};
/// A message as its class depends on it.
struct MessageFacts {
  Bytes size;
  RankId rank;  ///< That sends it.
  Tag tag;
  NicId nic;
};
std::uint8_t class_of(const MessageFacts& message, const ReplayConfig& config);

/// Section "replay".
const ParamTable<ReplayConfig>& replay_table();

/// Everything the LogGOPS replay needs.
struct LogGopsParameters {
  Time latency;                   ///< L
  Time overhead;                  ///< o
  Time gap;                       ///< g
  TimePerByte gap_per_byte;       ///< G
  TimePerByte overhead_per_byte;  ///< O
  ReplayConfig replay;
};

/// L and G that are not given are those of LogGOPSim: 2.5us and 6ns per byte.
LogGopsParameters combine(const network::LogGopsConfig& loggops, const ReplayConfig& replay);

/// What one message costs.
struct MessageCosts {
  Time overhead;        ///< o
  Time overhead_bytes;  ///< (s-1) O
  Time gap_bytes;       ///< (s-1) G
  Time receive_bytes;   ///< The receiver's processor is busy for o and this.
};

/// Works out the costs of messages; remembers the last size, as most messages are alike.
class CostModel {
 public:
  explicit CostModel(const LogGopsParameters& parameters);

  const MessageCosts& of(Bytes size) {
    if (size == last_size_) return last_;
    last_size_ = size;
    const auto rest = static_cast<std::uint64_t>(size.count()) - 1;
    if (rest < common_bytes_) {
      compute_common(rest);
    } else {
      compute(size);
    }
    return last_;
  }
  Time latency() const { return parameters_.latency; }
  Time gap() const { return parameters_.gap; }
  /// What fits simulated time; of() and duration() are for operations within.
  goal::ValueLimits limits() const;
  Time duration(std::uint64_t value) const {
    return parameters_.replay.unit * static_cast<std::int64_t>(value);
  }
  bool rendezvous(Bytes size) const { return size > parameters_.replay.rendezvous; }
  /// No message arrives sooner than this after it is sent.
  Time lookahead() const;

 private:
  void compute(Bytes size);
  /// Of a message that is not large, with so many bytes behind the first.
  void compute_common(std::uint64_t rest) {
    last_.overhead = parameters_.overhead;
    last_.overhead_bytes = common_cost(parameters_.overhead_per_byte, rest);
    last_.gap_bytes = common_cost(parameters_.gap_per_byte, rest);
    last_.receive_bytes = std::max(last_.overhead_bytes, last_.gap_bytes);
  }
  static constexpr std::uint64_t kPicosecond = 1'000'000;  ///< In attoseconds.
  static Time common_cost(TimePerByte rate, std::uint64_t bytes) {
    const auto whole = bytes * static_cast<std::uint64_t>(rate.attoseconds());
    return Time::ps(static_cast<std::int64_t>((whole + kPicosecond / 2) / kPicosecond));
  }

  LogGopsParameters parameters_;
  /// Fewer bytes behind the first cost what compute_common() says.
  std::uint64_t common_bytes_ = 0;
  Bytes last_size_;
  MessageCosts last_;
};

}  // namespace heddle::replay
