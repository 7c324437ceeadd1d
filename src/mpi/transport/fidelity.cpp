#include "mpi/transport/fidelity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "mpi/comm/communicator.hpp"

namespace heddle::mpi {

Fidelity::Fidelity(World& world, FidelityPlan plan,
                   std::vector<std::unique_ptr<Transport>> transports)
    : world_(world), plan_(std::move(plan)), transports_(std::move(transports)) {
  if (plan_.automatic > 0) chosen_ = 0;
}

/// The last rule whose time has come and that is about one of the nodes.
std::uint32_t Fidelity::by_rules(const Message& message) const {
  const Time now = world_.simulation().now();
  const NodeId from = message.sender->rank().node();
  const NodeId to = message.receiver->rank().node();
  const auto concerns = [&](const FidelityPlan::Rule& rule) {
    return rule.nodes.empty() || std::ranges::binary_search(rule.nodes, from) ||
           std::ranges::binary_search(rule.nodes, to);
  };
  std::uint32_t level = 0;
  for (const FidelityPlan::Rule& rule : plan_.rules) {
    if (rule.from <= now && concerns(rule)) level = rule.level;
  }
  return level;
}

void Fidelity::choose(Message& message) {
  if (plan_.automatic > 0 && message.sender->id() == 0) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
    const auto size = static_cast<std::uint64_t>(message.bytes) << 24;
    hash_ = (hash_ ^ message.key.receiver ^ size) * kOdd + 1;
  }
  message.transport = transports_[chosen_ ? *chosen_ : by_rules(message)].get();
  message.pair_number = pairs_[pair_of(message)].posted++;
}

void Fidelity::decide(std::uint32_t level, const std::string& why) {
  if (chosen_ == level) return;
  chosen_ = level;
  decisions_.push_back(fmt::format("{} from {} on: {}", plan_.levels[level].name(),
                                   format_time(world_.simulation().now()), why));
}

bool Fidelity::switch_to(std::uint32_t level) {
  if (level >= plan_.levels.size()) return false;
  decide(level, "the program asked for it");
  return true;
}

bool Fidelity::switch_to(const std::string& name) {
  for (std::uint32_t level = 0; level < plan_.levels.size(); ++level) {
    if (plan_.levels[level].name() == name) return switch_to(level);
  }
  return false;
}

// Order.

bool Fidelity::is_turn(Message& message) {
  Pair& pair = pairs_[pair_of(message)];
  if (message.pair_number == pair.seen) return true;
  pair.kept.push_back(&message);
  return false;
}

Message* Fidelity::next(std::uint64_t number) {
  Pair& pair = pairs_[number];
  ++pair.seen;
  const auto found = std::ranges::find(pair.kept, pair.seen, &Message::pair_number);
  if (found == pair.kept.end()) return nullptr;
  Message* kept = *found;
  pair.kept.erase(found);
  return kept;
}

// Rounds.

void Fidelity::collective(const Communicator& communicator) {
  if (plan_.automatic == 0 || communicator.process().id() != 0) return;
  if (static_cast<std::uint32_t>(communicator.size()) == world_.size()) end_round();
}

void Fidelity::end_round() {
  constexpr std::uint32_t kFine = 0;
  constexpr std::uint32_t kCoarse = 1;
  const Time now = world_.simulation().now();
  const Time length = now - round_begin_;
  Pattern& pattern = patterns_[hash_];
  if (chosen_ == kFine) {
    const auto difference = static_cast<double>(std::abs((length - pattern.time).ps()));
    const bool alike = pattern.time > Time::zero() &&
                       difference <= plan_.tolerance * static_cast<double>(length.ps());
    pattern.alike = alike ? pattern.alike + 1 : 0;
    pattern.time = length;
  }
  const bool known = pattern.alike + 1 >= plan_.automatic;
  const std::uint64_t coming = pattern.next;
  patterns_[previous_].next = hash_;
  previous_ = hash_;
  hash_ = 0;
  round_begin_ = now;
  const auto next = patterns_.find(coming);
  const bool next_known =
      next != patterns_.end() && coming != 0 && next->second.alike + 1 >= plan_.automatic;
  if (!known) return decide(kFine, "the messages of a round have changed");
  if (next_known) {
    decide(kCoarse, fmt::format("{} rounds with the same messages took as long", plan_.automatic));
  }
}

}  // namespace heddle::mpi
