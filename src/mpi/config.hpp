// What MPI costs: section `mpi` of the parameters.
#pragma once

#include <cstdint>
#include <optional>

#include "coll/costs/piecewise.hpp"
#include "coll/costs/transport_config.hpp"
#include "coll/rules/coll_config.hpp"
#include "core/params.hpp"

namespace heddle::mpi {

/// Whose costs the parameters that are not given take.
enum class Preset : std::uint8_t { none, smpi };

using coll::TransportKind;

struct MpiConfig : coll::CollConfig, coll::TransportConfig {
  Preset preset = Preset::none;
  std::optional<Bytes> eager_limit;
  std::optional<Bytes> detached_limit;
  std::optional<Bytes> control_size;
  Bytes send_buffer;
  std::optional<coll::Overheads> send_overhead;
  std::optional<coll::Overheads> isend_overhead;
  std::optional<coll::Overheads> receive_overhead;
  coll::Overheads delay;
  coll::Overheads gap;
  coll::Overheads jitter;
  coll::Overheads node_delay;
  coll::Overheads node_gap;
  std::optional<Bytes> node_eager_limit;
  std::optional<coll::Overheads> node_send_overhead;
  std::optional<coll::Overheads> node_isend_overhead;
  std::optional<coll::Overheads> node_receive_overhead;
  std::optional<Bandwidth> node_memory_bandwidth;
  std::int64_t sockets = 1;
  coll::Overheads socket_delay;
  coll::Overheads copy_cost;
  coll::Overheads reduction_cost;
  std::optional<Time> clock_cost;
  std::optional<Time> test_cost;
  Time spawn_cost;
  bool copy_payload = true;
  std::optional<Bytes> payload_limit;
  coll::Overheads rma_target_cost;
  Bandwidth io_bandwidth;
  Bandwidth io_node_bandwidth;
  Time io_latency;

  /// Whether data of so many bytes moves.
  bool carries(std::int64_t bytes) const {
    return copy_payload && (!payload_limit || bytes <= payload_limit->count());
  }
  /// The same with a value for everything that the preset decides.
  MpiConfig resolved() const;
};

const ParamTable<MpiConfig>& mpi_table();

/// What mpi.preset=smpi means beyond MPI's own parameters, unless the settings say something else:
/// the network that SMPI simulates, with the factors that depend on the size of messages counted
/// once, and what it takes to look at a clock.
void follow_preset(Settings& settings);

}  // namespace heddle::mpi
