// A ring of nodes that exchange 64 KiB with both neighbours, ten times over, and say how long a
// step takes on three networks. Heddle is used as a library: the program is an ordinary one and
// drives the simulation itself.
#include <algorithm>
#include <cstdio>
#include <heddle/simulator.hpp>

namespace {

constexpr std::int64_t kBytes = 64 * 1024;
constexpr int kSteps = 10;

/// Each node begins a step when it has what both neighbours sent in the last.
class Halo {
 public:
  explicit Halo(const heddle::Machine& machine) : simulator_(machine), nodes_(machine.nodes()) {
    for (std::uint32_t n = 0; n < machine.nodes(); ++n) {
      simulator_.at(0, [this, n] { begin(n); });
    }
  }

  /// Picoseconds of a step.
  std::int64_t run() {
    simulator_.run();
    return simulator_.now_ps() / kSteps;
  }

 private:
  struct Node {
    int begun = 0;  ///< Steps.
    int from_left = 0;
    int from_right = 0;
  };

  void begin(std::uint32_t n) {
    const auto count = static_cast<std::uint32_t>(nodes_.size());
    ++nodes_[n].begun;
    send(n, (n + 1) % count, &Node::from_left);
    send(n, (n + count - 1) % count, &Node::from_right);
  }

  void send(std::uint32_t from, std::uint32_t to, int Node::*side) {
    simulator_.send(from, to, kBytes, [this, to, side] {
      Node& node = nodes_[to];
      ++(node.*side);
      const bool complete = std::min(node.from_left, node.from_right) >= node.begun;
      if (complete && node.begun < kSteps) begin(to);
    });
  }

  heddle::Simulator simulator_;
  std::vector<Node> nodes_;
};

}  // namespace

int main() {
  for (const char* network : {"queue", "fluid", "packet"}) {
    const heddle::Machine machine("dragonfly-72", {std::string("network.model=") + network});
    std::printf("%s, %s: %lld ps a step\n", machine.name().c_str(), network,
                static_cast<long long>(Halo(machine).run()));
  }
}
