// The groups of cases, one file each.
#pragma once

#include "harness.hpp"

namespace heddle::bench {

void add_core_cases(Suite& suite);      ///< core_bench.cpp: events, fibers.
void add_fluid_cases(Suite& suite);     ///< fluid_bench.cpp: many flows that share links.
void add_host_cases(Suite& suite);      ///< host_bench.cpp: starting many ranks.
void add_links_cases(Suite& suite);     ///< links_bench.cpp: flows by the million, beside packets.
void add_machine_cases(Suite& suite);   ///< machine_bench.cpp: building large machines.
void add_mpi_cases(Suite& suite);       ///< mpi_bench.cpp: MPI programs, beside SMPI.
void add_nic_cases(Suite& suite);       ///< nic_bench.cpp: puts through BXI adapters.
void add_packet_cases(Suite& suite);    ///< packet_bench.cpp: flits, beside published figures.
void add_pingpong_cases(Suite& suite);  ///< pingpong_bench.cpp: two programs over `queue`.
void add_portals_cases(Suite& suite);   ///< portals_bench.cpp: puts from the call to the event.
void add_side_by_side_cases(Suite& suite);  ///< side_by_side_bench.cpp: ranks on several threads.
void add_processes_cases(Suite& suite);     ///< processes_bench.cpp: ranks that are processes.
void add_replay_cases(Suite& suite);        ///< replay_bench.cpp: schedules over LogGOPS.
void add_routing_cases(Suite& suite);       ///< routing_bench.cpp: what choosing a way costs.
void add_shmem_cases(Suite& suite);         ///< shmem_bench.cpp: OpenSHMEM, beside raw puts.
void add_study_cases(Suite& suite);         ///< study_bench.cpp: many points on all cores.
void add_traffic_cases(Suite& suite);       ///< traffic_bench.cpp: runs shared by threads.

/// SimGrid's cost of a communication between two programs, per message: the yardstick that goes
/// from one machine to another (pingpong_bench.cpp).
Sample simgrid_pingpong(std::int64_t rounds);

}  // namespace heddle::bench
