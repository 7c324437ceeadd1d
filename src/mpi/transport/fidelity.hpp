// Several depths of simulation in one run, and which one a message takes.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ids.hpp"
#include "core/time.hpp"
#include "mpi/engine/message.hpp"
#include "mpi/engine/transport.hpp"
#include "mpi/engine/transport_choice.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

class Communicator;

/// What messages travel by, and over which model of the network: "hybrid/queue".
struct FidelityLevel {
  std::string transport;
  std::string network;
  std::string name() const { return transport + "/" + network; }
  bool operator==(const FidelityLevel&) const = default;
};

/// When messages take which level.
struct FidelityPlan {
  /// From a time on, or for messages from or to some nodes.
  struct Rule {
    Time from = Time::zero();
    std::vector<NodeId> nodes = {};  ///< Empty: all.
    std::uint32_t level = 0;
  };
  /// The first is that of the beginning; of `automatic` the first is the fine one, the second the
  /// coarse one.
  std::vector<FidelityLevel> levels;
  std::vector<Rule> rules;      ///< In the order of their times; may be empty.
  std::uint32_t automatic = 0;  ///< Rounds that must be alike; 0: nothing is automatic.
  double tolerance = 0.01;      ///< By which the times of alike rounds may differ.

  bool wanted() const { return !levels.empty(); }
};

/// Reads "0:hybrid/queue, 2ms:portals/packet", "nodes[0-3]:portals/packet, *:hybrid/queue",
/// "portals/packet, hybrid/queue" (for heddle_fidelity and MPI_Pcontrol) or "auto(3):
/// portals/packet, hybrid/queue". `networks` are the models there are. Throws InputError for
/// `option`.
FidelityPlan parse_fidelity(const std::string& text, const std::vector<std::string>& networks,
                            const std::string& option);

/// Part of the world: chooses the transport of each message when it is sent. It keeps that one to
/// its end, and is seen by its receiver in its turn among those of its sender, whatever these
/// travel by.
class Fidelity final : public Part, public TransportChoice {
 public:
  /// Transports by level; all must be there.
  Fidelity(World& world, FidelityPlan plan, std::vector<std::unique_ptr<Transport>> transports);

  void choose(Message& message) override;
  /// The program wants this level from now on; false if there is none with this number or name.
  bool switch_to(std::uint32_t level);
  bool switch_to(const std::string& name);

  bool is_turn(Message& message) override;
  Message* next(std::uint64_t pair) override;

  /// A rank begins a blocking collective: where that is rank 0 and all take part, a round ends.
  void collective(const Communicator& communicator);

  /// What was switched when and why, one line each.
  const std::vector<std::string>& decisions() const { return decisions_; }

 private:
  /// What is known of rounds with the same messages.
  struct Pattern {
    Time time;                ///< Of the last one.
    std::uint32_t alike = 0;  ///< How often the time was the same.
    std::uint64_t next = 0;   ///< The pattern that came after it.
  };
  struct Pair {
    std::uint32_t posted = 0;
    std::uint32_t seen = 0;
    std::deque<Message*> kept;
  };
  std::uint32_t by_rules(const Message& message) const;
  void decide(std::uint32_t level, const std::string& why);
  void end_round();

  World& world_;
  FidelityPlan plan_;
  std::vector<std::unique_ptr<Transport>> transports_;
  std::optional<std::uint32_t> chosen_;  ///< By the program or automatically.
  std::unordered_map<std::uint64_t, Pair> pairs_;
  std::unordered_map<std::uint64_t, Pattern> patterns_;
  std::uint64_t hash_ = 0;      ///< Of the messages of rank 0 in this round,
  std::uint64_t previous_ = 0;  ///< and in the one before.
  Time round_begin_;
  std::vector<std::string> decisions_;
};

}  // namespace heddle::mpi
