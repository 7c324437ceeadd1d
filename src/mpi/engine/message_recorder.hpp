// Messages, for the recording of a run.
#pragma once

#include "mpi/message_observer.hpp"
#include "mpi/world.hpp"
#include "record/run_recorder.hpp"

namespace heddle::mpi {

/// Tells the recorder of a job of its messages when they are there.
class MessageRecorder final : public Part, public MessageObserver {
 public:
  /// The job has a recorder.
  explicit MessageRecorder(World& world) : world_(world), recorder_(*world.job().recorder()) {}

  void puts_off(Message& message) override;
  void goes_on(const Message& message) override;
  void went_on(const Message& message) override;
  void sets_out(Message& message) override;
  void meets(Message& message, const Buffer& buffer, const Completion& completion) override;
  void arrived(Message& message) override;
  void delivered(const Message& message) override;

 private:
  World& world_;
  record::RunRecorder& recorder_;
};

}  // namespace heddle::mpi
