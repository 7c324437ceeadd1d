#include "shmem/operation_recorder.hpp"

#include "shmem/pe.hpp"

namespace heddle::shmem {

std::uint32_t OperationRecorder::number_of(const Pe& pe) const {
  return job_.recorded_as(pe.rank().id());
}

void OperationRecorder::start(Operation& operation, Time delay) const {
  if (job_.recorder() == nullptr) return;
  operation->began = job_.simulation().now() + delay;
  if (!operation->answering) operation->thread = operation->initiator->rank().thread().number();
}

void OperationRecorder::end(Operation& operation, std::int64_t bytes) const {
  record::RunRecorder* const recorder = job_.recorder();
  if (recorder == nullptr || operation->initiator == operation->target) return;
  const bool back = operation->answering;
  record::MessageRecord entry;
  entry.sender = number_of(back ? *operation->target : *operation->initiator);
  entry.receiver = number_of(back ? *operation->initiator : *operation->target);
  entry.bytes = bytes;
  entry.sent = entry.met = operation->began;
  entry.arrived = job_.simulation().now();
  if (back) {
    entry.way = record::Way::answer;
    entry.cause = operation->request;
  } else {
    entry.thread = operation->thread;
  }
  operation->request = recorder->message(entry);
  told(back ? *operation->initiator : *operation->target, operation->request);
}

void OperationRecorder::completed(const Operation& operation) const {
  if (operation->request != 0) told(*operation->initiator, operation->request);
}

void OperationRecorder::sent(const Operation& operation) const {
  if (record::RunRecorder* const recorder = job_.recorder()) {
    recorder->causes().held_up(number_of(*operation->initiator), record::Activity::gap,
                               job_.simulation().now());
  }
}

void OperationRecorder::told(const Pe& pe, std::uint64_t number) const {
  job_.recorder()->causes().told(number_of(pe), number, job_.simulation().now());
}

}  // namespace heddle::shmem
