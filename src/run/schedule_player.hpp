// Ranks that do what a GOAL schedule says, with the messages of MPI.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/containers/pool.hpp"
#include "goal/schedule.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/rank/job.hpp"
#include "mpi/rma/carrier.hpp"
#include "replay/loggops/parameters.hpp"
#include "run/one_sided_box.hpp"

namespace heddle::run {

class SchedulePlayer;

/// A transfer that needs nobody to receive it.
struct OneSidedParcel final : mpi::Parcel {
  SchedulePlayer* player = nullptr;
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  std::uint32_t tag = 0;
  std::uint32_t op = 0;  ///< That sent it.
  /// An operation of the sender's, if the parcel fetches what that waits for.
  std::uint32_t answer = OneSidedBox::kNobody;
  std::int64_t touched = 0;  ///< Bytes of the target's memory.
  bool handled = false;      ///< The target's processor has done its part.

 private:
  void arrived() override;
};

/// A program whose ranks do the operations of a schedule as soon as they may, one at a time. Sends
/// and receives are MPI's: they cost what its transport says, and long messages wait for their
/// receives. A send whose start nothing waits for costs what MPI_Send does, others what MPI_Isend
/// does.
///
/// Operations of adapters from 1 on are one-sided: their data come without the receiver's doing,
/// and a send ends when they are there. What stands beside them on processors from 1 on takes no
/// time of the rank. A send of processor 0 costs what MPI_Put does. A send that an acknowledgement
/// follows (replay/adapters.hpp) is synchronous, and what fetches is a get of the adapters where
/// they have one. Messages must carry no data, for there is none.
class SchedulePlayer final : public host::Program {
 public:
  /// The schedule must outlive the player. Throws InputError where it has other work for further
  /// processors.
  SchedulePlayer(const goal::Schedule& schedule, const replay::ReplayConfig& config);
  ~SchedulePlayer() override;
  int run(host::Rank& rank) override;
  AddressSpace& memory(host::Rank&) override { return memory_; }

 private:
  friend class OpPlayer;
  friend struct OneSidedParcel;
  void reached(OneSidedParcel& parcel);

  const goal::Schedule& schedule_;
  const replay::ReplayConfig config_;
  std::vector<OneSidedBox> boxes_;        ///< By rank; empty without one-sided operations.
  std::vector<class OpPlayer*> players_;  ///< By rank: of those that have begun; the same.
  Pool<OneSidedParcel> parcels_;
  host::GuardedMemory memory_;
};

}  // namespace heddle::run
