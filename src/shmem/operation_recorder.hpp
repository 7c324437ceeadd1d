// Operations, for the recording of a run.
#pragma once

#include <cstdint>

#include "core/time.hpp"
#include "host/rank/job.hpp"
#include "shmem/operation.hpp"

namespace heddle::shmem {

/// Tells the recorder of a job, if it has one, of operations that no adapters tell it of.
class OperationRecorder {
 public:
  explicit OperationRecorder(host::Job& job) : job_(job) {}
  /// The operation sets out, there or back, after so long.
  void start(Operation& operation, Time delay) const;
  /// It has come there, or back, with so many bytes.
  void end(Operation& operation, std::int64_t bytes) const;
  /// The initiator of one that was recorded knows that it is complete.
  void completed(const Operation& operation) const;
  /// The source of a put can be used again.
  void sent(const Operation& operation) const;

 private:
  std::uint32_t number_of(const Pe& pe) const;
  void told(const Pe& pe, std::uint64_t number) const;
  host::Job& job_;
};

}  // namespace heddle::shmem
