// Heddle as a library: machines, and messages between their nodes.
//
//     heddle::Machine machine("dragonfly-72", {"topology.routing=valiant",
//     "network.model=packet"}); heddle::Simulator simulator(machine); simulator.send(0, 71, 65536,
//     [&] { std::printf("%lld ps\n", (long long)simulator.now_ps()); }); simulator.run();
//
// Times are picoseconds from the beginning of the simulation. Everything throws std::runtime_error
// with the sentence that `heddle` would print: what is wrong, where, and what would be accepted.
// Simulations with the same machine, seed and calls give the same times, bit by bit. Nothing is
// global: each simulator may live in a thread of its own.
#ifndef HEDDLE_SIMULATOR_HPP
#define HEDDLE_SIMULATOR_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// A machine as `heddle` knows it; does not change.
class Machine {
 public:
  /// `name_or_path` is a built-in machine or a file (YAML, edge list, SimGrid XML); each of
  /// `settings` is "section.name=value", as for --set.
  explicit Machine(const std::string& name_or_path, const std::vector<std::string>& settings = {});
  ~Machine();
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;

  std::string name() const;
  /// One line that describes its topology.
  std::string topology() const;
  std::uint32_t nodes() const;
  /// The number of the node with this name (or number, as text).
  std::uint32_t node(const std::string& name) const;
  std::string node_name(std::uint32_t node) const;

 private:
  friend class Simulator;
  struct State;
  std::unique_ptr<State> state_;
};

/// One simulated world: a clock and a network.
class Simulator {
 public:
  /// The machine must outlive it. The network model is the machine's (`network.model`).
  explicit Simulator(const Machine& machine, std::uint64_t seed = 1);
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  std::int64_t now_ps() const;
  /// Calls `then` at a time that is not past.
  void at(std::int64_t time_ps, std::function<void()> then);
  /// Sends a message now, from memory to memory; calls `arrived` at the instant when its last byte
  /// is there. Can be called from within either kind of call.
  void send(std::uint32_t from, std::uint32_t to, std::int64_t bytes,
            std::function<void()> arrived = {});
  /// Until nothing is left to happen. Throws if messages wait for each other for ever.
  void run();
  /// Lets the next thing happen, if that is not later than a time; false if it is, or if nothing is
  /// left. Throws as run() does.
  bool step(std::int64_t until_ps = INT64_MAX);
  /// All that happens up to a time, to which the clock is then set.
  void run_until(std::int64_t time_ps);
  /// A number that stands for everything that happened so far, in order.
  std::uint64_t fingerprint() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle

#endif
