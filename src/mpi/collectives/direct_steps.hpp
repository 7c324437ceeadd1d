// Steps carried out while they are said: blocking collectives.
#pragma once

#include "coll/steps/steps.hpp"
#include "mpi/collectives/context.hpp"

namespace heddle::mpi::collectives {

class DirectSteps final : public Steps {
 public:
  explicit DirectSteps(const Context& context);
  ~DirectSteps() override;
  using Steps::scratch;
  Step send(const Buffer& data, int peer) override;
  Step receive(const Buffer& data, int peer) override;
  void copy(const Buffer& from, const Buffer& to) override { context_.copy(from, to); }
  void reduce(const Buffer& operand, const Buffer& result) override {
    context_.reduce(operand, result);
  }
  void wait() override;
  /// The last wait; throws Error if a message was wrong. Not before all have been, for others wait
  /// for what this rank passes on.
  void finish();
  void wait(Step step) override;
  bool complete(Step step) override;
  void exchanges(NextExchange next) override;
  Buffer scratch(std::int64_t count, const Datatype& type) override {
    return workspace_->memory.get(count, type);
  }

 private:
  const Context& context_;
  std::unique_ptr<Workspace> workspace_;
  Messages& messages_;
};

}  // namespace heddle::mpi::collectives
