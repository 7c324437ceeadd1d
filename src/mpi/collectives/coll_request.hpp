// Collectives that go on while the program does something else, once or again and again.
#pragma once

#include <vector>

#include "coll/steps/schedule.hpp"
#include "mpi/collectives/context.hpp"
#include "mpi/request.hpp"

namespace heddle::mpi::collectives {

/// Carries out a schedule inside the calls that its process makes.
class CollRequest final : public Request, private Progress {
 public:
  CollRequest(const Context& context, bool persistent)
      : Request(context.process(), persistent), context_(context), name_(process().call) {
    messages_.tell(process(), Messages::Tell::notify);
  }
  /// What the algorithm is to write into, before the request begins.
  Schedule& schedule() { return schedule_; }
  Context& context() { return context_; }
  /// Keeps what the schedule uses.
  void keep(const Datatype& type) { types_.emplace_back(&type); }
  void keep(const Op& op) { op_ = OpRef(&op); }

  /// Begins one that is not persistent.
  void begin_once() { begin(); }
  std::string describe() const override;
  std::optional<std::uint32_t> peer() const override;
  void deliver(Outcome& outcome) override;

 private:
  void begin() override;
  void hold_buffers(BufferCheck& check);
  void advance() override;
  /// Carries out one instruction; false if it has to be waited for.
  bool execute(const Schedule::Instruction& instruction);

  Context context_;
  const char* name_;  ///< The call that made it.
  Schedule schedule_;
  Messages messages_;
  std::size_t next_ = 0;
  bool advancing_ = false;
  std::vector<DatatypeRef> types_;
  OpRef op_;
};

}  // namespace heddle::mpi::collectives
