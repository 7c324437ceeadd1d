// Tells what the adapters do to all who want to know.
#pragma once

#include <functional>
#include <optional>

#include "nic/observer.hpp"
#include "record/run_recorder.hpp"

namespace heddle::run {

/// For a trace of operations, a recording, or both.
class StepObserver final : public nic::Observer {
 public:
  using RankOf = std::function<std::optional<std::uint32_t>(nic::ProcessId)>;
  /// Both may be null; they must outlive this.
  StepObserver(nic::Observer* trace, record::RunRecorder* recorder, RankOf rank_of)
      : trace_(trace), recorder_(recorder), rank_of_(std::move(rank_of)) {}

  void ended(const nic::ActivityRecord& record) override {
    if (trace_ != nullptr) trace_->ended(record);
    if (recorder_ == nullptr || record.activity == nic::Activity::compute) return;
    const auto from = rank_of_(record.initiator);
    const auto to = rank_of_(record.target);
    if (!from || !to) return;
    recorder_->step(static_cast<std::uint16_t>(record.activity), record.operation, *from, *to,
                    record.size.count(), record.start, record.end);
  }

 private:
  nic::Observer* trace_;
  record::RunRecorder* recorder_;
  RankOf rank_of_;
};

}  // namespace heddle::run
