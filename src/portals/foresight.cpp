#include "portals/foresight.hpp"

#include "core/prefetch.hpp"
#include "portals/parcels.hpp"
#include "portals/process.hpp"

namespace heddle::portals {

void Foresight::opened(Interface& interface, std::uint32_t nodes) {
  const Process& process = interface.process();
  if (reach_.empty()) reach_.resize(nodes);
  reach_[index(process.id().node)] = {&interface, &process, &process.rank().fiber()};
}

void Foresight::closed(Interface& interface) {
  Reach& reach = reach_[index(interface.process().id().node)];
  if (reach.interface == &interface) reach = {};
}

void Foresight::foresee(nic::Report report, std::uint32_t cookie, NodeId node) const {
  if (report == nic::Report::counter_visible) {
    if (!Parcels::owns(cookie)) prefetch(&counters_[cookie]);
    return;
  }
  constexpr std::size_t kRequest = 3;  ///< Lines; the rest is for other kinds.
  prefetch_lines(&commands_[cookie], report == nic::Report::accepted ? 1 : kRequest);
  const Reach& reach = this->reach(node);
  if (reach.interface == nullptr) return;
  constexpr std::size_t kProcess = 2;
  constexpr std::size_t kFiber = 3;
  constexpr std::size_t kInterface = 3;
  prefetch_lines(reach.process, kProcess);
  if (report == nic::Report::accepted) return prefetch_lines(reach.fiber, kFiber);
  prefetch_lines(reach.interface, kInterface);
}

void Foresight::expect(nic::Report report, std::uint32_t cookie, NodeId node) const {
  if (report == nic::Report::counter_visible) {
    if (!Parcels::owns(cookie)) prefetch(counters_[cookie].process);
    return;
  }
  const Reach& reach = this->reach(node);
  if (reach.interface == nullptr) return;
  const Interface& interface = *reach.interface;
  switch (report) {
    case nic::Report::accepted:
      return reach.fiber->foresee();
    case nic::Report::arrive:
      prefetch(commands_[cookie].origin);
      interface.entries.foresee(0);
      if (!interface.portals.empty()) prefetch(interface.portals.data());
      return;
    default:
      interface.descriptors.foresee(0);
      interface.counters.foresee(0);
      reach.process->commands.foresee(commands_[cookie].place);
  }
}

}  // namespace heddle::portals
