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

  std::uint64_t ended(const nic::ActivityRecord& record) override {
    if (trace_ != nullptr) trace_->ended(record);
    if (record.activity == nic::Activity::compute) return 0;
    return step(static_cast<std::uint16_t>(record.activity), record);
  }
  std::uint64_t injected(const nic::ActivityRecord& record) override {
    return step(record::kInjected, record);
  }
  std::uint64_t noticed(const nic::ActivityRecord& record) override {
    return step(record::kNoticed, record);
  }
  void because_of(std::uint64_t activity) override {
    if (recorder_ != nullptr) recorder_->causes().because_of(activity);
  }
  std::uint64_t acting() const override {
    return recorder_ == nullptr ? 0 : recorder_->causes().acting();
  }

 private:
  std::uint64_t step(std::uint16_t what, const nic::ActivityRecord& record) {
    if (recorder_ == nullptr) return 0;
    const auto from = rank_of_(record.initiator);
    const auto to = rank_of_(record.target);
    if (!from || !to) return 0;
    return recorder_->step({what, record.operation, *from, *to, record.size.count(), record.start,
                            record.end, record.cause.activity, record.cause.since,
                            record.from_memory, record.to_memory});
  }

  nic::Observer* trace_;
  record::RunRecorder* recorder_;
  RankOf rank_of_;
};

}  // namespace heddle::run
