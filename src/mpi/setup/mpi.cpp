#include "mpi/setup/mpi.hpp"

#include "mpi/call_log.hpp"
#include "mpi/check/check.hpp"
#include "mpi/collectives/collectives.hpp"
#include "mpi/comm/registry.hpp"
#include "mpi/engine/message_recorder.hpp"
#include "mpi/p2p/point_request.hpp"
#include "mpi/transport/hybrid.hpp"
#include "mpi/transport/portals.hpp"

namespace heddle::mpi {
namespace {

std::unique_ptr<Transport> make_transport(const World& world, network::Network& network,
                                          portals::Machine* adapters) {
  if (adapters != nullptr) {
    return std::make_unique<PortalsTransport>(world.simulation(), *adapters, world.config());
  }
  return std::make_unique<HybridTransport>(world.simulation(), world.job().platform(), network,
                                           world.config());
}

}  // namespace

Mpi::Mpi(host::Job& job, network::Network& network, const MpiConfig& config,
         portals::Machine* portals)
    : World(job, network, config, portals), portals_(portals) {
  part<Registry>();
  part<PointRequests>();
  Engine& engine =
      add_part(std::make_unique<Engine>(*this, make_transport(*this, network, adapters())));
  job.ends().tell([this, &engine](host::Rank& rank) {
    if (Process* process = find_process(index(rank.id()))) engine.ended(*process);
  });
  part<collectives::Collectives>();  // Reads files of rules.
}

void Mpi::record_messages() {
  if (job().recorder() == nullptr) return;
  find_part<Engine>()->observers().add(part<MessageRecorder>());
}

void Mpi::log_calls(CallLog& log) {
  set_call_log(&log);
  find_part<Engine>()->observers().add(log);
}

void Mpi::want_check() {
  part<Check>();
}

std::optional<std::vector<std::string>> Mpi::findings() {
  Check* const check = find_part<Check>();
  if (check == nullptr) return std::nullopt;
  return check->findings();
}

void Mpi::set_levels(const FidelityPlan& plan,
                     const std::function<network::Network&(const std::string& model)>& network_of) {
  std::vector<std::unique_ptr<Transport>> transports;
  for (const FidelityLevel& level : plan.levels) {
    const bool by_adapters = level.transport == "portals";
    transports.push_back(make_transport(*this, by_adapters ? network() : network_of(level.network),
                                        by_adapters ? portals_ : nullptr));
  }
  find_part<Engine>()->set_choice(
      add_part(std::make_unique<Fidelity>(*this, plan, std::move(transports))));
}

void Mpi::set_spawner(Spawner& spawner) {
  part<Spawning>().set_spawner(spawner);
}

void Mpi::set_applications(std::vector<std::uint32_t> first) {
  part<Registry>().set_applications(std::move(first));
}

}  // namespace heddle::mpi
