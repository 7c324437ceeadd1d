// The steps of a collective as puts into the mailboxes of other PEs.
#pragma once

#include <memory>
#include <vector>

#include "coll/op/op.hpp"
#include "coll/rules/selector.hpp"
#include "shmem/engine.hpp"
#include "shmem/pe.hpp"
#include "shmem/world.hpp"

namespace heddle::shmem {

/// One collective call of a PE, which carries out what an algorithm of MPI's says.
class PutSteps final : public coll::Steps {
 public:
  /// Enters the call.
  PutSteps(Pe& pe, Membership& member, coll::Collective collective, const Agreed& agreed = {},
           const coll::Op* op = nullptr);
  ~PutSteps() override;

  using Steps::scratch;
  coll::Step send(const coll::Buffer& data, int peer) override;
  coll::Step receive(const coll::Buffer& data, int peer) override;
  void copy(const coll::Buffer& from, const coll::Buffer& to) override;
  void reduce(const coll::Buffer& operand, const coll::Buffer& result) override;
  void wait() override;
  void wait(coll::Step step) override;
  bool complete(coll::Step step) override;
  coll::Buffer scratch(std::int64_t count, const coll::Datatype& type) override {
    return workspace_->memory.get(count, type);
  }

 private:
  std::uint64_t channel(int from) const;
  std::string waiting_text(const Receive& open) const;
  void await(const Receive& receive);

  Pe& pe_;
  Team& team_;
  const coll::Op* op_;
  std::uint32_t number_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<Receive*>& receives_;
  std::size_t closed_ = 0;  ///< Receives before this one are done.
};

}  // namespace heddle::shmem
