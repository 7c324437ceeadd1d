#include "mpi/coll/collectives.hpp"

#include <array>

#include "mpi/comm/registry.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi::coll {
namespace {

constexpr std::array<std::string_view, kCollectives> kNames = {
    "barrier",
    "bcast",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "reduce",
    "allreduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "exscan",
    "neighbor_allgather",
    "neighbor_allgatherv",
    "neighbor_alltoall",
    "neighbor_alltoallv",
    "neighbor_alltoallw",
};

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

std::string_view name_of(Collective collective) {
  return kNames[static_cast<std::size_t>(collective)];
}

std::optional<Collective> collective_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Collective>(i);
  }
  return std::nullopt;
}

std::optional<Attendance::Clash> Attendance::enter(std::uint32_t number, std::uint32_t member,
                                                   Collective operation) {
  while (number >= begin_ + calls_.size()) calls_.emplace_back();
  Call& call = calls_[number - begin_];
  if (call.entered == 0) {
    call.operation = operation;
    call.first = member;
    call.present.resize(members_);
  }
  if (call.operation != operation) return Clash{call.operation, call.first};
  call.present[member] = true;
  ++call.entered;
  while (!calls_.empty() && calls_.front().entered == members_) {
    calls_.pop_front();
    ++begin_;
  }
  return std::nullopt;
}

bool Attendance::complete(std::uint32_t number) const {
  return number < begin_ ||
         (number < begin_ + calls_.size() && calls_[number - begin_].entered == members_);
}

std::vector<std::uint32_t> Attendance::missing(std::uint32_t number) const {
  std::vector<std::uint32_t> absent;
  if (number < begin_ || number >= begin_ + calls_.size()) return absent;
  const Call& call = calls_[number - begin_];
  for (std::uint32_t member = 0; member < members_; ++member) {
    if (!call.present[member]) absent.push_back(member);
  }
  return absent;
}

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
    Collectives& all = communicator.process().world().collectives();
    auto made = std::make_unique<Membership>(all.common(communicator));
    if (communicator.inter()) {
      const bool upper = communicator.group().process(0) > communicator.peers().process(0);
      CommunicatorDataRef& local = made->common->local[upper ? 1 : 0];
      if (!local) {
        auto data = std::make_shared<CommunicatorData>();
        data->number = communicator.process().world().registry().new_number();
        data->group = communicator.data()->group;
        local = data;
      }
      made->local = new Communicator(communicator.process(), communicator.handle(), local);
    }
    communicator.collectives = std::move(made);
  }
  return static_cast<Membership&>(*communicator.collectives);
}

}  // namespace heddle::mpi::coll
