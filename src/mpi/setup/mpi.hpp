// MPI for the ranks of one job, complete: what those who run jobs need of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mpi/comm/dynamic.hpp"
#include "mpi/transport/fidelity.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

/// A world with its modules. Those that nobody asks for are not there.
class Mpi final : public World {
 public:
  /// All must outlive it; `portals` may be null where no transport goes through adapters.
  Mpi(host::Job& job, network::Network& network, const MpiConfig& config,
      portals::Machine* portals = nullptr);

  /// The recorder of the job, if it has one by now, wants to know of messages.
  void record_messages();
  /// Who records what ranks do; must outlive it.
  void log_calls(CallLog& log);
  /// Looks for mistakes of programs that do not stop them.
  void want_check();
  /// What it has found, and what is left in a run that has ended, by rank: "rank 3: ...".
  std::optional<std::vector<std::string>> findings();

  /// Messages travel at several depths; `network_of` has the network of a model, which must outlive
  /// it.
  void set_levels(const FidelityPlan& plan,
                  const std::function<network::Network&(const std::string& model)>& network_of);
  /// Null unless they do.
  const Fidelity* fidelity() const { return find_part<Fidelity>(); }

  /// Who can start further processes; must outlive it. Without one there are none.
  void set_spawner(Spawner& spawner);
  /// The processes of the beginning are of several programs, whose first ones these are.
  void set_applications(std::vector<std::uint32_t> first);

 private:
  portals::Machine* portals_;
};

}  // namespace heddle::mpi
