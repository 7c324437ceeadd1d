// What is fetched from memory before an adapter reports something.
#pragma once

#include <vector>

#include "nic/software.hpp"
#include "portals/commands.hpp"
#include "portals/counter_store.hpp"
#include "portals/interface.hpp"

namespace heddle {
class Fiber;
}

namespace heddle::portals {

/// Changes nothing but caches. Of each node it knows the process that has opened an interface last.
class Foresight {
 public:
  /// Both must outlive it.
  Foresight(const Commands& commands, const CounterStore& counters)
      : commands_(commands), counters_(counters) {}

  /// An interface has been opened, on a machine of so many nodes, or is going to be closed.
  void opened(Interface& interface, std::uint32_t nodes);
  void closed(Interface& interface);

  /// As nic::Software has them.
  void foresee(nic::Report report, std::uint32_t cookie, NodeId node) const;
  void expect(nic::Report report, std::uint32_t cookie, NodeId node) const;

 private:
  struct Reach {
    const Interface* interface = nullptr;
    const Process* process = nullptr;
    const Fiber* fiber = nullptr;
  };
  const Reach& reach(NodeId node) const {
    static constexpr Reach kNobody;
    return reach_.empty() ? kNobody : reach_[index(node)];
  }

  const Commands& commands_;
  const CounterStore& counters_;
  std::vector<Reach> reach_;  ///< By node; empty until there is one.
};

}  // namespace heddle::portals
