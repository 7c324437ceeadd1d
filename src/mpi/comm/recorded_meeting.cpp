#include "mpi/comm/recorded_meeting.hpp"

#include "host/rank/job.hpp"

namespace heddle::mpi {

void record_meeting(const Communicator& communicator) {
  const host::Rank& rank = communicator.process().rank();
  const host::Job& job = rank.job();
  if (job.recorder() == nullptr) return;
  const record::GroupKey key{job.number(), record::GroupKey::Of::communicators,
                             communicator.data()->number};
  const auto describe = [&] {
    const int members =
        communicator.size() + (communicator.inter() ? communicator.peers().size() : 0);
    return record::Group{key, job.recorded_as(host::RankId{0}), static_cast<std::uint32_t>(members),
                         communicator.label()};
  };
  job.recorder()->meets(rank.thread().lane(), job.recorder()->groups().number(key, describe));
}

}  // namespace heddle::mpi
