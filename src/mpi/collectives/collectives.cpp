#include "mpi/collectives/collectives.hpp"

#include "mpi/comm/registry.hpp"

namespace heddle::mpi::collectives {
namespace {

/// The switch that a node hangs on; the node itself where there is none.
std::uint64_t switch_of(const platform::Platform& platform, NodeId node) {
  const platform::Topology& topology = platform.topology();
  const auto at = static_cast<VertexId>(node);
  const auto own = static_cast<std::uint32_t>(node);
  const auto other = VertexId{(own + 1) % topology.nodes()};
  if (other == at || !topology.has_route(at, other)) return own;
  platform::Hop hop{};
  hop.from = hop.at = at;
  hop.to = other;
  const VertexId next = topology.after(hop, topology.output(hop));
  return topology.is_switch(next) ? static_cast<std::uint32_t>(next) : own;
}

}  // namespace

Collectives::Collectives(World& world) : world_(world), selector_(world.config()) {}

std::shared_ptr<Common> Collectives::common(const Communicator& communicator) {
  std::weak_ptr<Common>& place = common_[communicator.data()->number];
  std::shared_ptr<Common> shared = place.lock();
  if (!shared) {
    const int remote = communicator.inter() ? communicator.peers().size() : 0;
    shared = std::make_shared<Common>(static_cast<std::uint32_t>(communicator.size() + remote),
                                      places_of(communicator));
    place = shared;
  }
  return shared;
}

Places Collectives::places_of(const Communicator& communicator) const {
  host::Job& job = world_.job();
  const CommunicatorDataRef& data = communicator.data();
  const auto node = [&job, data](int rank) {
    return job.rank(host::RankId{data->group->process(rank)}).node();
  };
  return Places(
      communicator.size(), [node](int rank) { return static_cast<std::uint64_t>(node(rank)); },
      [node, &job](int rank) { return switch_of(job.platform(), node(rank)); });
}

std::unique_ptr<Workspace> Collectives::take_workspace() {
  if (unused_.empty()) return std::make_unique<Workspace>();
  std::unique_ptr<Workspace> workspace = std::move(unused_.back());
  unused_.pop_back();
  return workspace;
}

void Collectives::give_back(std::unique_ptr<Workspace> workspace) {
  if (!workspace->messages.all_done()) return abandoned_.push_back(std::move(workspace));
  workspace->messages.clear();
  workspace->memory.clear();
  unused_.push_back(std::move(workspace));
}

Membership& membership(Communicator& communicator) {
  if (!communicator.collectives) {
    Collectives& all = collectives_of(communicator.process());
    auto made = std::make_unique<Membership>(all.common(communicator));
    if (communicator.inter()) {
      const bool upper = communicator.group().process(0) > communicator.peers().process(0);
      CommunicatorDataRef& local = made->common->local[upper ? 1 : 0];
      if (!local) {
        auto data = std::make_shared<CommunicatorData>();
        data->number = communicator.process().world().part<Registry>().new_number();
        data->group = communicator.data()->group;
        local = data;
      }
      made->local = make_ref<Communicator>(communicator.process(), communicator.handle(), local);
    }
    communicator.collectives = std::move(made);
  }
  return static_cast<Membership&>(*communicator.collectives);
}

}  // namespace heddle::mpi::collectives
