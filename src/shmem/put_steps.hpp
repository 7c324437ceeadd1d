// The steps of a collective as puts into the mailboxes of other PEs.
#pragma once

#include <memory>
#include <vector>

#include "mpi/coll/selector.hpp"
#include "mpi/op/op.hpp"
#include "shmem/pe.hpp"
#include "shmem/world.hpp"

namespace heddle::shmem {

/// One collective call of a PE, which carries out what an algorithm of MPI's says.
class PutSteps final : public mpi::coll::Steps {
 public:
  /// Enters the call.
  PutSteps(Pe& pe, Membership& member, mpi::coll::Collective collective, const Agreed& agreed = {},
           const mpi::Op* op = nullptr);
  ~PutSteps() override;

  using Steps::scratch;
  mpi::coll::Step send(const mpi::Buffer& data, int peer) override;
  mpi::coll::Step receive(const mpi::Buffer& data, int peer) override;
  void copy(const mpi::Buffer& from, const mpi::Buffer& to) override;
  void reduce(const mpi::Buffer& operand, const mpi::Buffer& result) override;
  void wait() override;
  void wait(mpi::coll::Step step) override;
  bool complete(mpi::coll::Step step) override;
  mpi::Buffer scratch(std::int64_t count, const mpi::Datatype& type) override {
    return workspace_->memory.get(count, type);
  }

 private:
  std::uint64_t channel(int from) const;
  std::string waiting_text(const Receive& open) const;
  void await(const Receive& receive);

  Pe& pe_;
  Team& team_;
  const mpi::Op* op_;
  std::uint32_t number_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<Receive*>& receives_;
  std::size_t closed_ = 0;  ///< Receives before this one are done.
};

}  // namespace heddle::shmem
